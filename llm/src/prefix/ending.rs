//! What stands in holes, what later text still mends, and stores of outputs that nothing was stored to.

use super::forms::{Form, Hole, Piece};
use super::idioms::zeros;
use super::{is_word, word_at_end};
use jumar::dsl::diag::{Code, Diagnostic};
use jumar::dsl::soc::Chip;
use jumar::load::{check_text, KernelFile};
use std::collections::BTreeSet;
use syn::spanned::Spanned;

/// Fillings of one form that are tried.
const MOST: usize = 48;
/// Names that may stand in a hole.
const NAMES: usize = 16;

/// A form with all its holes filled, the likeliest first.
pub(super) fn fillings<'a>(form: &'a Form, text: &str) -> impl Iterator<Item = String> + 'a {
    let holes = form.pieces.iter().filter_map(|piece| match piece {
        Piece::Hole(hole) => Some(fillers(*hole, text)),
        Piece::Text(_) => None,
    });
    let holes: Vec<Vec<String>> = holes.collect();
    choices(&holes.iter().map(Vec::len).collect::<Vec<_>>()).into_iter().map(move |choice| {
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

/// Places in lists of these lengths, by how far they are from the first of each.
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

/// What may stand in a hole.
fn fillers(hole: Hole, text: &str) -> Vec<String> {
    let names = names(text);
    let fresh = || (0..).map(|nth| format!("q{nth}")).find(|name| !names.contains(name)).unwrap_or_default();
    let owned = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    let recent = || names.iter().take(NAMES).cloned();
    match hole {
        Hole::Fresh => vec![fresh()],
        Hole::Type => owned(&["f32", "usize", "&GlobalTensor<f32>", "Tile<f32>", "T", "i32", "i64", "bool"]),
        Hole::Parameter => vec![format!("{}: &mut GlobalTensor<f32>", fresh())],
        Hole::Name => {
            let typed = word_at_end(text);
            let all = recent().chain(owned(WORDS));
            match typed {
                "" => std::iter::once(fresh()).chain(all).collect(),
                typed => {
                    all.filter_map(|name| name.strip_prefix(typed).map(String::from)).filter(|rest| !rest.is_empty()).collect()
                }
            }
        }
        Hole::Value => {
            let one = recent().chain(owned(&["0.0", "0", "1", "true", ".."]));
            let pairs = || recent().zip(recent().skip(1)).map(|(a, b)| format!("({b}, {a})"));
            one.chain(recent().map(|a| format!("tiles({a})")))
                .chain(pairs())
                .chain(pairs().map(|pair| format!("tiles({pair})")))
                .collect()
        }
        Hole::Given => {
            let several = recent().flat_map(|a| [format!("{a}, .."), format!("{a}, 0.0"), format!("0.0, {a}")]);
            let one = owned(&["", "0.0", "0", "..", "()"]).into_iter().chain(recent());
            one.chain(several).chain(recent().zip(recent().skip(1)).map(|(a, b)| format!("{b}, {a}"))).collect()
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

/// Names in a text, the last one first.
fn names(text: &str) -> Vec<String> {
    let typed = word_at_end(text);
    let mut out: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    let known: BTreeSet<&str> = WORDS.iter().copied().chain(crate::grammar::RESERVED).collect();
    let mut rest = &text[..text.len() - typed.len()];
    while let Some(last) = rest.rfind(is_word) {
        let end = last + rest[last..].chars().next().map_or(0, char::len_utf8);
        let word = word_at_end(&rest[..end]);
        rest = &rest[..end - word.len()];
        // What stands behind a point is a method.
        let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_') && (!rest.ends_with('.') || rest.ends_with(".."));
        if is_name && !known.contains(word) && seen.insert(word) {
            out.push(word.to_string());
        }
    }
    out
}

/// What a text ends within.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// The head of a function.
    Head,
    /// A `let` or the head of a loop.
    Pattern,
    /// Neither.
    Other,
}

impl Open {
    /// Of a text.
    pub fn of(text: &str) -> Open {
        let behind = |word: &str| text.rfind(word).map(|at| &text[at..]);
        if behind("fn ").is_none_or(|head| !head.contains('{')) {
            return Open::Head;
        }
        let is_open = |word: &str, end: char| behind(word).is_some_and(|rest| !rest.contains(end));
        match is_open("let ", ';') || is_open("for ", '{') {
            true => Open::Pattern,
            false => Open::Other,
        }
    }
}

/// True for a finding that what stands further behind may remove.
pub(super) fn is_curable(d: &Diagnostic, open: Open) -> bool {
    let head_is_open = open == Open::Head;
    // As many values come as there are names.
    let counts = ["names for", "for an item of", "a pattern as loop variable"];
    if open == Open::Pattern && counts.iter().any(|text| d.message.contains(text)) {
        return true;
    }
    match d.code {
        // An output is stored to later.
        Code::J0210 | Code::J0219 => true,
        // A loop comes, and something is merged there.
        Code::J0109 if d.message.ends_with("has no tile loop") || d.message.ends_with("no loop goes through its items") => true,
        Code::J0214 => d.message.starts_with("nothing is merged into"),
        // A parameter or attribute comes that is an output, has the type, or names the axis; what a type or attribute is by itself it stays.
        Code::J0102 | Code::J0106 | Code::J0109 | Code::J0208 | Code::J0212 => head_is_open,
        Code::J0104 => head_is_open && !d.message.contains("is no element type") && !d.message.contains("a parameter of type"),
        Code::J0105 => head_is_open && !d.message.contains("means nothing"),
        // What a queue gives is given back later, a flag is waited for, a buffer gets its memory.
        Code::J0405 | Code::J0410 => true,
        Code::J0413 => d.message.ends_with("finds it set"),
        // All else is what it is.
        _ => false,
    }
}

/// The text where it is right, or where stores to outputs that it does not write make it right.
///
/// # Errors
/// How many mistakes it has that nothing behind it mends; of a text that is not Rust more than of any other.
pub(super) fn with_outputs(text: &str, chip: Option<&'static Chip>) -> Result<String, usize> {
    let is_right = |file: &KernelFile| !file.has_errors() && !file.kernels().is_empty();
    let file = check_text("", text, chip);
    if is_right(&file) {
        return Ok(text.to_string());
    }
    let errors: Vec<&Diagnostic> = file.all().flat_map(|kernel| &kernel.diagnostics).filter(|d| d.is_error()).collect();
    let lasting = errors.iter().filter(|d| !is_curable(d, Open::Other)).count() + if file.is_broken() { 1000 } else { 0 };
    let no_output = |d: &Diagnostic| d.code == Code::J0104 && d.message.ends_with("has no output");
    if !errors.iter().all(|d| is_curable(d, Open::Other) || no_output(d)) {
        return Err(lasting);
    }
    stored(text, &errors).filter(|stored| is_right(&check_text("", stored, chip))).ok_or(lasting)
}

/// With a store to each output that a finding names, at the end of its kernel; with an output or a kernel where there is none.
fn stored(text: &str, errors: &[&Diagnostic]) -> Option<String> {
    let file: syn::File = syn::parse_str(text).ok()?;
    let mut kernels = Vec::new();
    kernels_of(&file.items, &mut kernels);
    if kernels.is_empty() {
        let own = stores(&[Output::added()]);
        return Some(format!("{text}\n#[kernel]\npub fn q(q_y: &mut GlobalTensor<f32>) {{\n{own}}}\n"));
    }
    let mut added: Vec<(usize, String)> = Vec::new();
    for kernel in kernels {
        let mut all = outputs(kernel);
        let merged = merges(text, errors, all.iter().find(|output| !output.is_list && !output.is_number));
        if all.is_empty() {
            let sign = if kernel.sig.inputs.is_empty() || kernel.sig.inputs.trailing_punct() { "" } else { ", " };
            added.push((kernel.sig.paren_token.span.close().byte_range().start, format!("{sign}q_y: &mut GlobalTensor<f32>")));
            all.push(Output::added());
        } else {
            let is_named = |output: &Output| {
                errors.iter().any(|d| d.code == Code::J0109 || d.message.contains(&format!("`{}`", output.name)))
            };
            all.retain(is_named);
        }
        added.push((kernel.block.brace_token.span.close().byte_range().start, merged + &stores(&all)));
    }
    let mut out = text.to_string();
    added.sort();
    for (at, stores) in added.into_iter().rev() {
        out.insert_str(at, &stores);
    }
    Some(out)
}

/// Zeros in all of some outputs; lists are gone through together, once.
fn stores(outputs: &[Output]) -> String {
    let store = |name: &str, output: &Output, indent: &str| {
        if output.is_number {
            return format!("{indent}{name}.at().store({});\n", zeros(&output.element, "()"));
        }
        let turn = format!("q_{name}");
        let zeros = zeros(&output.element, &turn);
        format!("{indent}for {turn} in tiles({name}) {{\n{indent}    {name}.at({turn}).store({zeros});\n{indent}}}\n")
    };
    let (lists, plain): (Vec<&Output>, Vec<&Output>) = outputs.iter().partition(|output| output.is_list);
    let mut inner: String = String::new();
    let indent = if lists.is_empty() { "    " } else { "        " };
    for list in &lists {
        inner += &store(&format!("of_{}", list.name), list, indent);
    }
    plain.iter().for_each(|output| inner += &store(&output.name, output, indent));
    if lists.is_empty() {
        return inner;
    }
    let joined = |of: &dyn Fn(&str) -> String| match &lists[..] {
        [one] => of(&one.name),
        all => format!("({})", all.iter().map(|list| of(&list.name)).collect::<Vec<_>>().join(", ")),
    };
    format!("    for {} in zip({}) {{\n{inner}    }}\n", joined(&|name| format!("of_{name}")), joined(&str::to_string))
}

/// A merge of what has none, `let mut s = across_cores::<f32>((), 0.0);`, at the end of a kernel.
fn merges(text: &str, errors: &[&Diagnostic], over: Option<&Output>) -> String {
    let Some(over) = over else { return String::new() };
    let mut out = String::new();
    for d in errors.iter().filter(|d| d.code == Code::J0214) {
        let Some(name) = d.message.strip_prefix("nothing is merged into `").and_then(|rest| rest.strip_suffix('`')) else {
            continue;
        };
        let declared = text.split(&format!("mut {name} = across_cores::<")).nth(1).unwrap_or_default();
        let (element, rest) = declared.split_once(">(").unwrap_or(("f32", "()"));
        let axes = if rest.starts_with("()") { "()" } else { rest.split(',').next().unwrap_or("()") };
        let sign = if element == "bool" { "|=" } else { "+=" };
        let turn = format!("q_{}_{name}", over.name);
        out += &format!("    for {turn} in tiles({}) {{\n        {name} {sign} {};\n    }}\n", over.name, zeros(element, axes));
    }
    out
}

/// An output of a kernel.
struct Output {
    name: String,
    element: String,
    is_list: bool,
    /// True where its shape has no axes.
    is_number: bool,
}

impl Output {
    fn added() -> Output {
        Output { name: "q_y".to_string(), element: "f32".to_string(), is_list: false, is_number: false }
    }
}

fn kernels_of<'a>(items: &'a [syn::Item], out: &mut Vec<&'a syn::ItemFn>) {
    for item in items {
        match item {
            syn::Item::Fn(f) if f.attrs.iter().any(|a| a.path().is_ident("kernel")) => out.push(f),
            syn::Item::Mod(m) => m.content.iter().for_each(|(_, items)| kernels_of(items, out)),
            _ => {}
        }
    }
}

/// Outputs of a kernel.
fn outputs(kernel: &syn::ItemFn) -> Vec<Output> {
    let written = |arg: &syn::FnArg| {
        let syn::FnArg::Typed(param) = arg else { return None };
        let (syn::Pat::Ident(name), syn::Type::Reference(to)) = (&*param.pat, &*param.ty) else { return None };
        to.mutability?;
        let (of, is_list) = match &*to.elem {
            syn::Type::Slice(list) => (&*list.elem, true),
            one => (one, false),
        };
        let syn::Type::Path(of) = of else { return None };
        let syn::PathArguments::AngleBracketed(args) = &of.path.segments.last()?.arguments else { return None };
        let is_number = param
            .attrs
            .iter()
            .any(|a| matches!(&a.meta, syn::Meta::List(list) if list.path.is_ident("shape") && list.tokens.is_empty()));
        Some(Output { name: name.ident.to_string(), element: args.args.first()?.span().source_text()?, is_list, is_number })
    };
    kernel.sig.inputs.iter().filter_map(written).collect()
}
