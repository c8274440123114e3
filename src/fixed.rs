//! Applies the fixes that a program may apply, round by round, as long as each round leaves fewer
//! mistakes and no new one.

use crate::load::{check_text, KernelFile, LoadedKernel};
use jumar_dsl::diag::{changed, Applicability, Change, Code, Diagnostic};
use jumar_dsl::soc::Chip;
use std::collections::BTreeMap;

/// The most rounds; each one removes a finding.
const MAX_ROUNDS: usize = 100;

/// A text after its fixes.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// The new text; the given one where nothing could be applied.
    pub text: String,
    /// The removed findings, in order.
    pub applied: Vec<Applied>,
    /// The findings that remain.
    pub left: KernelFile,
}

/// A finding that a fix removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    pub code: Code,
    pub message: String,
    /// The line of the finding in the text of its round.
    pub line: u32,
}

/// A finding and the changes that remove it.
struct Remedy {
    finding: Applied,
    changes: Vec<Change>,
}

/// Applies every fix of `text` that a program may apply (`machine-applicable`), for `chip` or the
/// chips that each kernel declares, until none is left.
///
/// A round counts only if it leaves fewer findings and no new error. Errors that a mistake hid from
/// the checker are not new.
///
/// ```
/// let text = "use jumar::prelude::*;
/// #[kernel]
/// pub fn f(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
///     for t in tiles(x) {
///         y.at(t).store(x.at(t).load().fabs());
///     }
/// }";
/// let fixed = jumar::load::fixed("f.rs", text, None);
/// assert!(fixed.text.contains(".abs()") && !fixed.left.has_errors());
/// ```
pub fn fixed(path: &str, text: &str, chip: Option<&'static Chip>) -> Fixed {
    let start = Fixed {
        text: text.to_owned(),
        applied: Vec::new(),
        left: check_text(path, text, chip),
    };
    let (mut now, mut best) = (start.clone(), start.clone());
    for _ in 0..MAX_ROUNDS {
        let remedies = remedies(&now.text, &now.left);
        let together = apart(&remedies);
        let alone = remedies.iter().map(|remedy| vec![remedy]);
        let Some(next) = std::iter::once(together)
            .chain(alone)
            .find_map(|chosen| attempt(path, &now, &chosen, chip))
        else {
            break;
        };
        now = next;
        if is_better(&start.left, &now.left) {
            best = now.clone();
        }
    }
    best
}

/// Returns the remedies of a text that a program may apply.
fn remedies(text: &str, file: &KernelFile) -> Vec<Remedy> {
    let of = |kernel: &LoadedKernel, d: &Diagnostic| {
        let fix = d
            .fix
            .as_ref()
            .filter(|fix| fix.applicability == Applicability::MachineApplicable)?;
        let line = kernel.spans.get(d.span().index()).map_or(0, |s| s.line);
        let finding = Applied {
            code: d.code,
            message: d.message.clone(),
            line,
        };
        Some(Remedy {
            finding,
            changes: fix.resolve(text, &kernel.spans)?,
        })
    };
    file.all()
        .flat_map(|kernel| kernel.diagnostics.iter().filter_map(move |d| of(kernel, d)))
        .collect()
}

/// Returns the first remedies of which no two change one place.
fn apart(remedies: &[Remedy]) -> Vec<&Remedy> {
    let mut chosen: Vec<&Remedy> = Vec::new();
    let meets = |a: &Change, b: &Change| {
        a.bytes.start == b.bytes.start
            || (a.bytes.start < b.bytes.end && b.bytes.start < a.bytes.end)
    };
    for remedy in remedies {
        let taken = chosen
            .iter()
            .flat_map(|r| &r.changes)
            .any(|a| remedy.changes.iter().any(|b| meets(a, b)));
        if !taken {
            chosen.push(remedy);
        }
    }
    chosen
}

/// Applies these remedies, and returns the text if it is an improvement.
fn attempt(
    path: &str,
    before: &Fixed,
    chosen: &[&Remedy],
    chip: Option<&'static Chip>,
) -> Option<Fixed> {
    if chosen.is_empty() {
        return None;
    }
    let mut changes: Vec<Change> = chosen.iter().flat_map(|r| r.changes.clone()).collect();
    changes.sort_by_key(|c| (c.bytes.start, c.bytes.end));
    let text = changed(&before.text, &changes);
    let left = check_text(path, &text, chip);
    let applied = before
        .applied
        .iter()
        .cloned()
        .chain(chosen.iter().map(|r| r.finding.clone()))
        .collect();
    let is_step = is_better(&before.left, &left) || uncovers(&before.left, &left, chosen);
    is_step.then_some(Fixed {
        text,
        applied,
        left,
    })
}

/// True if the mistakes of a text that the front end refuses are gone, and at most as many
/// others have replaced them. Errors of a wrong value's uses appear only when the value is right.
fn uncovers(before: &KernelFile, after: &KernelFile, gone: &[&Remedy]) -> bool {
    let is_left = |remedy: &&Remedy| {
        let same = |file: &KernelFile| {
            let all = file.all().flat_map(|k| &k.diagnostics);
            all.filter(|d| (d.code, &d.message) == (remedy.finding.code, &remedy.finding.message))
                .count()
        };
        same(after) >= same(before)
    };
    let unread = |file: &KernelFile| file.kernels().iter().filter(|k| !k.read).count();
    !after.is_broken()
        && !gone.iter().any(is_left)
        && unread(before) > 0
        && unread(after) <= unread(before)
        && after.count().0 <= before.count().0
}

/// True if `after` has fewer findings, and no new error.
fn is_better(before: &KernelFile, after: &KernelFile) -> bool {
    if before.is_broken() || after.is_broken() {
        return before.is_broken() && !after.is_broken();
    }
    let (old, new) = (before.kernels(), after.kernels());
    let mut better = false;
    for (old, new) in old.iter().zip(new) {
        match (old.read, new.read) {
            // The checker now runs; its findings were hidden before.
            (false, true) => better = true,
            (true, false) => return false,
            (true, true) | (false, false) => {
                let (had, has) = (counted(old), counted(new));
                if has
                    .iter()
                    .any(|(code, n)| *n > had.get(code).copied().unwrap_or(0))
                {
                    return false;
                }
                better |= has != had;
            }
        }
    }
    better && old.len() == new.len()
}

/// Counts the findings of a kernel by code.
fn counted(kernel: &LoadedKernel) -> BTreeMap<Code, usize> {
    let mut counts = BTreeMap::new();
    for d in &kernel.diagnostics {
        *counts.entry(d.code).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(body: &str) -> String {
        format!("#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {{\nfor t in tiles(x) {{\n{body}\n}}\n}}\n")
    }

    #[test]
    fn fixes_are_applied_until_none_is_left() {
        let fixed = fixed(
            "k.rs",
            &kernel("let v = x.at(t).load().fabs().maximum(0.0);\ny.at(t).store(&v);"),
            None,
        );
        assert!(!fixed.left.has_errors(), "{}", fixed.left.render(false));
        assert!(
            fixed.text.contains(".abs().max(0.0);\ny.at(t).store(v);"),
            "{}",
            fixed.text
        );
        assert_eq!(fixed.applied.len(), 3, "{:?}", fixed.applied);
    }

    #[test]
    fn what_has_no_fix_stays() {
        let text = kernel("y.at(t).store(x.at(t).load().fabs() + nothing);");
        let fixed = fixed("k.rs", &text, None);
        assert!(fixed.left.has_errors());
        assert_eq!(fixed.text, text.replace("fabs", "abs"));
        let clean = kernel("y.at(t).store(x.at(t).load());");
        let untouched = super::fixed("k.rs", &clean, None);
        assert!(untouched.text == clean && untouched.applied.is_empty());
    }

    #[test]
    fn a_mistake_in_the_place_of_another_is_no_gain() {
        let text = kernel("y.at(t).store(x.at(t).load().fabs().nothing());");
        let fixed = fixed("k.rs", &text, None);
        assert!(fixed.text == text && fixed.applied.is_empty());
    }

    #[test]
    fn what_a_mistake_hid_was_there() {
        let text = kernel("y.at(t).store(x.at(t).load().cast::<f16>().fabs().cast::<f32>()); let v = x.at(t + 1).load();");
        let fixed = fixed("k.rs", &text, None);
        assert!(
            fixed.text.contains(".abs()") && fixed.left.has_errors(),
            "{}",
            fixed.left.render(false)
        );
    }
}
