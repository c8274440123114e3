//! The law of fixes: one that is applied removes its finding and adds none.

use jumar::load::{check_text, KernelFile};
use jumar_dsl::diag::{changed, Applicability, Code, Diagnostic, Fix};
use jumar_dsl::ir::SourceSpan;
use jumar_dsl::soc::Chip;
use std::collections::BTreeMap;

/// The codes of orders by hand: `check` looks for them only where no other error is (`check_events`).
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

/// How often each code is found.
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
    /// What is wrong with it; none where it keeps the law.
    pub wrong: Option<String>,
}

/// Tries every fix of a text that has a place; one with parts to fill in is not applied. `hidden` says that a text may have mistakes that others hide.
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
        // A value that an error was reported for is silent, and the checker sees only what the front end takes.
        let read = |file: &KernelFile| !file.is_broken() && file.kernels().iter().all(|k| k.read);
        let had = counted(before);
        // What nothing reads is asked of right texts alone.
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
        // The same mistake in what is inside the place that was mended is another one, which it hid.
        let at = spans.get(finding.span().index());
        let here = |f: &Finding<'_>| {
            let own = f.spans.get(f.diagnostic.span().index());
            (f.kernel, f.diagnostic.code, &f.diagnostic.message, own)
                == (kernel, finding.code, &finding.message, at)
        };
        let is_removed = match hidden && !read(before) {
            // Of two entries that stand twice, the other one comes to the place of the first.
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
