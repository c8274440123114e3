//! Records of wrong kernels with their corrections: the pages of error codes, and files that fixes
//! make clean.

use super::export::Plan;
use super::record::{Attempt, Claim, Fixed, Record, Source, Split, VERSION};
use super::task::emitted;
use crate::canon::{canonical, Names};
use crate::eval::class::Class;
use crate::eval::prompt::Message;
use crate::eval::stages::{refused, Stage};
use crate::finding::findings;
use crate::tasks::run::hash;
use jumar::dsl::diag::Code;
use jumar::dsl::soc::Chip;
use jumar::load::{check_text, fixed, KernelFile};

const RULES: &str = "You write kernels for Ascend NPUs in jumar, a language inside Rust. Answer with the whole text, corrected, and nothing else.";

/// A refused kernel, and its correction.
#[derive(Clone, Debug)]
pub struct Pair {
    source: Source,
    /// The name of the record.
    pub name: String,
    family: String,
    how: &'static str,
    wrong: String,
    right: String,
    chip: Option<&'static Chip>,
}

/// Returns the pages of all codes that show a kernel refused with the code, and an accepted one.
pub fn pages() -> Vec<Pair> {
    Code::ALL.iter().filter_map(|code| page(*code)).collect()
}

fn page(code: Code) -> Option<Pair> {
    let text = code.explanation();
    let fence = |info: &str| {
        text.split_once(&format!("```rust,{info}\n"))?
            .1
            .split_once("```")
            .map(|(body, _)| body.to_string())
    };
    let chip = text
        .split_once("<!-- chip: ")
        .and_then(|(_, rest)| Chip::by_name(rest.split(" -->").next()?));
    let pair = Pair {
        source: Source::Page,
        name: format!("page/{code}"),
        family: format!("page_{code}"),
        how: "as the page of the code has it",
        wrong: fence("wrong")?,
        right: fence("right")?,
        chip,
    };
    let is_found = |file: &KernelFile| {
        file.all()
            .flat_map(|kernel| &kernel.diagnostics)
            .any(|d| d.code == code && d.is_error())
    };
    let holds = is_found(&pair.file(&pair.wrong)) && !pair.file(&pair.right).has_errors();
    holds.then_some(pair)
}

/// Makes a pair of a file that is refused and that fixes make clean. A first line `//! chip: NAME`
/// selects the chip.
pub fn broken(name: &str, text: &str) -> Option<Pair> {
    let chip = text
        .strip_prefix("//! chip: ")
        .and_then(|rest| Chip::by_name(rest.lines().next()?.trim()));
    let mended = fixed("kernel.rs", text, chip);
    let holds = !mended.applied.is_empty()
        && !mended.left.has_errors()
        && check_text("kernel.rs", text, chip).has_errors();
    holds.then(|| Pair {
        source: Source::File,
        name: format!("file/{name}"),
        // Files with equal corrections go into one split.
        family: format!("file_{:016x}", hash(mended.text.as_bytes())),
        how: "as the file has it",
        wrong: text.to_string(),
        right: mended.text,
        chip,
    })
}

impl Pair {
    fn file(&self, text: &str) -> KernelFile {
        check_text("kernel.rs", text, self.chip)
    }

    /// Returns the findings of the wrong kernel, and the result of its fixes.
    fn attempt(&self, wrong: &KernelFile) -> Result<Attempt, String> {
        let failure = [Stage::Parse, Stage::Check]
            .into_iter()
            .find_map(|stage| refused(wrong, stage, true));
        let failure = failure.ok_or_else(|| format!("{} is not refused", self.name))?;
        let found = findings(wrong).map_err(|e| format!("{}: {e}", self.name))?;
        let mended = fixed("kernel.rs", &self.wrong, self.chip);
        let fixed = (!mended.applied.is_empty()).then(|| {
            let clean = !mended.left.has_errors();
            let applied = mended
                .applied
                .iter()
                .map(|one| one.code.to_string())
                .collect();
            Fixed {
                text: mended.text,
                applied,
                clean,
                right: clean,
            }
        });
        Ok(Attempt::new(self.how, &self.wrong, failure, found, fixed))
    }

    /// Makes the record of the pair.
    ///
    /// # Errors
    /// If the wrong kernel is not refused.
    pub fn record(&self, plan: &Plan) -> Result<Record, String> {
        let (wrong, right) = (self.file(&self.wrong), self.file(&self.right));
        let attempt = self.attempt(&wrong)?;
        let first = wrong
            .all()
            .flat_map(|kernel| &kernel.diagnostics)
            .find(|d| d.is_error());
        let kernels = right
            .kernels()
            .iter()
            .filter_map(|kernel| kernel.checked.first());
        let asked = format!("```rust\n{}```\n\n{}", self.wrong, wrong.render(false));
        let message = |role: &str, content: &str| Message {
            role: role.to_string(),
            content: content.to_string(),
        };
        Ok(Record {
            version: VERSION,
            name: self.name.clone(),
            source: self.source,
            split: Split::of(&self.family),
            family: self.family.clone(),
            category: first.map(|d| Class::of(d.code).name().to_string()),
            level: None,
            prompt: vec![message("system", RULES), message("user", &asked)],
            kernel: self.right.clone(),
            claim: Claim::Clean,
            // A kernel of the queue level has no canonical form.
            canonical: canonical(&self.right, Names::Author)
                .ok()
                .map(|all| all.into_iter().map(|(_, text)| text).collect()),
            ascendc: kernels.flat_map(emitted).collect(),
            trace: None,
            cost: None,
            attempts: vec![attempt],
            made: plan.made(),
        })
    }
}
