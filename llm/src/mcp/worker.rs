//! Calls tools in child processes, because the text of a kernel may take all memory or never end.

use super::tools::{by_name, Done, Refused};
use crate::child::{limit_self, say, Child, Silence, Start};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{self, BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

/// The interval between checks for a cancellation.
const SLICE: Duration = Duration::from_millis(20);

/// A call of a tool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Call {
    /// Name of the tool.
    pub tool: String,
    /// Arguments of the tool.
    pub arguments: Value,
}

/// Calls a tool for each line of `requests`. `memory` limits the address space of this process, in
/// bytes.
///
/// # Errors
/// If the limit cannot be set, a line is not a call, or nobody reads the answers.
pub fn serve(memory: u64, requests: impl BufRead, mut answers: impl Write) -> io::Result<()> {
    limit_self(memory)?;
    for line in requests.lines() {
        let Call { tool, arguments } = serde_json::from_str(&line?)?;
        let tool = by_name(&tool).ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("there is no tool `{tool}`"),
            )
        })?;
        let done = catch_unwind(AssertUnwindSafe(|| tool.call(arguments)));
        let done = done.unwrap_or_else(|_| {
            Err(Refused::new(
                format!("`{}` panics", tool.name),
                "please report the call",
            ))
        });
        say(&mut answers, &done)?;
    }
    Ok(())
}

/// A process that calls tools, running or to be started.
#[derive(Debug)]
pub struct Process<'s> {
    start: &'s Start,
    time: Duration,
    alive: Option<Child>,
}

impl<'s> Process<'s> {
    /// Starts nothing yet. `time` is the limit of a call.
    pub fn new(start: &'s Start, time: Duration) -> Self {
        Process {
            start,
            time,
            alive: None,
        }
    }

    /// Calls a tool; returns `None` if the call was cancelled.
    ///
    /// # Errors
    /// If no process can be started.
    pub fn call(
        &mut self,
        call: &Call,
        is_cancelled: &dyn Fn() -> bool,
    ) -> io::Result<Option<Done>> {
        if is_cancelled() {
            return Ok(None);
        }
        let mut child = match self.alive.take() {
            Some(child) => child,
            None => Child::start(self.start)?,
        };
        let until = Instant::now() + self.time;
        child.ask(call);
        let why = loop {
            match child.answer(until.min(Instant::now() + SLICE)) {
                Ok(line) => match serde_json::from_str::<Done>(&line) {
                    Ok(done) => {
                        self.alive = Some(child);
                        return Ok(Some(done));
                    }
                    Err(e) => break Some(format!("its process gives no answer: {e}")),
                },
                Err(Silence::Late) if is_cancelled() => {
                    child.end();
                    return Ok(None);
                }
                Err(Silence::Late) if Instant::now() >= until => {
                    break Some(format!("not done after {:.1} s", self.time.as_secs_f64()))
                }
                Err(Silence::Late) => {}
                Err(Silence::Gone) => break None,
            }
        };
        let ended = child.end();
        let why = why.unwrap_or_else(|| format!("its process {ended}"));
        let help = "a call has limits of time and memory, `jumar mcp --time --memory`; give a smaller kernel or smaller shapes";
        Ok(Some(Err(Refused::new(
            format!("`{}`: {why}", call.tool),
            help,
        ))))
    }
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        if let Some(child) = self.alive.take() {
            child.end();
        }
    }
}
