//! Obligations of a tile kernel at its end: a store to each output, a loop over lists, and a merge
//! into each cross-core accumulator.

use super::blocks::{blocks_of, close, kernels_of, text_of, Block};
use super::idioms::{joined, zeros, Roles};
use jumar::dsl::diag::{Code, Diagnostic};

/// The limit of merges that are tried.
const MERGES: usize = 24;

/// Returns texts with all obligations met, the likeliest first. A missing output or kernel is
/// added.
pub(super) fn paid(text: &str, errors: &[&Diagnostic]) -> Vec<String> {
    let Ok(file) = syn::parse_str::<syn::File>(text) else {
        return Vec::new();
    };
    let kernels = kernels_of(&file);
    if kernels.is_empty() {
        let own = store("q_y", &Output::added(), None);
        return vec![format!(
            "{text}\n#[kernel]\npub fn q(q_y: &mut GlobalTensor<f32>) {{\n{own}}}\n"
        )];
    }
    let mut ways = merges(text, errors);
    if ways.is_empty() {
        ways.push(Vec::new());
    }
    ways.into_iter()
        .map(|merged| with(text, &kernels, errors, merged))
        .collect()
}

/// Adds stores to the outputs that findings name. Merges go before them, each at the end of its
/// block.
fn with(
    text: &str,
    kernels: &[&syn::ItemFn],
    errors: &[&Diagnostic],
    merges: Vec<(usize, String)>,
) -> String {
    let mut added: Vec<(usize, String)> = Vec::new();
    for (at, merge) in merges {
        let Some(kernel) = kernels
            .iter()
            .rfind(|kernel| kernel.block.brace_token.span.open().byte_range().start < at)
        else {
            continue;
        };
        let around = blocks_of(&kernel.block)
            .into_iter()
            .rfind(|block| (block.open..block.close).contains(&at));
        added.push((
            around.map_or(close(&kernel.block), |block| block.close),
            merge,
        ));
    }
    for kernel in kernels {
        let mut all = outputs(kernel);
        if all.is_empty() {
            let (parameter, output) = missing(kernel);
            let sign = if kernel.sig.inputs.is_empty() || kernel.sig.inputs.trailing_punct() {
                ""
            } else {
                ", "
            };
            added.push((
                kernel.sig.paren_token.span.close().byte_range().start,
                format!("{sign}{parameter}"),
            ));
            all.push(output);
        } else {
            all.retain(|output| errors.iter().any(|d| is_about(d, &output.name)));
        }
        added.extend(placed(text, kernel, &all));
    }
    inserted(text, added)
}

/// True if a finding may concern an output of that name.
fn is_about(d: &Diagnostic, name: &str) -> bool {
    d.code == Code::J0109
        || [format!("`{name}`"), format!("`{name}.at(")]
            .iter()
            .any(|said| d.message.contains(said))
}

/// Inserts texts at places; those of one place keep their order.
pub(super) fn inserted(text: &str, mut added: Vec<(usize, String)>) -> String {
    let mut out = text.to_string();
    added.sort_by_key(|(at, _)| *at);
    for (at, more) in added.into_iter().rev() {
        out.insert_str(at, &more);
    }
    out
}

/// Returns stores to outputs with their places: in the loop of their lists, where they are known to
/// be present, or at the end.
fn placed(text: &str, kernel: &syn::ItemFn, all: &[Output]) -> Vec<(usize, String)> {
    let (blocks, end) = (blocks_of(&kernel.block), close(&kernel.block));
    let body = &text[kernel.block.brace_token.span.open().byte_range().start..end];
    let store = |name: &str, output: &Output| store(name, output, viewed(body, name));
    let zip = blocks.iter().find(|block| !block.items.is_empty());
    let lists = lists(kernel);
    let mut out = Vec::new();
    let mut inner = String::new();
    for output in all {
        match (&output.kind, zip) {
            (Kind::List, Some(zip)) => {
                let item = zip.items.iter().find(|(list, _)| *list == output.name);
                out.extend(item.map(|(_, item)| (zip.close, store(item, output))));
            }
            (Kind::List, None) => inner += &store(&format!("of_{}", output.name), output),
            (Kind::Optional, _) => {
                let given: Vec<&Block> = blocks
                    .iter()
                    .filter(|block| block.given.as_ref() == Some(&output.name))
                    .collect();
                if given.is_empty() {
                    let (name, own) = (&output.name, store(&output.name, output));
                    out.push((
                        end,
                        format!("    if let Some({name}) = {name} {{\n{own}    }}\n"),
                    ));
                }
                out.extend(
                    given
                        .iter()
                        .map(|block| (block.close, store(&output.name, output))),
                );
            }
            (Kind::Plain, None) if !lists.is_empty() => inner += &store(&output.name, output),
            (Kind::Plain, Some(zip)) => out.push((zip.close, store(&output.name, output))),
            (Kind::Plain, None) => out.push((end, store(&output.name, output))),
        }
    }
    if zip.is_none() && !lists.is_empty() {
        let items = joined(
            &lists
                .iter()
                .map(|list| format!("of_{list}"))
                .collect::<Vec<_>>(),
        );
        let of = joined(&lists);
        out.push((
            end,
            format!("    for {items} in zip({of}) {{\n{inner}    }}\n"),
        ));
    }
    out
}

/// Writes a store of zeros to all of an output.
fn store(name: &str, output: &Output, view: Option<&str>) -> String {
    if let Some(axes) = view {
        return store_to_view(name, output, axes);
    }
    if output.is_number {
        return format!("    {name}.at().store({});\n", zeros(&output.element, "()"));
    }
    let turn = format!("q_{name}");
    format!(
        "    for {turn} in tiles({name}) {{\n        {name}.at({turn}).store({});\n    }}\n",
        zeros(&output.element, &turn)
    )
}

/// Writes such a store through a view, by single indices of all axes except the last.
fn store_to_view(name: &str, output: &Output, axes: &str) -> String {
    let all: Vec<&str> = axes
        .split(',')
        .map(str::trim)
        .filter(|axis| !axis.is_empty())
        .collect();
    let turns: Vec<String> = (0..all.len())
        .map(|nth| format!("q_{name}_{nth}"))
        .collect();
    let of = all.iter().enumerate().map(|(nth, axis)| {
        if nth + 1 < all.len() {
            format!("each({axis})")
        } else {
            axis.to_string()
        }
    });
    let of = joined(&of.collect::<Vec<_>>());
    let zeros = zeros(&output.element, turns.last().map_or("()", String::as_str));
    format!(
        "    for {} in tiles({of}) {{\n        {name}.at({}).store({zeros});\n    }}\n",
        joined(&turns),
        turns.join(", ")
    )
}

/// Returns the axes of the view that shadows a tensor.
fn viewed<'a>(body: &'a str, name: &str) -> Option<&'a str> {
    let begin = format!("{name}.view(");
    let mut calls = body
        .rmatch_indices(&begin)
        .filter(|(at, _)| !body[..*at].ends_with(super::is_word));
    let (at, call) = calls.find(|(at, _)| {
        let named = body[..*at]
            .rsplit_once("let ")
            .and_then(|(_, rest)| rest.split('=').next());
        named.is_some_and(|names| names.split(|c| !super::is_word(c)).any(|word| word == name))
    })?;
    body[at + call.len()..]
        .trim_start_matches('(')
        .split(')')
        .next()
}

/// Returns merges into accumulators without one, such as
/// `let mut s = across_cores::<f32>((), 0.0);`, by loops over different axes.
fn merges(text: &str, errors: &[&Diagnostic]) -> Vec<Vec<(usize, String)>> {
    let named = |d: &&Diagnostic| {
        d.message
            .strip_prefix("nothing is merged into `")?
            .strip_suffix('`')
            .map(String::from)
    };
    let names: Vec<String> = errors
        .iter()
        .filter(|d| d.code == Code::J0214)
        .filter_map(named)
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    let roles = Roles::of(text);
    let loops = roles.loops();
    let ways = ["sum", "amax", "amin", "prod"]
        .iter()
        .flat_map(|by| loops.iter().map(move |over| (by, over)));
    let one = |(by, over): (&&str, &String)| {
        let at = |name: &String| text.find(&format!("mut {name} = across_cores"));
        names
            .iter()
            .filter_map(|name| Some((at(name)?, merge(text, name, by, over))))
            .collect()
    };
    ways.map(one).take(MERGES).collect()
}

fn merge(text: &str, name: &str, by: &str, over: &str) -> String {
    let declared = text
        .split(&format!("mut {name} = across_cores::<"))
        .nth(1)
        .unwrap_or_default();
    let (element, rest) = declared.split_once(">(").unwrap_or(("f32", "(), 0.0"));
    let (axes, begins) = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((axes, begins)) => (axes, begins),
        None => rest.split_once(',').unwrap_or((rest, "")),
    };
    let turn = format!("q_{over}_{name}");
    let all = if axes.trim().is_empty() {
        turn.clone()
    } else {
        format!("({turn}, {axes})")
    };
    let step = match (element, by) {
        ("bool", _) if begins.trim_start_matches([',', ' ']).starts_with("true") => {
            format!("{name} &= {}.all({turn})", zeros(element, &all))
        }
        ("bool", _) => format!("{name} |= {}.any({turn})", zeros(element, &all)),
        (_, "sum") => format!("{name} += {}.sum({turn})", zeros(element, &all)),
        (_, "prod") => format!("{name} *= {}.prod({turn})", zeros(element, &all)),
        (_, by) => format!(
            "{name} = {name}.{}({}.{by}({turn}))",
            &by[1..],
            zeros(element, &all)
        ),
    };
    format!("    for {turn} in tiles({over}) {{\n        {step};\n    }}\n")
}

/// An output of a kernel.
pub(super) struct Output {
    pub name: String,
    pub element: String,
    kind: Kind,
    /// True if its shape has no axes.
    is_number: bool,
}

enum Kind {
    Plain,
    List,
    Optional,
}

impl Output {
    fn added() -> Output {
        Output {
            name: "q_y".to_string(),
            element: "f32".to_string(),
            kind: Kind::Plain,
            is_number: false,
        }
    }
}

/// Returns the output for a head without one: a list if there are lists.
fn missing(kernel: &syn::ItemFn) -> (&'static str, Output) {
    match lists(kernel).is_empty() {
        true => ("q_y: &mut GlobalTensor<f32>", Output::added()),
        false => (
            "q_y: &mut [GlobalTensor<f32>]",
            Output {
                kind: Kind::List,
                ..Output::added()
            },
        ),
    }
}

/// Returns the names of lists of tensors, including the output that is added.
fn lists(kernel: &syn::ItemFn) -> Vec<String> {
    let is_list = |ty: &syn::Type| {
        let syn::Type::Reference(to) = ty else {
            return false;
        };
        matches!(&*to.elem, syn::Type::Slice(of) if inside(&of.elem, "GlobalTensor").is_some())
    };
    let named = |arg: &syn::FnArg| match arg {
        syn::FnArg::Typed(param) if is_list(&param.ty) => Some(text_of(&param.pat)),
        syn::FnArg::Typed(_) | syn::FnArg::Receiver(_) => None,
    };
    let mut out: Vec<String> = kernel.sig.inputs.iter().filter_map(named).collect();
    if !out.is_empty() && outputs(kernel).is_empty() {
        out.push("q_y".to_string());
    }
    out
}

/// Returns the outputs of a kernel.
pub(super) fn outputs(kernel: &syn::ItemFn) -> Vec<Output> {
    kernel.sig.inputs.iter().filter_map(output).collect()
}

fn output(arg: &syn::FnArg) -> Option<Output> {
    let syn::FnArg::Typed(param) = arg else {
        return None;
    };
    let syn::Pat::Ident(name) = &*param.pat else {
        return None;
    };
    let (ty, is_optional) = match inside(&param.ty, "Option") {
        Some(inner) => (inner, true),
        None => (&*param.ty, false),
    };
    let syn::Type::Reference(to) = ty else {
        return None;
    };
    to.mutability?;
    let (of, is_list) = match &*to.elem {
        syn::Type::Slice(list) => (&*list.elem, true),
        one => (one, false),
    };
    let element = text_of(inside(of, "GlobalTensor")?);
    let has_no_axes = |a: &syn::Attribute| matches!(&a.meta, syn::Meta::List(list) if list.path.is_ident("shape") && list.tokens.is_empty());
    let kind = match (is_list, is_optional) {
        (true, _) => Kind::List,
        (false, true) => Kind::Optional,
        (false, false) => Kind::Plain,
    };
    Some(Output {
        name: name.ident.to_string(),
        element,
        kind,
        is_number: param.attrs.iter().any(has_no_axes),
    })
}

/// Returns the argument of a generic type of that name.
fn inside<'a>(ty: &'a syn::Type, name: &str) -> Option<&'a syn::Type> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path
        .path
        .segments
        .last()
        .filter(|last| last.ident == name)?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else {
        return None;
    };
    match args.args.first()? {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}
