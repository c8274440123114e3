//! The host side of an operator project: asks its registered functions what they decide for a
//! launch, as the framework would.

use super::compile::Program;
use super::launch::{complaint, facts, pass_on, scratch, tile, trouble, watch, Argument, Tile};
use crate::error::CppFault;
use crate::RunError;
use jumar_dsl::diag::Code;
use jumar_dsl::soc::Chip;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, io};

/// The argument of a kernel's parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Param {
    /// The tensor, or those of a list. Empty for an optional input that is left out.
    Tensors(Vec<Tensor>),
    /// An output whose element type and shape the operator infers.
    Inferred,
}

/// A tensor as host code sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Element type: `f32`, `bf16`, `i64`, ..
    pub element: String,
    /// Axes, outermost first.
    pub shape: Vec<usize>,
    /// Its elements as bytes, where [`Definition::reads`] says that host functions read them.
    pub elements: Option<Vec<u8>>,
}

/// The definition of an operator (`OpDef`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// Type of the operator: `AddCustom`.
    pub operator: String,
    /// Names of inputs, then of outputs: one for each tensor or list of the kernel, which may use
    /// another name.
    pub params: Vec<String>,
    /// Inputs whose elements host functions read (ValueDepend, InputsDataDependency,
    /// TilingInputsDataDependency), by index.
    pub reads: Vec<usize>,
    /// The number of inputs among the parameters.
    pub inputs: usize,
    /// Option and element types of each parameter.
    pub takes: Vec<Takes>,
    pub attrs: Vec<Attr>,
}

/// The part of a definition about one parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Takes {
    /// `required`, `optional` or `dynamic`: a list of tensors.
    pub option: String,
    /// Element types, one for each combination that the operator lists; `?` for those that no
    /// launch on this machine has.
    pub types: Vec<String>,
}

/// An attribute of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attr {
    pub name: String,
    /// True if it has no default.
    pub is_required: bool,
    /// `bool`, `int`, `float`, `string`, `ints` or `floats`.
    pub kind: String,
}

/// A launch of an operator.
#[derive(Clone, Debug)]
pub struct Request {
    /// The kernel function; in a host file with several operators it selects the operator of its
    /// name.
    pub kernel: String,
    /// The chip that the host code sees.
    pub chip: &'static Chip,
    /// Inputs and outputs by the names of the kernel's parameters, in their order.
    pub params: Vec<(String, Param)>,
    /// Attributes by name; those that are left out have their default.
    pub attrs: Vec<(String, String)>,
}

/// The decisions of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The result of the tiling function.
    pub tile: Tile,
    /// C++ that the toolkit's build would give to the kernel: macros of the element types, the
    /// structure of the tiling data.
    pub prelude: String,
    /// Name, element type and shape of each output that was inferred.
    pub outputs: Vec<(String, String, Vec<usize>)>,
    /// Messages about outputs whose shape differs from the inferred one, and errors that a function
    /// logs though it succeeds.
    pub notes: Vec<String>,
    /// Outputs that update the input of the same name in place, as indices of both among the
    /// parameters.
    pub in_place: Vec<(usize, usize)>,
    /// The number of outputs whose shape the kernel writes (OutputShapeDependOnCompute).
    pub computed_shapes: u64,
}

/// Bytes of a shape that a kernel writes: its rank and eight axes, 64 bits each (asc-devkit, page
/// of kernels whose output shapes depend on what they compute).
const SHAPE_BYTES: u64 = 9 * 8;

impl Answer {
    /// Lists the arguments of the kernel behind its tensors.
    pub fn behind_tensors(&self) -> impl Iterator<Item = Argument<'_>> {
        let shapes = Argument::Scratch("shapeOut".into(), self.computed_shapes * SHAPE_BYTES);
        let workspace = Argument::Scratch("workspace".into(), self.tile.workspace as u64);
        let tiling = Argument::Input("tiling".into(), &self.tile.data);
        let shapes = (self.computed_shapes > 0).then_some(shapes);
        shapes.into_iter().chain([workspace, tiling])
    }
}

/// The time limit of host functions; slower ones count as endless.
const LIMIT: Duration = Duration::from_secs(60);

impl Program {
    /// Asks the program of [`super::Unit::operator`] for the definition of a kernel function's
    /// operator.
    ///
    /// # Errors
    /// As [`Program::ask`].
    pub fn definition(&self, kernel: &str, chip: &'static Chip) -> Result<Definition, RunError> {
        let text = format!("definition\nkernel {kernel}\nunit {}\n", chip.compute_unit);
        let said = self.converse(&text, chip, LIMIT, true)?;
        let mut definition = Definition::default();
        for line in said.lines() {
            match line.split_once(' ') {
                Some(("operator", name)) => definition.operator = name.to_string(),
                Some(("inputs", count)) => {
                    definition.inputs = count.parse().map_err(|_| unknown(line))?;
                }
                Some(("takes", words)) => {
                    let mut words = words.split(' ').map(str::to_string);
                    let option = words.next().unwrap_or_default();
                    let types = words.collect();
                    definition.takes.push(Takes { option, types });
                }
                Some(("attr", words)) => {
                    let [name, option, kind] = words.split(' ').collect::<Vec<_>>()[..] else {
                        return Err(unknown(line));
                    };
                    definition.attrs.push(Attr {
                        name: name.to_string(),
                        is_required: option == "required",
                        kind: kind.to_string(),
                    });
                }
                Some((how @ ("names" | "reads"), name)) => {
                    definition
                        .reads
                        .extend((how == "reads").then_some(definition.params.len()));
                    definition.params.push(name.to_string());
                }
                Some(("running" | "wanted" | "logged", _)) => {}
                Some(_) | None => return Err(unknown(line)),
            }
        }
        Ok(definition)
    }

    /// Asks the program of [`super::Unit::operator`] for its decisions about a launch, and passes
    /// on what its functions print.
    ///
    /// # Errors
    /// J0605 where the operator does not take the launch, J0812 where a signal ends its functions,
    /// J0811 where they do not end.
    pub fn ask(&self, request: &Request) -> Result<Answer, RunError> {
        self.asked(request, LIMIT, true)
    }

    /// Asks as [`Program::ask`] does, for one of many tries: with less time, and what the functions
    /// print is dropped.
    pub(super) fn try_to_ask(
        &self,
        request: &Request,
        limit: Duration,
    ) -> Result<Answer, RunError> {
        self.asked(request, limit, false)
    }

    fn asked(&self, request: &Request, limit: Duration, prints: bool) -> Result<Answer, RunError> {
        let elements = scratch(0).map_err(unusable)?;
        let text = text_of(request, elements.path()).map_err(unusable)?;
        read_answer(&self.converse(&text, request.chip, limit, prints)?)
    }

    /// Lists functions that the host files declare and do not define, which a call finds as null.
    fn not_defined(&self) -> String {
        let names = fs::read_to_string(self.undefined()).unwrap_or_default();
        let names: Vec<_> = names
            .lines()
            .take(3)
            .map(|name| format!("`{name}`"))
            .collect();
        match names[..] {
            [] => String::new(),
            _ => format!(
                "; none of the host files defines {}: --host takes several files",
                names.join(", ")
            ),
        }
    }

    /// Sends a request and returns the program's lines, unless one is a refusal.
    fn converse(
        &self,
        text: &str,
        chip: &'static Chip,
        limit: Duration,
        prints: bool,
    ) -> Result<String, RunError> {
        let folder = scratch(0).map_err(unusable)?;
        let (asked, answer) = (folder.path().join("request"), folder.path().join("answer"));
        fs::write(&asked, text).map_err(unusable)?;
        let mut command = Command::new(&self.file);
        command
            .arg(asked)
            .arg(&answer)
            .env("ASCENDC_CPU_CHIP", facts(chip))
            .stdin(Stdio::null());
        if !prints {
            command.stdout(Stdio::null());
        }
        let (status, stderr) = watch(&mut command, folder.path(), limit).map_err(unusable)?;
        let passed = complaint(&stderr).is_none();
        if passed && prints {
            pass_on(&stderr);
        }
        let said = fs::read_to_string(answer).unwrap_or_default();
        let stopped = |code, message| {
            RunError::Cpp(Box::new(CppFault {
                code,
                message,
                block: None,
                places: Vec::new(),
                others: Vec::new(),
            }))
        };
        match status {
            Some(status) if status.success() => match said.lines().find_map(|line| line.strip_prefix("refused ")) {
                Some(why) => Err(RunError::refused(Code::J0605, format!("{why}{}", wanted(&said)))),
                None => Ok(said),
            },
            Some(_) if !passed => Err(self.crash(&stderr)),
            Some(_) => Err(stopped(
                Code::J0812,
                format!(
                    "the host file of the operator ended by a signal in {}; what a context does not have reads as null: \
                     --sanitize names the line{}{}{}",
                    running(&said),
                    wanted(&said),
                    logged(&said),
                    self.not_defined()
                ),
            )),
            None => Err(stopped(Code::J0811, format!("the host file of the operator does not end in {}", running(&said)))),
        }
    }
}

fn unusable(e: io::Error) -> RunError {
    trouble("the host file of the operator", &e)
}

/// Reports a line that no program of this version prints.
fn unknown(line: &str) -> RunError {
    RunError::refused(
        Code::J0605,
        format!("the host file of the operator gives an answer that is not known: `{line}`"),
    )
}

/// Makes the lines that `operator_main.cpp` reads. Elements of tensors go to files of a folder.
fn text_of(request: &Request, folder: &Path) -> io::Result<String> {
    let mut text = format!(
        "kernel {}\nunit {}\n",
        request.kernel, request.chip.compute_unit
    );
    for (at, (name, param)) in request.params.iter().enumerate() {
        match param {
            Param::Inferred => drop(writeln!(text, "param {name} ?")),
            Param::Tensors(tensors) => {
                let _ = writeln!(text, "param {name} {}", tensors.len());
                for (
                    i,
                    Tensor {
                        element,
                        shape,
                        elements,
                    },
                ) in tensors.iter().enumerate()
                {
                    let _ = writeln!(
                        text,
                        "tensor {element} {}",
                        spelled(std::iter::once(&shape.len()).chain(shape))
                    );
                    if let Some(elements) = elements {
                        let file = folder.join(format!("{at}.{i}"));
                        fs::write(&file, elements)?;
                        let _ = writeln!(text, "elements {}", file.display());
                    }
                }
            }
        }
    }
    for (name, value) in &request.attrs {
        let _ = writeln!(text, "attr {name} {value}");
    }
    Ok(text)
}

fn spelled<'a>(numbers: impl Iterator<Item = &'a usize>) -> String {
    numbers.map(usize::to_string).collect::<Vec<_>>().join(" ")
}

fn read_answer(said: &str) -> Result<Answer, RunError> {
    let broken = || {
        RunError::refused(
            Code::J0605,
            "the host file of the operator ended before its tiling function said anything",
        )
    };
    let (mut prelude, mut outputs, mut notes, mut in_place, mut tiled) =
        (String::new(), Vec::new(), Vec::new(), Vec::new(), None);
    let mut computed_shapes = 0;
    for line in said.lines() {
        match line.split_once(' ').ok_or_else(broken)? {
            ("text", line) => {
                prelude += line;
                prelude.push('\n');
            }
            ("output", words) => outputs.push(output(words).ok_or_else(broken)?),
            ("note", words) => notes.push(words.to_string()),
            ("same", words) => in_place.push(pair(words).ok_or_else(broken)?),
            ("logged", words) => notes.push(format!("the operator logs an error: {words}")),
            ("running" | "wanted", _) => {}
            ("computes", count) => computed_shapes = count.parse().map_err(|_| unknown(line))?,
            ("tiled", words) => tiled = tile(words),
            _ => return Err(unknown(line)),
        }
    }
    Ok(Answer {
        tile: tiled.ok_or_else(broken)?,
        prelude,
        outputs,
        notes,
        in_place,
        computed_shapes,
    })
}

/// Finds the function that was called last. Before the first one only constructors of the host file
/// run, those of definitions among them.
fn running(said: &str) -> &str {
    said.lines()
        .filter_map(|line| line.strip_prefix("running "))
        .next_back()
        .unwrap_or("the definition of operators")
}

/// Lists elements that the last function asked for in vain, which may explain its failure.
fn wanted(said: &str) -> String {
    let last = said
        .lines()
        .rev()
        .take_while(|line| !line.starts_with("running "))
        .find_map(|line| line.strip_prefix("wanted "));
    last.map_or(String::new(), |name| {
        format!("; it asked for the elements of `{name}`, which a host function has where the definition says so: ValueDepend(OPTIONAL)")
    })
}

/// Returns the error that the last function logged last.
fn logged(said: &str) -> String {
    let last = said
        .lines()
        .rev()
        .take_while(|line| !line.starts_with("running "))
        .find_map(|line| line.strip_prefix("logged "));
    last.map_or(String::new(), |line| format!("; it logged: {line}"))
}

fn pair(words: &str) -> Option<(usize, usize)> {
    let (output, input) = words.split_once(' ')?;
    Some((output.parse().ok()?, input.parse().ok()?))
}

fn output(words: &str) -> Option<(String, String, Vec<usize>)> {
    let mut words = words.split(' ');
    let (name, element) = (words.next()?.to_string(), words.next()?.to_string());
    Some((
        name,
        element,
        words.map(|n| n.parse().ok()).collect::<Option<_>>()?,
    ))
}
