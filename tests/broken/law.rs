//! The law of fixes: an applied fix removes its finding and adds none.

use jumar::load::{check_text, KernelFile};
use jumar_dsl::diag::{changed, Applicability, Code, Diagnostic, Fix};
use jumar_dsl::ir::SourceSpan;
use jumar_dsl::soc::Chip;
use std::collections::BTreeMap;

/// Codes of queue-level order, which `check` looks for only where there is no other error
/// (`check_events`).
const BY_HAND: [Code; 4] = [Code::J0412, Code::J0413, Code::J0414, Code::J0416];

/// A finding with the places of its kernel.
pub struct Finding<'a> {
    pub kernel: &'a str,
    pub diagnostic: &'a Diagnostic,
    pub spans: &'a [SourceSpan],
}

pub fn findings(file: &KernelFile) -> Vec<Finding<'_>> {
    let of = file
        .all()
        .flat_map(|k| k.diagnostics.iter().map(|d| (&*k.name, d, &*k.spans)));
    of.map(|(kernel, diagnostic, spans)| Finding {
        kernel,
        diagnostic,
        spans,
    })
    .collect()
}

/// Counts the findings of each code.
pub fn counted(file: &KernelFile) -> BTreeMap<Code, usize> {
    let mut counts = BTreeMap::new();
    findings(file)
        .iter()
        .for_each(|f| *counts.entry(f.diagnostic.code).or_default() += 1);
    counts
}

/// A fix that was tried.
pub struct Tried<'a> {
    pub finding: &'a Diagnostic,
    pub fix: &'a Fix,
    /// The violation of the law, if there is one.
    pub wrong: Option<String>,
}

/// Tries every fix of a text that has a place. A fix with parts to fill in is not applied. `hidden`
/// says that mistakes of the text may hide others.
pub fn tried<'a>(
    name: &str,
    before: &'a KernelFile,
    text: &str,
    chip: Option<&'static Chip>,
    hidden: bool,
) -> Vec<Tried<'a>> {
    let mut all = Vec::new();
    for Finding {
        kernel,
        diagnostic: finding,
        spans,
    } in findings(before)
    {
        let Some(fix) = &finding.fix else { continue };
        let Some(changes) = fix.resolve(text, spans) else {
            continue;
        };
        if fix.applicability == Applicability::HasPlaceholders {
            all.push(Tried {
                finding,
                fix,
                wrong: None,
            });
            continue;
        }
        let mended = changed(text, &changes);
        let after = check_text(name, &mended, chip);
        let same = |file: &KernelFile| {
            let is = |f: &&Finding<'_>| {
                (f.kernel, f.diagnostic.code, &f.diagnostic.message)
                    == (kernel, finding.code, &finding.message)
            };
            findings(file).iter().filter(is).count()
        };
        // A value with an error gives no further findings, and the checker sees only kernels that
        // the front end accepts.
        let read = |file: &KernelFile| !file.is_broken() && file.kernels().iter().all(|k| k.read);
        let had = counted(before);
        // J0415 is reported in right texts alone.
        let unread = |code: &Code| before.has_errors() && *code == Code::J0415;
        let hides =
            |code: &Code| hidden && before.has_errors() && BY_HAND.contains(code) || unread(code);
        let new = counted(&after)
            .into_iter()
            .filter(|(code, n)| *n > had.get(code).copied().unwrap_or(0) && !hides(code));
        let added: Vec<Code> = match hidden && !read(before) && !after.is_broken() {
            true => Vec::new(),
            false => new.map(|(code, _)| code).collect(),
        };
        // A mistake inside the mended place, with an equal message, was hidden before and counts as
        // another one.
        let at = spans.get(finding.span().index());
        let here = |f: &Finding<'_>| {
            let own = f.spans.get(f.diagnostic.span().index());
            (f.kernel, f.diagnostic.code, &f.diagnostic.message, own)
                == (kernel, finding.code, &finding.message, at)
        };
        let is_removed = match hidden && !read(before) {
            // If an entry is duplicated, the second one moves to the place of the first.
            true => !findings(&after).iter().any(here) || same(&after) < same(before),
            false => same(&after) < same(before),
        };
        let wrong = (!is_removed || !added.is_empty()).then(|| {
            format!(
                "the fix of {} ({}) {}, adds {added:?}\n{}\n{mended}",
                finding.code,
                fix.applicability.as_str(),
                if is_removed {
                    "removes it"
                } else {
                    "does not remove it"
                },
                after.render(false)
            )
        });
        all.push(Tried {
            finding,
            fix,
            wrong,
        });
    }
    all
}
