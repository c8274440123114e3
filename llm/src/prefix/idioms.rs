//! What kernels have in many places, with the names of a text in it: longer ways on than single words.

use std::collections::BTreeSet;

/// What names of a text are, as far as that is plain from where they stand.
#[derive(Debug, Default)]
struct Roles {
    tensors: Vec<Tensor>,
    /// Variables of loops, the last one first.
    turns: Vec<String>,
    axes: Vec<String>,
    /// What a `let` has named, the last one first.
    values: Vec<String>,
}

#[derive(Debug)]
struct Tensor {
    name: String,
    /// Indices that it takes, where its shape is said.
    dims: Option<usize>,
    element: String,
    is_written: bool,
    is_list: bool,
}

/// Most of a kind.
const MOST: usize = 4;
/// Most indices of a tensor that are tried.
const INDICES: usize = 12;

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word_before(text: &str) -> &str {
    let begin = text.char_indices().rev().take_while(|(_, c)| is_word(*c)).last();
    begin.map_or("", |(at, _)| &text[at..])
}

fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c| !is_word(c)).filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

impl Roles {
    fn of(text: &str) -> Roles {
        let mut roles = Roles::default();
        for (at, _) in text.match_indices("GlobalTensor<") {
            roles.tensors.extend(tensor(text, at));
        }
        for (at, _) in text.match_indices("#[shape(") {
            let inner = text[at + 8..].split(")]").next().unwrap_or_default();
            let known: BTreeSet<String> = roles.axes.iter().cloned().collect();
            roles.axes.extend(words(inner).filter(|word| !known.contains(*word)).map(String::from));
        }
        for (at, _) in text.match_indices("let ") {
            let names = text[at + 4..].split(['=', ':', ';']).next().unwrap_or_default();
            roles.values.extend(words(names).filter(|word| *word != "mut").map(String::from));
        }
        for (at, _) in text.match_indices("for ") {
            let Some((names, _)) = text[at + 4..].split_once(" in ") else { continue };
            roles.turns.extend(words(names).map(String::from));
        }
        roles.turns.reverse();
        roles.values.reverse();
        roles
    }

    /// Indices of a tensor.
    fn indices(&self, tensor: &Tensor) -> Vec<Vec<String>> {
        let one: Vec<String> = self.turns.iter().take(MOST).cloned().chain(["..".to_string(), "0".to_string()]).collect();
        let mut all: Vec<Vec<String>> = vec![Vec::new()];
        for _ in 0..tensor.dims.unwrap_or(1) {
            all = all
                .into_iter()
                .flat_map(|begun| one.iter().map(move |next| [begun.as_slice(), &[next.clone()]].concat()))
                .collect();
            all.sort_by_key(|indices| repeated(indices));
            all.truncate(INDICES * INDICES);
        }
        all.truncate(INDICES);
        all
    }
}

/// Names that stand twice; they are no indices of one tensor.
fn repeated(indices: &[String]) -> usize {
    let names: Vec<&String> = indices.iter().filter(|index| index.starts_with(is_word) && *index != "0").collect();
    names.len() - names.iter().collect::<BTreeSet<_>>().len()
}

/// The parameter of a type that begins at a place.
fn tensor(text: &str, at: usize) -> Option<Tensor> {
    let element = text[at + 13..].split('>').next().unwrap_or_default().to_string();
    let before = text[..at].trim_end_matches("Option<");
    let (before, is_written) = match before.strip_suffix("&mut [").or(before.strip_suffix("&mut ")) {
        Some(before) => (before, true),
        None => (before.strip_suffix("&[").or(before.strip_suffix('&'))?, false),
    };
    let is_list = text[..at].ends_with('[');
    let before = before.trim_end_matches("Option<").trim_end().strip_suffix(':')?;
    let name = word_before(before).to_string();
    let shape = before[..before.len() - name.len()].trim_end().strip_suffix(")]").and_then(|head| {
        let from = head.rfind("#[shape(")?;
        let inner = &head[from + 8..];
        Some(if inner.trim().is_empty() { 0 } else { commas(inner) + 1 })
    });
    Some(Tensor { name, dims: shape, element, is_written, is_list })
}

/// Commas outside of brackets.
fn commas(text: &str) -> usize {
    let mut depth = 0i32;
    let mut count = 0;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

fn joined(all: &[String]) -> String {
    match all {
        [one] => one.clone(),
        all => format!("({})", all.join(", ")),
    }
}

/// Ways on from a text, each begun as far as the text has it.
pub(super) fn ways_on(text: &str) -> Vec<String> {
    let roles = Roles::of(text);
    let mut idioms: Vec<String> = Vec::new();
    for tensor in roles.tensors.iter().filter(|tensor| !tensor.is_list) {
        for indices in roles.indices(tensor) {
            let (name, at) = (&tensor.name, indices.join(", "));
            match tensor.is_written {
                true => {
                    let axes: Vec<String> = indices.iter().filter(|index| roles.turns.contains(index)).cloned().collect();
                    idioms.push(format!("{name}.at({at}).store(full::<{}>({}, 0));", tensor.element, joined(&axes)));
                }
                false => idioms.push(format!("{name}.at({at}).load()")),
            }
        }
    }
    let tensors = || roles.tensors.iter().filter(|tensor| !tensor.is_list).map(|tensor| tensor.name.clone());
    let lists: Vec<String> = roles.tensors.iter().filter(|tensor| tensor.is_list).map(|tensor| tensor.name.clone()).collect();
    let over: Vec<String> = roles.axes.iter().cloned().chain(tensors()).take(2 * MOST).collect();
    for one in &over {
        idioms.push(format!("for q_{one} in tiles({one}) {{"));
        idioms.push(format!("in tiles({one}) {{"));
    }
    for a in roles.axes.iter().take(MOST) {
        for b in roles.axes.iter().take(MOST).filter(|b| *b != a) {
            idioms.push(format!(", q_{b}) in tiles(({a}, {b})) {{"));
            idioms.push(format!("in tiles(({a}, {b})) {{"));
        }
        idioms.extend([format!(".sum({a})"), format!(".expand({a})")]);
    }
    if !lists.is_empty() {
        idioms.push(format!("in zip({}) {{", joined(&lists)));
    }
    let fixed = [
        ".load()",
        ".load().wide()",
        ").load()",
        ", ..).load()",
        ", 0).load()",
        ".cast::<f32>()",
        ".cast::<T>()",
        ".scalar()",
        ".scalar() as usize",
        ".select(0.0, 1.0)",
        ".gt(0.0)",
        "(0.0)",
        "((), 0.0);",
        "::<f32>((), 0.0);",
        "as f32",
        "0.0",
        "1",
        "..",
        "..)",
        ", ..",
        ", 0.0)",
        "use jumar::prelude::*;\n",
        "#[kernel]\nfn q(q_x: &mut GlobalTensor<f32>) {",
        ": &GlobalTensor<f32>",
        ": &mut GlobalTensor<f32>",
        "GlobalTensor<f32>",
        "<T: Float>(q_x: &mut GlobalTensor<T>) {",
        "{",
    ];
    idioms.extend(fixed.map(String::from));
    idioms.extend(roles.values.iter().take(MOST).cloned());
    let mut out: Vec<String> = Vec::new();
    for idiom in idioms {
        let begun = (0..=idiom.len()).rev().filter(|len| idiom.is_char_boundary(*len)).find(|len| text.ends_with(&idiom[..*len]));
        let rest = &idiom[begun.unwrap_or(0)..];
        let spaced = match (text.chars().last().is_some_and(is_word), rest.starts_with(is_word)) {
            (true, true) if begun == Some(0) => format!(" {rest}"),
            _ => rest.to_string(),
        };
        if !rest.is_empty() && !out.contains(&spaced) {
            out.push(spaced);
        }
    }
    out
}
