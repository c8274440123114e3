//! What kernels have in many places, with the names of a text in it: longer ways on than single words.

use super::{is_word, word_at_end};
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

#[derive(Clone, Debug)]
struct Tensor {
    name: String,
    /// The axis of each index that it takes, as far as it has a name; `None` where its shape is not said.
    dims: Option<Vec<String>>,
    element: String,
    is_written: bool,
    is_list: bool,
}

/// Most of a kind.
const MOST: usize = 4;
/// Ways on that are tried.
const WAYS: usize = 160;

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
            match text[at..].split_once(" in zip(") {
                Some((_, lists)) if !names.contains('\n') && text[at + 4 + names.len()..].starts_with(" in zip(") => {
                    roles.add_items(names, lists)
                }
                _ => roles.turns.extend(words(names).map(String::from)),
            }
        }
        roles.turns.reverse();
        roles.values.reverse();
        roles
    }

    /// The items of lists, which are tensors.
    fn add_items(&mut self, names: &str, lists: &str) {
        let lists = lists.split('{').next().unwrap_or_default();
        for (item, list) in words(names).zip(words(lists)) {
            let of = self.tensors.iter().find(|tensor| tensor.name == list).cloned();
            self.tensors.extend(of.map(|of| Tensor { name: item.to_string(), dims: None, is_list: false, ..of }));
        }
    }

    /// Indices of a tensor, and the axes of a tile there.
    fn indices(&self, tensor: &Tensor) -> Vec<(String, String)> {
        let one: Vec<String> = self.turns.iter().take(MOST).cloned().chain(["..".to_string(), "0".to_string()]).collect();
        let dims = tensor.dims.clone().unwrap_or_else(|| vec![String::new()]);
        let mut all: Vec<Vec<String>> = vec![Vec::new()];
        for _ in &dims {
            all = all
                .iter()
                .flat_map(|begun| one.iter().map(|next| [begun.as_slice(), std::slice::from_ref(next)].concat()))
                .collect();
            all.retain(|indices| !repeats(indices));
            all.truncate(256);
        }
        let axes = |indices: &[String]| {
            let of = indices.iter().zip(&dims).filter(|(index, _)| *index != "0");
            let names: Vec<String> = of.map(|(index, axis)| if index == ".." { axis.clone() } else { index.clone() }).collect();
            joined(&names)
        };
        all.iter().map(|indices| (indices.join(", "), axes(indices))).collect()
    }
}

/// Names that stand twice; they are no indices of one tensor.
fn repeats(indices: &[String]) -> bool {
    let names: Vec<&String> = indices.iter().filter(|index| index.starts_with(is_word) && *index != "0").collect();
    names.len() > names.iter().collect::<BTreeSet<_>>().len()
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
    let name = word_at_end(before).to_string();
    let shape = before[..before.len() - name.len()].trim_end().strip_suffix(")]").and_then(|head| {
        let from = head.rfind("#[shape(")?;
        Some(entries(&head[from + 8..]))
    });
    Some(Tensor { name, dims: shape, element, is_written, is_list })
}

/// The first name of each entry of a shape.
fn entries(text: &str) -> Vec<String> {
    let (mut depth, mut out) = (0i32, vec![String::new()]);
    for c in text.chars() {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        match (c, out.last_mut()) {
            (',', _) if depth == 0 => out.push(String::new()),
            (c, Some(last)) => last.push(c),
            (_, None) => {}
        }
    }
    out.retain(|entry| !entry.trim().is_empty());
    out.iter().map(|entry| words(entry).next().unwrap_or_default().to_string()).collect()
}

fn joined(all: &[String]) -> String {
    match all {
        [one] => one.clone(),
        all => format!("({})", all.join(", ")),
    }
}

/// A tile of zeros.
pub(super) fn zeros(element: &str, axes: &str) -> String {
    match element {
        // Bits are those of a compare.
        "bool" => format!("full::<f32>({axes}, 0.0).gt(0.0)"),
        _ => format!("full::<{element}>({axes}, 0)"),
    }
}

/// Ways on from a text, each begun as far as the text has it, those first that it has most of.
pub(super) fn ways_on(text: &str) -> Vec<String> {
    let roles = Roles::of(text);
    let mut idioms = roles.of_tensors();
    idioms.extend(roles.of_axes());
    idioms.extend(missing(text, &roles));
    let fixed = [
        ".load()",
        ".load().wide()",
        ").load()",
        ", ..).load()",
        ", 0).load()",
        ".cast::<f32>()",
        ".cast::<T>()",
        ").cast::<T>()",
        ")).cast::<T>()",
        "().cast::<T>()",
        "()",
        "().wide()",
        ".scalar()",
        ".scalar() as usize",
        ".select(0.0, 1.0)",
        ".gt(0.0)",
        "(0.0)",
        "((), 0.0);",
        "::<f32>((), 0.0);",
        " as f32",
        "0.0",
        "1",
        "..",
        "..)",
        ", ..",
        ", 0.0)",
        " q_l = 0.0;",
        "use jumar::prelude::*;\n",
        " q_c in 0..1 {",
        "#[kernel]\nfn q(q_y: &mut GlobalTensor<f32>) {",
        "(q_y: &mut GlobalTensor<f32>) {",
        ": &GlobalTensor<f32>",
        ": &mut GlobalTensor<f32>",
        " q(q_y: &mut GlobalTensor<f32>) {",
        "GlobalTensor<f32>",
        "<T: Float>(q_y: &mut GlobalTensor<T>) {",
        "T: Float>(q_y: &mut GlobalTensor<T>) {",
        "{",
    ];
    idioms.extend(fixed.map(String::from));
    idioms.extend(roles.values.iter().take(MOST).cloned());
    let mut out: Vec<(usize, String)> = Vec::new();
    for idiom in idioms {
        let begun = (0..=idiom.len()).rev().filter(|len| idiom.is_char_boundary(*len)).find(|len| text.ends_with(&idiom[..*len]));
        let begun = begun.unwrap_or(0);
        let way = idiom[begun..].to_string();
        if !way.is_empty() && out.iter().all(|(_, known)| *known != way) {
            out.push((begun, way));
        }
    }
    out.sort_by_key(|(begun, _)| std::cmp::Reverse(*begun));
    out.into_iter().map(|(_, way)| way).take(WAYS).collect()
}

impl Roles {
    fn of_tensors(&self) -> Vec<String> {
        let mut idioms = Vec::new();
        for tensor in self.tensors.iter().filter(|tensor| !tensor.is_list) {
            let (name, of) = (&tensor.name, &tensor.element);
            for (at, axes) in self.indices(tensor) {
                match tensor.is_written {
                    true => {
                        let store = format!("{name}.at({at}).store({});", zeros(of, &axes));
                        idioms.extend([format!(";\n{store}"), format!(");\n{store}"), store]);
                    }
                    false => idioms.push(format!("{name}.at({at}).load()")),
                }
            }
            if tensor.is_written && tensor.dims.is_none() {
                let turn = format!("q_{name}");
                idioms.push(format!("for {turn} in tiles({name}) {{ {name}.at({turn}).store({}); }}", zeros(of, &turn)));
            }
        }
        idioms
    }

    fn of_axes(&self) -> Vec<String> {
        let mut idioms = Vec::new();
        let plain = self.tensors.iter().filter(|tensor| !tensor.is_list).map(|tensor| tensor.name.clone());
        for one in self.axes.iter().cloned().chain(plain).take(2 * MOST) {
            idioms.push(format!("for q_{one} in tiles({one}) {{"));
            idioms.push(format!(" in tiles({one}) {{"));
        }
        for a in self.axes.iter().take(MOST) {
            for b in self.axes.iter().take(MOST).filter(|b| *b != a) {
                idioms.push(format!(", q_{b}) in tiles(({a}, {b})) {{"));
                idioms.push(format!(" in tiles(({a}, {b})) {{"));
            }
            idioms.extend([format!(".sum({a})"), format!(".expand({a})"), format!(".view({a})")]);
        }
        let lists: Vec<String> = self.tensors.iter().filter(|tensor| tensor.is_list).map(|tensor| tensor.name.clone()).collect();
        if !lists.is_empty() {
            idioms.push(format!(" in zip({}) {{", joined(&lists)));
        }
        idioms
    }
}

/// Parameters that attributes speak of and that are not there.
fn missing(text: &str, roles: &Roles) -> Vec<String> {
    let mut more = String::new();
    let named = |mark: &str| {
        text.match_indices(mark).filter_map(|(at, _)| words(&text[at + mark.len()..]).next()).collect::<BTreeSet<_>>()
    };
    for axis in named("#[index(").into_iter().filter(|axis| !roles.axes.iter().any(|own| own == axis)) {
        more += &format!(", #[shape({axis})] q_{axis}: &GlobalTensor<f32>");
    }
    for dim in named(" @ ").into_iter().filter(|dim| !text.contains(&format!("{dim}: "))) {
        more += &format!(", {dim}: i32");
    }
    if more.is_empty() {
        return Vec::new();
    }
    let rest = format!("{more}, q_y: &mut GlobalTensor<f32>) {{");
    [
        "GlobalTensor<f32>",
        "GlobalTensor<i32>",
        "f32>",
        "i32>",
        ">",
        "",
        " q_x: &GlobalTensor<i32>",
        " q_x: &GlobalTensor<f32>",
        "b..)] q_x: &GlobalTensor<f32>",
    ]
    .map(|begun| format!("{begun}{rest}"))
    .to_vec()
}
