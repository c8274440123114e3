//! Findings as values, in the form that `jumar check --json` prints.

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

/// Returns all findings of a file, and an entry for each correct kernel.
///
/// # Errors
/// If a line is not JSON, which is a defect of jumar.
pub fn findings(file: &KernelFile) -> serde_json::Result<Vec<Finding>> {
    file.json()
        .lines()
        .map(|line| serde_json::from_str(line).map(Finding))
        .collect()
}
