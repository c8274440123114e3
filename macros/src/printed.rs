//! Compares the macro's report, as rustc prints it, with every `.stderr` file of `tests/ui`, in
//! this process.
//!
//! A case is expanded as the compiler would do it, with tokens whose places are those of its text.
//! Its expansion contains a `compile_error!` from a first to a last token, or the use of a
//! deprecated constant. Both have everything that rustc prints.
//!
//! `tests/ui.rs` asks rustc itself, about a few cases in the gate and about all at night. rustc
//! wrote the files; this module writes none. Messages of rustc's own are left out, so the cases in
//! `tests/ui/beside` are read by that test alone.

use crate::expand::{self, is_ours};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use jumar_kit::files;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::ops::Range;
use std::path::PathBuf;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, Item, LitStr, Macro, Meta, Stmt};

/// The command that refreshes the `.stderr` files.
const REFRESH: &str = "TRYBUILD=overwrite cargo test -p jumar --test suite ui";

/// One message that rustc prints about an expansion.
#[derive(Debug, PartialEq)]
enum Said {
    Error(String, Range<usize>),
    Warning(String, Range<usize>),
}

/// Returns the messages of the macro's calls in a file, in the order of the file.
fn said(text: &str) -> Vec<Said> {
    let mut file = syn::parse_file(text).expect("a case is Rust");
    let mut all = Heard(Vec::new());
    for item in &mut file.items {
        let expanded = match item {
            Item::Fn(f) => {
                taken(&mut f.attrs, "kernel").map(|attr| expand::kernel(attr, f.to_token_stream()))
            }
            Item::Mod(m) => taken(&mut m.attrs, "kernels")
                .map(|attr| expand::kernels(attr, m.to_token_stream())),
            _ => None,
        };
        if let Some(expanded) = expanded {
            all.visit_file(&syn::parse2(expanded).expect("an expansion is items"));
        }
    }
    all.0
}

/// Removes an attribute of jumar, as rustc does before it calls the macro, and returns its
/// arguments.
fn taken(attrs: &mut Vec<Attribute>, name: &str) -> Option<TokenStream> {
    let at = attrs.iter().position(|attr| is_ours(attr, &[name]))?;
    Some(match attrs.remove(at).meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    })
}

/// Findings in an expansion, in its order.
struct Heard(Vec<Said>);

impl Visit<'_> for Heard {
    fn visit_macro(&mut self, call: &Macro) {
        if call
            .path
            .segments
            .last()
            .is_some_and(|name| name.ident == "compile_error")
        {
            let message: LitStr = call.parse_body().expect("an error has a text");
            // rustc underlines the call: from the token before its path to its closing brace.
            let first = call
                .path
                .leading_colon
                .expect("the path begins with `::`")
                .spans[0];
            let range = first.byte_range().start..call.delimiter.span().close().byte_range().end;
            self.0.push(Said::Error(message.value(), range));
        }
    }

    fn visit_block(&mut self, block: &Block) {
        if let [Stmt::Item(Item::Const(constant)), Stmt::Local(used), ..] = &block.stmts[..] {
            let note = constant
                .attrs
                .iter()
                .find(|attr| attr.path().is_ident("deprecated"));
            if let (Some(note), Some(Expr::Path(place))) =
                (note, used.init.as_ref().map(|init| &*init.expr))
            {
                let mut message = None;
                note.parse_nested_meta(|meta| {
                    meta.value()?
                        .parse::<LitStr>()
                        .map(|text| message = Some(text.value()))
                })
                .expect("a deprecation has a note");
                let name = place
                    .path
                    .require_ident()
                    .expect("the constant is used by its name");
                let message = format!(
                    "use of deprecated constant `_::{name}`: {}",
                    message.expect("a note")
                );
                self.0
                    .push(Said::Warning(message, name.span().byte_range()));
            }
        }
        visit::visit_block(self, block);
    }
}

/// Returns all messages as rustc prints them: errors of macro expansion, then those of lints, of
/// which the first one names the lint.
fn printed(path: &str, text: &str) -> String {
    let (errors, warnings): (Vec<Said>, Vec<Said>) = said(text)
        .into_iter()
        .partition(|said| matches!(said, Said::Error(..)));
    let mut parts: Vec<String> = errors
        .iter()
        .map(|said| part(said, path, text, false))
        .collect();
    parts.extend(
        warnings
            .iter()
            .enumerate()
            .map(|(i, said)| part(said, path, text, i == 0)),
    );
    parts
        .iter()
        .map(|part| format!("{part}\n"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn part(said: &Said, path: &str, text: &str, names_lint: bool) -> String {
    let (level, message, range) = match said {
        Said::Error(message, range) => (Level::ERROR, message, range),
        Said::Warning(message, range) => (Level::WARNING, message, range),
    };
    let mark = AnnotationKind::Primary.span(range.clone());
    let mut group = Group::with_title(level.primary_title(message))
        .element(Snippet::source(text).path(path).annotation(mark));
    if names_lint {
        group = group.element(Level::NOTE.message("`#[warn(deprecated)]` on by default"));
    }
    Renderer::plain().render(&[group])
}

/// Returns the cases of a folder: path from the root of the repository, text, and rustc's output,
/// which may be empty.
fn cases(folder: &str) -> Vec<(String, String, String)> {
    let case = |path: PathBuf| {
        let stderr = path.with_extension("stderr");
        let printed = if stderr.exists() {
            files::read(&stderr)
        } else {
            String::new()
        };
        (
            format!("{folder}/{}.rs", files::stem(&path)),
            files::read(&path),
            printed,
        )
    };
    files::below(&files::workspace().join(folder), &["rs"])
        .into_iter()
        .map(case)
        .collect()
}

#[test]
fn every_case_is_printed_as_rustc_prints_it() {
    let wrong: Vec<_> = ["tests/ui/fail", "tests/ui/forms"]
        .into_iter()
        .flat_map(cases)
        .collect();
    let mut failed = Vec::new();
    for (path, text, stderr) in &wrong {
        let found = printed(path, text);
        if found != *stderr || stderr.is_empty() {
            failed.push(format!("{path} gives\n{found}\nits `.stderr` is\n{stderr}"));
        }
    }
    assert!(
        failed.is_empty(),
        "{}\n\n{} of {} differ; `{REFRESH}` refreshes them",
        failed.join("\n\n"),
        failed.len(),
        wrong.len()
    );
    assert!(wrong.len() >= 70, "only {} cases were found", wrong.len());
}

#[test]
fn of_a_right_kernel_nothing_is_printed() {
    let right = cases("tests/ui/pass");
    for (path, text, _) in &right {
        assert_eq!(said(text), [], "{path}");
    }
    assert!(right.len() >= 4, "only {} files were found", right.len());
}
