//! Runs all candidates of a call: asks for them or reads them, judges them in parallel, and records
//! each result.
//!
//! A folder of results holds `candidates.jsonl` with every reply, and `results.jsonl` with every
//! judgement. A reply is written before it is judged, and a result once it is known. So a call that
//! was ended resumes: what is in the files is not repeated.

use super::ascendc::Language;
use super::class::Class;
use super::pool::{Process, Request, Worker};
use super::prompt::{self, Message};
use super::record::{outcomes, Broken, Candidate, Growing, Key, Line, Outcome};
use super::stages::Judged;
use super::task;
use super::told::{Card, Mask};
use crate::client::{Reply, Server};
use crate::tasks::corpus::Task;
use crate::tasks::run::hash;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An author of candidates.
pub trait Model: Sync {
    /// Returns the reply to the messages of an attempt.
    ///
    /// # Errors
    /// Says why there is no reply. The attempt then counts neither for nor against the model.
    fn reply(&self, key: &Key, messages: &[Message]) -> Result<Reply, String>;
}

/// A server whose replies are constrained by a grammar.
#[derive(Clone, Debug)]
pub struct Masked {
    pub server: Server,
    /// The grammar of each task.
    pub mask: Mask,
}

impl Model for Masked {
    fn reply(&self, key: &Key, messages: &[Message]) -> Result<Reply, String> {
        let task = task(&key.task).ok_or_else(|| format!("there is no task `{}`", key.task))?;
        let grammar = self.mask.of(task)?;
        let mut messages = messages.to_vec();
        if let (Some(said), Some(asked)) = (
            self.mask.says(task)?,
            messages.iter_mut().find(|message| message.role == "user"),
        ) {
            asked.content.push_str(&said);
        }
        // Samples of a server with a seed differ, and an equal call gives equal ones.
        let seed = u64::from(key.sample) << 8 | u64::from(key.round & 0xff);
        self.server.ask(&messages, seed, grammar.as_deref())
    }
}

/// Replies of an earlier call, instead of a server.
#[derive(Clone, Debug, Default)]
pub struct Replay(BTreeMap<Key, Reply>);

impl Replay {
    pub fn new(all: impl IntoIterator<Item = Candidate>) -> Self {
        Replay(
            all.into_iter()
                .map(|c| {
                    (
                        c.key(),
                        Reply {
                            text: c.text,
                            finish: c.finish,
                            tokens: c.tokens,
                        },
                    )
                })
                .collect(),
        )
    }
}

impl Model for Replay {
    fn reply(&self, key: &Key, _: &[Message]) -> Result<Reply, String> {
        let Key {
            task,
            sample,
            round,
        } = key;
        self.0
            .get(key)
            .cloned()
            .ok_or_else(|| format!("there is no reply for {task}, sample {sample}, round {round}"))
    }
}

/// The source of candidates.
pub enum Source<'a> {
    /// Candidates of a file, and its lines that are none.
    File(Vec<Candidate>, Vec<Broken>),
    /// A model that is asked for a number of samples per task.
    Model {
        /// The model to ask.
        model: &'a dyn Model,
        /// The model's name in records.
        name: String,
        /// Names of tasks, `bench/name`.
        tasks: Vec<String>,
        /// Samples per task.
        samples: u32,
        /// How often findings are sent back.
        repair: u32,
        /// The description of the language in the rules.
        card: Card,
    },
}

/// How the candidates of a call are judged.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How to start the judging processes.
    pub worker: Worker,
    /// Candidates that are judged in parallel.
    pub jobs: usize,
    /// The shard of this call and the number of shards, from 1 on.
    pub shard: (u32, u32),
    /// The percentage of candidates that runs as C++, too.
    pub cpp: u32,
    /// Options of the prompts and the judgement, which every result repeats.
    pub settings: BTreeMap<String, Value>,
}

/// A sample to judge, from a file or to ask for.
struct Work<'c> {
    task: &'static Task,
    name: String,
    sample: u32,
    given: Vec<&'c Candidate>,
}

/// The two files and their contents.
struct Files {
    candidates: Mutex<Growing>,
    results: Mutex<Growing>,
    replies: BTreeMap<Key, Candidate>,
    done: BTreeMap<Key, Outcome>,
}

/// Locks; every entry is complete, even if a thread panicked with the lock.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a hash of a name from 0 to 99, which splits names independently of others.
pub(crate) fn part_of(name: &str) -> u32 {
    (spread(name) % 100) as u32
}

/// Hashes a name. The low bits of FNV-1a depend only on the low bits of the last characters, so
/// they are dropped.
fn spread(name: &str) -> u64 {
    hash(name.as_bytes()) >> 20
}

impl Plan {
    fn is_mine(&self, task: &str, sample: u32) -> bool {
        let (part, of) = self.shard;
        spread(&format!("{task}#{sample}")) % u64::from(of.max(1)) + 1 == u64::from(part)
    }

    fn runs_as_cpp(&self, key: &Key) -> bool {
        part_of(&format!("{}#{} as C++", key.task, key.sample)) < self.cpp
    }

    /// Returns a setting in which a result differs from this call.
    fn differs(&self, outcome: &Outcome, model: Option<&str>) -> Option<String> {
        if let (Some(asked), Some(found)) = (
            model,
            outcome
                .model
                .as_deref()
                .filter(|found| model != Some(found)),
        ) {
            return Some(format!("the model `{found}`, and this call asks `{asked}`"));
        }
        let other = self
            .settings
            .iter()
            .find(|(name, value)| outcome.settings.get(*name) != Some(value));
        other.map(|(name, value)| {
            let found = outcome.settings.get(name).unwrap_or(&Value::Null);
            format!("`{name}` = {found}, and this call has {value}")
        })
    }

    /// Judges all candidates: writes results to `folder`, passes each new one to `told`, and
    /// returns their number.
    ///
    /// # Errors
    /// If the folder is inaccessible, or no process can be started.
    pub fn run(
        &self,
        source: &Source<'_>,
        folder: &Path,
        told: &(dyn Fn(&Outcome) + Sync),
    ) -> io::Result<usize> {
        let files = self.open(source, folder)?;
        let work = self.work(source);
        let (next, new) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let failed: Mutex<Option<io::Error>> = Mutex::default();
        let job = || {
            let mut process = Process::new(&self.worker);
            while let Some(work) = work
                .get(next.fetch_add(1, Ordering::Relaxed))
                .filter(|_| held(&failed).is_none())
            {
                match self.sample(work, source, &files, &mut process, told) {
                    Ok(count) => {
                        new.fetch_add(count, Ordering::Relaxed);
                    }
                    Err(e) => *held(&failed) = Some(e),
                }
            }
        };
        std::thread::scope(|scope| {
            (0..self.jobs.max(1)).for_each(|_| {
                scope.spawn(job);
            })
        });
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(new.into_inner()), Err)
    }

    /// Opens the files, and records the broken lines of the source.
    fn open(&self, source: &Source<'_>, folder: &Path) -> io::Result<Files> {
        std::fs::create_dir_all(folder)?;
        let (candidates, replies) = Growing::open::<Candidate>(&folder.join("candidates.jsonl"))?;
        let (mut results, lines) = Growing::open::<Line>(&folder.join("results.jsonl"))?;
        let (done, known) = outcomes(lines);
        let model = match source {
            Source::File(..) => None,
            Source::Model { name, .. } => Some(name.as_str()),
        };
        if let Some(other) = done
            .values()
            .find_map(|outcome| self.differs(outcome, model))
        {
            let why = format!(
                "{} holds results with {other}: take another folder, or the same settings",
                folder.display()
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        if let Source::File(_, broken) = source {
            for broken in broken.iter().filter(|broken| !known.contains(broken)) {
                results.add(&Line::Broken(broken.clone()))?;
            }
        }
        let replies = replies.into_iter().map(|c| (c.key(), c)).collect();
        Ok(Files {
            candidates: Mutex::new(candidates),
            results: Mutex::new(results),
            replies,
            done,
        })
    }

    fn work<'c>(&self, source: &'c Source<'_>) -> Vec<Work<'c>> {
        let mut all: BTreeMap<(&str, u32), Vec<&Candidate>> = BTreeMap::new();
        match source {
            Source::File(candidates, _) => {
                for candidate in candidates {
                    all.entry((&candidate.task, candidate.sample))
                        .or_default()
                        .push(candidate);
                }
            }
            Source::Model { tasks, samples, .. } => {
                all.extend(tasks.iter().flat_map(|task| {
                    (0..*samples).map(|sample| ((task.as_str(), sample), Vec::new()))
                }));
            }
        }
        let mine = all
            .into_iter()
            .filter(|((task, sample), _)| self.is_mine(task, *sample));
        mine.filter_map(|((name, sample), given)| {
            Some(Work {
                task: task(name)?,
                name: name.to_string(),
                sample,
                given,
            })
        })
        .collect()
    }

    /// Judges all attempts of a sample that are not done yet.
    fn sample(
        &self,
        work: &Work<'_>,
        source: &Source<'_>,
        files: &Files,
        process: &mut Process<'_>,
        told: &(dyn Fn(&Outcome) + Sync),
    ) -> io::Result<usize> {
        let mut new = 0;
        let key = |round| Key {
            task: work.name.clone(),
            sample: work.sample,
            round,
        };
        let Source::Model {
            model,
            name,
            repair,
            card,
            ..
        } = source
        else {
            for candidate in work
                .given
                .iter()
                .filter(|candidate| !files.has(&candidate.key()))
            {
                let judged = self.judged(candidate, work.task, process)?;
                self.keep(files, candidate, work.task, judged, told)?;
                new += 1;
            }
            return Ok(new);
        };
        let card = card
            .of(work.task)
            .map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e))?;
        let mut messages = prompt::first(work.task, card.as_deref());
        for round in 0..=*repair {
            let key = key(round);
            let asked = files.replies.get(&key).cloned().map_or_else(
                || {
                    model
                        .reply(&key, &messages)
                        .map(|r| self.candidate(&key, name, r))
                },
                Ok,
            );
            let candidate = match asked {
                Ok(candidate) => candidate,
                Err(why) => {
                    let reply = Reply {
                        text: String::new(),
                        finish: None,
                        tokens: None,
                    };
                    let judged = Judged::unread(Class::Server, why);
                    self.keep(
                        files,
                        &self.candidate(&key, name, reply),
                        work.task,
                        judged,
                        told,
                    )?;
                    return Ok(new + 1);
                }
            };
            if !files.replies.contains_key(&key) {
                held(&files.candidates).add(&candidate)?;
            }
            let judged = match files.done.get(&key).filter(|outcome| outcome.is_sample()) {
                Some(outcome) => outcome.judged.clone(),
                None => {
                    let judged = self.judged(&candidate, work.task, process)?;
                    self.keep(files, &candidate, work.task, judged.clone(), told)?;
                    new += 1;
                    judged
                }
            };
            let Some(failure) = judged.failure else {
                return Ok(new);
            };
            prompt::next(&mut messages, &candidate.text, &failure);
        }
        Ok(new)
    }

    fn candidate(&self, key: &Key, model: &str, reply: Reply) -> Candidate {
        let Reply {
            text,
            finish,
            tokens,
        } = reply;
        let Key {
            task,
            sample,
            round,
        } = key.clone();
        let model = Some(model.to_string());
        let (language, case, element) = (None, None, None);
        Candidate {
            task,
            sample,
            round,
            text,
            language,
            case,
            element,
            finish,
            tokens,
            model,
            settings: BTreeMap::new(),
        }
    }

    fn judged(
        &self,
        candidate: &Candidate,
        task: &Task,
        process: &mut Process<'_>,
    ) -> io::Result<Judged> {
        let ascendc = (prompt::language_of(candidate, &task.stem) == Language::Ascendc)
            .then(|| candidate.is_for());
        let (text, cpp) = (candidate.text.clone(), self.runs_as_cpp(&candidate.key()));
        let request = Request {
            task: candidate.task.clone(),
            text,
            cpp,
            seed: None,
            ascendc,
        };
        process.judge_reply(task, request, candidate.is_cut())
    }

    fn keep(
        &self,
        files: &Files,
        candidate: &Candidate,
        task: &Task,
        judged: Judged,
        told: &(dyn Fn(&Outcome) + Sync),
    ) -> io::Result<()> {
        let mut settings = candidate.settings.clone();
        settings.extend(self.settings.clone());
        let language = prompt::language_of(candidate, &task.stem);
        let outcome = Outcome {
            task: candidate.task.clone(),
            category: task.category.clone(),
            level: task.level,
            sample: candidate.sample,
            round: candidate.round,
            finish: candidate.finish.clone(),
            tokens: candidate.tokens,
            model: candidate.model.clone(),
            settings,
            language,
            // An AscendC candidate only runs as C++.
            cpp: language == Language::Ascendc || self.runs_as_cpp(&candidate.key()),
            judged,
        };
        told(&outcome);
        held(&files.results).add(&Line::Result(Box::new(outcome)))
    }
}

impl Files {
    /// True if a candidate was judged. Without an answer of the server the outcome is unknown.
    fn has(&self, key: &Key) -> bool {
        self.done.get(key).is_some_and(Outcome::is_sample)
    }
}
