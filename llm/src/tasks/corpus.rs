//! The tasks as data: their headers, and the lengths of their answers.
//!
//! A task is two texts in `llm/tasks`: `<bench>/<task>.toml` and `<bench>/<task>.rs`. The header
//! describes the computation, the tensors and the sizes, and suffices to write the kernel. The
//! second text is the answer, a `#[kernels] mod`. An unknown key is an error, so a misspelled one
//! is found.

use super::{judge::Reference, multikernelbench, npukernelbench, serving, Row};
use serde::Deserialize;

/// The benchmarks: name of the folder, title, and source of the tasks.
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
    /// The folder, which is the benchmark's name.
    #[serde(skip)]
    pub bench: &'static str,
    /// Name of its files and of the kernel.
    #[serde(skip)]
    pub stem: String,
    #[serde(skip)]
    row: Option<&'static Row>,
    /// The benchmark's name for it.
    pub name: String,
    /// The benchmark's category.
    pub category: String,
    /// The benchmark's level; NPUKernelBench has three, MultiKernelBench none.
    pub level: Option<u8>,
    /// The description of the computation.
    pub does: String,
    /// The element types for `T`, with one run each; if there is a `U`, it is the second one.
    #[serde(default)]
    pub elements: Vec<String>,
    /// Inputs and outputs.
    pub tensors: Vec<Tensor>,
    #[serde(default)]
    pub attrs: Vec<Attr>,
    /// Sizes to run, with other differences.
    pub cases: Vec<Case>,
    /// The tolerance of a result.
    pub tolerance: Tolerance,
    /// Parameters of the benchmark's kernel function, if they differ from the inputs and then the
    /// outputs. They are tensors by their names here, and other parameters.
    #[serde(default)]
    pub entry: Vec<String>,
    /// The parts of the benchmark's task that are not asked for, and the missing features.
    pub leaves_out: Option<String>,
    /// Tokens of the benchmark's own answer, in its kernel files alone.
    pub public_tokens: Option<usize>,
}

/// A tensor of the signature.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tensor {
    /// Its name in the signature.
    pub name: String,
    /// Its use in the kernel.
    pub is: Is,
    /// An element type, `T` or `U`.
    pub of: String,
    /// Axes: `d`, `n..`, `m @ dim`, or a size computed from others.
    pub shape: String,
    /// Its data before the run; see [`super::data`].
    pub data: Option<String>,
    /// True for a list, with a tensor for each item of a case.
    #[serde(default)]
    pub list: bool,
}

/// The use of a tensor in the kernel.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Is {
    /// The kernel reads it.
    Input,
    /// An input that a case may leave out.
    Optional,
    /// The kernel writes it.
    Output,
    /// An output that a case may leave out.
    Asked,
    /// The kernel reads and writes it.
    Inplace,
}

impl Is {
    /// True if a case may leave it out.
    pub fn optional(self) -> bool {
        matches!(self, Is::Optional | Is::Asked)
    }

    /// True if it has data before a run.
    pub fn read(self) -> bool {
        matches!(self, Is::Input | Is::Optional | Is::Inplace)
    }

    /// True if it has a result.
    pub fn written(self) -> bool {
        matches!(self, Is::Output | Is::Asked | Is::Inplace)
    }
}

/// An attribute with its default value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attr {
    /// Its name in the signature.
    pub name: String,
    /// A type of numbers, or the variants of an enum in the order of their numbers: `none | mean`.
    pub of: String,
    /// The default value.
    pub value: toml::Value,
    /// True for a list with a number for each item.
    #[serde(default)]
    pub list: bool,
}

/// Sizes of the axes, as a list for `n..`, and values of attributes.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Tensors that are left out.
    #[serde(default)]
    pub without: Vec<String>,
    /// For a task with lists: sizes and attributes of each item. The number of items is the size of
    /// the axis `items`.
    pub items: Option<Vec<toml::Table>>,
    /// Sizes and values by name.
    #[serde(flatten)]
    pub given: toml::Table,
}

/// The tolerance of a result: `units` of 2^-23 of the size that the reference gives, and half a
/// unit of the result's own type.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// The number of units.
    pub units: f64,
    /// The reason for this number.
    pub why: String,
}

/// Returns the rows of a benchmark.
fn rows(bench: &str) -> &'static [Row] {
    match bench {
        "multikernelbench" => multikernelbench::ROWS,
        "npukernelbench" => npukernelbench::ROWS,
        "serving" => serving::ROWS,
        other => panic!("no benchmark `{other}`"),
    }
}

/// Returns the tasks of a benchmark in the order of their names.
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
    /// Returns the variants of an enum; none for a number.
    pub fn choices(&self) -> Vec<&str> {
        self.of
            .split('|')
            .map(str::trim)
            .filter(|_| self.of.contains('|'))
            .collect()
    }
}

impl Case {
    /// Returns the case for one of its items, or the case itself for a task without lists.
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

    /// The number of items; 1 for a task without lists.
    pub fn count(&self) -> usize {
        self.items.as_ref().map_or(1, Vec::len)
    }
}

impl Task {
    fn row(&self) -> &'static Row {
        self.row.expect("a task comes from its row")
    }

    /// Returns its reference in f64.
    pub fn reference(&self) -> Reference {
        self.row().reference
    }

    /// Returns the answer, in the form of a candidate.
    pub fn answer(&self) -> &'static str {
        self.row().answer
    }
}

/// Counts the tokens of Rust or C++ text without comments. A token is a run of letters, digits and
/// `_`, a string, or any other character.
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

/// Returns the bytes of the string at the beginning of a text.
fn closing(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}
