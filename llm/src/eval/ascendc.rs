//! Judges candidates in AscendC: a kernel function is compiled for the CPU and compared with the
//! same references.
//!
//! | stage | passed if |
//! |---|---|
//! | `parse` | the text has one kernel function of the task's name with the task's parameters, and includes only AscendC |
//! | `compile` | it compiles for the CPU, with the element types of each case |
//! | `right` | its results equal the reference's in every case, and a second run with other bits in its outputs gives the same |
//! | `cost` | always: the estimator reads only kernels of the language |
//!
//! Unlike a kernel of the language, such a text is a program: it runs on this machine, confined
//! only by the limits of [`super::pool`].

use super::class::Class;
use super::stages::{Course, Failure, Judge, Judged, Made, Stage};
use crate::tasks::corpus::Task;
use crate::tasks::handwritten::{prelude, Called};
use crate::tasks::run::{element_types, After, Halt, Poison};
use jumar::dsl::diag::Code;
use jumar::dsl::soc::Chip;
use jumar::runtime::ascendc::{
    blanked, scan, KernelFunction, LaunchOptions, Program, Source, Unit,
};
use jumar::runtime::RunError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The language of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// A kernel of jumar.
    #[default]
    Jumar,
    /// An AscendC kernel function.
    Ascendc,
}

impl Language {
    /// The name in records and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Language::Jumar => "jumar",
            Language::Ascendc => "ascendc",
        }
    }

    /// True if candidates in this language go through a stage. AscendC is neither checked nor
    /// emitted.
    pub fn has(self, stage: Stage) -> bool {
        self == Language::Jumar || !matches!(stage, Stage::Check | Stage::Emit)
    }
}

/// The case and element types that a candidate is written for; empty for all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct For {
    /// The index of a case in the task's header, from 0 on.
    pub case: Option<usize>,
    /// One of the task's element types.
    pub element: Option<String>,
}

impl For {
    /// Explains why the task has no such case.
    pub fn missing(&self, task: &Task) -> Option<String> {
        if let Some(case) = self.case.filter(|case| *case >= task.cases.len()) {
            return Some(format!(
                "there is no case {case} of {}, which has {}",
                task.stem,
                task.cases.len()
            ));
        }
        let all = element_types(task);
        let element = self
            .element
            .as_ref()
            .filter(|element| !all.contains(element))?;
        Some(format!(
            "there are no element types `{element}` of {}, which has {}",
            task.stem,
            all.join(", ")
        ))
    }
}

/// The limit of a launch. The process of the candidate has its own limit.
const LAUNCH: Duration = Duration::from_secs(30);

/// Headers that a kernel may include.
const HEADERS: [&str; 8] = [
    "kernel_operator.h",
    "kernel_operator_list_tensor_intf.h",
    "kernel_tensor.h",
    "kernel_utils.h",
    "lib/math/kernel_operator_intf.h",
    "cstdint",
    "cstddef",
    "type_traits",
];

/// Words of host programs, which no kernel needs. The list guards against accidents, not against
/// attacks.
const OF_A_HOST: [&str; 22] = [
    "asm", "__asm", "__asm__", "syscall", "system", "popen", "fork", "vfork", "execve", "execl",
    "execvp", "dlopen", "dlsym", "fopen", "freopen", "ifstream", "ofstream", "fstream", "getenv",
    "setenv", "mmap", "ptrace",
];

/// Messages of g++ and clang++ for each class of mistake. The first row with a phrase of the first
/// error decides.
const SAID: &[(Class, &[&str])] = &[
    (
        Class::Name,
        &[
            "declared nowhere",
            "was not declared",
            "has not been declared",
            "undeclared identifier",
            "has no member",
            "no member named",
            "is not a member of",
            "does not name a type",
            "unknown type name",
            "is not a class, namespace",
            "undefined reference",
            "no template named",
            "is not a template",
            "No such file",
            "file not found",
            "incomplete type",
        ],
    ),
    (
        Class::Arguments,
        &[
            "no matching function",
            "no matching member function",
            "no matching constructor",
            "too many arguments",
            "too few arguments",
            "no match for call",
            "wrong number of template arguments",
            "template argument",
            "is ambiguous",
            "cannot be used as a function",
        ],
    ),
    (
        Class::Type,
        &[
            "cannot convert",
            "could not convert",
            "invalid conversion",
            "no viable conversion",
            "no match for ‘operator",
            "no match for 'operator",
            "invalid operands",
            "invalid cast",
            "invalid static_cast",
            "invalid initialization",
            "narrowing conversion",
            "use of deleted function",
            "static assertion failed",
            "static_assert failed",
            "incompatible",
            "discards qualifiers",
            "cannot bind",
            "is not convertible",
        ],
    ),
    (
        Class::Role,
        &[
            "read-only",
            "assignment of",
            "not assignable",
            "const-qualified",
        ],
    ),
    (
        Class::Signature,
        &[
            "redefinition",
            "redeclar",
            "conflicting declaration",
            "multiple definition",
            "previous declaration",
        ],
    ),
    (
        Class::Syntax,
        &[
            "expected",
            "stray",
            "missing terminating",
            "unterminated",
            "extraneous",
            "unexpected",
            "invalid preprocessing",
            "unbalanced",
        ],
    ),
];

/// Returns the class of a C++ compiler error.
pub fn class_of_compile(said: &str) -> Class {
    let first = said
        .lines()
        .find(|line| line.contains("error:"))
        .unwrap_or(said);
    let row = SAID
        .iter()
        .find(|(_, words)| words.iter().any(|word| first.contains(word)));
    row.map_or(Class::Compile, |(class, _)| *class)
}

/// Finds the kernel function of a task in a text.
fn parsed<'t>(task: &'t Task, text: &str) -> Result<(KernelFunction, Called<'t>), Failure> {
    let fails = |class, why: String| Failure {
        stage: Stage::Parse,
        class,
        codes: Vec::new(),
        case: None,
        why,
    };
    if let Some(why) = of_a_host(text) {
        return Err(fails(Class::Name, why));
    }
    let names = [
        task.stem.clone(),
        jumar::dsl::names::snake_of_pascal(&task.name),
        format!("{}_custom", task.stem),
    ];
    let own: Vec<KernelFunction> = scan(text)
        .into_iter()
        .filter(|function| names.contains(&function.name))
        .collect();
    match <[KernelFunction; 1]>::try_from(own) {
        Ok([function]) => match Called::new(task, &function) {
            Ok(called) => Ok((function, called)),
            Err(why) => Err(fails(Class::Signature, why)),
        },
        Err(none) if none.is_empty() => {
            let meant = format!(
                "`extern \"C\" __global__ __aicore__ void {}(GM_ADDR ..)`",
                names[0]
            );
            Err(fails(
                Class::NoKernel,
                format!("there is no kernel function of the task: it is {meant}"),
            ))
        }
        Err(several) => Err(fails(
            Class::NoKernel,
            format!("there are {} kernel functions of the task", several.len()),
        )),
    }
}

/// Returns what in a text belongs to a host program, if anything.
fn of_a_host(text: &str) -> Option<String> {
    // A line continuation joins two lines before the compiler reads them.
    let text = text.replace("\\\r\n", "").replace("\\\n", "");
    let code = blanked(&text);
    if code.contains("%:") {
        return Some("`%:` is another spelling of `#`: write that".to_string());
    }
    let words: Vec<&str> = code
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect();
    if let Some(word) = OF_A_HOST.iter().find(|word| words.contains(word)) {
        return Some(format!("`{word}` belongs to programs of a host"));
    }
    // `blanked` removes the names of files, so they are taken from the text.
    let lines = code.lines().zip(text.lines());
    let directives = lines.filter(|(code, _)| {
        code.trim_start()
            .strip_prefix('#')
            .is_some_and(|d| d.trim_start().starts_with("include"))
    });
    let mut names =
        directives.map(|(_, line)| line.split(['"', '<', '>']).nth(1).unwrap_or(line.trim()));
    let other = names.find(|name| !HEADERS.contains(name))?;
    Some(format!(
        "`{other}` is included; a kernel includes {}",
        HEADERS.join(", ")
    ))
}

impl Judge<'_> {
    /// Judges a text of AscendC; `begun` is called before each stage.
    pub fn judge_ascendc(&self, text: &str, of: &For, begun: &mut dyn FnMut(Stage)) -> Judged {
        let mut course = Course {
            begun,
            judged: Judged::begun(),
            since: Instant::now(),
        };
        self.follow_ascendc(text, of, &mut course);
        course.judged
    }

    fn follow_ascendc(&self, text: &str, of: &For, course: &mut Course<'_>) -> Option<()> {
        let (function, called) = course.stage(Stage::Parse, |_| parsed(self.task, text))?;
        let own = self.of_case(of);
        let listed = || {
            self.runs.iter().filter(|lazy| {
                of.element
                    .as_ref()
                    .is_none_or(|element| lazy.element == *element)
            })
        };
        let made: Vec<&Made<'_>> = match of.case {
            Some(_) => own.iter().collect(),
            None => listed().map(|lazy| self.made(lazy)).collect(),
        };
        let programs = course.stage(Stage::Compile, |_| self.compiled(text, &function, &made))?;
        let runs = made.iter().copied().zip(programs);
        course.stage(Stage::Right, |judged| {
            self.right_ascendc(runs, &called, &mut judged.worst)
        })?;
        course.stage(Stage::Cost, |_| Ok(()))
    }

    /// Makes the runs of the case that a candidate is written for.
    fn of_case(&self, of: &For) -> Vec<Made<'_>> {
        let case = of.case.and_then(|case| self.task.cases.get(case));
        let elements = element_types(self.task)
            .into_iter()
            .filter(|own| of.element.as_ref().is_none_or(|element| element == own));
        case.into_iter()
            .flat_map(|case| {
                elements
                    .clone()
                    .map(move |element| self.make(case, &element))
            })
            .collect()
    }

    fn chip(&self) -> &'static Chip {
        self.settings.chip.unwrap_or_else(Chip::default_chip)
    }

    /// Compiles a program for each set of type macros, or a single one if the text uses none.
    fn compiled(
        &self,
        text: &str,
        function: &KernelFunction,
        made: &[&Made<'_>],
    ) -> Result<Vec<Program>, Failure> {
        let of = |made: &&Made<'_>| {
            if text.contains("DTYPE_") {
                prelude(&made.run)
            } else {
                String::new()
            }
        };
        let mut programs: BTreeMap<String, Program> = BTreeMap::new();
        let mut all = Vec::with_capacity(made.len());
        for prelude in made.iter().map(of) {
            let program = match programs.get(&prelude) {
                Some(program) => program.clone(),
                None => {
                    let source =
                        Source::Texts(vec![(format!("{}.cpp", self.task.stem), text.to_string())]);
                    let unit = Unit {
                        prelude: prelude.clone(),
                        ..Unit::kernel(source, &function.name, self.chip().arch)
                    };
                    let program = unit.compile().map_err(refused)?;
                    programs.insert(prelude, program.clone());
                    program
                }
            };
            all.push(program);
        }
        Ok(all)
    }

    /// Runs every case twice, with different bits in the outputs.
    fn right_ascendc<'r>(
        &self,
        runs: impl Iterator<Item = (&'r Made<'r>, Program)>,
        called: &Called<'_>,
        worst: &mut Option<f64>,
    ) -> Result<(), Failure> {
        let cores = u32::try_from(self.chip().vector_cores).expect("a chip has few cores");
        let options = LaunchOptions {
            block_dim: cores,
            limit: LAUNCH,
            ..LaunchOptions::new(self.chip())
        };
        for (made, program) in runs {
            let launched = |poison| -> Result<After, Failure> {
                made.run
                    .handwritten(&program, called, &options, poison)
                    .map_err(|halt| stopped(&made.run.name, halt))
            };
            let first = launched(Poison::High)?;
            let part = made
                .run
                .against(&made.due, &first)
                .map_err(|why| wrong(Class::Value, made, why))?;
            *worst = Some(worst.map_or(part, |worst| worst.max(part)));
            let second = launched(Poison::Low)?;
            made.run
                .steady(&first, &second)
                .map_err(|why| wrong(Class::Unsteady, made, why))?;
        }
        Ok(())
    }
}

/// Makes the failure of a text that does not compile.
fn refused(e: RunError) -> Failure {
    let code = e.code();
    let class = if code == Code::J0806 {
        class_of_compile(e.message())
    } else {
        Class::of(code)
    };
    let why = if code == Code::J0806 {
        e.message().to_string()
    } else {
        e.to_string()
    };
    Failure {
        stage: Stage::Compile,
        class,
        codes: vec![code.as_str().to_string()],
        case: None,
        why,
    }
}

/// Makes the failure of a run that stops. A run that was ended has exceeded its time.
fn stopped(case: &str, halt: Halt) -> Failure {
    let class = match halt.code {
        Some(Code::J0811) if halt.why.contains("does not end") => Class::Limit,
        Some(code) => Class::of(code),
        None => Class::Signature,
    };
    let codes = halt
        .code
        .iter()
        .map(|code| code.as_str().to_string())
        .collect();
    Failure {
        stage: Stage::Right,
        class,
        codes,
        case: Some(case.to_string()),
        why: halt.why,
    }
}

fn wrong(class: Class, made: &Made<'_>, why: String) -> Failure {
    Failure {
        stage: Stage::Right,
        class,
        codes: Vec::new(),
        case: Some(made.run.name.clone()),
        why,
    }
}
