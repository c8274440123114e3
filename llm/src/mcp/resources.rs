//! The pages of the language as resources.

use serde_json::{json, Value};

/// A page of the book, or the schema of findings.
struct Page {
    uri: &'static str,
    mime: &'static str,
    text: fn() -> String,
}

macro_rules! pages {
    ($($name:literal)*) => {
        &[$(Page {
            uri: concat!("jumar://book/", $name, ".md"),
            mime: "text/markdown",
            text: || include_str!(concat!("../../../book/src/", $name, ".md")).to_string(),
        }),*]
    };
}

static BOOK: &[Page] = pages!(
    "reference/language/files"
    "reference/language/signature"
    "reference/language/shapes"
    "reference/language/optional"
    "reference/language/lists"
    "reference/language/tiles"
    "reference/language/windows-and-views"
    "reference/language/values"
    "reference/language/reductions"
    "reference/language/cores"
    "reference/language/data-indices"
    "reference/language/order"
    "reference/language/statements"
    "reference/language/queue"
    "reference/language/queue-calls"
    "reference/language/by-hand"
    "reference/ops/README"
    "reference/ops/functions"
    "reference/ops/casts"
    "reference/items"
    "reference/errors"
    "design/limits"
);

static SCHEMA: Page = Page {
    uri: "jumar://book/reference/diagnostics.schema.json",
    mime: "application/schema+json",
    text: jumar::dsl::diag::schema,
};

fn pages() -> impl Iterator<Item = &'static Page> {
    BOOK.iter().chain([&SCHEMA])
}

impl Page {
    /// Returns the heading, and the sentence below it.
    fn says(&self) -> (String, String) {
        if self.mime != "text/markdown" {
            return (
                "Schema of findings".into(),
                "The JSON schema of a finding, as `check` and `fix` give it.".into(),
            );
        }
        let text = (self.text)();
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let title = lines
            .next()
            .unwrap_or_default()
            .trim_start_matches("# ")
            .to_owned();
        (title, lines.next().unwrap_or_default().to_owned())
    }
}

/// Lists the pages in the form of the protocol.
pub fn list() -> Value {
    let each = |page: &Page| {
        let name = page.uri.trim_start_matches("jumar://book/");
        let (title, says) = page.says();
        json!({"uri": page.uri, "name": name, "title": title, "description": says, "mimeType": page.mime})
    };
    json!({"resources": pages().map(each).collect::<Vec<_>>()})
}

/// Returns the contents of a page, or `None` for an unknown address.
pub fn read(uri: &str) -> Option<Value> {
    let page = pages().find(|page| page.uri == uri)?;
    Some(json!({"contents": [{"uri": page.uri, "mimeType": page.mime, "text": (page.text)()}]}))
}
