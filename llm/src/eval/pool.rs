//! Candidates judged in a process of their own: one that takes all memory, or never ends, ends that process and nothing else.
//!
//! The process reads a [`Request`] a line and answers with the stages that it begins and, at last, with the verdict. It lives on for the next candidate,
//! and is started again where it had to be ended.

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

/// What a process of this kind is asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// `bench/name`.
    pub task: String,
    /// The kernel.
    pub text: String,
    /// Whether it is compiled and run as C++.
    pub cpp: bool,
    /// The seed of its cases, where it is another one than that of the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Of a text of AscendC what it is for.
    #[serde(default)]
    pub ascendc: Option<For>,
}

/// What it answers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Begun(Stage),
    Judged(Box<Judged>),
}

/// How these processes are started, and what a candidate may take.
#[derive(Clone, Debug)]
pub struct Worker {
    /// The program and the arguments that make it call [`serve`].
    pub command: Start,
    /// How long a candidate may take.
    pub time: Duration,
}

/// Bytes of cases that a process holds before it drops those of other tasks.
const MOST_HELD: usize = 256 << 20;

/// Judges what comes from `requests`, line by line, until there is no more. `memory` is the address space that this process may take, in bytes.
///
/// # Errors
/// Where the limit cannot be set, a line is no request, or nobody reads the answers.
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
    /// The arguments behind which [`serve`] is told these settings; see [`settings`].
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

/// What [`Worker::arguments`] says.
///
/// # Errors
/// Where these are other arguments.
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

/// A process that judges, alive or yet to be started.
#[derive(Debug)]
pub struct Process<'w> {
    worker: &'w Worker,
    alive: Option<Child>,
}

impl<'w> Process<'w> {
    /// Nothing is started yet.
    pub fn new(worker: &'w Worker) -> Self {
        Process {
            worker,
            alive: None,
        }
    }

    /// Judges the kernel in a reply, which is the text of the request. What a text has wrong that was cut is that it was cut.
    ///
    /// # Errors
    /// Where no process can be started.
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
    /// Where no process can be started.
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
