//! The instructions of library calls: a record names a call, and here stands what it issues.
//!
//! A call of AscendC's advanced API is one function to its caller and some instructions to the
//! pipes. The machine checks and computes it as a whole; a record has its instructions, with their
//! repeats, their operands in temporary space, and their barriers.
//!
//! The facts are those of asc-devkit, `impl/adv_api/detail`, for architecture 2201: which
//! instructions come in which order, and how temporary space is divided. Each file names the
//! folders it tells of. Most functions of one tensor are lines of a table (`elementwise.rs`).
//!
//! Left out: masks and their modes, which the scalar unit sets in a few cycles; loops and
//! addresses of the scalar unit.

mod broadcast;
mod class;
mod cumsum;
mod elementwise;
mod norm;
mod power;
mod recipe;
mod reduce;
mod select;
mod softmax;
mod sort;
mod steps;

#[cfg(test)]
mod tests;

pub use class::class;

use super::event::{Names, What};
use std::collections::BTreeMap;
use std::fmt;
use steps::{Steps, Tensor};

/// A call of the library, as the machine tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    name: String,
    /// The element type, by its name in C++.
    element: String,
    /// Addresses, sizes and choices.
    numbers: BTreeMap<String, u32>,
}

/// The reason that a call has no instructions here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Nobody has written down what the function issues for this element type.
    Recipe,
    /// Its instructions depend on something that a record does not have.
    Undecided(&'static str),
    /// The machine has not told a number.
    Number(&'static str),
    /// A text is not `NAME TYPE KEY=NUMBER..`.
    Text(String),
    /// A recipe means nothing.
    Step(String),
    /// A trace has no room for more names.
    Names,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Recipe => f.write_str("its instructions are not written down"),
            Unknown::Undecided(why) => f.write_str(why),
            Unknown::Number(name) => write!(f, "the record has no `{name}`"),
            Unknown::Text(text) => write!(f, "`{text}` is no call of the library"),
            Unknown::Step(text) => write!(f, "`{text}` is no step of a recipe"),
            Unknown::Names => f.write_str("a trace has no room for more names"),
        }
    }
}
impl std::error::Error for Unknown {}

impl Call {
    /// Reads `Sin float count=64 dst=0 ..`.
    ///
    /// # Errors
    /// The text has another form.
    pub fn from_text(text: &str) -> Result<Call, Unknown> {
        let wrong = || Unknown::Text(text.to_string());
        let mut words = text.split(' ');
        let name = words
            .next()
            .filter(|name| !name.is_empty())
            .ok_or_else(wrong)?;
        let element = words.next().ok_or_else(wrong)?;
        let number = |word: &str| {
            let (key, value) = word.split_once('=')?;
            Some((key.to_string(), value.parse().ok()?))
        };
        Ok(Call {
            name: name.to_string(),
            element: element.to_string(),
            numbers: words.map(number).collect::<Option<_>>().ok_or_else(wrong)?,
        })
    }

    /// Returns the name of the function.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the instructions of the call, with their operands.
    ///
    /// # Errors
    /// The function has no recipe, or its instructions depend on more than a record has.
    pub fn expand(&self, names: &mut Names) -> Result<Vec<What>, Unknown> {
        let mut steps = Steps::new(names);
        match self.name.as_str() {
            "BroadCast" | "Broadcast" => broadcast::issue(self, &mut steps)?,
            "CumSum" => cumsum::issue(self, &mut steps)?,
            "Extract" => sort::extract(self, &mut steps)?,
            "Power" => power::issue(self, &mut steps)?,
            "RmsNorm" => norm::issue(self, &mut steps)?,
            "Select" => select::issue(self, &mut steps)?,
            "SoftMax" => softmax::issue(self, &mut steps)?,
            "Sort" => sort::sort(self, &mut steps)?,
            name if name.starts_with("Reduce") => reduce::issue(self, &mut steps)?,
            _ => elementwise::issue(self, &mut steps)?,
        }
        steps.finish()
    }

    fn number(&self, key: &'static str) -> Result<u32, Unknown> {
        self.numbers.get(key).copied().ok_or(Unknown::Number(key))
    }

    fn is(&self, key: &'static str) -> Result<bool, Unknown> {
        Ok(self.number(key)? != 0)
    }

    /// Returns the bytes of an element.
    fn size(&self) -> Result<u32, Unknown> {
        match self.element.as_str() {
            "int8_t" | "uint8_t" => Ok(1),
            "half" | "bfloat16_t" | "int16_t" | "uint16_t" => Ok(2),
            "float" | "int32_t" | "uint32_t" => Ok(4),
            _ => Err(Unknown::Recipe),
        }
    }

    /// Returns a tensor of the call's own type.
    fn tensor(&self, key: &'static str) -> Result<Tensor, Unknown> {
        Ok(Tensor {
            at: self.number(key)?,
            size: self.size()?,
        })
    }
}
