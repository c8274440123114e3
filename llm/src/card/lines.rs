//! The lines of a card on the language: what each says, its example, and the kernel around that
//! example.
//!
//! The text is data, `lines.toml`, so that a line is written without code around it. The tests of
//! the card put each example into its kernel, check that, and run it.

use serde::Deserialize;
use std::sync::LazyLock;

/// The heading of the lines with a wrong and a right form.
pub const MISTAKES: &str = "Mistakes";
/// The heading of the lines on ops and functions of tiles.
pub const OPS: &str = "Ops";
/// The highest rank; a line of this rank is in the whole text only.
pub const LAST: u8 = 3;

/// A line on the language.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The heading above it.
    pub part: String,
    /// Its place in the queue for tokens: 0 in every card, `LAST` in the whole text.
    pub rank: u8,
    /// The rows of the tables of items, attributes, ops and functions that it explains.
    #[serde(default)]
    pub items: Vec<String>,
    /// The text before the example.
    pub says: String,
    /// An example, of one line or of several.
    pub example: Option<String>,
    /// A mistake; such a line has no example.
    pub wrong: Option<String>,
    /// The form to write in its place.
    pub right: Option<String>,
    /// The code of the finding on the mistake.
    pub code: Option<String>,
    /// The kernel around the example, which stands at `@@`, or the name of a common one.
    pub stage: Option<String>,
    /// More parameters of that kernel.
    pub params: Option<String>,
    /// Statements before its loop.
    pub before: Option<String>,
    /// The tile that it stores.
    pub out: Option<String>,
    /// Statements in the place of `..` in `{ .. }`.
    #[serde(default)]
    pub inner: Vec<String>,
}

impl Line {
    /// Returns the line as a card prints it.
    pub fn text(&self) -> String {
        if let (Some(wrong), Some(right)) = (&self.wrong, &self.right) {
            return format!("| `{wrong}` | `{right}` | {} |\n", self.says);
        }
        match self.example.as_deref().map(str::trim) {
            None => format!("- {}\n", self.says),
            Some(example) if example.contains('\n') => {
                format!("- {}\n```rust\n{example}\n```\n", self.says)
            }
            Some(example) => format!("- {} `{example}`\n", self.says),
        }
    }

    /// Returns the code to imitate: the example, or the right form.
    pub fn code(&self) -> Option<&str> {
        self.example.as_deref().or(self.right.as_deref())
    }
}

/// Returns every line, in the order in which cards print them.
///
/// # Panics
/// If the text that is built in is no table of lines.
pub fn lines() -> &'static [Line] {
    #[derive(Deserialize)]
    struct Text {
        line: Vec<Line>,
    }
    static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
        let text: Text = toml::from_str(include_str!("lines.toml"))
            .unwrap_or_else(|e| panic!("lines.toml: {e}"));
        text.line
    });
    &LINES
}

/// Returns what stands between the lines of a part and those before it.
pub fn heading(part: &str) -> String {
    let table = match part {
        MISTAKES => "| wrong | right | since |\n|---|---|---|\n",
        _ => "",
    };
    format!("\n## {part}\n\n{table}")
}
