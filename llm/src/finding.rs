//! Findings as values: what `jumar check --json` prints, for those who hand them on.

use crate::shape::Described;
use jumar::load::KernelFile;
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};

/// A finding, as `jumar check --json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding(pub Value);

impl Described for Finding {
    fn schema() -> Value {
        json!({"type": "object", "required": ["code", "severity", "message", "span", "expected", "fix"]})
    }
}

/// All of a file, and a line for each kernel that is right.
///
/// # Errors
/// Where a line is no JSON, which is a mistake of jumar's.
pub fn findings(file: &KernelFile) -> serde_json::Result<Vec<Finding>> {
    file.json()
        .lines()
        .map(|line| serde_json::from_str(line).map(Finding))
        .collect()
}
