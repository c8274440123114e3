//! The JSON schema of the lines that [`super::to_json`] and [`super::outcome_to_json`] write.

use super::json::quote;
use super::{Applicability, Code};
use crate::soc::Chip;

/// Returns the schema as text that ends with a line break. Codes, names and chips come from the
/// tables.
pub fn schema() -> String {
    let listed = |names: Vec<String>| {
        names
            .iter()
            .map(|name| quote(name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let of_codes = |name: fn(&Code) -> String| listed(Code::ALL.iter().map(name).collect());
    SCHEMA
        .replace("@codes", &of_codes(|code| code.as_str().to_owned()))
        .replace("@names", &of_codes(|code| code.name().to_owned()))
        .replace("@docs", &of_codes(|code| code.doc()))
        .replace(
            "@chips",
            &listed(
                Chip::all()
                    .iter()
                    .map(|chip| chip.name.to_owned())
                    .collect(),
            ),
        )
        .replace(
            "@applicability",
            &listed(
                Applicability::ALL
                    .iter()
                    .map(|how| how.as_str().to_owned())
                    .collect(),
            ),
        )
}

const SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "a line of `jumar check --json`",
  "description": "A finding (error or warning), a kernel that is right for a chip (ok), or a call that failed (error without span).",
  "type": "object",
  "additionalProperties": false,
  "required": ["code", "name", "severity", "message", "file", "kernel", "chips", "span", "labels", "notes", "help", "expected", "numbers", "fix", "doc"],
  "properties": {
    "code": {"description": "The stable code; null where none stands for it.", "enum": [null, @codes]},
    "name": {"description": "The name of the mistake.", "enum": [null, @names]},
    "severity": {"enum": ["error", "warning", "ok"]},
    "message": {"description": "One sentence, with the number found and the number allowed.", "type": "string", "minLength": 1},
    "file": {"type": ["string", "null"]},
    "kernel": {"type": ["string", "null"]},
    "chips": {"description": "The chips that it was found for; none where it holds whatever the chip.", "type": "array", "items": {"enum": [@chips]}},
    "span": {"description": "Where to look.", "anyOf": [{"$ref": "#/$defs/span"}, {"type": "null"}]},
    "labels": {"description": "Places and what is said of them; the first is that of `span`.", "type": "array", "items": {"$ref": "#/$defs/label"}},
    "notes": {"description": "Facts that led to it.", "type": "array", "items": {"type": "string"}},
    "help": {"description": "What to do.", "type": "array", "items": {"type": "string"}},
    "expected": {"description": "What might stand at the place instead: names, types, numbers, forms.", "type": "array", "items": {"type": "string", "minLength": 1}},
    "numbers": {"description": "The numbers of the message, by name.", "type": "object", "additionalProperties": {"type": "integer"}},
    "fix": {"anyOf": [{"$ref": "#/$defs/fix"}, {"type": "null"}]},
    "doc": {"description": "Where the pages of the project say more.", "enum": [null, @docs]}
  },
  "$defs": {
    "span": {
      "description": "Lines and columns count from 1, columns in characters; the end is exclusive. `byte` counts from 0, `length` in bytes.",
      "type": "object",
      "additionalProperties": false,
      "required": ["line", "column", "end_line", "end_column", "byte", "length"],
      "properties": {
        "line": {"type": "integer", "minimum": 0},
        "column": {"type": "integer", "minimum": 0},
        "end_line": {"type": "integer", "minimum": 0},
        "end_column": {"type": "integer", "minimum": 0},
        "byte": {"type": "integer", "minimum": 0},
        "length": {"type": "integer", "minimum": 0}
      }
    },
    "label": {
      "type": "object",
      "additionalProperties": false,
      "required": ["span", "text"],
      "properties": {"span": {"$ref": "#/$defs/span"}, "text": {"type": "string"}}
    },
    "fix": {
      "description": "Edits that, made together, remove the error: in the order of the text, apart from each other.",
      "type": "object",
      "additionalProperties": false,
      "required": ["edits", "applicability"],
      "properties": {
        "edits": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/edit"}},
        "applicability": {"enum": [@applicability]}
      }
    },
    "edit": {
      "type": "object",
      "additionalProperties": false,
      "required": ["span", "replacement"],
      "properties": {"span": {"$ref": "#/$defs/span"}, "replacement": {"type": "string"}}
    }
  }
}
"##;
