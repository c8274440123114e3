//! The tasks as data: what their headers say, and how long their answers are.
//!
//! A task is two texts in `llm/tasks`, `<bench>/<task>.toml` and `<bench>/<task>.rs`. The header says what is computed, of which tensors and for
//! which sizes; somebody who has read it alone can write the kernel. The other text is the answer, a `#[kernels] mod`. Every key is known: what is
//! misspelled is an error.

use super::{judge::Reference, multikernelbench, npukernelbench, serving, Row};
use serde::Deserialize;

/// The benchmarks: name of the folder, what it is, where its tasks come from.
pub const BENCHES: [(&str, &str, &str); 3] = [
    (
        "multikernelbench",
        "MultiKernelBench",
        "<https://github.com/wzzll123/MultiKernelBench>, all for vector cores",
    ),
    (
        "npukernelbench",
        "NPUKernelBench",
        "<https://github.com/weich97/NPUKernelBench>, all for vector cores",
    ),
    (
        "serving",
        "Serving and training",
        "Kernels that engines for language models call, in our own words",
    ),
];

/// The header of a task.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// The folder, the benchmark's name.
    #[serde(skip)]
    pub bench: &'static str,
    /// Name of its files and of the kernel.
    #[serde(skip)]
    pub stem: String,
    #[serde(skip)]
    row: Option<&'static Row>,
    /// What the benchmark calls it.
    pub name: String,
    /// The category that the benchmark has it in.
    pub category: String,
    /// The level that the benchmark has it at; NPUKernelBench has three, MultiKernelBench none.
    pub level: Option<u8>,
    /// What it computes.
    pub does: String,
    /// The element types that `T` stands for, one run each; where there is a `U`, it is the second one.
    #[serde(default)]
    pub elements: Vec<String>,
    /// Inputs and outputs.
    pub tensors: Vec<Tensor>,
    /// Attributes.
    #[serde(default)]
    pub attrs: Vec<Attr>,
    /// Sizes to run, with what else differs.
    pub cases: Vec<Case>,
    /// How far a result may be off.
    pub tolerance: Tolerance,
    /// Parameters of the benchmark's kernel function, where these are not the inputs and then the outputs: tensors by their names here, and what it has
    /// besides.
    #[serde(default)]
    pub entry: Vec<String>,
    /// What of the benchmark's task is not asked for, and what the language lacks for it.
    pub leaves_out: Option<String>,
    /// Tokens of the benchmark's own answer, its kernel files alone.
    pub public_tokens: Option<usize>,
}

/// A tensor of the signature.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tensor {
    /// Its name in the signature.
    pub name: String,
    /// What the kernel does with it.
    pub is: Is,
    /// An element type, `T` or `U`.
    pub of: String,
    /// Axes: `d`, `n..`, `m @ dim`, or a size computed of others.
    pub shape: String,
    /// What it holds at the start; see [`super::data`].
    pub data: Option<String>,
    /// True for a list, of which each item of a case has one.
    #[serde(default)]
    pub list: bool,
}

/// What the kernel does with a tensor.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Is {
    /// It is read.
    Input,
    /// An input that a case may leave out.
    Optional,
    /// It is written.
    Output,
    /// An output that a case may leave out.
    Asked,
    /// It is read and written.
    Inplace,
}

impl Is {
    /// True where a case may leave it out.
    pub fn optional(self) -> bool {
        matches!(self, Is::Optional | Is::Asked)
    }

    /// True where there is something before a run.
    pub fn read(self) -> bool {
        matches!(self, Is::Input | Is::Optional | Is::Inplace)
    }

    /// True where there is a result.
    pub fn written(self) -> bool {
        matches!(self, Is::Output | Is::Asked | Is::Inplace)
    }
}

/// An attribute and what it is where a case says nothing else.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attr {
    /// Its name in the signature.
    pub name: String,
    /// A type of numbers, or the names of an enum in the order of their numbers: `none | mean`.
    pub of: String,
    /// Its value.
    pub value: toml::Value,
    /// True for a list with a number for each item.
    #[serde(default)]
    pub list: bool,
}

/// Sizes of the axes, those of `n..` a list, and values of attributes.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Tensors that are left out.
    #[serde(default)]
    pub without: Vec<String>,
    /// Of a task with lists what each item has of its own: sizes, values of attributes. `items` is the size of an axis of so many.
    pub items: Option<Vec<toml::Table>>,
    /// Sizes and values by name.
    #[serde(flatten)]
    pub given: toml::Table,
}

/// A result may be off by `units` of 2^-23 of what the reference says it was computed of, and by half a unit of its own type.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// How many of these units.
    pub units: f64,
    /// Where the number comes from.
    pub why: String,
}

/// The rows of a benchmark.
fn rows(bench: &str) -> &'static [Row] {
    match bench {
        "multikernelbench" => multikernelbench::ROWS,
        "npukernelbench" => npukernelbench::ROWS,
        "serving" => serving::ROWS,
        other => panic!("no benchmark `{other}`"),
    }
}

/// The tasks of a benchmark in the order of their names.
pub fn tasks(bench: &'static str) -> Vec<Task> {
    let parsed = |row: &Row| {
        toml::from_str::<Task>(row.header).unwrap_or_else(|e| panic!("{bench}/{}: {e}", row.stem))
    };
    rows(bench)
        .iter()
        .map(|row| Task {
            bench,
            stem: row.stem.to_string(),
            row: Some(row),
            ..parsed(row)
        })
        .collect()
}

impl Attr {
    /// The names that an enum has; none of a number.
    pub fn choices(&self) -> Vec<&str> {
        self.of
            .split('|')
            .map(str::trim)
            .filter(|_| self.of.contains('|'))
            .collect()
    }
}

impl Case {
    /// The case as one of its items sees it; of a task without lists it is the case.
    pub fn of_item(&self, item: usize) -> Case {
        let mut own = Case {
            items: None,
            ..self.clone()
        };
        if let Some(items) = &self.items {
            own.given
                .extend(items.get(item).cloned().unwrap_or_default());
            own.given
                .insert("items".into(), toml::Value::Integer(items.len() as i64));
        }
        own
    }

    /// How many items there are: one of a task without lists.
    pub fn count(&self) -> usize {
        self.items.as_ref().map_or(1, Vec::len)
    }
}

impl Task {
    fn row(&self) -> &'static Row {
        self.row.expect("a task comes from its row")
    }

    /// What it computes, in f64.
    pub fn reference(&self) -> Reference {
        self.row().reference
    }

    /// The answer, as a candidate is given.
    pub fn answer(&self) -> &'static str {
        self.row().answer
    }
}

/// The tokens of Rust or C++ text without its comments: a run of letters, digits and `_` is one, so is a string, and so is any other character.
pub fn tokens(text: &str) -> usize {
    let (mut count, mut rest) = (0, text);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            '"' => closing(rest),
            _ if first.is_alphanumeric() || first == '_' => rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let skipped = first.is_whitespace() || rest.starts_with("//") || rest.starts_with("/*");
        count += usize::from(!skipped);
        rest = &rest[length..];
    }
    count
}

/// Bytes of the string that a text begins with.
fn closing(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}
