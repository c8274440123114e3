//! Fillings of holes, and the findings that later text may still remove.

use super::forms::{Form, Hole, Piece};
use super::{is_word, word_at_end};
use jumar::dsl::diag::{Code, Diagnostic};
use std::collections::BTreeSet;

/// The limit of fillings of one form.
const MOST: usize = 48;
/// The limit of names for a hole.
const NAMES: usize = 16;

/// Fills all holes of a form, the likeliest fillings first.
pub(super) fn fillings<'a>(
    form: &'a Form,
    text: &str,
    names: &[String],
) -> impl Iterator<Item = String> + 'a {
    let holes = form
        .pieces
        .iter()
        .enumerate()
        .filter_map(|(nth, piece)| match piece {
            // The first piece continues the word at the end of the text.
            Piece::Hole(hole) => Some(fillers(
                *hole,
                if nth == 0 { word_at_end(text) } else { "" },
                names,
                says_tensor(text),
            )),
            Piece::Text(_) => None,
        });
    let holes: Vec<Vec<String>> = holes.collect();
    choices(&holes.iter().map(Vec::len).collect::<Vec<_>>())
        .into_iter()
        .map(move |choice| {
            let mut nth = 0;
            let parts = form.pieces.iter().map(|piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Hole(_) => {
                    nth += 1;
                    holes[nth - 1][choice[nth - 1]].clone()
                }
            });
            parts.collect()
        })
}

/// Returns indices into lists of these lengths, by their distance from the first entries.
fn choices(lengths: &[usize]) -> Vec<Vec<usize>> {
    if lengths.is_empty() {
        return vec![Vec::new()];
    }
    if lengths.contains(&0) {
        return Vec::new();
    }
    let mut out = Vec::new();
    let most: usize = lengths.iter().map(|len| len.saturating_sub(1)).sum();
    for far in 0..=most {
        spread(lengths, far, &mut Vec::new(), &mut out);
        if out.len() >= MOST {
            break;
        }
    }
    out.truncate(MOST);
    out
}

fn spread(lengths: &[usize], far: usize, begun: &mut Vec<usize>, out: &mut Vec<Vec<usize>>) {
    if out.len() >= MOST {
        return;
    }
    let Some(own) = lengths.get(begun.len()) else {
        if far == 0 {
            out.push(begun.clone());
        }
        return;
    };
    for nth in 0..=far.min(own.saturating_sub(1)) {
        begun.push(nth);
        spread(lengths, far - nth, begun, out);
        begun.pop();
    }
}

/// True if a parameter with an attribute of a tensor is open at the end of a text.
fn says_tensor(text: &str) -> bool {
    let (_, last) = text.rsplit_once("#[").unwrap_or_default();
    ["shape", "index", "list", "inplace"]
        .iter()
        .any(|word| last.starts_with(word))
        && !last.contains([';', '&'])
}

/// Returns the fillings of a hole.
fn fillers(hole: Hole, typed: &str, names: &[String], is_tensor: bool) -> Vec<String> {
    let fresh = || {
        (0..)
            .map(|nth| format!("q{nth}"))
            .find(|name| !names.contains(name))
            .unwrap_or_default()
    };
    let owned = |words: &[&str]| {
        words
            .iter()
            .map(|word| word.to_string())
            .collect::<Vec<_>>()
    };
    let recent = || names.iter().take(NAMES).cloned();
    match hole {
        Hole::Fresh => vec![fresh()],
        Hole::Type if is_tensor => owned(&[
            "&mut GlobalTensor<f32>",
            "&GlobalTensor<f32>",
            "&GlobalTensor<i32>",
            "&[GlobalTensor<f32>]",
        ]),
        Hole::Type => owned(&[
            "f32",
            "usize",
            "&GlobalTensor<f32>",
            "Tile<f32>",
            "T",
            "i32",
            "i64",
            "bool",
        ]),
        Hole::Parameter => vec![format!("{}: &mut GlobalTensor<f32>", fresh())],
        Hole::Name => {
            let all = recent().chain(owned(WORDS));
            match typed {
                "" => std::iter::once(fresh()).chain(all).collect(),
                typed => all
                    .filter_map(|name| name.strip_prefix(typed).map(String::from))
                    .filter(|rest| !rest.is_empty())
                    .collect(),
            }
        }
        Hole::Value => {
            let one = recent().chain(owned(&["0.0", "0", "1", "true", ".."]));
            let pairs = || {
                recent()
                    .zip(recent().skip(1))
                    .map(|(a, b)| format!("({b}, {a})"))
            };
            one.chain(recent().map(|a| format!("tiles({a})")))
                .chain(pairs())
                .chain(pairs().map(|pair| format!("tiles({pair})")))
                .collect()
        }
        Hole::Given => {
            let several = recent()
                .flat_map(|a| [format!("{a}, .."), format!("{a}, 0.0"), format!("0.0, {a}")]);
            let one = owned(&["", "0.0", "0", "..", "()"])
                .into_iter()
                .chain(recent());
            one.chain(several)
                .chain(
                    recent()
                        .zip(recent().skip(1))
                        .map(|(a, b)| format!("{b}, {a}")),
                )
                .collect()
        }
    }
}

/// Words of the language that are names in Rust.
const WORDS: &[&str] = &[
    "GlobalTensor",
    "Tile",
    "Axis",
    "Option",
    "Float",
    "Int",
    "Number",
    "Element",
    "Wide",
    "f32",
    "i32",
    "usize",
    "bool",
    "f16",
    "bf16",
    "i8",
    "i64",
    "i16",
    "u8",
    "u16",
    "u32",
    "RoundMode",
    "Rint",
    "prelude",
    "jumar",
    "tiles",
    "each",
    "full",
    "zip",
    "new_axis",
    "across_cores",
    "workspace",
    "require",
    "assume",
];

/// Returns the names in a text, the last one first.
pub(super) fn names(text: &str) -> Vec<String> {
    let typed = word_at_end(text);
    let mut out: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    let known: BTreeSet<&str> = WORDS
        .iter()
        .copied()
        .chain(crate::grammar::RESERVED)
        .collect();
    let mut rest = &text[..text.len() - typed.len()];
    while let Some(last) = rest.rfind(is_word) {
        let end = last + rest[last..].chars().next().map_or(0, char::len_utf8);
        let word = word_at_end(&rest[..end]);
        rest = &rest[..end - word.len()];
        // A word behind a point is a method.
        let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && (!rest.ends_with('.') || rest.ends_with(".."));
        if is_name && !known.contains(word) && seen.insert(word) {
            out.push(word.to_string());
        }
    }
    out
}

/// The construct in which a text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// The head of a function.
    Head,
    /// A `let`, or the head of a loop.
    Pattern,
    /// Any other construct.
    Other,
}

impl Open {
    /// Finds the construct in which a text ends.
    pub fn of(text: &str) -> Open {
        let behind = |word: &str| text.rfind(word).map(|at| &text[at..]);
        if behind("fn ").is_none_or(|head| !has_body(head)) {
            return Open::Head;
        }
        let is_open = |word: &str, end: char| behind(word).is_some_and(|rest| !rest.contains(end));
        match is_open("let ", ';') || is_open("for ", '{') {
            true => Open::Pattern,
            false => Open::Other,
        }
    }
}

/// True if a function's body has begun; braces within brackets belong to its parameters.
fn has_body(head: &str) -> bool {
    let mut depth = 0i32;
    head.chars().any(|c| {
        depth += i32::from("([".contains(c)) - i32::from(")]".contains(c));
        c == '{' && depth == 0
    })
}

/// True for a finding that later text may remove.
pub(super) fn is_curable(d: &Diagnostic, open: Open) -> bool {
    let head_is_open = open == Open::Head;
    // The pattern is still open, so it may get another number of names.
    let counts = ["names for", "for an item of", "a pattern as loop variable"];
    if open == Open::Pattern && counts.iter().any(|text| d.message.contains(text)) {
        return true;
    }
    match d.code {
        // A store to the output may follow.
        Code::J0210 | Code::J0219 => true,
        // A loop may follow, which merges into the accumulator.
        Code::J0109
            if d.message.ends_with("has no tile loop")
                || d.message.ends_with("no loop goes through its items") =>
        {
            true
        }
        Code::J0214 => d.message.starts_with("nothing is merged into"),
        // A parameter or attribute may follow that is an output, has the type, or names the axis.
        // An invalid type or attribute stays invalid.
        Code::J0102 | Code::J0106 | Code::J0109 | Code::J0208 | Code::J0212 => head_is_open,
        Code::J0104 => {
            let own = [
                "is no element type",
                "a parameter of type",
                "is no set of element types",
            ];
            head_is_open && !own.iter().any(|text| d.message.contains(text))
        }
        Code::J0105 => {
            head_is_open
                && !d.message.contains("means nothing")
                && !d.message.starts_with("a shape of ")
        }
        // A parameter may follow that declares what the `match` is on.
        Code::J0101 => {
            head_is_open
                && d.message.starts_with("a `match` on ")
                && d.message.ends_with("cannot stand in a kernel")
        }
        // The queue's tensor may be freed later, a flag waited for, a buffer initialised.
        Code::J0405 | Code::J0410 => true,
        Code::J0413 => d.message.ends_with("finds it set"),
        // All other findings are final.
        _ => false,
    }
}

/// True for a finding about the use of a value.
pub(super) fn is_of_value(d: &Diagnostic) -> bool {
    match d.code {
        Code::J0106 => !d.message.contains("has "),
        Code::J0109 => !d.message.starts_with("`or_full` of"),
        // Missing arms concern the whole `match`.
        Code::J0101 => !d.message.starts_with("a `match` on "),
        Code::J0201
        | Code::J0202
        | Code::J0203
        | Code::J0206
        | Code::J0207
        | Code::J0208
        | Code::J0214
        | Code::J0215
        | Code::J0216
        | Code::J0601 => true,
        _ => false,
    }
}
