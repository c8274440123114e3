//! What files hold, one JSON object a line: candidates, and what became of them. `docs/eval.md` describes every field.
//!
//! A file of results only grows, and every line is written at once: what a crash leaves is whole lines and at most one that is not, which the next
//! call drops.

use super::ascendc::{For, Language};
use super::class::Class;
use super::stages::{Judged, Stage};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// The text of a kernel that somebody wrote for a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// `bench/name`.
    pub task: String,
    /// Which of the samples of a task.
    #[serde(default)]
    pub sample: u32,
    /// Which try of the sample: 0, and one more for each time that findings went back.
    #[serde(default)]
    pub round: u32,
    /// The reply: a kernel, or text with one between fences.
    pub text: String,
    /// Of what it is written; left out, the reply tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// Of AscendC with sizes of its own the case that it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<usize>,
    /// Of AscendC the element types that it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// Why the model stopped, in the server's words; `length` says that the text is cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// Tokens of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How it was asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Value>,
}

impl Candidate {
    /// Its place among all.
    pub fn key(&self) -> Key {
        Key {
            task: self.task.clone(),
            sample: self.sample,
            round: self.round,
        }
    }

    /// What it is for.
    pub fn is_for(&self) -> For {
        For {
            case: self.case,
            element: self.element.clone(),
        }
    }

    /// True where the server says that the text is cut.
    pub fn is_cut(&self) -> bool {
        self.finish.as_deref() == Some("length")
    }
}

/// Which try of which sample of which task.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// `bench/name`.
    pub task: String,
    /// Which sample.
    pub sample: u32,
    /// Which try.
    pub round: u32,
}

/// A candidate and what became of it; its text is in the file of candidates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// `bench/name`.
    pub task: String,
    /// The task's category.
    pub category: String,
    /// The task's level, of a benchmark that has some.
    pub level: Option<u8>,
    /// Which sample.
    pub sample: u32,
    /// Which try.
    pub round: u32,
    /// Why the model stopped.
    pub finish: Option<String>,
    /// Tokens of the reply.
    pub tokens: Option<u64>,
    /// Who wrote it.
    pub model: Option<String>,
    /// How it was asked for and judged.
    pub settings: BTreeMap<String, Value>,
    /// Of what it is written.
    #[serde(default)]
    pub language: Language,
    /// Whether it was to be compiled and run as C++.
    pub cpp: bool,
    /// The stages.
    #[serde(flatten)]
    pub judged: Judged,
}

impl Outcome {
    /// Its place among all.
    pub fn key(&self) -> Key {
        Key {
            task: self.task.clone(),
            sample: self.sample,
            round: self.round,
        }
    }

    /// True where it says something of the model.
    pub fn is_sample(&self) -> bool {
        self.class().is_none_or(Class::is_of_candidate)
    }

    /// True where it was to go through a stage.
    pub fn is_judged_in(&self, stage: Stage) -> bool {
        self.language.has(stage) && (stage != Stage::Compile || self.cpp)
    }

    /// True where it passed every stage that it was to pass.
    pub fn is_right(&self) -> bool {
        self.judged.passed.contains(&Stage::Cost)
    }

    /// The kind of its mistake.
    pub fn class(&self) -> Option<Class> {
        self.judged.failure.as_ref().map(|failure| failure.class)
    }
}

/// A line of a file of candidates that is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broken {
    /// Its number, from 1 on.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

/// A line of a file of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "lowercase")]
pub enum Line {
    /// A candidate.
    Result(Box<Outcome>),
    /// No candidate.
    Broken(Broken),
}

/// The candidates of a text, and the lines that are none; empty lines are not counted.
pub fn candidates(text: &[u8], is_task: impl Fn(&str) -> bool) -> (Vec<Candidate>, Vec<Broken>) {
    let (mut all, mut broken) = (Vec::new(), Vec::new());
    let mut seen = std::collections::BTreeSet::new();
    for (number, line) in (1..)
        .zip(text.split(|byte| *byte == b'\n'))
        .filter(|(_, line)| !line.trim_ascii().is_empty())
    {
        let read = serde_json::from_slice::<Candidate>(line)
            .map_err(|e| e.to_string())
            .and_then(|candidate| {
                if !is_task(&candidate.task) {
                    Err(format!("there is no task `{}`", candidate.task))
                } else if let Some(why) =
                    super::task(&candidate.task).and_then(|task| candidate.is_for().missing(task))
                {
                    Err(why)
                } else if !seen.insert((candidate.task.clone(), candidate.sample, candidate.round))
                {
                    Err(format!(
                        "sample {}, round {} of {} is there already",
                        candidate.sample, candidate.round, candidate.task
                    ))
                } else {
                    Ok(candidate)
                }
            });
        match read {
            Ok(candidate) => all.push(candidate),
            Err(why) => broken.push(Broken { line: number, why }),
        }
    }
    (all, broken)
}

/// A file of lines that only grows.
#[derive(Debug)]
pub struct Growing {
    file: File,
}

impl Growing {
    /// Opens or makes it, and gives the lines that are there. A last line that was not written to its end is dropped.
    ///
    /// # Errors
    /// Where it cannot be read or written, or holds a whole line that is no `T`.
    pub fn open<T: for<'d> Deserialize<'d>>(path: &Path) -> io::Result<(Self, Vec<T>)> {
        let text = match std::fs::read(path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read?,
        };
        let whole = text
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let lines = parsed(&text[..whole], path)?;
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(whole as u64)?;
        Ok((Growing { file }, lines))
    }

    /// Adds a line, whole or not at all.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn add(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)
    }
}

/// The lines of a file that has only whole ones.
///
/// # Errors
/// Names the first line that is no `T`.
pub fn parsed<T: for<'d> Deserialize<'d>>(text: &[u8], path: &Path) -> io::Result<Vec<T>> {
    let wrong = |number: usize, e: serde_json::Error| {
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("{}, line {number}: {e}", path.display()),
        )
    };
    let lines = (1..)
        .zip(text.split(|byte| *byte == b'\n'))
        .filter(|(_, line)| !line.trim_ascii().is_empty());
    lines
        .map(|(number, line)| serde_json::from_slice(line).map_err(|e| wrong(number, e)))
        .collect()
}

/// Results by key; of several of one key the last.
pub fn outcomes(lines: impl IntoIterator<Item = Line>) -> (BTreeMap<Key, Outcome>, Vec<Broken>) {
    let (mut all, mut broken) = (BTreeMap::new(), Vec::new());
    for line in lines {
        match line {
            Line::Result(outcome) => {
                all.insert(outcome.key(), *outcome);
            }
            Line::Broken(line) => broken.push(line),
        }
    }
    (all, broken)
}
