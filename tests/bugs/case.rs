//! The form of a bug's file.
//!
//! ```text
//! //! The last tile is copied with DataCopy, which moves whole data blocks.   the author's mistake
//! //! runs: x = f32[301], scale = 2.0        arguments of the twin; without `fails`, of both
//! //! fails: x = f32[7], scale = 2.0         arguments of the wrong kernel
//! //! refused: J0603                         the host's refusal, which has no line
//! //! y: times(x, 2)                         the twin's output `y`: a function of `reference.rs`
//! //! missed: why                            nobody finds it
//! //! alarm: why                             the twin is refused
//!         data_copy(&x_local, x.slice(at, n)); //- error: J0306
//!         //+ data_copy_pad(&x_local, x.slice(at, n));
//! ```
//!
//! A line with `//-` belongs to the wrong kernel alone, one that begins with `//+` to the twin
//! alone; lines keep their numbers. `// error: CODE` stands at the line of an error, `warning` at
//! that of a warning. `fault` stands where a run stops, and `alarm` where the twin is refused:
//! `// error: J0405, alarm: J0405`.

use super::given::{parse_given, Given};
use super::page::FAMILIES;
use super::reference::Wanted;
use crate::pages::repository;
use jumar::dsl::diag::{Code, Severity};
use jumar_kit::{files, twins};
use std::collections::BTreeSet;

/// A code at a line; line 0 where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    pub line: u32,
    pub code: Code,
}

/// The expected fate of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// The bug is found, and the twin is accepted.
    Told,
    /// Nobody finds the bug.
    Missed,
    /// The twin is refused.
    Alarm,
}

/// A wrong kernel and its twin.
pub struct Case {
    pub family: &'static str,
    pub name: String,
    pub mistake: String,
    pub runs: Option<Vec<Given>>,
    pub fails: Option<Vec<Given>>,
    pub wanted: Vec<Wanted>,
    pub truth: Truth,
    /// Reason of `Missed` or `Alarm`.
    pub why: String,
    pub wrong: String,
    pub right: String,
    /// Findings of the wrong kernel.
    pub marks: BTreeSet<Mark>,
    /// Findings of the twin.
    pub alarms: BTreeSet<Mark>,
}

impl Case {
    /// Returns the path from the root of the repository.
    pub fn path(&self) -> String {
        format!("tests/bugs/{}/{}.rs", self.family, self.name)
    }
}

/// Reads every case, by family and name.
pub fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for (family, _) in FAMILIES {
        for file in files::below(&repository(&format!("tests/bugs/{family}")), &["rs"]) {
            let name = files::stem(&file);
            all.push(
                read(family, &name, &files::read(&file))
                    .unwrap_or_else(|why| panic!("{family}/{name}: {why}")),
            );
        }
    }
    all
}

fn read(family: &'static str, name: &str, text: &str) -> Result<Case, String> {
    let mut case = Case {
        family,
        name: name.into(),
        mistake: String::new(),
        runs: None,
        fails: None,
        wanted: Vec::new(),
        truth: Truth::Told,
        why: String::new(),
        wrong: text.into(),
        right: twins::twin(text),
        marks: BTreeSet::new(),
        alarms: BTreeSet::new(),
    };
    for (line, number) in text.lines().zip(1..) {
        match line.strip_prefix("//! ") {
            Some(said) if case.mistake.is_empty() => case.mistake = said.into(),
            Some(said) => header(&mut case, said)?,
            None => marks(&mut case, line, number)?,
        }
    }
    let is_told = !case.marks.is_empty();
    match case.truth == Truth::Missed {
        true if is_told => Err("it is missed and has a code".into()),
        false if !is_told => Err("it has no code".into()),
        _ => Ok(case),
    }
}

fn header(case: &mut Case, said: &str) -> Result<(), String> {
    let (key, rest) = said
        .split_once(": ")
        .ok_or_else(|| format!("`{said}` has no key"))?;
    match key {
        "runs" => case.runs = Some(parse_given(rest)?),
        "fails" => case.fails = Some(parse_given(rest)?),
        "refused" => {
            let code = code(rest)?;
            case.marks.insert(Mark { line: 0, code });
        }
        "missed" | "alarm" => {
            case.truth = if key == "missed" {
                Truth::Missed
            } else {
                Truth::Alarm
            };
            case.why = rest.into();
        }
        output => case.wanted.push(Wanted::parse(output, rest)?),
    }
    Ok(())
}

fn marks(case: &mut Case, line: &str, number: u32) -> Result<(), String> {
    let Some((_, comment)) = line.rsplit_once("//") else {
        return Ok(());
    };
    let comment = comment.trim_start_matches('-').trim();
    if comment.starts_with('+') {
        return Ok(());
    }
    for (word, codes) in comment.split(", ").filter_map(|part| part.split_once(": ")) {
        for code in codes.split(' ').map(code) {
            let mark = Mark {
                line: number,
                code: code?,
            };
            match word {
                "alarm" => case.alarms.insert(mark),
                _ if word == word_of(mark.code) => case.marks.insert(mark),
                _ => {
                    return Err(format!(
                        "line {number}: `{word}` is no mark of {}",
                        mark.code
                    ))
                }
            };
        }
    }
    Ok(())
}

/// Returns the mark of a code of the wrong kernel.
fn word_of(code: Code) -> &'static str {
    match code.severity() {
        _ if code.as_str().starts_with("J08") => "fault",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn code(name: &str) -> Result<Code, String> {
    Code::by_name(name).ok_or_else(|| format!("`{name}` is no code"))
}
