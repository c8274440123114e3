//! The table of tools: arguments, results, and the functions that implement them.

use super::{explain, launch, predict, text};
use crate::shape::Described;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};

/// The result of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// The text for people and models.
    pub text: String,
    /// The value for programs, in the tool's output schema.
    pub structured: Value,
}

/// Why a tool has no result. The texts are for people and models. The first one contains the
/// mistake, its place, what is allowed and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused(pub Vec<String>);

impl Refused {
    /// Reports a mistake, and what to do.
    pub fn new(what: impl std::fmt::Display, help: impl std::fmt::Display) -> Refused {
        Refused(vec![format!("error: {what}\nhelp: {help}")])
    }
}

/// The result of a call.
pub type Done = Result<Given, Refused>;

/// A tool of the server.
pub struct Tool {
    pub name: &'static str,
    /// Its title for people.
    pub title: &'static str,
    /// A description for the model that chooses.
    pub says: &'static str,
    takes: fn() -> Value,
    gives: fn() -> Value,
    does: fn(Value) -> Done,
}

macro_rules! tools {
    ($($name:literal $title:literal $says:literal $does:path: $takes:ty => $gives:ty;)*) => {
        /// Every tool, in the order of the list.
        pub static TOOLS: &[Tool] = &[$(Tool {
            name: $name,
            title: $title,
            says: $says,
            takes: <$takes as Described>::schema,
            gives: <$gives as Described>::schema,
            does: |arguments| call::<$takes, $gives>($name, arguments, $does),
        }),*];
    };
}

tools! {
    "card" "Op card"
        "What a prompt should say of the language, in as many tokens as there are: the form of a kernel, ops with what they do to axes, kernels to learn from. Read this before you write a kernel."
        text::card: text::Card => text::Page;
    "grammar" "Grammar"
        "The language as a grammar, for engines that constrain what a model writes."
        text::grammar: text::Grammar => text::Page;
    "check" "Check a kernel"
        "Checks the kernels of a text for a chip. Gives every finding with its place, what might stand there instead and, where there is one, a fix."
        text::check: text::Check => text::Checked;
    "fix" "Fix a kernel"
        "Applies the fixes that a program may apply, again and again until none is left. Gives the text, what was done and what is left to find."
        text::fix: text::Fix => text::Fixed;
    "fmt" "Canonical form"
        "Prints tile kernels in canonical form: one op a `let`, functions inlined, names from pools."
        text::fmt: text::Fmt => text::Kernels;
    "emit" "Emit AscendC"
        "Writes the AscendC project of a kernel, as texts with their paths, or its lowered form at queue level. Nothing is written to disk."
        text::emit: text::Emit => text::Files;
    "run" "Run a kernel"
        "Runs a kernel on the reference simulator or the tile interpreter, with inputs that are given or drawn by a seed. Small outputs are given whole, others as a summary."
        launch::run: launch::Run => launch::Ran;
    "cost" "Predict cycles"
        "Predicts what a launch takes, from published constants: cycles by pipe and call, bytes, what bounds it. Nothing is measured."
        predict::cost: predict::Cost => predict::Costs;
    "explain" "Explain a code or an op"
        "Explains an error code with a wrong and a right kernel, or an op or function of tiles."
        explain::explain: explain::Explain => text::Page;
}

/// Returns the tool of that name.
pub fn by_name(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

impl Tool {
    /// Describes the tool as the protocol lists it.
    pub fn listed(&self) -> Value {
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.says,
            "inputSchema": (self.takes)(),
            "outputSchema": (self.gives)(),
            "annotations": {"title": self.title, "readOnlyHint": true, "openWorldHint": false},
        })
    }

    /// Runs the tool.
    ///
    /// # Errors
    /// [`Refused`] for arguments that it does not take, or a request that it cannot fulfil.
    pub fn call(&self, arguments: Value) -> Done {
        (self.does)(arguments)
    }
}

fn call<A: Described + DeserializeOwned, G: Serialize>(
    name: &str,
    arguments: Value,
    does: fn(A) -> Result<(String, G), Refused>,
) -> Done {
    let arguments = serde_json::from_value(arguments).map_err(|e| {
        let schema = A::schema();
        let names = |of: &Value| {
            of.as_object().map_or(String::new(), |map| {
                map.keys().cloned().collect::<Vec<_>>().join(", ")
            })
        };
        Refused::new(
            format!("arguments of `{name}`: {e}"),
            format!(
                "it takes {}; `tools/list` has the schema",
                names(&schema["properties"])
            ),
        )
    })?;
    let (text, given) = does(arguments)?;
    let structured = serde_json::to_value(given)
        .map_err(|e| Refused::new(format!("no JSON: {e}"), "please report it"))?;
    Ok(Given { text, structured })
}
