//! The pages of the language as resources.

use serde_json::{json, Value};

/// A page.
struct Page {
    uri: &'static str,
    title: &'static str,
    says: &'static str,
    mime: &'static str,
    text: fn() -> String,
}

static PAGES: &[Page] = &[
    Page {
        uri: "jumar://docs/language.md",
        title: "The language",
        says: "What a kernel may say, with examples.",
        mime: "text/markdown",
        text: || include_str!("../../../docs/language.md").to_string(),
    },
    Page {
        uri: "jumar://docs/ops.md",
        title: "Ops",
        says: "Every op and function: element types by chip, precision, meaning.",
        mime: "text/markdown",
        text: || include_str!("../../../docs/ops.md").to_string(),
    },
    Page {
        uri: "jumar://docs/errors.md",
        title: "Error codes",
        says: "Every code, and the form of a finding.",
        mime: "text/markdown",
        text: || include_str!("../../../docs/errors.md").to_string(),
    },
    Page {
        uri: "jumar://docs/diagnostics.schema.json",
        title: "Schema of findings",
        says: "The JSON schema of a finding, as the tools `check` and `fix` give it.",
        mime: "application/schema+json",
        text: jumar::dsl::diag::schema,
    },
];

/// The list of pages, as the protocol has it.
pub fn list() -> Value {
    let each = |page: &Page| {
        let name = page.uri.rsplit('/').next();
        json!({"uri": page.uri, "name": name, "title": page.title, "description": page.says, "mimeType": page.mime})
    };
    json!({"resources": PAGES.iter().map(each).collect::<Vec<_>>()})
}

/// The contents of a page; `None` where there is none of that address.
pub fn read(uri: &str) -> Option<Value> {
    let page = PAGES.iter().find(|page| page.uri == uri)?;
    Some(json!({"contents": [{"uri": page.uri, "mimeType": page.mime, "text": (page.text)()}]}))
}
