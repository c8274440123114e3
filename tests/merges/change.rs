//! One change in the text of a right kernel: another reduction or operator, a function of a part,
//! an index of the tile, a condition, a statement too few or too many.

use super::generate::Random;

/// Words and their replacements.
const WORDS: &[(&str, &[&str])] = &[
    (".sum(", &[".amax(", ".amin(", ".mean(", ".prod("]),
    (".amax(", &[".sum(", ".amin(", ".mean("]),
    (".amin(", &[".amax(", ".sum("]),
    (".prod(", &[".sum(", ".amax("]),
    (".mean(", &[".sum(", ".amax("]),
    (".any(", &[".all("]),
    (".all(", &[".any("]),
    (".max(", &[".min("]),
    (".min(", &[".max("]),
    (".gt(", &[".ge(", ".lt("]),
    (".lt(", &[".le(", ".gt("]),
    (".ge(", &[".gt("]),
    (".le(", &[".lt("]),
    (".argmax(", &[".argmin("]),
    (".exp()", &[".abs()", ".floor()"]),
    (" += ", &[" = ", " -= ", " *= "]),
    (" + ", &[" - ", " * "]),
    (" - ", &[" + "]),
    (" * ", &[" + ", " / "]),
    (" / ", &[" * "]),
    (" |= ", &[" &= "]),
    ("0.0)", &["1.0)"]),
    ("f32::NEG_INFINITY", &["0.0", "f32::INFINITY"]),
    ("f32::INFINITY", &["0.0"]),
    (".store(", &[".atomic_add(", ".store_any("]),
    (".atomic_add(", &[".store("]),
];

/// Returns the variables of tile loops: `for t in tiles(` and `for (i, t) in tiles(`.
fn variables(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for part in text.split("for ").skip(1) {
        let Some((names, rest)) = part.split_once(" in ") else {
            continue;
        };
        if rest.starts_with("tiles(") && !rest.starts_with("tiles((each") {
            all.extend(
                names
                    .trim_matches(['(', ')'])
                    .split(',')
                    .map(|name| name.trim().to_string()),
            );
        }
    }
    all.sort();
    all.dedup();
    all
}

/// Returns the place where a bracket is closed.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text[open..].char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(open + at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Changes a text. Returns `None` where the drawn change has no place in it.
pub fn change(text: &str, random: &mut Random) -> Option<String> {
    let names = variables(text);
    let name = if names.is_empty() {
        return None;
    } else {
        names[random.below(names.len())].clone()
    };
    // Changes are made in the body of the kernel, behind its head.
    let from = text.find(") {").unwrap_or(0);
    let at_one_of = |pattern: &str, random: &mut Random| {
        let all: Vec<usize> = text[from..]
            .match_indices(pattern)
            .map(|(at, _)| from + at)
            .collect();
        (!all.is_empty()).then(|| all[random.below(all.len())])
    };
    match random.below(10) {
        0..=3 => {
            let present: Vec<_> = WORDS
                .iter()
                .filter(|(word, _)| text[from..].contains(word))
                .collect();
            let (word, others) = present.get(random.below(present.len()))?;
            let at = at_one_of(word, random)?;
            Some(format!(
                "{}{}{}",
                &text[..at],
                random.of(others),
                &text[at + word.len()..]
            ))
        }
        // A function of a part.
        4 | 5 => {
            let reduction = random.of(&[".sum(", ".amax(", ".amin(", ".any(", ".prod("]);
            let at = at_one_of(reduction, random)?;
            let close = closing(text, at + reduction.len() - 1)?;
            let made = match random.below(9) {
                0 => ".floor()".to_string(),
                1 => ".exp()".to_string(),
                2 => ".abs()".to_string(),
                3 => format!(" * {name}.len() as f32"),
                4 => format!(" + {name}.start() as f32"),
                5 => " * 2.0".to_string(),
                6 => " + 1.0".to_string(),
                7 => ".max(0.0)".to_string(),
                _ => " * get_block_idx() as f32".to_string(),
            };
            Some(format!("{}{made}{}", &text[..=close], &text[close + 1..]))
        }
        // An index that depends on the tile.
        6 => {
            let at = at_one_of(&format!("({name}"), random)?;
            let other = random.of(&[".start()", ".end() - 1", ".len() - 1", " * 1"]);
            Some(format!(
                "{}({name}{other}{}",
                &text[..at],
                &text[at + 1 + name.len()..]
            ))
        }
        // A statement under a condition, in a loop, twice, or not at all.
        _ => {
            let lines: Vec<&str> = text.lines().collect();
            let whole = |line: &str| {
                let line = line.trim();
                line.ends_with(';')
                    && !line.starts_with("let ")
                    && !line.starts_with("require")
                    && !line.starts_with("use ")
            };
            let all: Vec<usize> = (0..lines.len()).filter(|at| whole(lines[*at])).collect();
            let at = *all.get(random.below(all.len()))?;
            let line = lines[at].trim();
            let cond = match random.below(4) {
                0 => format!("{name}.start() == 0"),
                1 => format!("{name}.len() > 2"),
                2 => "get_block_idx() == 0".to_string(),
                _ => format!("{name}.end() > 3"),
            };
            let changed = match random.below(6) {
                0 | 1 => format!("if {cond} {{ {line} }}"),
                2 => format!("for _e in 0..2 {{ {line} }}"),
                3 => format!("{line} {line}"),
                4 => format!("for _e in 0..{name}.len() {{ {line} }}"),
                _ => String::new(),
            };
            let mut lines: Vec<&str> = lines.clone();
            lines[at] = &changed;
            Some(lines.join("\n"))
        }
    }
}
