//! A server of the Model Context Protocol over standard input and output, which offers the commands
//! as tools of a model.
//!
//! | module | what it does |
//! |---|---|
//! | [`rpc`] | messages of JSON-RPC |
//! | [`session`] | the state of a client, and its requests |
//! | [`tools`] | the table of tools |
//! | `text`, `launch`, `predict`, `explain` | the tools; `bind` reads the arguments of a launch |
//! | [`resources`] | pages of the language |
//! | [`worker`] | tools in processes with limits |
//!
//! A message is a line. Tools are called in parallel and answered as each is done. All other
//! requests are answered at once, so a long run delays no `ping` and can be cancelled. The protocol
//! is implemented by hand on `serde_json`: it is small, and needs no async runtime.

mod bind;
mod explain;
mod launch;
mod predict;
pub mod resources;
pub mod rpc;
pub mod session;
mod text;
pub mod tools;
pub mod worker;

use crate::child::{say, Start};
use crate::lines::{self, Line};
use serde_json::{json, Value};
use session::{Asked, Part, Session};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tools::{Done, Refused};
use worker::Process;

/// The limit of a message in bytes.
const MOST: usize = 64 << 20;

/// The options of a server.
#[derive(Clone, Debug)]
pub struct Server {
    /// How to start a process that calls tools.
    pub start: Start,
    /// The time limit of a call.
    pub time: Duration,
    /// The number of parallel calls.
    pub jobs: usize,
}

/// Messages that are answered together.
struct Job {
    parts: Vec<Part>,
    is_batch: bool,
}

/// The state that the threads share.
struct Shared<W> {
    out: Mutex<W>,
    /// Unanswered calls, by their id as text; false if cancelled.
    calls: Mutex<BTreeMap<String, bool>>,
}

/// Locks; every entry is complete, even if a thread panicked with the lock.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Server {
    /// Serves a client until the end of the input.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn serve(&self, mut input: impl BufRead, out: impl Write + Send) -> io::Result<()> {
        let shared = Shared {
            out: Mutex::new(out),
            calls: Mutex::default(),
        };
        let (sender, receiver) = channel::<Job>();
        let receiver = Mutex::new(receiver);
        let mut session = Session::default();
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| self.work(&receiver, &shared));
            }
            // The workers end when the sender is dropped.
            let sender = sender;
            while let Some(line) = lines::next(&mut input, MOST)? {
                match line {
                    Line::Whole(bytes) => shared.asked(session.line(&bytes), &sender),
                    Line::TooLong => {
                        let why = format!("a message has at most {MOST} bytes");
                        shared.write(&rpc::error(&Value::Null, rpc::INVALID_REQUEST, why));
                    }
                }
            }
            Ok(())
        })
    }

    /// Calls tools until the channel closes.
    fn work<W: Write>(&self, jobs: &Mutex<Receiver<Job>>, shared: &Shared<W>) {
        let mut process = Process::new(&self.start, self.time);
        loop {
            let Ok(Job { parts, is_batch }) = held(jobs).recv() else {
                return;
            };
            let mut answer = |part| match part {
                Part::Now(answer) => Some(answer),
                Part::Later(id, call) => {
                    let done = process.call(&call, &|| shared.is_cancelled(&id));
                    held(&shared.calls).remove(&id.to_string());
                    match done {
                        Ok(done) => Some(rpc::result(&id, content(done?))),
                        Err(e) => Some(rpc::error(
                            &id,
                            rpc::INTERNAL_ERROR,
                            format!("no process can be started: {e}"),
                        )),
                    }
                }
            };
            let answers = parts.into_iter().filter_map(&mut answer).collect();
            shared.give(answers, is_batch);
        }
    }
}

impl<W: Write> Shared<W> {
    /// Answers immediate requests, and passes tool calls to the workers.
    fn asked(&self, asked: Asked, jobs: &Sender<Job>) {
        match asked {
            Asked::Cancelled(id) => {
                if let Some(is_wanted) = held(&self.calls).get_mut(&id.to_string()) {
                    *is_wanted = false;
                }
            }
            Asked::Parts(parts, is_batch)
                if parts.iter().any(|part| matches!(part, Part::Later(..))) =>
            {
                self.begin(&parts);
                // The workers live as long as there is input.
                let _ = jobs.send(Job { parts, is_batch });
            }
            Asked::Parts(parts, is_batch) => {
                let now = |part| match part {
                    Part::Now(answer) => Some(answer),
                    Part::Later(..) => None,
                };
                self.give(parts.into_iter().filter_map(now).collect(), is_batch);
            }
        }
    }

    /// Records the calls that are in progress.
    fn begin(&self, parts: &[Part]) {
        let mut calls = held(&self.calls);
        for part in parts {
            if let Part::Later(id, _) = part {
                calls.insert(id.to_string(), true);
            }
        }
    }

    fn is_cancelled(&self, id: &Value) -> bool {
        held(&self.calls).get(&id.to_string()) == Some(&false)
    }

    fn give(&self, answers: Vec<Value>, is_batch: bool) {
        match (is_batch, answers.is_empty()) {
            (_, true) => {}
            (true, false) => self.write(&Value::Array(answers)),
            (false, false) => answers.iter().for_each(|answer| self.write(answer)),
        }
    }

    /// A failed write is ignored: without a reader the input ends soon, too.
    fn write(&self, answer: &Value) {
        let _ = say(&mut *held(&self.out), answer);
    }
}

/// Converts the result of a call to the form of the protocol.
fn content(done: Done) -> Value {
    let block = |text: &String| json!({"type": "text", "text": text});
    match done {
        Ok(given) => {
            json!({"content": [block(&given.text)], "structuredContent": given.structured, "isError": false})
        }
        Err(Refused(texts)) => {
            json!({"content": texts.iter().map(block).collect::<Vec<_>>(), "isError": true})
        }
    }
}
