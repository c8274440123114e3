//! The stages of one candidate. Each stage runs only if the stage before it passed.
//!
//! | stage | passed if |
//! |---|---|
//! | `parse` | the text is Rust in the forms of the language |
//! | `check` | it has the task's kernel, and the checker has no errors |
//! | `emit` | the AscendC is written |
//! | `compile` | it compiles for the CPU; skipped where C++ is not asked for |
//! | `right` | simulator, tile interpreter and, where asked for, C++ agree with the reference in every case |
//! | `cost` | the launch is predicted, and not faster than the memory can write its outputs |
//!
//! A text is never trusted. A panic of the front end or the checker fails its stage, not the
//! caller. A text may also take all memory or never end. For that, [`super::pool`] judges in child
//! processes.

use super::class::Class;
use super::cost::predicted;
use super::hidden;
use super::prompt::shortened;
use crate::tasks::corpus::{Case, Task};
use crate::tasks::judge::Reference;
use crate::tasks::reference::Due;
use crate::tasks::run::{element_types, elements, exact, After, Halt, Poison, Run};
use jumar::codegen::{emit, EmitOptions};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::cost::replay::least;
use jumar::dsl::diag::{Code, Diagnostic};
use jumar::dsl::soc::Chip;
use jumar::held::Held;
use jumar::load::{check_text, KernelFile};
use jumar::Report;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::OnceLock;
use std::time::Instant;

/// A stage of the judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The text is parsed.
    Parse,
    /// The checker reads the kernel.
    Check,
    /// The AscendC is written.
    Emit,
    /// The AscendC is compiled for the CPU.
    Compile,
    /// The readers run the kernel.
    Right,
    /// The estimator predicts the cost.
    Cost,
}

impl Stage {
    /// Every stage in order.
    pub const ALL: [Stage; 6] = [
        Stage::Parse,
        Stage::Check,
        Stage::Emit,
        Stage::Compile,
        Stage::Right,
        Stage::Cost,
    ];

    /// The name in records and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Parse => "parse",
            Stage::Check => "check",
            Stage::Emit => "emit",
            Stage::Compile => "compile",
            Stage::Right => "right",
            Stage::Cost => "cost",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Elements of all tensors that make a case significant. With fewer, a wrong result may be right by
/// chance.
pub const TELLING: usize = 64;

/// Bytes of findings that a record keeps.
const MOST_SAID: usize = 16_384;

/// The cases that a candidate runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cases {
    /// Every case of the task.
    All,
    /// The smallest case of at least [`TELLING`] elements, with each element type.
    Small,
}

/// How candidates of a task are judged.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The chip; `None` for the one that the kernel declares.
    pub chip: Option<&'static Chip>,
    /// The seed of the numbers of every case; 0 gives those of the tests.
    pub seed: u64,
    /// The cases of the header to run.
    pub cases: Cases,
    /// The number of further cases, of sizes that no header names.
    pub shapes: u32,
    /// True if findings contain suggested fixes.
    pub fixes: bool,
}

/// The failure of a candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The stage that it did not pass.
    pub stage: Stage,
    /// The kind of mistake.
    pub class: Class,
    /// Distinct codes of the errors, in the order of the text.
    pub codes: Vec<String>,
    /// The run that failed, if it ran.
    pub case: Option<String>,
    /// The findings, for people and for the next attempt of a model.
    pub why: String,
}

/// The predicted cost of a launch of the largest case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Predicted cycles, with those of the launch itself.
    pub cycles: f64,
    /// Cycles of the launch itself, and to move each input and each output once.
    pub bound: f64,
    /// True if ranges that only a core knows were taken to be as long as they may be.
    pub at_most: bool,
}

/// The judgement of a candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The stages that it passed, in order.
    pub passed: Vec<Stage>,
    /// The failure, or `None` if it passed all stages.
    pub failure: Option<Failure>,
    /// Microseconds of each stage that was begun. Parsing includes checking, so `parse` has the
    /// time of both.
    pub micros: BTreeMap<Stage, u64>,
    /// The largest error as a fraction of the tolerance, over the cases that ran.
    pub worst: Option<f64>,
    /// The cost of a right candidate. `None` if the kernel's control flow depends on data, which
    /// has no prediction.
    pub cost: Option<Cost>,
}

impl Judged {
    /// A judgement without any passed stage.
    pub fn begun() -> Self {
        Judged {
            passed: Vec::new(),
            failure: None,
            micros: BTreeMap::new(),
            worst: None,
            cost: None,
        }
    }

    /// The judgement of a candidate that failed before it was read.
    pub fn unread(class: Class, why: String) -> Self {
        let failure = Failure {
            stage: Stage::Parse,
            class,
            codes: Vec::new(),
            case: None,
            why,
        };
        Judged {
            failure: Some(failure),
            ..Judged::begun()
        }
    }
}

/// A case with an element type, computed when a candidate first needs it.
pub(super) struct Lazy<'t> {
    case: Cow<'t, Case>,
    pub(super) element: String,
    made: OnceLock<Made<'t>>,
}

/// A case with its inputs and expected outputs.
#[derive(Debug)]
pub(super) struct Made<'t> {
    pub(super) run: Run<'t>,
    pub(super) due: Vec<Due>,
    /// A hash of the inputs.
    hash: u64,
}

impl Made<'_> {
    fn simulated(&self, kernel: &CheckedKernel, poison: Poison) -> Result<After, Failure> {
        self.run
            .launch(kernel, None, poison)
            .map_err(|halt| halted(Stage::Right, &self.run.name, halt))
    }

    /// Compares a second run of the simulator, the interpreter and C++ with a first run of the
    /// simulator.
    fn read_again(
        &self,
        kernel: &CheckedKernel,
        exact: Option<&CheckedKernel>,
        cpp: Option<&Held>,
        first: &After,
    ) -> Result<(), Failure> {
        let run = &self.run;
        let second = self.simulated(kernel, Poison::Low)?;
        run.steady(first, &second)
            .map_err(|why| wrong(Class::Unsteady, run, why))?;
        let orders = run
            .interpreted(kernel, exact, first)
            .map_err(|halt| readers(&run.name, halt))?;
        if let Some(cpp) = cpp {
            run.emitted(kernel, cpp, first, &orders)
                .map_err(|halt| readers(&run.name, halt))?;
        }
        if run.hash() != self.hash {
            return Err(wrong(
                Class::Readers,
                run,
                "a run has changed its inputs".into(),
            ));
        }
        Ok(())
    }
}

/// A judge of candidates of one task. Inputs and expected outputs of its cases are computed once.
pub struct Judge<'t> {
    pub(super) task: &'t Task,
    reference: Reference,
    pub(super) settings: Settings,
    pub(super) runs: Vec<Lazy<'t>>,
}

/// The judgement of one candidate in progress.
pub(super) struct Course<'a> {
    pub(super) begun: &'a mut dyn FnMut(Stage),
    pub(super) judged: Judged,
    pub(super) since: Instant,
}

impl Course<'_> {
    /// Runs a stage. A panic fails the stage.
    pub(super) fn stage<T>(
        &mut self,
        stage: Stage,
        f: impl FnOnce(&mut Judged) -> Result<T, Failure>,
    ) -> Option<T> {
        (self.begun)(stage);
        self.since = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| f(&mut self.judged)))
            .unwrap_or_else(|panic| Err(panicked(stage, &*panic)));
        let micros = u64::try_from(self.since.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.judged.micros.insert(stage, micros);
        match done.map_err(|failure| Failure {
            why: shortened(&failure.why, MOST_SAID).to_string(),
            ..failure
        }) {
            Ok(value) => {
                self.judged.passed.push(stage);
                Some(value)
            }
            Err(failure) => {
                self.judged.failure = Some(failure);
                None
            }
        }
    }
}

impl<'t> Judge<'t> {
    /// Makes a judge for candidates of a task.
    pub fn new(task: &'t Task, reference: Reference, settings: Settings) -> Self {
        let known: Vec<&Case> = match settings.cases {
            Cases::All => task.cases.iter().collect(),
            Cases::Small => vec![telling(task)],
        };
        let hidden = hidden::cases(task, reference, settings.seed, settings.shapes);
        let mut all: Vec<Cow<'t, Case>> = known
            .into_iter()
            .map(Cow::Borrowed)
            .chain(hidden.into_iter().map(Cow::Owned))
            .collect();
        all.sort_by_key(|case| elements(task, case));
        let with = |case: Cow<'t, Case>| {
            element_types(task).into_iter().map(move |element| Lazy {
                case: case.clone(),
                element,
                made: OnceLock::new(),
            })
        };
        Judge {
            task,
            reference,
            settings,
            runs: all.into_iter().flat_map(with).collect(),
        }
    }

    pub(super) fn made<'a>(&'a self, lazy: &'a Lazy<'t>) -> &'a Made<'t> {
        lazy.made
            .get_or_init(|| self.make(&lazy.case, &lazy.element))
    }

    /// Computes the inputs and expected outputs of a case with element types.
    pub(super) fn make(&self, case: &Case, element: &str) -> Made<'t> {
        let run = Run::new(self.task, case, element, self.settings.seed);
        let (due, hash) = (run.due(self.reference), run.hash());
        Made { run, due, hash }
    }

    /// Returns an estimate of the bytes of the cases that are held.
    pub fn held(&self) -> usize {
        // An element is held three times: as itself, as the input of the reference, and as its
        // output.
        self.runs
            .iter()
            .filter_map(|lazy| lazy.made.get())
            .map(|made| made.run.bytes() * 8)
            .sum()
    }

    /// Judges a text; `begun` is called before each stage.
    pub fn judge(&self, text: &str, cpp: bool, begun: &mut dyn FnMut(Stage)) -> Judged {
        let mut course = Course {
            begun,
            judged: Judged::begun(),
            since: Instant::now(),
        };
        self.follow(text, cpp, &mut course);
        course.judged
    }

    /// Runs the stages up to the first failure.
    fn follow(&self, text: &str, cpp: bool, course: &mut Course<'_>) -> Option<()> {
        let file = course.stage(Stage::Parse, |_| {
            let file = check_text(&format!("{}.rs", self.task.stem), text, self.settings.chip);
            refused(&file, Stage::Parse, self.settings.fixes).map_or(Ok(file), Err)
        })?;
        let kernel = course.stage(Stage::Check, |_| self.checked(&file))?;
        course.stage(Stage::Emit, |_| {
            emit(kernel, &EmitOptions::default());
            Ok(())
        })?;
        let cpp = cpp.then(Held::default);
        if let Some(cpp) = &cpp {
            course.stage(Stage::Compile, |_| {
                cpp.compile(kernel)
                    .map_err(|e| halted(Stage::Compile, "", e.into()))
            })?;
        }
        let report = course.stage(Stage::Right, |judged| {
            self.right(kernel, cpp.as_ref(), &mut judged.worst)
        })?;
        course.stage(Stage::Cost, |judged| {
            judged.cost = self.cost(kernel, report)?;
            Ok(())
        })
    }

    fn checked<'f>(&self, file: &'f KernelFile) -> Result<&'f CheckedKernel, Failure> {
        if let Some(failure) = refused(file, Stage::Check, self.settings.fixes) {
            return Err(failure);
        }
        let own: Vec<_> = file
            .kernels()
            .iter()
            .filter(|kernel| kernel.name == self.task.stem)
            .collect();
        match own.as_slice() {
            [kernel] if !kernel.checked.is_empty() => Ok(&kernel.checked[0]),
            [] | [_] => Err(self.no_kernel("there is no")),
            _ => Err(self.no_kernel("there is more than one")),
        }
    }

    fn no_kernel(&self, what: &str) -> Failure {
        let why = format!("{what} kernel `{}`", self.task.stem);
        Failure {
            stage: Stage::Check,
            class: Class::NoKernel,
            codes: Vec::new(),
            case: None,
            why,
        }
    }

    /// Runs every case on every reader, and returns the report of the last run. The simulator runs
    /// all cases first, because it finds most mistakes soonest.
    fn right(
        &self,
        kernel: &CheckedKernel,
        cpp: Option<&Held>,
        worst: &mut Option<f64>,
    ) -> Result<Option<Report>, Failure> {
        let mut found = Vec::with_capacity(self.runs.len());
        for made in self.runs.iter().map(|lazy| self.made(lazy)) {
            let first = made.simulated(kernel, Poison::High)?;
            let part = made
                .run
                .against(&made.due, &first)
                .map_err(|why| wrong(Class::Value, &made.run, why))?;
            *worst = Some(worst.map_or(part, |worst| worst.max(part)));
            found.push((made, first));
        }
        let exact = exact(kernel).map_err(|halt| readers("", halt))?;
        for (made, first) in &found {
            made.read_again(kernel, exact.as_ref(), cpp, first)?;
        }
        Ok(found.pop().and_then(|(_, last)| last.report))
    }

    /// Predicts the cost of the largest case.
    fn cost(
        &self,
        kernel: &CheckedKernel,
        report: Option<Report>,
    ) -> Result<Option<Cost>, Failure> {
        let chip = kernel.chip();
        let (Some(last), Some(report)) = (self.runs.last(), report) else {
            return Ok(None);
        };
        let run = &self.made(last).run;
        let Some(cost) = predicted(kernel, run, &report) else {
            return Ok(None);
        };
        let Some(least) = least(chip, 0, run.bytes_written()) else {
            return Ok(None);
        };
        let least = least * chip.clock_mhz as f64;
        if cost.cycles < least {
            let why = format!(
                "{:.0} cycles, and writing the outputs takes {least:.0}",
                cost.cycles
            );
            return Err(Failure {
                stage: Stage::Cost,
                ..wrong(Class::Impossible, run, why)
            });
        }
        Ok(Some(cost))
    }
}

/// Returns the smallest significant case of a task, or else the largest one.
///
/// # Panics
/// If the task has no case.
pub fn telling(task: &Task) -> &Case {
    let mut known: Vec<&Case> = task.cases.iter().collect();
    known.sort_by_key(|case| elements(task, case));
    let found = known
        .iter()
        .find(|case| elements(task, case) >= TELLING)
        .or(known.last());
    found.unwrap_or_else(|| panic!("{} has no case", task.stem))
}

/// Makes the failure of a text that front end or checker refuse. The stage `parse` only takes
/// errors of syntax.
pub fn refused(file: &KernelFile, stage: Stage, fixes: bool) -> Option<Failure> {
    let errors = file
        .kernels()
        .iter()
        .flat_map(|kernel| &kernel.diagnostics)
        .filter(|d| d.is_error());
    let mut codes: Vec<Code> = Vec::new();
    errors
        .map(|d| d.code)
        .for_each(|code| codes.extend((!codes.contains(&code)).then_some(code)));
    if codes.is_empty() && file.has_errors() {
        // A text without kernels has a single finding: it is not Rust.
        codes.push(Code::J0100);
    }
    let of_stage = |class: Class| stage == Stage::Check || class == Class::Syntax;
    let class = codes
        .iter()
        .map(|code| Class::of(*code))
        .find(|class| of_stage(*class))?;
    let codes = codes.iter().map(|code| code.as_str().to_string()).collect();
    Some(Failure {
        stage,
        class,
        codes,
        case: None,
        why: if fixes {
            file.render(false)
        } else {
            without_fixes(file)
        },
    })
}

/// Renders the findings without suggested fixes.
fn without_fixes(file: &KernelFile) -> String {
    if file.kernels().is_empty() {
        return file.render(false);
    }
    let all = file
        .kernels()
        .iter()
        .flat_map(|kernel| kernel.diagnostics.iter().map(move |d| (d, &kernel.spans)));
    let rendered = all.map(|(d, spans)| {
        let bare = Diagnostic {
            fix: None,
            ..d.clone()
        };
        format!("{}\n\n", file.render_at(&bare, spans, false))
    });
    rendered.collect()
}

/// Makes the failure of a refused launch, or of a run that stops.
fn halted(stage: Stage, case: &str, halt: Halt) -> Failure {
    Failure {
        stage,
        class: halt.code.map_or(Class::Signature, Class::of),
        codes: halt
            .code
            .iter()
            .map(|code| code.as_str().to_string())
            .collect(),
        case: Some(case.to_string()).filter(|case| !case.is_empty()),
        why: halt.why,
    }
}

/// Makes the failure of a reader other than the simulator. Only promises and orders are checked
/// more closely there; the simulator should have found all else.
fn readers(case: &str, halt: Halt) -> Failure {
    let failure = halted(Stage::Right, case, halt);
    let is_found_here = !failure.codes.is_empty()
        && matches!(failure.class, Class::Promise | Class::Order | Class::Sync);
    Failure {
        class: if is_found_here {
            failure.class
        } else {
            Class::Readers
        },
        ..failure
    }
}

fn wrong(class: Class, run: &Run<'_>, why: String) -> Failure {
    Failure {
        stage: Stage::Right,
        class,
        codes: Vec::new(),
        case: Some(run.name.clone()),
        why,
    }
}

fn panicked(stage: Stage, panic: &(dyn std::any::Any + Send)) -> Failure {
    let said = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    let why = format!("jumar panics: {}", said.unwrap_or("without a word"));
    Failure {
        stage,
        class: Class::Readers,
        codes: Vec::new(),
        case: None,
        why,
    }
}
