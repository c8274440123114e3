//! Records of the pages of error codes: a wrong kernel, what is said of it, and the right one.

use super::export::Plan;
use super::record::{Attempt, Claim, Fixed, Record, Source, Split, VERSION};
use super::task::emitted;
use crate::canon::{canonical, Names};
use crate::eval::class::Class;
use crate::eval::prompt::Message;
use crate::eval::stages::{refused, Stage};
use crate::finding::findings;
use jumar::dsl::diag::Code;
use jumar::dsl::soc::Chip;
use jumar::load::{check_text, fixed, KernelFile};

const RULES: &str = "You write kernels for Ascend NPUs in jumar, a language inside Rust. Answer with the whole text, corrected, and nothing else.";

/// A page with two kernels of which one is refused with its code and the other one is not refused.
struct Page {
    wrong: &'static str,
    right: &'static str,
    chip: Option<&'static Chip>,
}

/// The codes whose pages are records.
pub fn codes() -> impl Iterator<Item = Code> {
    Code::ALL.iter().copied().filter(|code| page(*code).is_some())
}

fn page(code: Code) -> Option<Page> {
    let text = code.explanation();
    let fence = |info: &str| text.split_once(&format!("```rust,{info}\n"))?.1.split_once("```").map(|(body, _)| body);
    let chip = text.split_once("<!-- chip: ").and_then(|(_, rest)| Chip::by_name(rest.split(" -->").next()?));
    let page = Page { wrong: fence("wrong")?, right: fence("right")?, chip };
    let is_found = |file: &KernelFile| file.all().flat_map(|kernel| &kernel.diagnostics).any(|d| d.code == code && d.is_error());
    let holds = is_found(&page.file(page.wrong)) && !page.file(page.right).has_errors();
    holds.then_some(page)
}

impl Page {
    fn file(&self, text: &str) -> KernelFile {
        check_text("kernel.rs", text, self.chip)
    }
}

/// The record of a page.
///
/// # Errors
/// Where the page is none of [`codes`].
pub fn of_page(plan: &Plan, code: Code) -> Result<Record, String> {
    let none = || format!("the page of {code} has no kernel that is refused with it");
    let page = page(code).ok_or_else(none)?;
    let wrong = page.file(page.wrong);
    let failure = [Stage::Parse, Stage::Check].into_iter().find_map(|stage| refused(&wrong, stage, true)).ok_or_else(none)?;
    let attempt = {
        let found = findings(&wrong).map_err(|e| format!("{code}: {e}"))?;
        let mended = fixed("kernel.rs", page.wrong, page.chip);
        let fixed = (!mended.applied.is_empty()).then(|| {
            let clean = !mended.left.has_errors();
            let applied = mended.applied.iter().map(|one| one.code.to_string()).collect();
            Fixed { text: mended.text, applied, clean, right: clean }
        });
        Attempt::new("as the page of the code has it", page.wrong, failure, found, fixed)
    };
    let right = page.file(page.right);
    let kernels = right.kernels().iter().filter_map(|kernel| kernel.checked.first());
    let asked = format!("```rust\n{}```\n\n{}", page.wrong, wrong.render(false));
    let message = |role: &str, content: &str| Message { role: role.to_string(), content: content.to_string() };
    let family = format!("page_{code}");
    Ok(Record {
        version: VERSION,
        name: format!("page/{code}"),
        source: Source::Page,
        split: Split::of(&family),
        family,
        category: Some(Class::of(code).name().to_string()),
        level: None,
        prompt: vec![message("system", RULES), message("user", &asked)],
        kernel: page.right.to_string(),
        claim: Claim::Clean,
        // A page may have a kernel of the queue level, which has no such form.
        canonical: canonical(page.right, Names::Author).ok().map(|all| all.into_iter().map(|(_, text)| text).collect()),
        ascendc: kernels.flat_map(emitted).collect(),
        trace: None,
        cost: None,
        attempts: vec![attempt],
        made: plan.made(),
    })
}
