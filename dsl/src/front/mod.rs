//! The front end: Rust tokens to IR, for the macro (tokens of the compiler) and the command line
//! (text).
//!
//! [`parse_file`], [`parse_mod`] and [`parse_fn`] find kernels and the items that each may use.
//!
//! | folder | contents |
//! |---|---|
//! | `text` | source text before it is a kernel |
//! | `head` | parameters, shapes, `require` |
//! | `stmt` | statements and expressions of both levels |
//! | `tile` | the tile level |
//! | `queue` | the queue level |
//! | `cx` | the state of one kernel: meanings of names, emitted statements, findings, the kernel so far |
//!
//! No two folders depend on each other mutually.
//!
//! - All mistakes are reported at once, one finding a mistake: a value that an error was reported
//!   for silences all findings that follow from it.
//! - Nothing is ever decided by a line number, since editors may place all tokens at line 1.
//! - A name that an editor made up while the author types causes no finding.
//! - Text that nests too deeply for the parser's stack is refused before it is parsed, and so are
//!   numbers and names of absurd length.

mod cx;
mod head;
mod queue;
mod stmt;
#[cfg(test)]
mod tests;
mod text;
mod tile;

use crate::diag::{self, Code, Diagnostic};
use crate::front::cx::module::Module;
use crate::front::cx::names::Binding;
use crate::front::text::words::{find_attr, has_attr};
use crate::ir::{
    Dim, Kernel, Level, Param, ParamId, ParamKind, Role, Signature, Source, SourceSpan, SpanId, Ty,
};
use cx::block::Block;
use cx::Cx;
use proc_macro2::{Span, TokenStream};
use syn::{Attribute, Item, ItemFn, ItemMod, Meta};
use text::brackets::Unbalanced;
use text::span::source_span;
pub use text::suggest::instead_of;

/// Parses without findings of unread names: kernels of tests have more names than they need.
#[cfg(test)]
#[allow(clippy::result_large_err)]
pub fn parse_briefly(text: &str) -> Result<Vec<Parsed>, (Diagnostic, Vec<SourceSpan>)> {
    let mut all = parse_file(text)?;
    all.iter_mut()
        .for_each(|parsed| parsed.diagnostics.retain(|d| d.code != Code::J0415));
    Ok(all)
}

/// The result of reading one kernel function.
#[derive(Debug)]
pub struct Parsed {
    pub name: String,
    /// The kernel; `None` where there were errors.
    pub kernel: Option<Kernel>,
    /// The signature, also where the body is wrong; `None` where the head is.
    pub signature: Option<Signature>,
    /// Findings in token order.
    pub diagnostics: Vec<Diagnostic>,
    /// Line and column of each span id.
    pub spans: Vec<SourceSpan>,
    /// First and last token of each span id, for the macro. Thread-local in the compiler; never
    /// kept.
    pub tokens: Vec<(Span, Span)>,
}

/// Parses a lone `#[kernel]` function; `attr` holds the tokens inside of `#[kernel(..)]`.
pub fn parse_fn(attr: TokenStream, item: &ItemFn) -> Parsed {
    kernel(attr, item, &Module::default())
}

/// Parses a `#[kernels] mod`: every `#[kernel]` function in it, with its constants, enums and
/// helper functions in scope.
pub fn parse_mod(item: &ItemMod) -> Vec<Parsed> {
    let Some((_, items)) = &item.content else {
        let module = Module::default();
        let mut cx = Cx::new(&module, &item.ident);
        let d = cx
            .error(
                Code::J0105,
                &item.ident,
                "`#[kernels]` on a module in another file",
            )
            .help("write the module inline: `#[kernels] mod name { .. }`");
        cx.report.add(d);
        return vec![finish(cx, Vec::new())];
    };
    let mut module = Module {
        kernels: true,
        ..Module::default()
    };
    for item in items {
        match item {
            Item::Const(c) => module.consts.push(c),
            Item::Fn(f) => module.fns.push(f),
            Item::Enum(e) => module.enums.push(e),
            _ => {}
        }
    }
    let kernels = module
        .fns
        .iter()
        .filter_map(|f| Some((find_attr(&f.attrs, "kernel")?, *f)));
    kernels
        .map(|(a, f)| kernel(attr_tokens(a), f, &module))
        .collect()
}

/// Parses a file: every `#[kernel]` function and `#[kernels]` module in it, with the scoping of the
/// macros.
///
/// Not for use inside of a macro: the spans of the thread are invalid afterwards.
///
/// # Errors
/// The one finding J0100 and its place, where the text is not Rust.
// The error is made at most once a file; a box would only burden its readers.
#[allow(clippy::result_large_err)]
pub fn parse_file(text: &str) -> Result<Vec<Parsed>, (Diagnostic, Vec<SourceSpan>)> {
    let refused = |message: String, place: SourceSpan, help: &str| {
        let d = Diagnostic::new(Code::J0100, SpanId(0), message).help(help);
        (d, vec![visible(place, text)])
    };
    let rust = "the same text must compile under `#[kernel]`";
    let _forget = ForgetSpans;
    let code = code(text);
    let tokens: TokenStream = code.parse().map_err(|e: proc_macro2::LexError| {
        match text::brackets::unbalanced(code) {
            Some(Unbalanced {
                place,
                message,
                remedy,
            }) => {
                let (mut d, mut spans) = refused(message.to_string(), place, rust);
                if let Some((at, bracket)) = remedy {
                    d = d.fix(SpanId(spans.len() as u32), bracket).maybe();
                    spans.push(at);
                }
                (d, spans)
            }
            None => refused(
                "this is no token of Rust".to_string(),
                source_span((e.span(), e.span())),
                rust,
            ),
        }
    })?;
    if let Some(at) = text::nesting::too_deep(tokens.clone()) {
        return Err(refused(
            "the text nests too deeply to be parsed".to_string(),
            source_span((at, at)),
            rust,
        ));
    }
    if let Some((at, message)) = text::tokens::too_long(tokens.clone()) {
        return Err(refused(message, source_span((at, at)), rust));
    }
    let file: syn::File = syn::parse2(tokens).map_err(|e| {
        let place = source_span((e.span(), e.span()));
        let meant = text::python::meant(code, place);
        match meant {
            Some((help, (at, new))) => {
                let (d, places) = refused(e.to_string(), place, &help);
                (d.fix(SpanId(1), new).maybe(), vec![places[0], at])
            }
            None => refused(e.to_string(), place, rust),
        }
    })?;
    let mut out = Vec::new();
    find(&file.items, &mut out);
    out.iter_mut().for_each(|p| p.tokens = Vec::new());
    Ok(out)
}

/// Strips a byte order mark and a `#!` line, whose line break stays.
fn code(text: &str) -> &str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.starts_with("#!") && !text[2..].trim_start().starts_with('[') {
        return text.find('\n').map_or("", |end| &text[end..]);
    }
    text
}

/// Returns a place that can be underlined: an error behind the last token is shown at the last
/// character of the text.
fn visible(span: SourceSpan, text: &str) -> SourceSpan {
    if (span.line, span.column) != (span.end_line, span.end_column) {
        return span;
    }
    let last = text.trim_end();
    let line = last.lines().count().max(1) as u32;
    let column = last.lines().last().map_or(0, |l| l.chars().count()).max(1) as u32;
    SourceSpan {
        line,
        column,
        end_line: line,
        end_column: column + 1,
    }
}

/// Clears the thread-local source map, in which each parsed text stays otherwise.
struct ForgetSpans;

impl Drop for ForgetSpans {
    fn drop(&mut self) {
        proc_macro2::extra::invalidate_current_thread_spans();
    }
}

fn find(items: &[Item], out: &mut Vec<Parsed>) {
    for item in items {
        match item {
            Item::Fn(f) => {
                if let Some(a) = find_attr(&f.attrs, "kernel") {
                    out.push(parse_fn(attr_tokens(a), f));
                }
            }
            Item::Mod(m) => {
                let kernels = has_attr(&m.attrs, "kernels");
                if kernels {
                    out.extend(parse_mod(m));
                }
                for inner in m.content.iter().flat_map(|(_, items)| items) {
                    if !kernels || matches!(inner, Item::Mod(_)) {
                        find(std::slice::from_ref(inner), out);
                    }
                }
            }
            _ => {}
        }
    }
}

fn attr_tokens(a: &Attribute) -> TokenStream {
    match &a.meta {
        Meta::List(l) => l.tokens.clone(),
        _ => TokenStream::new(),
    }
}

/// Translates one kernel function to IR.
fn kernel(attr: TokenStream, item: &ItemFn, module: &Module<'_>) -> Parsed {
    let mut cx = Cx::new(module, &item.sig.ident);
    let chips = cx.fn_attrs(attr, &item.attrs);
    let mut signature = None;
    if cx.signature(item) {
        signature = (!cx.report.failed()).then(|| cx.draft.sig.clone());
        cx.kernel_body(&item.block);
        cx.bound_ranges();
        cx.judge_merged();
        cx.judge_packed();
        cx.work_without_axes();
        cx.name_the_rest();
        missing(&mut cx);
        unread(&mut cx);
    }
    Parsed {
        signature,
        ..finish(cx, chips)
    }
}

/// Reports J0415 for names of a right kernel that nothing reads, which are forgotten operands:
/// parameters, and all names in a tile kernel. A tensor that alone gives the length of an axis
/// counts as read.
fn unread(cx: &mut Cx<'_>) {
    if cx.report.failed() {
        return;
    }
    let sig = &cx.draft.sig;
    let is_unread = |id: ParamId| cx.names.all_unread().any(|of| of.param == Some(id));
    let says_axes = |id: ParamId| {
        let mut axes = sig.shape(id).iter().filter_map(Dim::axis);
        let elsewhere = |axis| {
            sig.tensors_with(axis)
                .any(|(other, _, role, _)| role != Role::Out && other != id && !is_unread(other))
        };
        axes.any(|axis| !elsewhere(axis))
    };
    let is_told = |of: &&Binding| match of.param.map(|id| (id, &sig.param(id).kind)) {
        Some((id, ParamKind::Tensor { role: Role::In, .. })) => !says_axes(id),
        Some((
            _,
            ParamKind::Tensor {
                role: Role::Out | Role::InOut,
                ..
            },
        )) => false,
        Some((_, ParamKind::Attr { .. })) => true,
        None => !matches!(cx.draft.level, Some((Level::Queue, _))),
    };
    let told = cx
        .names
        .all_unread()
        .filter(is_told)
        .map(|of| (of.name.clone(), of.at, of.param.is_some()));
    for (name, at, is_param) in told.collect::<Vec<_>>() {
        let what = if is_param { "the parameter " } else { "" };
        let help =
            format!("use it or leave it out; what is meant to be there unread is called `_{name}`");
        let d = cx
            .error(Code::J0415, &at, format!("nothing reads {what}`{name}`"))
            .help(help);
        cx.report.add(d);
    }
}

/// Reports a kernel without a tile loop, or without a store to an output.
fn missing(cx: &mut Cx<'_>) {
    let name = cx.draft.name_ends;
    // A kernel of both levels has only the finding about that.
    if cx.draft.tile_loop.is_none()
        && !cx.draft.mixed
        && !cx.report.doubt
        && cx
            .draft
            .level
            .is_none_or(|(level, _)| level != Level::Queue)
    {
        let d = cx
            .error(
                Code::J0109,
                &name,
                format!("kernel `{}` has no tile loop", cx.draft.sig.name),
            )
            .help(
                "write `for t in tiles(x) { .. }`, or use queues: `TPipe`, `TQue`, `data_copy_pad`",
            );
        cx.report.add(d);
        return;
    }
    if cx.report.doubt {
        return;
    }
    let never = |(id, p, role, _): (ParamId, &Param, Role, Ty)| {
        let what = match role {
            Role::In => return None,
            Role::Out => "output",
            Role::InOut => "in-place output",
        };
        let text = || format!("{what} `{}` is never written", p.name);
        (!cx.draft.written[id.index()]).then(|| Diagnostic::new(Code::J0210, p.span, text()))
    };
    let found: Vec<_> = cx.draft.sig.tensors().filter_map(never).collect();
    found.into_iter().for_each(|d| {
        cx.report
            .add(d.help("store to it, or remove the parameter"))
    });
}

fn finish(cx: Cx<'_>, chips: Vec<String>) -> Parsed {
    let spans: Vec<SourceSpan> = cx
        .report
        .spans
        .iter()
        .map(|ends| source_span(*ends))
        .collect();
    let name = cx.draft.sig.name.clone();
    let kernel = (!cx.report.failed()).then(|| {
        let (body, Block { tile, queue }) = (cx.out.body, cx.out.stmts);
        let body = match cx.draft.level {
            Some((Level::Queue, _)) => Source::Queue(body.with(queue)),
            Some((Level::Tile, _)) | None => Source::Tile(body.with(tile)),
        };
        Kernel {
            sig: cx.draft.sig,
            chips,
            deterministic: cx.draft.deterministic,
            body,
            calls: cx.out.calls,
            spans: spans.clone(),
        }
    });
    let mut diagnostics = cx.report.diagnostics;
    diag::sort(&mut diagnostics);
    Parsed {
        name,
        kernel,
        signature: None,
        diagnostics,
        spans,
        tokens: cx.report.spans,
    }
}
