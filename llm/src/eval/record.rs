//! Candidates and their outcomes as files with one JSON object a line.
//! `book/src/models/evaluation.md` describes every field.
//!
//! A file of results only grows, and every line is written at once. A crash leaves complete lines
//! and at most one incomplete line, which the next call drops.

use super::ascendc::{For, Language};
use super::class::Class;
use super::stages::{Judged, Stage};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// The text of a kernel that was written for a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Name of the task, `bench/name`.
    pub task: String,
    /// Index of the sample of the task.
    #[serde(default)]
    pub sample: u32,
    /// The attempt of the sample: 0 at first, and one more after each time that findings were sent
    /// back.
    #[serde(default)]
    pub round: u32,
    /// The reply: a kernel, or text with one between fences.
    pub text: String,
    /// The language; if left out, the reply decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// For AscendC, the only case that it is written for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<usize>,
    /// For AscendC, the only element types that it is written for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// The finish reason of the server; `length` means that the text is cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// Tokens of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Name of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The options that it was asked for with.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Value>,
}

impl Candidate {
    /// Returns its task, sample and round.
    pub fn key(&self) -> Key {
        Key {
            task: self.task.clone(),
            sample: self.sample,
            round: self.round,
        }
    }

    /// Returns the case and element types that it is written for.
    pub fn is_for(&self) -> For {
        For {
            case: self.case,
            element: self.element.clone(),
        }
    }

    /// True if the server says that the text is cut.
    pub fn is_cut(&self) -> bool {
        self.finish.as_deref() == Some("length")
    }
}

/// The key of a candidate: task, sample and attempt.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Name of the task, `bench/name`.
    pub task: String,
    /// Index of the sample.
    pub sample: u32,
    /// Index of the attempt.
    pub round: u32,
}

/// A candidate's result. Its text is in the file of candidates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Name of the task, `bench/name`.
    pub task: String,
    /// The task's category.
    pub category: String,
    /// The task's level, if the benchmark has levels.
    pub level: Option<u8>,
    /// Index of the sample.
    pub sample: u32,
    /// Index of the attempt.
    pub round: u32,
    /// The finish reason of the server.
    pub finish: Option<String>,
    /// Tokens of the reply.
    pub tokens: Option<u64>,
    /// Name of the model.
    pub model: Option<String>,
    /// The options of its prompt and its judgement.
    pub settings: BTreeMap<String, Value>,
    /// The language of the candidate.
    #[serde(default)]
    pub language: Language,
    /// True if it had to be compiled and run as C++.
    pub cpp: bool,
    /// The result of the stages.
    #[serde(flatten)]
    pub judged: Judged,
}

impl Outcome {
    /// Returns its task, sample and round.
    pub fn key(&self) -> Key {
        Key {
            task: self.task.clone(),
            sample: self.sample,
            round: self.round,
        }
    }

    /// True if the result tells something about the model.
    pub fn is_sample(&self) -> bool {
        self.class().is_none_or(Class::is_of_candidate)
    }

    /// True if it had to go through a stage.
    pub fn is_judged_in(&self, stage: Stage) -> bool {
        self.language.has(stage) && (stage != Stage::Compile || self.cpp)
    }

    /// True if it passed every stage that it had to pass.
    pub fn is_right(&self) -> bool {
        self.judged.passed.contains(&Stage::Cost)
    }

    /// Returns the kind of its mistake.
    pub fn class(&self) -> Option<Class> {
        self.judged.failure.as_ref().map(|failure| failure.class)
    }
}

/// A line of a file of candidates that is no candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broken {
    /// Its line number, from 1 on.
    pub line: u64,
    /// Says what is wrong with it.
    pub why: String,
}

/// A line of a file of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "lowercase")]
pub enum Line {
    /// The result of a candidate.
    Result(Box<Outcome>),
    /// A line that is no candidate.
    Broken(Broken),
}

/// Reads the candidates of a text, and the lines that are none; empty lines are skipped.
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
    /// Opens or creates a file, and returns its lines. An incomplete last line is dropped.
    ///
    /// # Errors
    /// If the file is inaccessible, or a complete line is not a `T`.
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

    /// Appends a line in one write.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)
    }
}

/// Reads the lines of a file without an incomplete line.
///
/// # Errors
/// Names the first line that is not a `T`.
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

/// Returns the results by key; the last one of a key counts.
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
