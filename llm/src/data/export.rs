//! All records of a call, in one order.
//!
//! Records are computed side by side and written in the order of their names, each whole: the same call gives the same bytes, and one that was ended goes on where it was.

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

/// Random texts that are tries, too.
pub struct Walks {
    /// How many of each task.
    pub each: u32,
    /// Who writes them.
    pub model: Box<dyn Model>,
}

/// What is exported, and how.
pub struct Plan {
    /// How the processes are started that judge.
    pub worker: Worker,
    /// How they judge.
    pub settings: Settings,
    /// How many records at a time.
    pub jobs: usize,
    /// Of all that is random.
    pub seed: u64,
    /// Wrong tries of each kernel.
    pub mutations: u32,
    /// Random texts of each task; none where no texts are wanted.
    pub walks: Option<Walks>,
    /// Names of tasks, `bench/name`.
    pub tasks: Vec<String>,
    /// How many random kernels.
    pub random: u64,
    /// Wrong kernels with what is right in their place.
    pub pairs: Vec<Pair>,
}

/// What a record is made of.
#[derive(Clone, Debug)]
enum Item {
    Task(String),
    Random(u64),
    Pair(usize),
}

/// How many records there are, and how many of them are new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// In the file.
    pub records: usize,
    /// Written by this call.
    pub new: usize,
}

/// Records that are written in their order.
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

/// Every entry is whole, whatever became of a thread that held it.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What every line begins with.
const HEAD: &[u8] = b"{\"version\":";

/// Refuses a file of somebody else, whose last line would be taken for half a record.
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

    /// What stands in every record.
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

    /// Does it: records go to `path`, and each that is new to `told`.
    ///
    /// # Errors
    /// Where the file cannot be read or written or is that of another call, no process can be started, or a kernel is not what it should be.
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
