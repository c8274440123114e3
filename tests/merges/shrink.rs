//! Shrinks the text of a kernel as long as a property holds.

/// Splits a text into words and signs, without white space.
fn tokens(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut end = at + 1;
        if is_word(c) {
            while end < chars.len()
                && (is_word(chars[end])
                    || c.is_ascii_digit()
                        && chars[end] == '.'
                        && chars.get(end + 1).is_some_and(char::is_ascii_digit))
            {
                end += 1;
            }
        } else if let (':', Some(':'))
        | ('.', Some('.'))
        | ('=', Some('='))
        | ('>' | '<', Some('=')) = (c, chars.get(end))
        {
            end += 1;
        }
        if !c.is_whitespace() {
            all.push(chars[at..end].iter().collect());
        }
        at = end;
    }
    all
}

fn joined(tokens: &[String]) -> String {
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        text.push_str(token);
        let tight = matches!(
            token.as_str(),
            "(" | "." | "::" | "#" | "[" | "&" | "!" | "<" | ".."
        ) || matches!(
            tokens.get(at + 1).map(String::as_str),
            Some("(" | ")" | "." | "::" | "," | ";" | "[" | "]" | "!" | ":" | "<" | ">" | "..")
        );
        text.push_str(match token.as_str() {
            "{" | "}" | ";" => "\n",
            _ if tight => "",
            _ => " ",
        });
    }
    text
}

/// Returns the place where the bracket at `open` is closed.
fn closing(tokens: &[String], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the ranges of tokens that may go, larger ones first, each with its replacement.
fn candidates(all: &[String]) -> Vec<(std::ops::Range<usize>, Vec<String>)> {
    let mut found = Vec::new();
    for at in 0..all.len() {
        let token = all[at].as_str();
        // Statements and parameters.
        if at > 0 && matches!(all[at - 1].as_str(), ";" | "{" | "}") && !matches!(token, "}" | ";")
        {
            let mut end = at;
            while end < all.len() && !matches!(all[end].as_str(), ";" | "{" | "}") {
                end = if matches!(all[end].as_str(), "(" | "[") {
                    closing(all, end).map_or(all.len(), |e| e + 1)
                } else {
                    end + 1
                };
            }
            match all.get(end).map(String::as_str) {
                Some(";") => found.push((at..end + 1, Vec::new())),
                Some("{") => {
                    if let Some(close) = closing(all, end) {
                        found.push((at..close + 1, Vec::new()));
                        found.push((at..close + 1, all[end + 1..close].to_vec()));
                    }
                }
                _ => {}
            }
        }
        if token == "else" {
            if let Some(close) = closing(all, at + 1) {
                found.push((at..close + 1, Vec::new()));
            }
        }
        if at > 0 && matches!(all[at - 1].as_str(), "," | "(") && all[..at].iter().all(|t| t != "{")
        {
            let mut end = at;
            while end < all.len() && !matches!(all[end].as_str(), "," | ")") {
                end = if matches!(all[end].as_str(), "(" | "[") {
                    closing(all, end).map_or(all.len(), |e| e + 1)
                } else {
                    end + 1
                };
            }
            if all.get(end).map(String::as_str) == Some(",") {
                found.push((at..end + 1, Vec::new()));
            }
        }
        // Calls of methods.
        if token == "." && all.get(at + 2).map(String::as_str) == Some("(") {
            if let Some(close) = closing(all, at + 2) {
                found.push((at..close + 1, Vec::new()));
            }
        }
        // One of two operands, and brackets.
        if token == "(" {
            if let Some(close) = closing(all, at) {
                let mut depth = 0;
                for (i, inner) in all.iter().enumerate().take(close).skip(at + 1) {
                    match inner.as_str() {
                        "(" | "[" => depth += 1,
                        ")" | "]" => depth -= 1,
                        "+" | "-" | "*" | "/" | "&" | "|" if depth == 0 && i > at + 1 => {
                            found.push((at + 1..i + 1, Vec::new()));
                            found.push((i..close, Vec::new()));
                        }
                        _ => {}
                    }
                }
                found.push((at..close + 1, all[at + 1..close].to_vec()));
            }
        }
        // One of two operands up to the end of a statement.
        if matches!(token, "+" | "-" | "*" | "/" | "&" | "|") {
            let mut end = at + 1;
            while end < all.len()
                && !matches!(all[end].as_str(), ";" | "," | ")" | "]" | "+" | "-" | "{")
            {
                end = if matches!(all[end].as_str(), "(" | "[") {
                    closing(all, end).map_or(all.len(), |e| e + 1)
                } else {
                    end + 1
                };
            }
            if end <= all.len() {
                found.push((at..end, Vec::new()));
            }
        }
    }
    found.sort_by_key(|(range, with)| std::cmp::Reverse(range.len() - with.len().min(range.len())));
    found
}

/// Shrinks a text step by step while `still` is true for it. Tries at most so many texts.
pub fn shrink(text: &str, mut tries: usize, still: impl Fn(&str) -> bool) -> String {
    let mut all = tokens(text);
    if !still(&joined(&all)) {
        return text.to_string();
    }
    loop {
        let mut smaller = None;
        for (range, with) in candidates(&all) {
            if tries == 0 {
                return joined(&all);
            }
            let mut next = all[..range.start].to_vec();
            next.extend(with);
            next.extend_from_slice(&all[range.end..]);
            if next.len() >= all.len() {
                continue;
            }
            tries -= 1;
            if still(&joined(&next)) {
                smaller = Some(next);
                break;
            }
        }
        match smaller {
            Some(next) => all = next,
            None => return joined(&all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let text = "fn k(a: f32, b: f32) { let x = (a + b).floor(); if a > 0.0 { c = x * 2.0; } d = 1.0; }";
        let small = shrink(text, 500, |t| t.contains("floor") && t.contains("fn k"));
        assert!(
            small.contains("floor") && !small.contains("d =") && !small.contains("c ="),
            "{small}"
        );
    }
}
