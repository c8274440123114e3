//! Repairs of a text behind a fixed beginning, from the checker's findings: their fixes, missing
//! parameters of a head, and obligations of a kernel.

use super::blocks::kernels_of;
use super::ending::{is_curable, Open};
use super::held::{given_back, is_of_queues};
use super::owed::{inserted, paid};
use jumar::dsl::diag::{changed, Code, Diagnostic};
use jumar::dsl::ir::SourceSpan;
use jumar::dsl::soc::Chip;
use jumar::load::{check_text, KernelFile};
use std::collections::BTreeSet;

/// How often a text is changed before it is given up.
const ROUNDS: usize = 6;
/// The number of mistakes that a text counts for if it is not Rust.
const BROKEN: usize = 1000;

/// Returns a correct text that begins with the first `keep` bytes of this one.
///
/// # Errors
/// Returns the smallest number of mistakes that no later text removes; [`BROKEN`] for a text that
/// is not Rust.
pub(super) fn mended(
    text: String,
    keep: usize,
    chip: Option<&'static Chip>,
) -> Result<String, usize> {
    let mut now = text;
    let mut fewest = usize::MAX;
    for _ in 0..ROUNDS {
        let file = check_text("", &now, chip);
        if is_right(&file) {
            return Ok(now);
        }
        let errors: Vec<&Diagnostic> = errors(&file).map(|(d, _)| d).collect();
        let lasting = errors
            .iter()
            .filter(|d| !is_curable(d, Open::Other))
            .count();
        fewest = fewest.min(if file.is_broken() { BROKEN } else { lasting });
        if file.is_broken() {
            break;
        }
        let next = fixed(&now, &file, keep).or_else(|| step(&now, &file, &errors, keep, chip));
        match next {
            Some(next)
                if next.len() > keep
                    && next.as_bytes()[..keep] == now.as_bytes()[..keep]
                    && next != now =>
            {
                now = next
            }
            _ => break,
        }
    }
    Err(fewest)
}

/// True if there are kernels, and no errors.
pub(super) fn is_right(file: &KernelFile) -> bool {
    !file.has_errors() && !file.kernels().is_empty()
}

/// Returns errors with their places.
fn errors(file: &KernelFile) -> impl Iterator<Item = (&Diagnostic, Option<SourceSpan>)> {
    let of = |kernel: &'_ jumar::load::LoadedKernel, d: &Diagnostic| {
        d.labels
            .first()
            .and_then(|label| kernel.spans.get(label.span.0 as usize).copied())
    };
    file.all()
        .flat_map(move |kernel| kernel.diagnostics.iter().map(move |d| (d, of(kernel, d))))
        .filter(|(d, _)| d.is_error())
}

/// Applies the first fix of the checker that leaves the beginning as it is.
fn fixed(text: &str, file: &KernelFile, keep: usize) -> Option<String> {
    let all = file
        .all()
        .flat_map(|kernel| kernel.diagnostics.iter().map(move |d| (kernel, d)));
    let mut texts = all.filter(|(_, d)| d.is_error()).filter_map(|(kernel, d)| {
        let changes = d.fix.as_ref()?.resolve(text, &kernel.spans)?;
        Some(changed(text, &changes))
    });
    texts.find(|new| new != text && new.as_bytes().get(..keep) == text.as_bytes().get(..keep))
}

/// Meets the requirements of findings without fixes, if there are no other findings.
fn step(
    text: &str,
    file: &KernelFile,
    all: &[&Diagnostic],
    keep: usize,
    chip: Option<&'static Chip>,
) -> Option<String> {
    let no_output = |d: &Diagnostic| d.code == Code::J0104 && d.message.ends_with("has no output");
    let lacks = |d: &Diagnostic| is_lacking(d);
    if all.iter().any(|d| lacks(d)) {
        return with_parameters(text, all, keep, chip);
    }
    if !all
        .iter()
        .all(|d| is_curable(d, Open::Other) || no_output(d))
    {
        return None;
    }
    if is_of_queues(text) {
        return given_back(text, &errors(file).collect::<Vec<_>>());
    }
    best(paid(text, all), chip)
}

/// Returns the first correct text, or the one with the fewest mistakes.
fn best(texts: Vec<String>, chip: Option<&'static Chip>) -> Option<String> {
    let mut least: Option<(usize, String)> = None;
    for text in texts {
        let file = check_text("", &text, chip);
        if is_right(&file) {
            return Some(text);
        }
        let count = if file.is_broken() {
            BROKEN
        } else {
            errors(&file).count()
        };
        if least.as_ref().is_none_or(|(fewest, _)| count < *fewest) {
            least = Some((count, text));
        }
    }
    least.map(|(_, text)| text)
}

/// True if a later part of the head may declare what the finding misses.
fn is_lacking(d: &Diagnostic) -> bool {
    match d.code {
        Code::J0102 => d.message.ends_with("is not defined"),
        Code::J0105 => {
            d.message.starts_with("what stands behind `@`")
                || d.message.contains("no input says how many axes")
        }
        _ => false,
    }
}

/// Adds parameters for the undeclared names of a head that is still open.
fn with_parameters(
    text: &str,
    all: &[&Diagnostic],
    keep: usize,
    chip: Option<&'static Chip>,
) -> Option<String> {
    let file: syn::File = syn::parse_str(text).ok()?;
    let open = kernels_of(&file)
        .into_iter()
        .find(|kernel| kernel.sig.paren_token.span.close().byte_range().start >= keep)?;
    let at = open.sig.paren_token.span.close().byte_range().start;
    let quoted = |d: &Diagnostic| d.message.split('`').nth(1).unwrap_or_default().to_string();
    let undefined: BTreeSet<String> = all
        .iter()
        .filter(|d| d.code == Code::J0102 && is_lacking(d))
        .map(|d| quoted(d))
        .collect();
    let unknown = all
        .iter()
        .filter(|d| d.code == Code::J0105 && d.message.contains("no input says"));
    let mut fixed: Vec<String> = Vec::new();
    for d in unknown {
        let of = d.message.rsplit('`').nth(1).unwrap_or_default();
        fixed.push(format!(
            "#[shape({of})] q_of_{}: &GlobalTensor<f32>",
            of.trim_end_matches('.')
        ));
    }
    let is_declared = |name: &str| text.contains(&format!("{name}: "));
    let dims = text
        .match_indices(" @ ")
        .map(|(at, mark)| word_at_begin(&text[at + mark.len()..]))
        .collect::<BTreeSet<_>>();
    fixed.extend(
        dims.into_iter()
            .filter(|dim| !is_declared(dim))
            .map(|dim| format!("{dim}: i32")),
    );
    let joined = undefined.iter().cloned().collect::<Vec<_>>().join(", ");
    let mut ways: Vec<Vec<String>> =
        vec![vec![format!("#[shape({joined})] q_x: &GlobalTensor<f32>")]];
    ways.extend(["usize", "bool", "f32"].map(|ty| {
        undefined
            .iter()
            .map(|name| format!("{name}: {ty}"))
            .collect()
    }));
    if undefined.is_empty() {
        ways = vec![Vec::new()];
    }
    let sign = if open.sig.inputs.is_empty() || open.sig.inputs.trailing_punct() {
        ""
    } else {
        ", "
    };
    let texts = ways.into_iter().map(|way| {
        let parameters: Vec<String> = fixed.iter().cloned().chain(way).collect();
        inserted(text, vec![(at, format!("{sign}{}", parameters.join(", ")))])
    });
    best(texts.collect(), chip)
}

/// Returns the name at the beginning of a text.
fn word_at_begin(text: &str) -> &str {
    let end = text
        .find(|c: char| !super::is_word(c))
        .unwrap_or(text.len());
    &text[..end]
}
