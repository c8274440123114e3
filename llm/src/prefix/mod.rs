//! Whether a text may still become a right kernel, asked after each byte.
//!
//! Two readers decide. The productions of the profile `full` say whether the text is the beginning of one that the front end reads, and what may come
//! next. The checker itself says the rest: the text is ended in the shortest ways, with names that are there in place of what is missing, and a finding
//! that lies wholly in what is already written, whichever of them is taken, is one that nothing behind it removes. So types, axes, sizes and queues
//! are masked by the rules that judge the whole kernel.

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

/// What a text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing behind it makes it right.
    Dead(Death),
    /// Something may.
    Alive,
    /// It is right as it is; more may stand behind it.
    Complete,
}

/// Why nothing does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Death {
    /// The code of the finding; `None` where the language has no such text.
    pub code: Option<&'static str>,
    /// What is wrong.
    pub message: String,
    /// How many bytes of the text are still right where it has no such text, or where the finding ends.
    pub at: usize,
}

/// Ways to an end that are tried before a text is called dead: one without the finding saves it.
const WITNESSES: usize = 96;
/// Longer ways that save it, too.
const SAVING: usize = 40;
/// Ways that a completion tries.
const TRIES: usize = 200;
/// Parts that are put behind one another.
const STEPS: usize = 2;
/// Ways to an end that are tried behind each, and how many of them go on.
const FEW: usize = 3;
const KEPT: usize = 6;

/// Follows a text.
#[derive(Debug)]
pub struct PrefixChecker {
    chip: Option<&'static Chip>,
    chart: Chart,
    text: String,
    /// Bytes of a character that is not there as a whole.
    pending: Vec<u8>,
    /// Where the text left the language.
    left: Option<usize>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::new(&full()))
}

impl PrefixChecker {
    /// Before the first byte; kernels are for `chip`, or for those that they name.
    pub fn new(chip: Option<&'static Chip>) -> PrefixChecker {
        PrefixChecker {
            chip,
            chart: Chart::new(table()),
            text: String::new(),
            pending: Vec::new(),
            left: None,
        }
    }

    /// What was written so far, as far as it is of the language.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Appends bytes; false once the text is none of the language, from where on nothing more is taken.
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
                // More bytes may make it one.
                Err(e) if e.error_len().is_none() => {}
                Err(_) => self.left = Some(self.text.len()),
            }
        }
        self.left.is_none()
    }

    /// Goes back to the first `len` bytes.
    ///
    /// # Panics
    /// Where that is within a character.
    pub fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
        self.chart.sets.truncate(self.text.chars().count() + 1);
        (self.left, self.pending) = (None, Vec::new());
    }

    /// What the text is now.
    pub fn state(&self) -> State {
        if let Some(at) = self.left {
            return State::Dead(Death {
                code: None,
                message: "no text of the language begins like this".to_string(),
                at,
            });
        }
        let mut first = None;
        // What a head lacks hides what is wrong with the rest of it.
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

    /// True where a longer way on leads to a right end: ends of the grammar know no names.
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

    /// What may come next, each as the rest of a word or sign; names that the checker refuses are not among them.
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

    /// The shortest text found that begins with this one and is right.
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

    /// A completion by way of longer parts, up to [`STEPS`] of them one after the other.
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

    /// True where the checker does not refuse a word behind the text, which is there again afterwards.
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

    /// Whole texts that begin with this one, the shortest first.
    fn ends(&self) -> impl Iterator<Item = String> + '_ {
        let names = names(&self.text);
        let mut all: Vec<(u32, String)> = Vec::new();
        for form in self.forms() {
            let filled = fillings(&form, &self.text, &names).enumerate();
            // What is read of a tensor says more than any other method.
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

    /// What a text that begins with this one says of it.
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
            // What a value is used as, what stands directly behind it says; what a name or an index is wrong about it stays.
            span.is_some_and(|span| match (span.end_line, span.end_column) {
                ends if ends > names => false,
                ends if is_of_value(d) => ends < values,
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

    /// True of an output where a statement begins: a store may come.
    fn is_target(&self, d: &Diagnostic, span: SourceSpan) -> bool {
        let before = byte_at(&self.text, span).map(|at| self.text[..at].trim_end());
        d.code == Code::J0211
            && before.is_some_and(|text| text.ends_with([';', '{', '}']) || text.ends_with("=>"))
    }

    /// True of a `match` without arms for all variants, as long as it is open.
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

    /// What a text says that lacks what its end owes: rules that are asked of whole kernels alone, and are about one place.
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

/// What a whole text says of its beginning.
enum Witness {
    /// It is right.
    Right,
    /// What is wrong with it may be mended behind the beginning.
    Open,
    /// This lies in the beginning.
    Fixed(Death),
    /// Nothing: what is wrong with it lies in its end, which was chosen badly.
    Silent,
}

/// Line and column behind a text.
fn place(text: &str) -> (u32, u32) {
    let line = text.matches('\n').count() as u32 + 1;
    let column = text
        .rsplit('\n')
        .next()
        .map_or(0, |last| last.chars().count()) as u32
        + 1;
    (line, column)
}

/// True for what names and numbers are made of.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The name or number that a text ends with, which may go on.
fn word_at_end(text: &str) -> &str {
    let begin = text
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_word(*c))
        .last();
    begin.map_or("", |(at, _)| &text[at..])
}

/// How much of a text is as it is whatever follows: without a name or number that may go on, the point of a method, or an operator whose other
/// side may say what this one is.
fn settled(text: &str) -> usize {
    let before = without_operator(&text[..named(text)]);
    before.strip_suffix('.').unwrap_or(before).trim_end().len()
}

/// How much of a text has the names that it will have: without a word that may go on, and without a path whose call is not there yet.
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

/// Without an operator and the parentheses behind it; one has white space before it.
fn without_operator(text: &str) -> &str {
    let is_operator = |c: char| "+-*/%&|^<>=!".contains(c);
    let inner = text.trim_end_matches(|c: char| c == '(' || c.is_whitespace());
    let left = inner.trim_end_matches(is_operator);
    let is_arrow = inner.ends_with("->") || inner.ends_with("=>");
    match left.len() < inner.len() && !is_arrow && left.ends_with(char::is_whitespace) {
        true => left.trim_end(),
        false => text,
    }
}

/// The first word or sign of a text.
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
