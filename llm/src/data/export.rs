//! All records of an export, in a fixed order.
//!
//! Records are computed in parallel and written in the order of their names, each as a whole line.
//! So equal calls give equal bytes, and a call that was ended can be resumed.

use super::page::Pair;
use super::record::{Made, Record};
use super::task;
use crate::eval::drive::Model;
use crate::eval::pool::{Process, Worker};
use crate::eval::record::Growing;
use crate::eval::stages::{Cases, Settings};
use crate::eval::task as task_of;
use jumar::dsl::soc::Chip;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Random texts, which are further candidates for wrong attempts.
pub struct Walks {
    /// How many per task.
    pub each: u32,
    /// The author of the texts.
    pub model: Box<dyn Model>,
}

/// The contents and the options of an export.
pub struct Plan {
    /// How to start the judging processes.
    pub worker: Worker,
    /// How they judge.
    pub settings: Settings,
    /// Records that are computed in parallel.
    pub jobs: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// Wrong attempts per kernel.
    pub mutations: u32,
    /// Random texts per task, if any.
    pub walks: Option<Walks>,
    /// Names of tasks, `bench/name`.
    pub tasks: Vec<String>,
    /// The number of random kernels.
    pub random: u64,
    /// Wrong kernels with their corrections.
    pub pairs: Vec<Pair>,
}

/// The origin of a record.
#[derive(Clone, Debug)]
enum Item {
    Task(String),
    Random(u64),
    Pair(usize),
}

/// The number of records, and of new ones among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Records in the file.
    pub records: usize,
    /// Records written by this call.
    pub new: usize,
}

/// A writer that holds back records until their predecessors are written.
struct Ordered {
    file: Growing,
    next: usize,
    early: BTreeMap<usize, Record>,
    failed: Option<io::Error>,
}

impl Ordered {
    fn give(&mut self, at: usize, record: Record, told: &(dyn Fn(&Record) + Sync)) {
        self.early.insert(at, record);
        while let Some(record) = self
            .early
            .remove(&self.next)
            .filter(|_| self.failed.is_none())
        {
            self.next += 1;
            told(&record);
            self.failed = self.file.add(&record).err();
        }
    }
}

/// Locks; every entry is complete, even if a thread panicked with the lock.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The beginning of every line.
const HEAD: &[u8] = b"{\"version\":";

/// Refuses a foreign file, whose last line would be taken for half a record.
fn is_ours(path: &Path) -> io::Result<()> {
    let mut head = Vec::new();
    match std::fs::File::open(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file?.take(HEAD.len() as u64).read_to_end(&mut head)?,
    };
    if HEAD.starts_with(&head) {
        return Ok(());
    }
    let why = format!(
        "{} holds something else than records: take another file",
        path.display()
    );
    Err(io::Error::new(io::ErrorKind::InvalidInput, why))
}

impl Plan {
    /// The chip that kernels are checked for.
    pub fn chip(&self) -> Option<&'static Chip> {
        self.settings.chip
    }

    /// Returns the part of a record that is common to all.
    pub fn made(&self) -> Made {
        Made {
            jumar: env!("CARGO_PKG_VERSION").to_string(),
            seed: self.seed,
            mutations: self.mutations,
            chip: self.chip().map_or("declared", |chip| chip.name).to_string(),
            cases: match self.settings.cases {
                Cases::All => "all",
                Cases::Small => "small",
            }
            .to_string(),
            shapes: self.settings.shapes,
            walks: self.walks.as_ref().map_or(0, |walks| walks.each),
        }
    }

    fn items(&self) -> Vec<Item> {
        let tasks = self.tasks.iter().cloned().map(Item::Task);
        tasks
            .chain((0..self.random).map(Item::Random))
            .chain((0..self.pairs.len()).map(Item::Pair))
            .collect()
    }

    fn name(&self, item: &Item) -> String {
        match item {
            Item::Task(name) => name.clone(),
            Item::Random(number) => format!("random/{}/{number}", self.seed),
            Item::Pair(at) => self.pairs[*at].name.clone(),
        }
    }

    /// Runs the export: writes records to `path`, and passes each new one to `told`.
    ///
    /// # Errors
    /// If the file is inaccessible or belongs to another call, no process can be started, or a
    /// kernel is not what it should be.
    pub fn run(&self, path: &Path, told: &(dyn Fn(&Record) + Sync)) -> io::Result<Exported> {
        let items = self.items();
        is_ours(path)?;
        let (file, done) = Growing::open::<Record>(path)?;
        self.goes_on(path, &items, &done)?;
        let first = done.len();
        let ordered = Mutex::new(Ordered {
            file,
            next: first,
            early: BTreeMap::new(),
            failed: None,
        });
        let next = AtomicUsize::new(first);
        let job = || {
            let mut process = Process::new(&self.worker);
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(at).filter(|_| held(&ordered).failed.is_none()) else {
                    return;
                };
                match self.record(item, &mut process) {
                    Ok(Ok(record)) => held(&ordered).give(at, record, told),
                    Ok(Err(why)) => held(&ordered).failed = Some(io::Error::other(why)),
                    Err(e) => held(&ordered).failed = Some(e),
                }
            }
        };
        std::thread::scope(|scope| {
            (0..self.jobs.max(1)).for_each(|_| {
                scope.spawn(job);
            })
        });
        let ordered = ordered.into_inner().unwrap_or_else(PoisonError::into_inner);
        let exported = Exported {
            records: ordered.next,
            new: ordered.next - first,
        };
        ordered.failed.map_or(Ok(exported), Err)
    }

    fn record(&self, item: &Item, process: &mut Process<'_>) -> io::Result<Result<Record, String>> {
        match item {
            Item::Task(name) => match task_of(name) {
                Some(found) => task::of_task(self, name, found, process),
                None => Ok(Err(format!("there is no task `{name}`"))),
            },
            Item::Random(number) => task::of_random(self, *number),
            Item::Pair(at) => Ok(self.pairs[*at].record(self)),
        }
    }

    /// Refuses a file whose records are not the first ones of this call.
    fn goes_on(&self, path: &Path, items: &[Item], done: &[Record]) -> io::Result<()> {
        let made = self.made();
        let other = |why: String| {
            let why = format!(
                "{} {why}: take another file, or the same options",
                path.display()
            );
            Err(io::Error::new(io::ErrorKind::InvalidInput, why))
        };
        if done.len() > items.len() {
            return other(format!(
                "has {} records, and this call {}",
                done.len(),
                items.len()
            ));
        }
        for (record, item) in done.iter().zip(items) {
            if record.name != self.name(item) {
                return other(format!(
                    "has {} where this call has {}",
                    record.name,
                    self.name(item)
                ));
            }
            if record.made != made {
                return other(format!(
                    "has records that were made otherwise ({})",
                    record.name
                ));
            }
        }
        Ok(())
    }
}
