//! Candidates judged in a process of their own: one that takes all memory, or never ends, ends that process and nothing else.
//!
//! The process reads a [`Request`] a line and answers with the stages that it begins and, at last, with the verdict. It lives on for the next candidate,
//! and is started again where it had to be ended.

use super::class::Class;
use super::prompt::shortened;
use super::stages::{Cases, Failure, Judge, Judged, Settings, Stage};
use super::task;
use rustix::process::{kill_process_group, setrlimit, Pid, Resource, Rlimit, Signal};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
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
    pub command: (PathBuf, Vec<String>),
    /// How long a candidate may take.
    pub time: Duration,
}

/// Bytes of cases that a process holds before it drops those of other tasks.
const MOST_HELD: usize = 256 << 20;

/// How long a process may take to end that was asked to.
const GRACE: Duration = Duration::from_millis(500);

/// Bytes of what a process says on standard error that are kept.
const MOST_SAID: u64 = 4096;

/// Judges what comes from `requests`, line by line, until there is no more. `memory` is the address space that this process may take, in bytes.
///
/// # Errors
/// Where the limit cannot be set, a line is no request, or nobody reads the answers.
pub fn serve(settings: Settings, memory: u64, requests: impl BufRead, mut answers: impl Write) -> io::Result<()> {
    setrlimit(Resource::As, Rlimit { current: Some(memory), maximum: Some(memory) })?;
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(Signal::TERM))?;
    let mut judges: BTreeMap<String, Judge<'static>> = BTreeMap::new();
    for line in requests.lines() {
        let request: Request = serde_json::from_str(&line?)?;
        let task = task(&request.task)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, format!("there is no task `{}`", request.task)))?;
        if judges.values().map(Judge::held).sum::<usize>() > MOST_HELD {
            judges.retain(|name, _| *name == request.task);
        }
        let judge = judges.entry(request.task.clone()).or_insert_with(|| Judge::new(task, task.reference(), settings));
        let mut told = Ok(());
        let mut begun = |stage: Stage| {
            if told.is_ok() {
                told = say(&mut answers, &Answer::Begun(stage));
            }
        };
        let judged = judge.judge(&request.text, request.cpp, &mut begun);
        told?;
        say(&mut answers, &Answer::Judged(Box::new(judged)))?;
    }
    Ok(())
}

fn say(answers: &mut impl Write, answer: &Answer) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    answers.write_all(&line)?;
    answers.flush()
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
        vec![chip.to_string(), seed, cases.to_string(), shapes, fixes.to_string(), memory.to_string()]
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
        name => Some(jumar::dsl::soc::Chip::by_name(name).ok_or_else(|| format!("no chip `{name}`"))?),
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
    Ok((Settings { chip, seed: number(seed)?, cases, shapes, fixes }, number(memory)?))
}

/// A process that judges, alive or yet to be started.
#[derive(Debug)]
pub struct Process<'w> {
    worker: &'w Worker,
    alive: Option<Alive>,
}

#[derive(Debug)]
struct Alive {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
    said: JoinHandle<String>,
}

impl<'w> Process<'w> {
    /// Nothing is started yet.
    pub fn new(worker: &'w Worker) -> Self {
        Process { worker, alive: None }
    }

    /// Judges one candidate.
    ///
    /// # Errors
    /// Where no process can be started.
    pub fn judge(&mut self, request: &Request) -> io::Result<Judged> {
        let alive = match self.alive.take() {
            Some(alive) => alive,
            None => Alive::start(&self.worker.command)?,
        };
        let (judged, alive) = alive.judge(request, self.worker.time);
        self.alive = alive;
        Ok(judged)
    }
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        if let Some(alive) = self.alive.take() {
            alive.end();
        }
    }
}

impl Alive {
    fn start((program, arguments): &(PathBuf, Vec<String>)) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Blocks of one candidate one after the other: candidates are what runs side by side. A group of its own takes compilers along when it ends.
        command.env("RAYON_NUM_THREADS", "1").process_group(0);
        let mut child = command.spawn()?;
        let (Some(requests), Some(out), Some(err)) = (child.stdin.take(), child.stdout.take(), child.stderr.take()) else {
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
            // What cannot be read any more was not said; what is too much is read and dropped, so that nobody waits.
            let _ = err.by_ref().take(MOST_SAID).read_to_end(&mut kept);
            let _ = io::copy(&mut err, &mut io::sink());
            String::from_utf8_lossy(&kept).into_owned()
        });
        Ok(Alive { child, requests, answers, said })
    }

    /// The verdict, and the process where it is still good for another.
    fn judge(mut self, request: &Request, time: Duration) -> (Judged, Option<Alive>) {
        let start = Instant::now();
        let mut judged = Judged::begun();
        let mut stage = Stage::Parse;
        // A process that is gone shows so below.
        let _ = serde_json::to_writer(&mut self.requests, request).map_err(io::Error::from).and_then(|()| {
            self.requests.write_all(b"\n")?;
            self.requests.flush()
        });
        let why = loop {
            match self.answers.recv_timeout(time.saturating_sub(start.elapsed())) {
                Ok(line) => match serde_json::from_str::<Answer>(&line) {
                    Ok(Answer::Judged(judged)) => return (*judged, Some(self)),
                    Ok(Answer::Begun(next)) => {
                        judged.passed.extend((next != Stage::Parse).then_some(stage));
                        stage = next;
                    }
                    Err(e) => break format!("the process of the candidate answers `{}`: {e}", shortened(&line, 80)),
                },
                Err(RecvTimeoutError::Timeout) => break format!("not done after {:.1} s", time.as_secs_f64()),
                Err(RecvTimeoutError::Disconnected) => break String::new(),
            }
        };
        let (status, said) = self.end();
        let why = if why.is_empty() { ended(status, &said) } else { why };
        judged.failure = Some(Failure { stage, class: Class::Limit, codes: Vec::new(), case: None, why });
        (judged, None)
    }

    /// Ends it with all that it has started. It is asked first, so that it removes its files.
    fn end(mut self) -> (Option<ExitStatus>, String) {
        drop(self.requests);
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let mut status = self.child.try_wait().ok().flatten();
        for signal in [Signal::TERM, Signal::KILL] {
            // What is gone cannot be told.
            let _ = group.map(|group| kill_process_group(group, signal));
            let asked = Instant::now();
            while status.is_none() && asked.elapsed() < GRACE {
                std::thread::sleep(Duration::from_millis(5));
                status = self.child.try_wait().ok().flatten();
            }
        }
        (status, self.said.join().unwrap_or_default())
    }
}

fn ended(status: Option<ExitStatus>, said: &str) -> String {
    let how = match status.map(|status| (status.signal(), status.code())) {
        Some((Some(signal), _)) => format!("by signal {signal}"),
        Some((_, Some(code))) => format!("with exit code {code}"),
        Some((None, None)) | None => "for reasons unknown".to_string(),
    };
    format!("the process of the candidate ended {how}: {}", said.trim())
}
