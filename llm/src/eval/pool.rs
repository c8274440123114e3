//! Judges candidates in a child process. A candidate that takes all memory or never ends only ends
//! that process.
//!
//! The process reads one [`Request`] a line. It answers with each stage that it begins, and finally
//! with the verdict. It serves many candidates, and is started again if it had to be ended.

use super::ascendc::For;
use super::class::Class;
use super::prompt::{ascendc_in, kernel_in, shortened};
use super::stages::{Cases, Failure, Judge, Judged, Settings, Stage};
use super::task;
use crate::child::{limit_self, say, Child, Silence, Start};
use crate::tasks::corpus::Task;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

/// A candidate to judge, as the process reads it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Name of the task, `bench/name`.
    pub task: String,
    pub text: String,
    /// True if it is compiled and run as C++.
    pub cpp: bool,
    /// The seed of its cases, if it differs from that of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// For AscendC, the case and element types that it is written for.
    #[serde(default)]
    pub ascendc: Option<For>,
}

/// A line that the process writes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Begun(Stage),
    Judged(Box<Judged>),
}

/// How to start these processes, and the time limit of a candidate.
#[derive(Clone, Debug)]
pub struct Worker {
    /// The program and the arguments that make it call [`serve`].
    pub command: Start,
    /// The time limit of a candidate.
    pub time: Duration,
}

/// Bytes of cases that a process holds; above, it drops the cases of other tasks.
const MOST_HELD: usize = 256 << 20;

/// Judges the lines of `requests` until they end. `memory` limits the address space of this
/// process, in bytes.
///
/// # Errors
/// If the limit cannot be set, a line is not a request, or nobody reads the answers.
pub fn serve(
    settings: Settings,
    memory: u64,
    requests: impl BufRead,
    mut answers: impl Write,
) -> io::Result<()> {
    limit_self(memory)?;
    let mut judges: BTreeMap<(String, u64), Judge<'static>> = BTreeMap::new();
    for line in requests.lines() {
        let request: Request = serde_json::from_str(&line?)?;
        let task = task(&request.task).ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("there is no task `{}`", request.task),
            )
        })?;
        let settings = Settings {
            seed: request.seed.unwrap_or(settings.seed),
            ..settings
        };
        let key = (request.task.clone(), settings.seed);
        if judges.values().map(Judge::held).sum::<usize>() > MOST_HELD {
            judges.retain(|held, _| *held == key);
        }
        let judge = judges
            .entry(key)
            .or_insert_with(|| Judge::new(task, task.reference(), settings));
        let mut told = Ok(());
        let mut begun = |stage: Stage| {
            if told.is_ok() {
                told = say(&mut answers, &Answer::Begun(stage));
            }
        };
        let judged = match &request.ascendc {
            Some(of) => judge.judge_ascendc(&request.text, of, &mut begun),
            None => judge.judge(&request.text, request.cpp, &mut begun),
        };
        told?;
        say(&mut answers, &Answer::Judged(Box::new(judged)))?;
    }
    Ok(())
}

impl Worker {
    /// Returns the arguments that pass these settings to [`serve`]; [`settings`] reads them.
    pub fn arguments(settings: Settings, memory: u64) -> Vec<String> {
        let chip = settings.chip.map_or("declared", |chip| chip.name);
        let cases = match settings.cases {
            Cases::All => "all",
            Cases::Small => "small",
        };
        let fixes = if settings.fixes { "fixes" } else { "none" };
        let (seed, shapes) = (settings.seed.to_string(), settings.shapes.to_string());
        vec![
            chip.to_string(),
            seed,
            cases.to_string(),
            shapes,
            fixes.to_string(),
            memory.to_string(),
        ]
    }
}

/// Reads the arguments of [`Worker::arguments`].
///
/// # Errors
/// If they are other arguments.
pub fn settings(arguments: &[String]) -> Result<(Settings, u64), String> {
    let [chip, seed, cases, shapes, fixes, memory] = arguments else {
        return Err("six arguments: chip, seed, cases, shapes, fixes, memory".into());
    };
    let chip = match chip.as_str() {
        "declared" => None,
        name => {
            Some(jumar::dsl::soc::Chip::by_name(name).ok_or_else(|| format!("no chip `{name}`"))?)
        }
    };
    let cases = match cases.as_str() {
        "all" => Cases::All,
        "small" => Cases::Small,
        other => return Err(format!("no cases `{other}`")),
    };
    let fixes = match fixes.as_str() {
        "fixes" => true,
        "none" => false,
        other => return Err(format!("no fixes `{other}`")),
    };
    let number = |text: &String| text.parse::<u64>().map_err(|e| format!("`{text}`: {e}"));
    let shapes = shapes.parse().map_err(|e| format!("`{shapes}`: {e}"))?;
    Ok((
        Settings {
            chip,
            seed: number(seed)?,
            cases,
            shapes,
            fixes,
        },
        number(memory)?,
    ))
}

/// A judging process, running or to be started.
#[derive(Debug)]
pub struct Process<'w> {
    worker: &'w Worker,
    alive: Option<Child>,
}

impl<'w> Process<'w> {
    /// Starts nothing yet.
    pub fn new(worker: &'w Worker) -> Self {
        Process {
            worker,
            alive: None,
        }
    }

    /// Judges the kernel in a reply, which is the text of the request. If a cut reply is wrong, the
    /// cut is its mistake.
    ///
    /// # Errors
    /// If no process can be started.
    pub fn judge_reply(
        &mut self,
        task: &Task,
        mut request: Request,
        is_cut: bool,
    ) -> io::Result<Judged> {
        request.text = match request.ascendc {
            Some(_) => ascendc_in(&request.text),
            None => kernel_in(&request.text, &task.stem),
        }
        .to_string();
        if request.text.trim().is_empty() {
            let class = if is_cut { Class::Cut } else { Class::NoText };
            return Ok(Judged::unread(class, "the reply has no text".to_string()));
        }
        let mut judged = self.judge(&request)?;
        if let Some(failure) = judged
            .failure
            .as_mut()
            .filter(|f| is_cut && matches!(f.class, Class::Syntax | Class::NoKernel))
        {
            failure.class = Class::Cut;
        }
        Ok(judged)
    }

    /// Judges one candidate.
    ///
    /// # Errors
    /// If no process can be started.
    pub fn judge(&mut self, request: &Request) -> io::Result<Judged> {
        let mut child = match self.alive.take() {
            Some(child) => child,
            None => Child::start(&self.worker.command)?,
        };
        let mut judged = Judged::begun();
        let mut stage = Stage::Parse;
        let until = Instant::now() + self.worker.time;
        child.ask(request);
        let why = loop {
            match child.answer(until) {
                Ok(line) => match serde_json::from_str::<Answer>(&line) {
                    Ok(Answer::Judged(judged)) => {
                        self.alive = Some(child);
                        return Ok(*judged);
                    }
                    Ok(Answer::Begun(next)) => {
                        judged
                            .passed
                            .extend((next != Stage::Parse).then_some(stage));
                        stage = next;
                    }
                    Err(e) => {
                        break Some(format!(
                            "the process of the candidate answers `{}`: {e}",
                            shortened(&line, 80)
                        ))
                    }
                },
                Err(Silence::Late) => {
                    break Some(format!(
                        "not done after {:.1} s",
                        self.worker.time.as_secs_f64()
                    ))
                }
                Err(Silence::Gone) => break None,
            }
        };
        let ended = child.end();
        let why = why.unwrap_or_else(|| format!("the process of the candidate {ended}"));
        judged.failure = Some(Failure {
            stage,
            class: Class::Limit,
            codes: Vec::new(),
            case: None,
            why,
        });
        Ok(judged)
    }
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        if let Some(child) = self.alive.take() {
            child.end();
        }
    }
}
