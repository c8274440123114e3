//! `jumar eval`: the share of right kernels of a language model.

use super::told::{self, random_model, Asking, Who};
use super::{child, progress, say, Failure, Outcome};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use jumar::dsl::soc::Chip;
use jumar_llm::client::Server;
use jumar_llm::eval::ascendc::Language;
use jumar_llm::eval::drive::{Masked, Model, Plan, Replay, Source};
use jumar_llm::eval::pool::{self, Worker};
use jumar_llm::eval::prompt::language_of;
use jumar_llm::eval::record::{self, candidates, outcomes, parsed, Broken, Candidate, Key, Line};
use jumar_llm::eval::stages::{Cases, Judge, Settings};
use jumar_llm::eval::told::Card;
use jumar_llm::eval::{all_tasks, plot, report, score, task};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::io::{BufReader, IsTerminal};
use std::path::{Path, PathBuf};

pub const EXAMPLES: &str = "\
Examples:
  jumar eval --candidates mine.jsonl --out results                        kernels from a file
  jumar eval --server http://127.0.0.1:8000/v1 --model coder --api vllm --samples 10 --repair 2 --out results
  jumar eval --replay results/candidates.jsonl --repair 2 --out again     the same replies, judged again
  jumar eval --random 10 --seed 7 --grammar semantic --out results        texts that the mask lets through
  jumar eval --results a/results.jsonl --results b/results.jsonl --out all   one report of several shards

The folder of --out holds candidates.jsonl (every reply of a server), results.jsonl (a line a candidate), report.md and report.svg. A call
that was ended goes on where it was when it is made again. `book/src/models/evaluation.md` describes stages, classes and every field.
Exit code 0: all candidates were judged, whatever came of it; 2: the call is wrong.";

/// The cases that a candidate runs in.
#[derive(Clone, Copy, ValueEnum)]
enum Which {
    /// Every case of the task
    All,
    /// The smallest case of at least 64 elements
    Small,
}

#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("source").required(true).args(["candidates", "replay", "server", "random", "results"]))]
pub struct Call {
    /// Judge the candidates of this file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    candidates: Option<PathBuf>,
    /// Take replies from this file, as if a server had given them
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Ask this server for chat completions, for example http://127.0.0.1:8000/v1
    #[arg(long, value_name = "URL", requires_all = ["model", "api"])]
    server: Option<String>,
    /// The number of random texts of each task that its grammar accepts, by --seed
    #[arg(long, value_name = "N")]
    random: Option<u32>,
    /// Only write the report of these results; may be given several times
    #[arg(long, value_name = "FILE")]
    results: Vec<PathBuf>,
    /// The folder for the results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Only tasks whose `bench/name` contains one of these, separated by commas
    #[arg(long, value_name = "FILTER")]
    tasks: Option<String>,
    /// Only this shard of how many, for example 1/8
    #[arg(long, value_name = "I/N", value_parser = part, default_value = "1/1")]
    shard: (u32, u32),
    /// Candidates that are judged in parallel; by default as many as this machine has cores
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// The share of samples that are compiled and run as C++, too: all, none, or a percentage
    #[arg(long, value_name = "PART", value_parser = hundredths, default_value = "none")]
    cpp: u32,
    #[command(flatten)]
    asking: Asking,
    #[command(flatten)]
    judging: Judging,
}

/// How candidates are judged.
#[derive(clap::Args)]
pub struct Judging {
    /// The cases that a candidate runs in
    #[arg(long, default_value = "all")]
    cases: Which,
    /// The seed of the numbers of all cases, and of the texts of --random
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The number of further cases, of sizes that no header names
    #[arg(long, value_name = "N", default_value_t = 0)]
    shapes: u32,
    /// The chip that every kernel is checked for
    #[arg(long, value_name = "NAME", default_value = "ascend910b1")]
    chip: String,
    /// The time limit of a candidate, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    time: f64,
    /// The memory limit of a candidate, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: u64,
}

fn part(text: &str) -> Result<(u32, u32), String> {
    let numbers = text
        .split_once('/')
        .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    numbers
        .filter(|(i, n)| (1..=*n).contains(i))
        .ok_or_else(|| "a part is I/N with I from 1 to N, for example 1/8".to_string())
}

pub fn hundredths(text: &str) -> Result<u32, String> {
    let number = match text {
        "all" => Some(100),
        "none" => Some(0),
        number => number.parse().ok().filter(|part| *part <= 100),
    };
    number.ok_or_else(|| "a part is all, none, or a number from 0 to 100".to_string())
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let wrong = |e: std::io::Error| {
        Failure::call(
            format!(
                "{} cannot be read: {}",
                path.display(),
                super::npy::said(&e)
            ),
            "give a file that can be read",
        )
    };
    std::fs::read(path).map_err(wrong)
}

/// Returns the text of a file, or `None` for the name `none`.
fn text_of(name: &str) -> Result<Option<String>, Failure> {
    if name == "none" {
        return Ok(None);
    }
    let wrong = |_| Failure::call(format!("{name} is no text"), "give a file in UTF-8");
    String::from_utf8(read(Path::new(name))?)
        .map(Some)
        .map_err(wrong)
}

pub fn main(call: &Call) -> Outcome {
    if !call.results.is_empty() {
        let mut lines = Vec::new();
        for path in &call.results {
            lines.extend(whole_lines(path)?);
        }
        std::fs::create_dir_all(&call.out).map_err(|e| unwritten(&call.out, &e))?;
        let (done, broken) = outcomes(lines);
        return write_report(&call.out, &done, &broken);
    }
    let card = told::card(&call.asking.card, call.asking.card_tokens, text_of)?;
    let mask = told::mask(call.grammar(), call.who(), text_of)?;
    let plan = call.plan(&card)?;
    let tasks = call.tasks()?;
    let replay;
    let server;
    let random;
    let source = match (&call.candidates, &call.replay, &call.server, call.random) {
        (Some(path), ..) => {
            let (all, broken) = candidates(&read(path)?, |name| all_tasks().contains_key(name));
            Source::File(
                all.into_iter()
                    .filter(|c| tasks.contains(&c.task))
                    .collect(),
                broken,
            )
        }
        (None, Some(path), ..) => {
            let (all, broken) = candidates(&read(path)?, |name| all_tasks().contains_key(name));
            if let Some(Broken { line, why }) = broken.first() {
                let what = format!("{}, line {line} is no reply: {why}", path.display());
                return Err(Failure::call(
                    what,
                    "give the candidates.jsonl of another call",
                ));
            }
            let name = named(&all);
            replay = Replay::new(all);
            call.model(&replay, name, tasks, card)
        }
        (None, None, Some(url), _) => {
            server = Masked {
                server: call.server(url)?,
                mask,
            };
            call.model(&server, server.server.model.clone(), tasks, card)
        }
        (None, None, None, Some(samples)) => {
            random = random_model(mask, call.judging.seed)?;
            Source::Model {
                model: &*random,
                name: "random".into(),
                tasks,
                samples,
                repair: call.asking.repair,
                card,
            }
        }
        (None, None, None, None) => {
            return Err(Failure::call(
                "there is no source",
                "give --candidates, --replay, --server, --random or --results",
            ))
        }
    };
    if has_ascendc(&source) {
        prepare_cpp("candidates that are AscendC need g++ or clang++")?;
    } else if call.cpp > 0 {
        prepare_cpp("`--cpp none` judges without C++")?;
    }
    let bar = bar("candidates judged");
    let told = |_: &record::Outcome| bar.inc(1);
    let new = plan.run(&source, &call.out, &told);
    bar.finish_and_clear();
    let new = new.map_err(|e| match e.raw_os_error() {
        Some(_) => unwritten(&call.out, &e),
        None => Failure::call(
            e,
            "give a folder that can be written, with room, whose results are of these settings",
        ),
    })?;
    say(&format!("{new} candidates judged\n"))?;
    let (done, broken) = outcomes(whole_lines(&call.out.join("results.jsonl"))?);
    write_report(&call.out, &done, &broken)
}

/// True if a file has AscendC candidates.
fn has_ascendc(source: &Source<'_>) -> bool {
    let is_ascendc = |c: &Candidate| {
        task(&c.task).is_some_and(|task| language_of(c, &task.stem) == Language::Ascendc)
    };
    match source {
        Source::File(candidates, _) => candidates.iter().any(is_ascendc),
        Source::Model { .. } => false,
    }
}

/// Compiles the C++ machine once, before it could take a candidate's time. Without a compiler the
/// call ends here.
pub fn prepare_cpp(without: &str) -> Outcome {
    progress::say_before_build(false);
    let settings = Settings {
        chip: None,
        seed: 0,
        cases: Cases::Small,
        shapes: 0,
        fixes: true,
    };
    let of_first = all_tasks().values().next().map(|task| {
        Judge::new(task, task.reference(), settings).judge(task.answer(), true, &mut |_| {})
    });
    match of_first.and_then(|judged| judged.failure) {
        Some(failure) => Err(Failure::call(failure.why, without)),
        None => Ok(()),
    }
}

/// Returns the model of the replies, if a reply names one.
fn named(all: &[Candidate]) -> String {
    all.iter()
        .find_map(|c| c.model.clone())
        .unwrap_or_else(|| "replay".to_string())
}

impl Call {
    fn tasks(&self) -> Result<Vec<String>, Failure> {
        let is_asked = |name: &&String| {
            self.tasks
                .as_ref()
                .is_none_or(|all| all.split(',').any(|part| name.contains(part.trim())))
        };
        let tasks: Vec<String> = all_tasks().keys().filter(is_asked).cloned().collect();
        if tasks.is_empty() {
            return Err(Failure::call(
                "--tasks names no task",
                "book/src/models/tasks.md lists them; give a part of bench/name",
            ));
        }
        Ok(tasks)
    }

    fn model<'a>(
        &self,
        model: &'a dyn Model,
        name: String,
        tasks: Vec<String>,
        card: Card,
    ) -> Source<'a> {
        Source::Model {
            model,
            name,
            tasks,
            samples: self.asking.samples,
            repair: self.asking.repair,
            card,
        }
    }

    /// Returns `--grammar` or its default.
    fn grammar(&self) -> &str {
        let usual = if self.random.is_some() { "llm" } else { "none" };
        self.asking.grammar.as_deref().unwrap_or(usual)
    }

    fn who(&self) -> Who {
        match (&self.server, self.asking.api, self.random) {
            (Some(_), Some(api), _) => Who::Server(api.api()),
            (_, _, Some(_)) => Who::Random,
            _ => Who::Nobody,
        }
    }

    fn server(&self, url: &str) -> Result<Server, Failure> {
        let asking = &self.asking;
        let (Some(model), Some(api)) = (asking.model.clone(), asking.api) else {
            return Err(Failure::call(
                "a server needs a model and an interface",
                "give --model and --api",
            ));
        };
        let unset = |name: &str| {
            Failure::call(
                format!("the variable {name} of --key-env is not set"),
                "set it to the server's key",
            )
        };
        let key = asking
            .key_env
            .as_ref()
            .map(|name| std::env::var(name).map_err(|_| unset(name)))
            .transpose()?;
        Ok(Server {
            url: url.to_string(),
            model,
            api: api.api(),
            key,
            temperature: asking.temperature,
            max_tokens: asking.max_tokens,
            timeout: child::seconds("timeout", asking.timeout)?,
            retries: asking.retries,
        })
    }

    fn plan(&self, card: &Card) -> Result<Plan, Failure> {
        let (settings, worker) = self.judging.worker(self.asking.fixes)?;
        Ok(Plan {
            worker,
            jobs: child::jobs(self.jobs),
            shard: self.shard,
            cpp: self.cpp,
            settings: self.recorded(settings, card),
        })
    }

    /// Returns the settings that every result repeats.
    fn recorded(&self, settings: Settings, card: &Card) -> BTreeMap<String, Value> {
        let Judging {
            chip,
            time,
            memory,
            seed,
            shapes,
            ..
        } = &self.judging;
        let mut all = vec![
            ("cpp", json!(self.cpp)),
            ("cases", json!(settings.cases)),
            ("seed", json!(seed)),
            ("shapes", json!(shapes)),
            ("chip", json!(chip)),
            ("time", json!(time)),
            ("memory", json!(memory)),
        ];
        if self.candidates.is_none() {
            let Asking {
                repair,
                fixes,
                temperature,
                max_tokens,
                ..
            } = &self.asking;
            let grammar = told::named(self.grammar());
            all.extend([
                ("grammar", json!(grammar)),
                ("repair", json!(repair)),
                ("fixes", json!(fixes)),
            ]);
            all.extend(told::of_card(card, &self.asking.card));
            if let Some(api) = self
                .asking
                .api
                .and_then(|api| api.to_possible_value())
                .filter(|_| self.server.is_some())
            {
                let api = json!(api.get_name());
                all.extend([
                    ("api", api),
                    ("temperature", json!(temperature)),
                    ("max_tokens", json!(max_tokens)),
                ]);
            }
        }
        all.into_iter()
            .map(|(name, value)| (name.to_string(), value))
            .collect()
    }
}

impl Judging {
    /// Returns the settings and the judging process. If `fixes` is true, findings contain suggested
    /// fixes.
    pub fn worker(&self, fixes: bool) -> Result<(Settings, Worker), Failure> {
        let chip = Chip::by_name(&self.chip).ok_or_else(|| {
            Failure::call(
                format!("there is no chip `{}`", self.chip),
                "`jumar chips` lists them",
            )
        })?;
        let cases = match self.cases {
            Which::All => Cases::All,
            Which::Small => Cases::Small,
        };
        let settings = Settings {
            chip: Some(chip),
            seed: self.seed,
            cases,
            shapes: self.shapes,
            fixes,
        };
        let command = child::start(
            "eval-worker",
            Worker::arguments(settings, child::bytes(self.memory)),
        )?;
        Ok((
            settings,
            Worker {
                command,
                time: child::seconds("time", self.time)?,
            },
        ))
    }
}

/// Returns the lines of a file of results, without an incomplete last line.
fn whole_lines(path: &Path) -> Result<Vec<Line>, Failure> {
    let text = read(path)?;
    let end = text
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    parsed(&text[..end], path).map_err(|e| Failure::call(e, "give the results.jsonl of a call"))
}

fn unwritten(path: &Path, e: &std::io::Error) -> Failure {
    Failure::call(
        format!(
            "{} cannot be written: {}",
            path.display(),
            super::npy::said(e)
        ),
        "give a folder that can be written, with room",
    )
}

/// Counts things of this name on a terminal.
pub fn bar(what: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    // The template is a constant; if it were malformed, the default style would do.
    if let Ok(style) =
        ProgressStyle::with_template(&format!("{{spinner}} {{pos}} {what}, {{per_sec}}"))
    {
        bar.set_style(style);
    }
    bar
}

fn write_report(
    folder: &Path,
    done: &BTreeMap<Key, record::Outcome>,
    broken: &[Broken],
) -> Outcome {
    let samples = score::last_rounds(done, u32::MAX);
    let picture = plot::svg(&samples).map_err(|e| {
        Failure::call(
            format!("the plot cannot be drawn: {e}"),
            "the results are written",
        )
    })?;
    let text = report::markdown(done, broken);
    for (name, text) in [("report.md", &text), ("report.svg", &picture)] {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| unwritten(&path, &e))?;
    }
    let head: String = text.lines().skip(2).take(1).collect();
    say(&format!("{head}\n{}\n", folder.join("report.md").display()))
}

/// Runs `jumar eval-worker`: the process that judges candidates.
pub fn worker(arguments: &[String]) -> Outcome {
    let (settings, memory) = pool::settings(arguments)
        .map_err(|e| Failure::call(e, "this command is called by `jumar eval`"))?;
    // The answers have a lock of their own, so that nothing else is written between them.
    pool::serve(
        settings,
        memory,
        BufReader::new(std::io::stdin()),
        std::io::stdout().lock(),
    )
    .map_err(|e| Failure::call(e, "this command is called by `jumar eval`"))
}
