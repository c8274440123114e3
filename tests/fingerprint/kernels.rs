//! The kernels, and the hashed text of each.

use super::given::{launches, Launched};
use crate::broken::{broken, Broken};
use crate::bugs::{case::cases, run};
use crate::differential::agree;
use crate::pages::repository;
use crate::tile;
use jumar::codegen::{emit, EmitOptions, ProjectKind};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::soc::Chip;
use jumar::load::{check_text, KernelFile};
use jumar::runtime::{Array, Overflow};
use jumar_kit::{book, files};
use jumar_llm::tasks::corpus::{tasks, Task, BENCHES};
use jumar_llm::tasks::run::{elements, runs, Poison, Run};

/// The kind of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// Findings of front end and checker, as JSON.
    Findings,
    /// Files of all project kinds.
    Text,
    /// Results of the simulator, or its message.
    Outputs,
}

impl Facet {
    pub const ALL: [Facet; 3] = [Facet::Findings, Facet::Text, Facet::Outputs];

    pub fn name(self) -> &'static str {
        match self {
            Facet::Findings => "findings",
            Facet::Text => "text",
            Facet::Outputs => "outputs",
        }
    }
}

/// The launches of a kernel.
enum Runs {
    /// Sizes and data made from its signature.
    Derived,
    /// The smallest cases of a task.
    Task(Box<Task>),
    /// Arguments of a case of the bug suite.
    Bug(Vec<crate::bugs::given::Given>),
    /// Data of the generator.
    Drawn(Box<agree::Case>),
}

/// A text with kernels.
pub struct Sample {
    pub name: String,
    text: String,
    /// Its chip, or all chips where it names none.
    chips: Vec<&'static Chip>,
    runs: Runs,
}

/// Numbers of drawn kernels: of rows and columns, and of nests.
const DRAWN: [u64; 2] = [1_500, 500];

/// Number of cases that a task runs, the smallest ones, for each element type.
const CASES: usize = 2;

/// Collects every kernel of the project.
pub fn all() -> Vec<Sample> {
    let mut all = Vec::new();
    let of_folder = |group: &'static str, folder: &str| {
        let found = files::kernels(&repository(folder)).into_iter();
        found.map(move |(path, text)| Sample::of(format!("{group}/{}", files::stem(&path)), text))
    };
    all.extend(of_folder("example", "examples"));
    all.extend(
        book::kernels()
            .into_iter()
            .map(|(name, text)| Sample::of(name, text)),
    );
    for task in BENCHES.iter().flat_map(|(bench, ..)| tasks(bench)) {
        let sample = Sample::of(
            format!("task/{}/{}", task.bench, task.stem),
            task.answer().to_string(),
        );
        all.push(Sample {
            runs: Runs::Task(Box::new(task)),
            ..sample
        });
    }
    for case in cases() {
        let given = case.runs.clone().unwrap_or_default();
        let wrong_given = case.fails.clone().unwrap_or_else(|| given.clone());
        for (which, text, given) in [
            ("right", &case.right, given),
            ("wrong", &case.wrong, wrong_given),
        ] {
            let sample = Sample::of(
                format!("bug/{}/{}/{which}", case.family, case.name),
                text.clone(),
            );
            all.push(Sample {
                runs: Runs::Bug(given),
                ..sample
            });
        }
    }
    for Broken { name, text, chip } in broken() {
        let chips = chip.map_or_else(every_chip, |chip| vec![chip]);
        all.push(Sample {
            chips,
            ..Sample::of(format!("broken/{name}"), text)
        });
    }
    all.extend(of_folder("emitter", "codegen/tests/kernels"));
    for (group, count, build) in [
        ("drawn", DRAWN[0], tile::build as fn(&_) -> _),
        ("nest", DRAWN[1], tile::nests::build),
    ] {
        for seed in 0..count {
            let case = build(&tile::plan_of(seed)).case;
            let sample = Sample::of(format!("{group}/{seed:04}"), case.text.clone());
            all.push(Sample {
                runs: Runs::Drawn(Box::new(case)),
                ..sample
            });
        }
    }
    all
}

fn every_chip() -> Vec<&'static Chip> {
    Chip::all().iter().collect()
}

impl Sample {
    fn of(name: String, text: String) -> Self {
        Sample {
            name,
            text,
            chips: every_chip(),
            runs: Runs::Derived,
        }
    }

    /// Passes the hashed text of each facet to `say`, piece by piece.
    pub fn say(&self, say: &mut dyn FnMut(Facet, &[u8])) {
        for chip in &self.chips {
            let file = check_text("kernel.rs", &self.text, Some(chip));
            Facet::ALL
                .into_iter()
                .for_each(|facet| say(facet, format!("-- {}", chip.name).as_bytes()));
            say(Facet::Findings, file.json().as_bytes());
            checked(&file).for_each(|kernel| emitted(kernel, &mut |text| say(Facet::Text, text)));
            self.outputs(&file, &mut |text| say(Facet::Outputs, text));
        }
    }

    fn outputs(&self, file: &KernelFile, say: &mut dyn FnMut(&[u8])) {
        match &self.runs {
            Runs::Derived => {
                for Launched { what, ended } in checked(file).flat_map(launches) {
                    say(what.as_bytes());
                    said(&ended, say);
                }
            }
            Runs::Bug(given) => {
                if file
                    .kernels()
                    .first()
                    .is_some_and(|k| !k.checked.is_empty())
                {
                    let ended =
                        run::run(file, given, run::Reader::Simulator).map_err(|stop| stop.text);
                    said(&ended, say);
                }
            }
            Runs::Drawn(case) => {
                for kernel in checked(file) {
                    let ended = agree::simulated(case, kernel, Overflow::InfNan);
                    said(
                        &ended.map(|all| {
                            case.tensors
                                .iter()
                                .map(|t| t.name.clone())
                                .zip(all)
                                .collect()
                        }),
                        say,
                    );
                }
            }
            Runs::Task(task) => {
                for kernel in checked(file).take(1) {
                    let mut cases: Vec<_> = task.cases.iter().collect();
                    cases.sort_by_key(|case| elements(task, case));
                    cases.truncate(CASES);
                    for (case, element) in
                        runs(task).filter(|(case, _)| cases.iter().any(|c| std::ptr::eq(*c, *case)))
                    {
                        let run = Run::new(task, case, &element, 0);
                        say(run.name.as_bytes());
                        let ended = run
                            .launch(kernel, None, Poison::High)
                            .map_err(|halt| halt.why);
                        let after = ended.map(|after| {
                            run.tensors(&after)
                                .filter(|(_, is, ..)| is.written())
                                .map(|(name, _, _, a)| (name, a.clone()))
                                .collect()
                        });
                        said(&after, say);
                    }
                }
            }
        }
    }
}

fn checked(file: &KernelFile) -> impl Iterator<Item = &CheckedKernel> {
    file.kernels().iter().flat_map(|k| &k.checked)
}

fn emitted(kernel: &CheckedKernel, say: &mut dyn FnMut(&[u8])) {
    for kind in ProjectKind::ALL {
        let options = EmitOptions {
            kind,
            source_name: Some("kernel.rs".into()),
            ..EmitOptions::default()
        };
        for file in emit(kernel, &options).files {
            say(format!("-- {} {}", kind.name(), file.path).as_bytes());
            say(file.text.as_bytes());
        }
    }
}

/// Passes the end of a run to `say`: its arrays, or its message. All nans are one, since processors
/// choose their payloads.
fn said(ended: &Result<Vec<(String, Array)>, String>, say: &mut dyn FnMut(&[u8])) {
    match ended {
        Err(why) => say(why.as_bytes()),
        Ok(arrays) => {
            for (name, array) in arrays {
                let bits = |v: f64| {
                    if v.is_nan() {
                        f64::NAN.to_bits()
                    } else {
                        v.to_bits()
                    }
                };
                let numbers: Vec<String> = match array {
                    Array::I64(a) => a.iter().map(i64::to_string).collect(),
                    _ => array
                        .to_f64()
                        .into_iter()
                        .map(|v| format!("{:x}", bits(v)))
                        .collect(),
                };
                say(format!(
                    "{name}: {} {:?}: {}",
                    array.dtype(),
                    array.shape(),
                    numbers.join(" ")
                )
                .as_bytes());
            }
        }
    }
}
