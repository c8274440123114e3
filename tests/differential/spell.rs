//! Writes an op as a kernel does, after the example in its row.

use jumar::dsl::ops::OpDef;

/// Writes the example of a row with other operands: `x + y`, `x.max(y)`, `-x`.
pub fn write_op(def: &OpDef, operands: &[&str]) -> String {
    let example = def
        .example
        .split_once('=')
        .map_or(def.example, |(_, value)| value)
        .trim()
        .trim_end_matches(';');
    let mut out = String::new();
    for (i, c) in example.char_indices() {
        let alone = |j: Option<char>| !j.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let before = example[..i].chars().next_back();
        let after = example[i + c.len_utf8()..].chars().next();
        match (c, alone(before) && alone(after)) {
            ('x', true) => out.push_str(&operand(operands[0])),
            ('y', true) => out.push_str(&operand(operands[1])),
            _ => out.push(c),
        }
    }
    out
}

/// Puts negative numbers in parentheses.
fn operand(text: &str) -> String {
    if text.starts_with('-') {
        format!("({text})")
    } else {
        text.to_string()
    }
}
