//! `jumar data`: training data of kernels, wrong attempts and their failures.

use super::eval::{bar, Judging};
use super::npy::said;
use super::told::random_model;
use super::{child, say, source, Failure, Outcome};
use jumar_llm::data::export::{Plan, Walks};
use jumar_llm::data::page::{broken, pages, Pair};
use jumar_llm::data::record::schema;
use jumar_llm::eval::all_tasks;
use jumar_llm::eval::told::Mask;
use jumar_llm::tasks::corpus::BENCHES;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  jumar data export --out train.jsonl                                     all tasks, four wrong tries of each
  jumar data export --out few.jsonl --tasks foreach --mutations 2 --cases small
  jumar data export --out more.jsonl --tasks none --random 1000 --seed 7  random kernels alone
  jumar data export --out codes.jsonl --tasks none --pages                a record for each error code
  jumar data export --out more.jsonl --tasks none --broken wrong          the wrong kernels of a folder
  jumar data schema                                                       the JSON schema of a line

A line is a kernel with what was asked, its canonical form, its AscendC, a trace of its values, predicted cycles, and wrong tries with what was found and fixed. Everything in it was
tried. The same options give the same bytes; a call that was ended goes on where it was. `book/src/models/data.md` describes every field.
Exit code 0: all is written; 2: the call is wrong.";

/// The subcommands of `jumar data`.
#[derive(clap::Subcommand)]
pub enum Call {
    /// Write records to a file, one JSON object a line
    #[command(after_help = EXAMPLES)]
    Export(Box<Export>),
    /// Print the JSON schema of a line
    Schema,
}

#[derive(clap::Args)]
pub struct Export {
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Only tasks whose `bench/name` contains one of these, separated by commas, or `none`
    #[arg(long, value_name = "FILTER")]
    tasks: Option<String>,
    /// Only tasks of this benchmark
    #[arg(long, value_name = "NAME")]
    bench: Option<String>,
    /// The limit of wrong attempts per kernel
    #[arg(long, value_name = "N", default_value_t = 4)]
    mutations: u32,
    /// Random texts of each task that its semantic grammar accepts
    #[arg(long, value_name = "N", default_value_t = 0)]
    walks: u32,
    /// The number of random kernels
    #[arg(long, value_name = "N", default_value_t = 0)]
    random: u64,
    /// Add the pages of error codes
    #[arg(long)]
    pages: bool,
    /// Add the wrong kernels of this folder that fixes make clean
    #[arg(long, value_name = "DIR")]
    broken: Option<PathBuf>,
    /// Records that are computed in parallel; by default as many as this machine has cores
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    judging: Judging,
}

pub fn main(call: &Call) -> Outcome {
    match call {
        Call::Schema => say(&format!("{:#}\n", schema())),
        Call::Export(call) => call.export(),
    }
}

impl Export {
    fn export(&self) -> Outcome {
        let (settings, worker) = self.judging.worker(true)?;
        let plan = Plan {
            worker,
            settings,
            jobs: child::jobs(self.jobs),
            seed: settings.seed,
            mutations: self.mutations,
            tasks: self.tasks()?,
            random: self.random,
            pairs: self.pairs()?,
            walks: self.walks(settings.seed)?,
        };
        let bar = bar("records");
        let done = plan.run(&self.out, &|_| bar.inc(1));
        bar.finish_and_clear();
        let done = done.map_err(|e| {
            Failure::call(
                e,
                "give a file that can be written, with room, that is empty or of this call",
            )
        })?;
        say(&format!(
            "{} records, {} of them new, in {}\n",
            done.records,
            done.new,
            self.out.display()
        ))
    }

    fn walks(&self, seed: u64) -> Result<Option<Walks>, Failure> {
        let model = || random_model(Mask::Semantic, seed);
        (self.walks > 0)
            .then(|| {
                Ok(Walks {
                    each: self.walks,
                    model: model()?,
                })
            })
            .transpose()
    }

    /// Returns pages, and files in the order of their paths.
    fn pairs(&self) -> Result<Vec<Pair>, Failure> {
        let mut pairs = if self.pages { pages() } else { Vec::new() };
        let Some(folder) = &self.broken else {
            return Ok(pairs);
        };
        let help = "give a folder with Rust files";
        let cannot = |e: std::io::Error| {
            Failure::call(
                format!("`{}` cannot be read: {}", folder.display(), said(&e)),
                help,
            )
        };
        let entries = std::fs::read_dir(folder).map_err(cannot)?;
        let mut files = entries
            .map(|entry| entry.map(|e| e.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(cannot)?;
        files.retain(|path| path.extension().is_some_and(|e| e == "rs"));
        files.sort();
        for path in files {
            let name = path
                .file_stem()
                .map(|name| name.to_string_lossy().into_owned());
            pairs.extend(
                name.zip(Some(source::read(&path)?))
                    .and_then(|(name, text)| broken(&name, &text)),
            );
        }
        Ok(pairs)
    }

    fn tasks(&self) -> Result<Vec<String>, Failure> {
        if let Some(bench) = self
            .bench
            .as_ref()
            .filter(|bench| BENCHES.iter().all(|(name, ..)| name != bench))
        {
            let all: Vec<&str> = BENCHES.iter().map(|(name, ..)| *name).collect();
            return Err(Failure::call(
                format!("there is no benchmark `{bench}`"),
                format!("there are {}", all.join(", ")),
            ));
        }
        if self.tasks.as_deref() == Some("none") {
            return Ok(Vec::new());
        }
        let of_bench = |name: &&String| {
            self.bench
                .as_ref()
                .is_none_or(|bench| name.split('/').next() == Some(bench))
        };
        let is_asked = |name: &&String| {
            self.tasks
                .as_ref()
                .is_none_or(|all| all.split(',').any(|part| name.contains(part.trim())))
        };
        let tasks: Vec<String> = all_tasks()
            .keys()
            .filter(of_bench)
            .filter(is_asked)
            .cloned()
            .collect();
        if tasks.is_empty() {
            return Err(Failure::call(
                "--tasks names no task",
                "book/src/models/tasks.md lists them; give a part of bench/name, or none",
            ));
        }
        Ok(tasks)
    }
}
