//! Idioms of kernels with the names of a text, as longer continuations than single words.

use super::again::again;
use super::{is_word, word_at_end};
use std::collections::BTreeSet;

/// The roles of names in a text, as far as their context shows them.
#[derive(Debug, Default)]
pub(super) struct Roles {
    tensors: Vec<Tensor>,
    /// Lists of tensors and of numbers.
    lists: Vec<String>,
    /// Variables of loops, the last one first.
    turns: Vec<String>,
    /// Loop variables that are single indices.
    singles: BTreeSet<String>,
    axes: Vec<String>,
    /// Names of a `let`, the last one first.
    values: Vec<String>,
}

#[derive(Clone, Debug)]
struct Tensor {
    name: String,
    /// The axis of each index, as far as it has a name; `None` without a shape.
    dims: Option<Vec<String>>,
    element: String,
    is_written: bool,
    is_list: bool,
}

/// The limit of names of a kind.
const MOST: usize = 4;
/// The limit of continuations.
const WAYS: usize = 200;
/// The limit of accesses that are not begun in the text.
const INDICES: usize = 40;
/// The limit of tuples of axes.
const TUPLES: usize = 12;

fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c| !is_word(c))
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

impl Roles {
    pub fn of(text: &str) -> Roles {
        let mut roles = Roles::default();
        for (at, _) in text.match_indices("GlobalTensor<") {
            roles.tensors.extend(tensor(text, at));
        }
        for (at, _) in text
            .match_indices(": &[")
            .chain(text.match_indices(": &mut ["))
        {
            roles.lists.push(word_at_end(&text[..at]).to_string());
        }
        // A tensor without a shape has that of the first tensor.
        let first = roles.tensors.first().and_then(|tensor| tensor.dims.clone());
        roles
            .tensors
            .iter_mut()
            .filter(|tensor| tensor.dims.is_none())
            .for_each(|tensor| tensor.dims.clone_from(&first));
        for (at, _) in text.match_indices("#[shape(") {
            let inner = text[at + 8..].split(")]").next().unwrap_or_default();
            let known: BTreeSet<String> = roles.axes.iter().cloned().collect();
            roles.axes.extend(
                words(inner)
                    .filter(|word| !known.contains(*word))
                    .map(String::from),
            );
        }
        for (at, _) in text.match_indices("let ") {
            let names = text[at + 4..]
                .split(['=', ':', ';'])
                .next()
                .unwrap_or_default();
            roles
                .values
                .extend(words(names).filter(|word| *word != "mut").map(String::from));
        }
        for (at, _) in text.match_indices("for ") {
            let Some((names, over)) = text[at + 4..].split_once(" in ") else {
                continue;
            };
            roles.add_singles(names, over);
            match text[at..].split_once(" in zip(") {
                Some((_, lists))
                    if !names.contains('\n')
                        && text[at + 4 + names.len()..].starts_with(" in zip(") =>
                {
                    roles.add_items(names, lists)
                }
                _ => roles.turns.extend(words(names).map(String::from)),
            }
        }
        roles.turns.reverse();
        roles.values.reverse();
        roles
    }

    /// Adds variables that are a single index, and no axis of a tile.
    fn add_singles(&mut self, names: &str, over: &str) {
        let over = over.split(['{', ';']).next().unwrap_or_default();
        let tuple = over
            .strip_prefix("tiles((")
            .map(entries_of)
            .unwrap_or_default();
        match over.starts_with("tiles(") {
            true => {
                let single = words(names)
                    .zip(tuple)
                    .filter(|(_, entry)| entry.trim_start().starts_with("each("));
                self.singles
                    .extend(single.map(|(name, _)| name.to_string()));
            }
            false => self.singles.extend(words(names).map(String::from)),
        }
    }

    /// Returns the names that a tile loop may go over.
    pub fn loops(&self) -> Vec<String> {
        let plain = self
            .tensors
            .iter()
            .filter(|tensor| !tensor.is_list)
            .map(|tensor| tensor.name.clone());
        self.axes.iter().cloned().chain(plain).collect()
    }

    /// Adds the items of lists, which are tensors.
    fn add_items(&mut self, names: &str, lists: &str) {
        let lists = lists.split('{').next().unwrap_or_default();
        for (item, list) in words(names).zip(words(lists)) {
            let of = self
                .tensors
                .iter()
                .find(|tensor| tensor.name == list)
                .cloned();
            self.tensors.extend(of.map(|of| Tensor {
                name: item.to_string(),
                dims: None,
                is_list: false,
                ..of
            }));
        }
    }

    /// Returns index lists for a tensor, and the axes of the resulting tile.
    fn indices(&self, tensor: &Tensor) -> Vec<(String, String)> {
        let one: Vec<String> = self
            .turns
            .iter()
            .take(MOST)
            .cloned()
            .chain(["..".to_string(), "0".to_string()])
            .collect();
        let dims = tensor.dims.clone().unwrap_or_else(|| vec![String::new()]);
        let mut all: Vec<Vec<String>> = vec![Vec::new()];
        for _ in &dims {
            all = all
                .iter()
                .flat_map(|begun| {
                    one.iter()
                        .map(|next| [begun.as_slice(), std::slice::from_ref(next)].concat())
                })
                .collect();
            all.retain(|indices| !repeats(indices));
            all.truncate(256);
        }
        let axes = |indices: &[String]| {
            let of = indices
                .iter()
                .zip(&dims)
                .filter(|(index, _)| *index != "0" && !self.singles.contains(*index));
            let names: Vec<String> = of
                .map(|(index, axis)| {
                    if index == ".." {
                        axis.clone()
                    } else {
                        index.clone()
                    }
                })
                .collect();
            joined(&names)
        };
        all.iter()
            .map(|indices| (indices.join(", "), axes(indices)))
            .collect()
    }
}

/// True if a name occurs twice; one tensor cannot have both as indices.
fn repeats(indices: &[String]) -> bool {
    let names: Vec<&String> = indices
        .iter()
        .filter(|index| index.starts_with(is_word) && *index != "0")
        .collect();
    names.len() > names.iter().collect::<BTreeSet<_>>().len()
}

/// Reads the parameter whose type begins at a place.
fn tensor(text: &str, at: usize) -> Option<Tensor> {
    let element = text[at + 13..]
        .split('>')
        .next()
        .unwrap_or_default()
        .to_string();
    let before = text[..at].trim_end_matches("Option<");
    let (before, is_written) = match before
        .strip_suffix("&mut [")
        .or(before.strip_suffix("&mut "))
    {
        Some(before) => (before, true),
        None => (
            before.strip_suffix("&[").or(before.strip_suffix('&'))?,
            false,
        ),
    };
    let is_list = text[..at].ends_with('[');
    let before = before
        .trim_end_matches("Option<")
        .trim_end()
        .strip_suffix(':')?;
    let name = word_at_end(before).to_string();
    let shape = before[..before.len() - name.len()]
        .trim_end()
        .strip_suffix(")]")
        .and_then(|head| {
            let from = head.rfind("#[shape(")?;
            Some(entries(&head[from + 8..]))
        });
    Some(Tensor {
        name,
        dims: shape,
        element,
        is_written,
        is_list,
    })
}

/// Returns the first name of each entry of a shape.
fn entries(text: &str) -> Vec<String> {
    entries_of(text)
        .iter()
        .map(|entry| words(entry).next().unwrap_or_default().to_string())
        .collect()
}

/// Returns the entries of a list, up to its closing bracket.
fn entries_of(text: &str) -> Vec<String> {
    let (mut depth, mut out) = (0i32, vec![String::new()]);
    for c in text.chars() {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        match (c, out.last_mut()) {
            _ if depth < 0 => break,
            (',', _) if depth == 0 => out.push(String::new()),
            (c, Some(last)) => last.push(c),
            (_, None) => {}
        }
    }
    out.retain(|entry| !entry.trim().is_empty());
    out
}

/// Writes names as a tuple, or a single name as it is.
pub(super) fn joined(all: &[String]) -> String {
    match all {
        [one] => one.clone(),
        all => format!("({})", all.join(", ")),
    }
}

/// Writes a tile of zeros.
pub(super) fn zeros(element: &str, axes: &str) -> String {
    match element {
        // A mask is made by a comparison.
        "bool" => format!("full::<f32>({axes}, 0.0).gt(0.0)"),
        _ => format!("full::<{element}>({axes}, 0)"),
    }
}

/// Returns continuations of a text. An idiom of which the text has the longest beginning comes
/// first.
pub(super) fn ways_on(text: &str) -> Vec<String> {
    let roles = Roles::of(text);
    let mut idioms: Vec<String> = Vec::new();
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
        " 1, 32);",
        "();",
        "<f32>();",
        "::<f32>();",
        ">(8);",
        "use jumar::prelude::*;\n",
        " q_c in 0..1 {",
        "#[shape(q_n)] q_x: &mut GlobalTensor<f32>",
        ")] q_x: &mut GlobalTensor<f32>",
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
    idioms.extend(instances(text));
    idioms.extend(closed(text, &roles));
    idioms.extend(roles.values.iter().take(MOST).cloned());
    if text.contains("TPipe") {
        let named = roles.values.iter().take(MOST);
        idioms.extend(named.map(|name| format!("&mut {name}, 1, 32);")));
    }
    idioms.extend(roles.of_axes());
    idioms.extend(roles.of_turns());
    idioms.extend(roles.of_loops(text));
    idioms.extend(numbers(text).map(|name| format!("{name} >= 1);")));
    let others = idioms.len();
    idioms.extend(roles.of_tensors());
    let mut fresh = 0;
    let mut out: Vec<(usize, String)> = again(text)
        .into_iter()
        .map(|way| (usize::MAX, way))
        .collect();
    for (nth, idiom) in idioms.into_iter().enumerate() {
        let begun = (0..=idiom.len())
            .rev()
            .filter(|len| idiom.is_char_boundary(*len))
            .find(|len| text.ends_with(&idiom[..*len]));
        let begun = begun.unwrap_or(0);
        let way = idiom[begun..].to_string();
        // A few of the accesses that are not begun in the text are enough.
        fresh += usize::from(nth >= others && begun < 2);
        if nth >= others && begun < 2 && fresh > INDICES {
            continue;
        }
        if !way.is_empty() && out.iter().all(|(_, known)| *known != way) {
            out.push((begun, way));
        }
    }
    out.sort_by_key(|(begun, _)| std::cmp::Reverse(*begun));
    out.into_iter().map(|(_, way)| way).take(WAYS).collect()
}

/// Closes open brackets, and continues with a method on their contents.
fn closed(text: &str, roles: &Roles) -> Vec<String> {
    let line = text.rsplit([';', '{', '}']).next().unwrap_or_default();
    let depth = line
        .matches('(')
        .count()
        .saturating_sub(line.matches(')').count())
        .min(MOST);
    let mut behind: Vec<String> = [
        ".load()",
        ".select(0.0, 1.0)",
        ".cast::<T>()",
        ".cast::<f32>()",
        "",
    ]
    .map(String::from)
    .to_vec();
    // The operands of a select have the axes that the mask lacks.
    behind.extend(
        roles
            .values
            .iter()
            .take(2)
            .map(|value| format!(".select({value}, 0.0)")),
    );
    (1..=depth)
        .flat_map(|depth| {
            behind
                .iter()
                .map(move |suffix| format!("{}{suffix}", ")".repeat(depth)))
        })
        .collect()
}

/// Returns the names of integer attributes.
fn numbers(text: &str) -> impl Iterator<Item = String> + '_ {
    let of = |ty: &str| {
        text.match_indices(ty)
            .map(|(at, _)| word_at_end(&text[..at]).to_string())
            .collect::<Vec<_>>()
    };
    [": usize", ": i32"].into_iter().flat_map(of)
}

/// Writes the element types of a head, as many as its `#[instances]` has.
fn instances(text: &str) -> Option<String> {
    let rest = &text[text.rfind("#[instances(")? + 12..];
    let first = rest
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(')'))
        .map_or("", |(first, _)| first);
    let count = first.split(',').count();
    let names = ["T", "U", "V", "W"].iter().take(count);
    let (types, tensors): (Vec<_>, Vec<_>) = names
        .map(|name| {
            (
                format!("{name}: Element"),
                format!("q_{}: &GlobalTensor<{name}>", name.to_lowercase()),
            )
        })
        .unzip();
    Some(format!(
        "<{}>({}, q_y: &mut GlobalTensor<T>) {{",
        types.join(", "),
        tensors.join(", ")
    ))
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
                idioms.push(format!(
                    "for {turn} in tiles({name}) {{ {name}.at({turn}).store({}); }}",
                    zeros(of, &turn)
                ));
            }
        }
        idioms
    }

    fn of_turns(&self) -> Vec<String> {
        let of = |turn: &String| {
            [
                format!(".sum({turn})"),
                format!(".any({turn})"),
                format!(".expand({turn})"),
                format!(".gt(0.0).any({turn})"),
                format!(", {turn}).load()"),
                format!("({turn}, 0.0)"),
            ]
        };
        self.turns.iter().take(MOST).flat_map(of).collect()
    }

    /// Writes the heads of loops over as many axes as a tuple has names.
    fn of_loops(&self, text: &str) -> Vec<String> {
        let Some((_, names)) = text
            .rsplit_once("for (")
            .filter(|(_, names)| !names.contains(['{', ';']))
        else {
            return Vec::new();
        };
        let count = words(names.split(')').next().unwrap_or_default()).count();
        let mut tuples: Vec<Vec<&String>> = vec![Vec::new()];
        for _ in 0..count {
            let longer = tuples.iter().flat_map(|begun| {
                let free = self.axes.iter().filter(|axis| !begun.contains(axis));
                free.map(|axis| [begun.as_slice(), &[axis]].concat())
            });
            tuples = longer.take(TUPLES * TUPLES).collect();
        }
        // The first `single` axes are cut into single indices.
        let head = |tuple: &[&String], single: usize| {
            let one = |(nth, axis): (usize, &&String)| {
                if nth < single {
                    format!("each({axis})")
                } else {
                    axis.to_string()
                }
            };
            format!(
                ") in tiles(({})) {{",
                tuple
                    .iter()
                    .enumerate()
                    .map(one)
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        };
        [0, 1, count]
            .iter()
            .flat_map(|single| tuples.iter().take(TUPLES).map(|tuple| head(tuple, *single)))
            .collect()
    }

    fn of_axes(&self) -> Vec<String> {
        let mut idioms = Vec::new();
        let plain = self
            .tensors
            .iter()
            .filter(|tensor| !tensor.is_list)
            .map(|tensor| tensor.name.clone());
        for one in self.axes.iter().cloned().chain(plain).take(2 * MOST) {
            idioms.push(format!("for q_{one} in tiles({one}) {{"));
            idioms.push(format!(" in tiles({one}) {{"));
        }
        for a in self.axes.iter().take(MOST) {
            for b in self.axes.iter().take(MOST).filter(|b| *b != a) {
                idioms.push(format!(", q_{b}) in tiles(({a}, {b})) {{"));
                idioms.push(format!(" in tiles(({a}, {b})) {{"));
            }
            idioms.extend([
                format!(".sum({a})"),
                format!(".expand({a})"),
                format!(".view({a})"),
            ]);
        }
        let lists = &self.lists;
        if !lists.is_empty() {
            idioms.push(format!(" in zip({}) {{", joined(lists)));
            idioms.push(format!(") in zip({}).enumerate() {{", joined(lists)));
            idioms.push(format!(") in zip({}) {{", joined(lists)));
            // The rest of a tuple that the text has begun.
            idioms
                .extend((1..lists.len()).map(|from| format!(" {})) {{", lists[from..].join(", "))));
        }
        idioms
    }
}
