//! A child process of this program that answers each line with a line.
//!
//! A request may take all memory or never end. The child process isolates it: the limit ends the
//! child, not the server. The first request starts the child, which then serves later requests. A
//! child that had to be ended is started again.

use rustix::process::{kill_process_group, setrlimit, Pid, Resource, Rlimit, Signal};
use serde::Serialize;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a process may take to end after a signal.
const GRACE: Duration = Duration::from_millis(500);

/// Bytes of a child's standard error that are kept.
const MOST_SAID: u64 = 4096;

/// The program and its arguments.
pub type Start = (PathBuf, Vec<String>);

/// Why a child gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The time is over.
    Late,
    /// The process has ended.
    Gone,
}

/// A running process, or one that has ended since it was last asked.
#[derive(Debug)]
pub struct Child {
    child: std::process::Child,
    requests: ChildStdin,
    answers: Receiver<String>,
    said: JoinHandle<String>,
}

/// Limits the address space of this process, in bytes, and ties its life to that of its parent.
///
/// # Errors
/// If the system refuses.
pub fn limit_self(memory: u64) -> io::Result<()> {
    setrlimit(
        Resource::As,
        Rlimit {
            current: Some(memory),
            maximum: Some(memory),
        },
    )?;
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(Signal::TERM))?;
    Ok(())
}

/// Writes a value as one line of JSON and flushes it.
///
/// # Errors
/// If the reader has gone.
pub fn say(answers: &mut impl Write, answer: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    answers.write_all(&line)?;
    answers.flush()
}

impl Child {
    /// Starts the process with pipes on its standard streams.
    ///
    /// # Errors
    /// If the system cannot start it.
    pub fn start((program, arguments): &Start) -> io::Result<Self> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Rayon runs single-threaded: candidates are what runs in parallel. A process group of its
        // own lets `end` take compilers along.
        command.env("RAYON_NUM_THREADS", "1").process_group(0);
        let mut child = command.spawn()?;
        let (Some(requests), Some(out), Some(err)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("a process without pipes"));
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let said = std::thread::spawn(move || {
            let (mut err, mut kept) = (err, Vec::new());
            // Unreadable output counts as no output. Output beyond the limit is drained, so that
            // the child never blocks on a full pipe.
            let _ = err.by_ref().take(MOST_SAID).read_to_end(&mut kept);
            let _ = io::copy(&mut err, &mut io::sink());
            String::from_utf8_lossy(&kept).into_owned()
        });
        Ok(Child {
            child,
            requests,
            answers,
            said,
        })
    }

    /// Sends a request. A process that has ended shows in `answer`.
    pub fn ask(&mut self, request: &impl Serialize) {
        let _ = say(&mut self.requests, request);
    }

    /// Waits for the next line of the answer.
    ///
    /// # Errors
    /// If no line arrives before `until`.
    pub fn answer(&mut self, until: Instant) -> Result<String, Silence> {
        self.answers
            .recv_timeout(until.saturating_duration_since(Instant::now()))
            .map_err(|e| match e {
                RecvTimeoutError::Timeout => Silence::Late,
                RecvTimeoutError::Disconnected => Silence::Gone,
            })
    }

    /// Ends the process group and returns how it ended, as text. It sends SIGTERM first, so that
    /// the child removes its files.
    pub fn end(mut self) -> String {
        drop(self.requests);
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let mut status = self.child.try_wait().ok().flatten();
        for signal in [Signal::TERM, Signal::KILL] {
            // The group may have ended already; a failed signal is no error.
            let _ = group.map(|group| kill_process_group(group, signal));
            let asked = Instant::now();
            while status.is_none() && asked.elapsed() < GRACE {
                std::thread::sleep(Duration::from_millis(5));
                status = self.child.try_wait().ok().flatten();
            }
        }
        ended(status, &self.said.join().unwrap_or_default())
    }
}

fn ended(status: Option<ExitStatus>, said: &str) -> String {
    let how = match status.map(|status| (status.signal(), status.code())) {
        Some((Some(signal), _)) => format!("by signal {signal}"),
        Some((_, Some(code))) => format!("with exit code {code}"),
        Some((None, None)) | None => "for reasons unknown".to_string(),
    };
    format!("ended {how}: {}", said.trim())
}
