//! Requests and answers, one in each line, judged in parallel.
//!
//! A line that is no request is answered, too, and reading continues. If nobody reads the answers
//! any more, the server ends.

use super::{parts, Parts};
use crate::child::say;
use crate::eval::class::Class;
use crate::eval::pool::{Process, Request, Worker};
use crate::eval::stages::{Judged, Stage};
use crate::eval::{drive, task};
use crate::lines::{self, Line};
use crate::tasks::corpus::Task;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{sync_channel, Receiver};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The limit of a request in bytes.
const MOST: usize = 4 << 20;

/// The options of a server.
#[derive(Clone, Debug)]
pub struct Server {
    /// How to start the judging processes.
    pub worker: Worker,
    /// Requests that are judged in parallel.
    pub jobs: usize,
    /// The percentage of texts that runs as C++, too.
    pub cpp: u32,
    /// True if answers come in the order of the requests, and not each when it is known.
    pub in_order: bool,
}

/// The numbers of lines that were served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// All lines of the input.
    pub lines: u64,
    /// Lines that were no request.
    pub broken: u64,
}

/// A line that asks for a reward.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    id: Option<Value>,
    task: String,
    text: String,
    seed: Option<u64>,
    #[serde(default)]
    finish: Option<String>,
}

/// The answer to a line.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Answer {
    Reward(Box<Reward>),
    Broken { id: Value, error: Broken },
}

/// Why a line is no request.
#[derive(Debug, Serialize)]
struct Broken {
    kind: &'static str,
    message: String,
}

#[derive(Debug, Serialize)]
struct Reward {
    id: Value,
    task: String,
    /// The last stage that was begun.
    stage: Stage,
    passed: Vec<Stage>,
    right: bool,
    class: Option<Class>,
    codes: Vec<String>,
    case: Option<String>,
    why: Option<String>,
    reward: Option<f64>,
    parts: Option<Parts>,
    worst: Option<f64>,
    cost: Option<f64>,
    bound: Option<f64>,
}

impl Reward {
    fn of(id: Value, task: String, judged: Judged) -> Reward {
        let parts = parts(&judged);
        let Judged {
            passed,
            failure,
            worst,
            cost,
            ..
        } = judged;
        let (cost, bound) = cost.map(|cost| (cost.cycles, cost.bound)).unzip();
        let right = failure.is_none();
        let stage = failure
            .as_ref()
            .map_or(Stage::Cost, |failure| failure.stage);
        let (class, case, codes, why) = match failure {
            Some(f) => (Some(f.class), f.case, f.codes, Some(f.why)),
            None => (None, None, Vec::new(), None),
        };
        let reward = parts.as_ref().map(Parts::sum);
        Reward {
            id,
            task,
            stage,
            passed,
            right,
            class,
            codes,
            case,
            why,
            reward,
            parts,
            worst,
            cost,
            bound,
        }
    }
}

/// A request and its place among all lines.
struct Job {
    place: u64,
    id: Value,
    seed: Option<u64>,
    task: &'static Task,
    name: String,
    text: String,
    is_cut: bool,
}

/// The output of answers.
struct Answers<W> {
    out: W,
    in_order: bool,
    /// The place of the next line, if answers are in order.
    next: u64,
    early: BTreeMap<u64, Answer>,
    /// Set if nobody reads any more, or no process can be started.
    failed: Option<io::Error>,
}

impl<W: Write> Answers<W> {
    fn give(&mut self, place: u64, answer: Answer) {
        if !self.in_order {
            return self.write(&answer);
        }
        self.early.insert(place, answer);
        while let Some(answer) = self.early.remove(&self.next) {
            self.next += 1;
            self.write(&answer);
        }
    }

    fn write(&mut self, answer: &Answer) {
        if self.failed.is_none() {
            self.failed = say(&mut self.out, answer).err();
        }
    }
}

/// Locks; every entry is complete, even if a thread panicked with the lock.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Server {
    /// Answers every line of an input until it ends, and counts the lines.
    ///
    /// # Errors
    /// If the input cannot be read, nobody reads the answers, or no process can be started.
    pub fn serve(&self, mut input: impl BufRead, out: impl Write + Send) -> io::Result<Served> {
        let answers = Mutex::new(Answers {
            out,
            in_order: self.in_order,
            next: 1,
            early: BTreeMap::new(),
            failed: None,
        });
        // The bounded channel stops reading until a worker is free.
        let (sender, receiver) = sync_channel::<Job>(self.jobs.max(1));
        let receiver = Mutex::new(receiver);
        let mut served = Served::default();
        let read = std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| self.work(&receiver, &answers));
            }
            // The workers end when the sender is dropped.
            let sender = sender;
            while held(&answers).failed.is_none() {
                let Some(line) = lines::next(&mut input, MOST)? else {
                    break;
                };
                served.lines += 1;
                match asked(served.lines, &line) {
                    Ok(job) => {
                        if sender.send(job).is_err() {
                            break;
                        }
                    }
                    Err((id, error)) => {
                        served.broken += 1;
                        held(&answers).give(served.lines, Answer::Broken { id, error });
                    }
                }
            }
            io::Result::Ok(())
        });
        let failed = answers
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .failed;
        read.and(failed.map_or(Ok(served), Err))
    }

    /// Judges requests until the channel closes.
    fn work<W: Write>(&self, jobs: &Mutex<Receiver<Job>>, answers: &Mutex<Answers<W>>) {
        let mut process = Process::new(&self.worker);
        loop {
            let Ok(job) = held(jobs).recv() else { return };
            if held(answers).failed.is_some() {
                continue;
            }
            let cpp = drive::part_of(&format!("{}#{} as C++", job.name, job.text)) < self.cpp;
            let request = Request {
                task: job.name.clone(),
                text: job.text,
                cpp,
                seed: job.seed,
                ascendc: None,
            };
            match process.judge_reply(job.task, request, job.is_cut) {
                Ok(judged) => {
                    held(answers).give(
                        job.place,
                        Answer::Reward(Box::new(Reward::of(job.id, job.name, judged))),
                    );
                }
                Err(e) => held(answers).failed = Some(e),
            }
        }
    }
}

/// Reads the request of a line, or says why it is none.
fn asked(place: u64, line: &Line) -> Result<Job, (Value, Broken)> {
    let number = || Value::from(place);
    let broken = |id: Value, kind, message: String| Err((id, Broken { kind, message }));
    let Line::Whole(bytes) = line else {
        return broken(
            number(),
            "length",
            format!("a request has at most {MOST} bytes"),
        );
    };
    let value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(e) => return broken(number(), "json", e.to_string()),
    };
    let id = value.get("id").cloned().unwrap_or_else(number);
    let asked: Asked = match serde_json::from_value(value) {
        Ok(asked) => asked,
        Err(e) => {
            return broken(
                id,
                "request",
                format!("{e}; a request is {{\"id\", \"task\", \"text\", \"seed\", \"finish\"}}"),
            )
        }
    };
    let Some(task) = task(&asked.task) else {
        return broken(
            id,
            "task",
            format!(
                "there is no task `{}`; `book/src/models/tasks.md` lists them as BENCH/NAME",
                asked.task
            ),
        );
    };
    let is_cut = asked.finish.as_deref() == Some("length");
    Ok(Job {
        place,
        id: asked.id.unwrap_or(id),
        seed: asked.seed,
        task,
        name: asked.task,
        text: asked.text,
        is_cut,
    })
}
