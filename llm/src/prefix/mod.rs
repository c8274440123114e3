//! Prefix checking: can a text still become a correct kernel? The question is asked after each
//! byte.
//!
//! Two readers decide.
//!
//! - The productions of the profile `full` say if the text is a prefix of the language, and what
//!   may come next.
//! - The checker says the rest. The text is completed in the shortest ways, with names in scope for
//!   missing parts. If, in every completion, a finding lies wholly within the written text, no
//!   later text removes it.
//!
//! So types, axes, sizes and queues are masked by the rules that judge the whole kernel.
//!
//! Start reading at [`PrefixChecker::state`].

mod again;
mod blocks;
mod chart;
mod ending;
mod forms;
mod held;
mod idioms;
mod mend;
mod owed;
mod table;

use crate::grammar::full::full;
use chart::Chart;
use ending::{fillings, is_curable, is_of_value, names, Open};
use forms::{forms, Form, Piece};
use held::byte_at;
use idioms::ways_on;
use jumar::dsl::diag::{Code, Diagnostic};
use jumar::dsl::ir::SourceSpan;
use jumar::dsl::soc::Chip;
use jumar::load::{check_text, KernelFile, LoadedKernel};
use mend::mended;
use owed::paid;
use std::sync::OnceLock;
use table::Table;

/// The state of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// No continuation makes the text correct.
    Dead(Death),
    /// Some continuation may make it correct.
    Alive,
    /// The text is correct as it is; more may follow.
    Complete,
}

/// Why no continuation is correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Death {
    /// The code of the finding; `None` if the text is no prefix of the language.
    pub code: Option<&'static str>,
    pub message: String,
    /// The end of the finding, or of the longest prefix of the language, in bytes.
    pub at: usize,
}

/// The limit of completions before a text counts as dead. A single one without the finding saves
/// it.
const WITNESSES: usize = 96;
/// The limit of idioms that may save a text.
const SAVING: usize = 40;
/// The limit of endings that a completion tries.
const TRIES: usize = 200;
/// The limit of idioms in a row.
const STEPS: usize = 2;
/// Limits of the endings that are tried behind each idiom, and of the texts that are continued.
const FEW: usize = 3;
const KEPT: usize = 6;

/// A checker that follows a text.
#[derive(Debug)]
pub struct PrefixChecker {
    chip: Option<&'static Chip>,
    chart: Chart,
    text: String,
    /// Bytes of an incomplete character.
    pending: Vec<u8>,
    /// The place where the text left the language.
    left: Option<usize>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::new(&full()))
}

impl PrefixChecker {
    /// Returns a checker before the first byte. Kernels are checked for `chip`, or for the chips
    /// that they declare.
    pub fn new(chip: Option<&'static Chip>) -> PrefixChecker {
        PrefixChecker {
            chip,
            chart: Chart::new(table()),
            text: String::new(),
            pending: Vec::new(),
            left: None,
        }
    }

    /// The text so far, up to the place where it left the language.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Appends bytes. Returns false once the text has left the language; later bytes are ignored.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        for byte in bytes {
            if self.left.is_some() {
                return false;
            }
            self.pending.push(*byte);
            match std::str::from_utf8(&self.pending) {
                Ok(character) => {
                    let Some(c) = character.chars().next() else {
                        continue;
                    };
                    match self.chart.push(table(), c) {
                        true => self.text.push(c),
                        false => self.left = Some(self.text.len()),
                    }
                    self.pending.clear();
                }
                // More bytes may complete the character.
                Err(e) if e.error_len().is_none() => {}
                Err(_) => self.left = Some(self.text.len()),
            }
        }
        self.left.is_none()
    }

    /// Truncates the text to `len` bytes.
    ///
    /// # Panics
    /// If that is within a character.
    pub fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
        self.chart.sets.truncate(self.text.chars().count() + 1);
        (self.left, self.pending) = (None, Vec::new());
    }

    /// Returns the state of the text.
    pub fn state(&self) -> State {
        if let Some(at) = self.left {
            return State::Dead(Death {
                code: None,
                message: "no text of the language begins like this".to_string(),
                at,
            });
        }
        let mut first = None;
        // In an open head, a missing parameter hides later findings.
        let in_head = Open::of(&self.text) == Open::Head;
        for text in self.ends().take(WITNESSES) {
            match self.witness(&text) {
                Witness::Open if in_head => {}
                Witness::Right if text.len() == self.text.len() && self.pending.is_empty() => {
                    return State::Complete
                }
                Witness::Right | Witness::Open => return State::Alive,
                Witness::Fixed(death) => first = first.or(Some(death)),
                Witness::Silent => {}
            }
        }
        match first {
            Some(death) if !self.is_saved() => State::Dead(death),
            _ => State::Alive,
        }
    }

    /// True if an idiom leads to a correct text, since endings of the grammar do not know names.
    fn is_saved(&self) -> bool {
        let mut longer = PrefixChecker::new(self.chip);
        longer.push(self.text.as_bytes());
        ways_on(&self.text).into_iter().take(SAVING).any(|way| {
            let is_text = longer.push(way.as_bytes());
            let end = longer.ends().next().filter(|_| is_text);
            longer.truncate(self.text.len());
            end.is_some_and(|end| mended(end, self.text.len(), self.chip).is_ok())
        })
    }

    /// Returns the possible continuations, each as the rest of a word or sign, without names that
    /// the checker refuses.
    pub fn expected(&self) -> Vec<String> {
        let mut out = Vec::new();
        if self.left.is_some() {
            return out;
        }
        let mut longer = PrefixChecker::new(self.chip);
        longer.push(self.text.as_bytes());
        let names = names(&self.text);
        for form in self.forms() {
            let Some(first) = form.pieces.first() else {
                continue;
            };
            let words = match first {
                Piece::Text(text) => vec![first_word(text)],
                Piece::Hole(_) => fillings(&form, &self.text, &names)
                    .map(|filled| first_word(&filled))
                    .collect(),
            };
            for word in words.into_iter().filter(|word| !word.is_empty()) {
                if !out.contains(&word) && longer.lives_with(&word) {
                    out.push(word);
                }
            }
        }
        out
    }

    /// Returns a correct text that begins with this one, as short as is found.
    pub fn complete(&self) -> Option<String> {
        if self.left.is_some() {
            return None;
        }
        let short = self
            .ends()
            .take(TRIES)
            .find_map(|text| mended(text, self.text.len(), self.chip).ok());
        short.or_else(|| self.complete_by_idioms())
    }

    /// Returns a completion by way of idioms, up to [`STEPS`] of them in a row.
    fn complete_by_idioms(&self) -> Option<String> {
        let mut open = vec![self.text.clone()];
        for _ in 0..STEPS {
            let mut next: Vec<(usize, String)> = Vec::new();
            for text in &open {
                let mut longer = PrefixChecker::new(self.chip);
                longer.push(text.as_bytes());
                for way in ways_on(text) {
                    let mut wrong = usize::MAX;
                    if longer.push(way.as_bytes()) {
                        for end in longer.ends().take(FEW) {
                            match mended(end, self.text.len(), self.chip) {
                                Ok(whole) => return Some(whole),
                                Err(mistakes) => wrong = wrong.min(mistakes),
                            }
                        }
                        next.push((wrong, format!("{text}{way}")));
                    }
                    longer.truncate(text.len());
                }
            }
            next.sort_by(|a, b| (a.0, a.1.len(), &a.1).cmp(&(b.0, b.1.len(), &b.1)));
            next.dedup();
            open = next.into_iter().take(KEPT).map(|(_, text)| text).collect();
        }
        None
    }

    /// True if the checker accepts a word behind the text. The text is restored.
    fn lives_with(&mut self, word: &str) -> bool {
        let len = self.text.len();
        self.push(word.as_bytes());
        self.push(b" ");
        let lives = !matches!(self.state(), State::Dead(Death { code: Some(_), .. }));
        self.truncate(len);
        lives
    }

    fn forms(&self) -> Vec<Form> {
        forms(table(), &self.chart, word_at_end(&self.text))
    }

    /// Iterates over whole texts that begin with this one, the shortest first.
    fn ends(&self) -> impl Iterator<Item = String> + '_ {
        let names = names(&self.text);
        let mut all: Vec<(u32, String)> = Vec::new();
        for form in self.forms() {
            let filled = fillings(&form, &self.text, &names).enumerate();
            // A load tells more about a tensor than any other method.
            let cost = |filled: &str, nth: usize| {
                if nth == 0 && filled.starts_with("load(") {
                    0
                } else {
                    form.cost + nth as u32
                }
            };
            all.extend(filled.map(|(nth, filled)| (cost(&filled, nth), filled)));
        }
        all.sort();
        all.into_iter()
            .map(|(_, filled)| format!("{}{filled}", self.text))
    }

    /// Checks a whole text that begins with this one.
    fn witness(&self, text: &str) -> Witness {
        let (said, end) = (named(&self.text), settled(&self.text));
        let (names, values) = (place(&self.text[..said]), place(&self.text[..end]));
        let file = check_text("", text, self.chip);
        if file.is_broken() {
            return Witness::Silent;
        }
        if !file.has_errors() && !file.kernels().is_empty() {
            return Witness::Right;
        }
        let open = Open::of(&self.text);
        let findings = file
            .all()
            .flat_map(|kernel| kernel.diagnostics.iter().map(move |d| (kernel, d)));
        let is_fixed = |kernel: &LoadedKernel, d: &Diagnostic| {
            let span = d
                .labels
                .first()
                .and_then(|label| kernel.spans.get(label.span.0 as usize));
            // The text behind a value decides its use, but a wrong name or index stays wrong.
            span.is_some_and(|span| match (span.end_line, span.end_column) {
                ends if ends > names => false,
                ends if is_of_value(d) => ends < values && !self.is_operand(*span, end),
                _ => !self.lacks_arms(d, (span.line, span.column)) && !self.is_target(d, *span),
            })
        };
        let last: Vec<_> = findings
            .filter(|(_, d)| d.is_error() && !is_curable(d, open))
            .collect();
        match last.iter().find(|(kernel, d)| is_fixed(kernel, d)) {
            Some((_, d)) => Witness::Fixed(Death {
                code: Some(d.code.as_str()),
                message: d.message.clone(),
                at: end,
            }),
            None if last.is_empty() && open != Open::Head => {
                self.witness_of_paid(text, &file, end, values)
            }
            None if last.is_empty() => Witness::Open,
            None => Witness::Silent,
        }
    }

    /// True for an output at the beginning of a statement, because a store may follow.
    fn is_target(&self, d: &Diagnostic, span: SourceSpan) -> bool {
        let before = byte_at(&self.text, span).map(|at| self.text[..at].trim_end());
        d.code == Code::J0211
            && before.is_some_and(|text| text.ends_with([';', '{', '}']) || text.ends_with("=>"))
    }

    /// True for the left operand of an operation whose right one may continue: in `i * (h - ` the
    /// rest decides if `i` is the factor of an index.
    fn is_operand(&self, span: SourceSpan, end: usize) -> bool {
        let behind = SourceSpan {
            line: span.end_line,
            column: span.end_column,
            ..span
        };
        let rest = byte_at(&self.text, behind).and_then(|at| self.text.get(at..end));
        rest.map(str::trim_start)
            .is_some_and(|rest| rest.starts_with(is_operator) && !closes(rest))
    }

    /// True for an open `match` that lacks arms for some variants.
    fn lacks_arms(&self, d: &Diagnostic, begins: (u32, u32)) -> bool {
        let lines: Vec<&str> = self.text.split('\n').skip(begins.0 as usize - 1).collect();
        let depth = lines
            .iter()
            .flat_map(|line| line.chars())
            .fold(0i32, |depth, c| {
                depth + i32::from(c == '{') - i32::from(c == '}')
            });
        d.message.starts_with("a `match` on ")
            && (depth > 0 || !lines.iter().any(|line| line.contains('{')))
    }

    /// Checks a whole text after its obligations are met. Only rules about a single place count,
    /// which the checker applies to complete kernels.
    fn witness_of_paid(
        &self,
        text: &str,
        file: &KernelFile,
        end: usize,
        values: (u32, u32),
    ) -> Witness {
        let errors: Vec<_> = file
            .all()
            .flat_map(|kernel| &kernel.diagnostics)
            .filter(|d| d.is_error())
            .collect();
        let Some(paid) = paid(text, &errors).into_iter().next() else {
            return Witness::Open;
        };
        let file = check_text("", &paid, self.chip);
        let findings = file
            .all()
            .flat_map(|kernel| kernel.diagnostics.iter().map(move |d| (kernel, d)));
        let is_final = |(kernel, d): &(&LoadedKernel, &Diagnostic)| {
            let span = d
                .labels
                .first()
                .and_then(|label| kernel.spans.get(label.span.0 as usize));
            let is_own = matches!(d.code, Code::J0204 | Code::J0208 | Code::J0216);
            is_own
                && d.is_error()
                && span.is_some_and(|span| (span.end_line, span.end_column) < values)
        };
        let last = findings.into_iter().find(is_final);
        last.map_or(Witness::Open, |(_, d)| {
            Witness::Fixed(Death {
                code: Some(d.code.as_str()),
                message: d.message.clone(),
                at: end,
            })
        })
    }
}

/// The evidence of a whole text about its beginning.
enum Witness {
    /// The whole text is correct.
    Right,
    /// Its mistakes may be removed behind the beginning.
    Open,
    /// A finding lies in the beginning.
    Fixed(Death),
    /// No evidence: its mistakes lie in the ending, which was chosen badly.
    Silent,
}

/// Returns line and column at the end of a text.
fn place(text: &str) -> (u32, u32) {
    let line = text.matches('\n').count() as u32 + 1;
    let column = text
        .rsplit('\n')
        .next()
        .map_or(0, |last| last.chars().count()) as u32
        + 1;
    (line, column)
}

/// True for characters of names and numbers.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the name or number at the end of a text, which may continue.
fn word_at_end(text: &str) -> &str {
    let begin = text
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_word(*c))
        .last();
    begin.map_or("", |(at, _)| &text[at..])
}

/// Returns the length of the prefix that no continuation changes. It excludes a name or number that
/// may continue, the point of a method, and an operator whose other operand may decide its type.
fn settled(text: &str) -> usize {
    let before = without_operator(&text[..named(text)]);
    before.strip_suffix('.').unwrap_or(before).trim_end().len()
}

/// Returns the length of the prefix with final names. It excludes a word that may continue, and a
/// path without its call.
fn named(text: &str) -> usize {
    let before = text[..text.len() - word_at_end(text).len()].trim_end();
    match before
        .strip_suffix('>')
        .and_then(|inner| inner.rfind("::<").map(|at| &inner[..at]))
    {
        Some(path) => path.len() - word_at_end(path).len(),
        None => before.len(),
    }
}

/// True for characters of operators.
fn is_operator(c: char) -> bool {
    "+-*/%&|^<>=!".contains(c)
}

/// True if the expression around the beginning of a text ends within it.
fn closes(text: &str) -> bool {
    let mut depth = 0i32;
    text.chars().any(|c| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        depth < 0 || depth == 0 && ",;".contains(c)
    })
}

/// Removes a trailing operator with white space before it, and the parentheses behind it.
fn without_operator(text: &str) -> &str {
    let inner = text.trim_end_matches(|c: char| c == '(' || c.is_whitespace());
    let left = inner.trim_end_matches(is_operator);
    let is_arrow = inner.ends_with("->") || inner.ends_with("=>");
    match left.len() < inner.len() && !is_arrow && left.ends_with(char::is_whitespace) {
        true => left.trim_end(),
        false => text,
    }
}

/// Returns the first word or sign of a text.
fn first_word(text: &str) -> String {
    let first = text.chars().next();
    match first {
        Some(c) if is_word(c) => text.chars().take_while(|c| is_word(*c)).collect(),
        Some('.') if text[1..].starts_with(is_word) => std::iter::once('.')
            .chain(text[1..].chars().take_while(|c| is_word(*c)))
            .collect(),
        Some(c) => c.to_string(),
        None => String::new(),
    }
}
