//! A run of a task's case by handwritten AscendC: the call of its kernel function, and the results.
//!
//! The function takes pointers in the order of the benchmark's operator: inputs, outputs, then a
//! workspace. In-place tensors are in both groups, and other parameters of a header's `entry` are
//! null. Alternatively it takes all tensors once, in the header's order. Numbers by value may
//! follow. Their names identify them: attributes, and sizes of axes.

use super::corpus::{Is, Task};
use super::run::{After, Halt, Held, Poison, Run};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::diag::Code;
use jumar::dsl::dtype::DType;
use jumar::dsl::tiling::Value;
use jumar::runtime::ascendc::{Argument, KernelFunction, LaunchOptions, Program};
use jumar::runtime::{AsOutput, Case};
use jumar::Array;
use std::fmt::Write;

/// The argument for a parameter of a kernel function.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Given<'t> {
    Tensor(&'t str),
    /// The output of an in-place tensor, whose input is the parameter at this place.
    Same(usize),
    Workspace,
    /// A null pointer: there is no tiling data.
    Nothing,
    /// A number by value: its type and name.
    Number(String, String),
}

/// The call of a task's kernel function.
#[derive(Debug)]
pub struct Called<'t> {
    given: Vec<Given<'t>>,
}

/// Returns the tensor parameters in the benchmark's order.
fn entry(task: &Task) -> Vec<&str> {
    if !task.entry.is_empty() {
        return task.entry.iter().map(String::as_str).collect();
    }
    let inputs = task.tensors.iter().filter(|t| t.is.read());
    inputs
        .chain(task.tensors.iter().filter(|t| t.is.written()))
        .map(|t| t.name.as_str())
        .collect()
}

/// Returns the arguments of an entry. A tensor occurs once, or twice if it is in place.
fn of_entry<'t>(task: &'t Task, names: &[&'t str]) -> Vec<Given<'t>> {
    let of = |(at, name): (usize, &&'t str)| match names[..at]
        .iter()
        .position(|before| before == name)
    {
        Some(first) => Given::Same(first),
        None if task.tensors.iter().any(|t| t.name == *name) => Given::Tensor(name),
        None => Given::Nothing,
    };
    names.iter().enumerate().map(of).collect()
}

impl<'t> Called<'t> {
    /// Finds the argument of each parameter.
    ///
    /// # Errors
    /// Says which parameters are expected.
    pub fn new(task: &'t Task, function: &KernelFunction) -> Result<Self, String> {
        let is_pointer = |ty: &str| ty.contains("GM_ADDR") || ty.contains('*');
        let is_last = |name: &str| name == "workspace" || name == "tiling";
        let of_tensors = function
            .parameters
            .iter()
            .take_while(|(ty, name)| is_pointer(ty) && !is_last(name))
            .count();
        let order = entry(task);
        let mut given: Vec<Given<'t>> = if of_tensors == order.len() {
            of_entry(task, &order)
        } else if of_tensors == task.tensors.len() {
            task.tensors
                .iter()
                .map(|t| Given::Tensor(&t.name))
                .collect()
        } else {
            return Err(format!(
                "`{}` takes {of_tensors} tensors; {}",
                function.name,
                meant(task)
            ));
        };
        for (ty, name) in &function.parameters[of_tensors..] {
            given.push(match (is_pointer(ty), name.as_str()) {
                (true, "workspace") => Given::Workspace,
                (true, "tiling") => Given::Nothing,
                (true, other) => {
                    return Err(format!(
                        "`{other}` is a pointer behind all tensors; {}",
                        meant(task)
                    ))
                }
                (false, _) => Given::Number(
                    ty.trim_start_matches("const ").trim().to_string(),
                    name.clone(),
                ),
            });
        }
        Ok(Called { given })
    }
}

/// Describes the expected parameters of a task.
fn meant(task: &Task) -> String {
    let names = entry(task);
    format!(
        "meant are {}, then workspace, then numbers by value: attributes and axes by their names",
        names.join(", ")
    )
}

/// Writes the type macros of the tensors as an operator's build defines them: `DTYPE_X` for `x`.
pub fn prelude(run: &Run<'_>) -> String {
    let mut text = String::new();
    for held in run.tensors.iter().filter(|held| held.item == 0) {
        let _ = writeln!(
            text,
            "#define DTYPE_{} {}",
            held.tensor.name.to_uppercase(),
            held.array.dtype().ascendc()
        );
    }
    text
}

impl Run<'_> {
    /// Returns the case without its numbers, for a kernel of the language.
    ///
    /// # Errors
    /// If the kernel has no attribute of a name.
    pub fn case(&self, kernel: &CheckedKernel) -> Result<Case, Halt> {
        let mut case = Case::default();
        for held in &self.tensors {
            let shape = held.array.shape().to_vec();
            match case
                .shapes
                .iter_mut()
                .find(|(name, _)| *name == held.tensor.name)
            {
                Some((_, all)) => all.push(shape),
                None => case.shapes.push((held.tensor.name.clone(), vec![shape])),
            }
        }
        let empty = self
            .lists
            .iter()
            .filter(|t| self.tensors.iter().all(|held| held.tensor.name != t.name));
        case.shapes
            .extend(empty.map(|t| (t.name.clone(), Vec::new())));
        for (name, value) in self
            .attrs
            .iter()
            .take(1)
            .flatten()
            .filter(|(name, _)| !self.listed.contains(&name.as_str()))
        {
            case.attrs
                .push((name.clone(), self.numbered(kernel, name, *value)?));
        }
        for listed in &self.listed {
            let of_items = self
                .attrs
                .iter()
                .take(self.items.len())
                .flatten()
                .filter(|(name, _)| name == listed);
            case.lists.push((
                listed.to_string(),
                of_items.map(|(_, value)| *value).collect(),
            ));
        }
        Ok(case)
    }

    /// Runs a handwritten kernel.
    ///
    /// # Errors
    /// If a number by value is unknown to the task, or the run stops.
    pub fn handwritten(
        &self,
        program: &Program,
        called: &Called<'_>,
        options: &LaunchOptions,
        poison: Poison,
    ) -> Result<After, Halt> {
        let before = |held: &Held<'_>| match held.tensor.is {
            Is::Output | Is::Asked => poison.filled(&held.array),
            Is::Input | Is::Optional | Is::Inplace => held.array.clone(),
        };
        let mut arrays: Vec<Array> = self.tensors.iter().map(before).collect();
        let mut rest: Vec<(&Held<'_>, Option<&mut Array>)> = self
            .tensors
            .iter()
            .zip(arrays.iter_mut().map(Some))
            .collect();
        let mut arguments: Vec<Argument<'_>> = Vec::with_capacity(called.given.len());
        for given in &called.given {
            arguments.push(match given {
                Given::Tensor(name) => self.argument(name, &mut rest),
                Given::Same(at) => Argument::Same(*at),
                Given::Workspace => Argument::Scratch("workspace".into(), 0),
                Given::Nothing => Argument::Null,
                Given::Number(ty, name) => Argument::Value(self.number(ty, name)?),
            });
        }
        program.run(options, &mut arguments)?;
        drop(arguments);
        Ok(After {
            arrays,
            report: None,
        })
    }

    /// Makes the argument of a tensor, or of a list.
    fn argument<'r>(
        &self,
        name: &str,
        rest: &mut [(&Held<'_>, Option<&'r mut Array>)],
    ) -> Argument<'r> {
        let own = rest.iter_mut().filter(|(held, _)| held.tensor.name == name);
        let mut members: Vec<(Vec<usize>, Argument<'r>)> = own
            .filter_map(|(held, array)| {
                let array = array.take()?;
                let shape = array.shape().to_vec();
                let said = format!(
                    "{name}{}",
                    if held.tensor.list {
                        format!("[{}]", held.item)
                    } else {
                        String::new()
                    }
                );
                let is = held.tensor.is;
                let bytes = array.as_output().ok()?.into_bytes();
                Some((
                    shape,
                    match (is.read(), is.written()) {
                        (true, true) => Argument::InOut(said, bytes),
                        (false, true) => Argument::Output(said, bytes),
                        (_, false) => Argument::Input(said, bytes),
                    },
                ))
            })
            .collect();
        if self.lists.iter().any(|t| t.name == name) {
            return Argument::List(name.to_string(), members);
        }
        // A tensor that the case leaves out is a null pointer.
        members
            .pop()
            .map_or(Argument::Null, |(_, argument)| argument)
    }

    /// Returns the bytes of a number by value.
    fn number(&self, ty: &str, name: &str) -> Result<Vec<u8>, Halt> {
        let refuse = |why: String| {
            Err(Halt {
                code: Some(Code::J0605),
                why,
            })
        };
        if !self.lists.is_empty() {
            return refuse(format!(
                "`{name}` is by value, and each item of a list has numbers of its own"
            ));
        }
        let attr = self
            .attrs
            .iter()
            .flatten()
            .find(|(own, _)| own == name)
            .map(|(_, value)| *value);
        let axis = || {
            self.items
                .first()
                .filter(|given| given.sizes.has(name))
                .map(|given| given.size(name))
        };
        let value = match attr {
            Some(Value::F32(v)) => f64::from(v),
            Some(Value::Int(v)) => v as f64,
            Some(Value::I32(v)) => f64::from(v),
            Some(Value::Bool(v)) => f64::from(u8::from(v)),
            None => match axis() {
                Some(size) => size as f64,
                None => return refuse(format!("`{name}` is no attribute and no axis of the task")),
            },
        };
        Ok(match ty {
            "float" => (value as f32).to_le_bytes().to_vec(),
            "int64_t" | "uint64_t" | "long" | "size_t" => (value as i64).to_le_bytes().to_vec(),
            "int32_t" | "uint32_t" | "int" | "unsigned" => (value as i64 as i32).to_le_bytes().to_vec(),
            "bool" => vec![u8::from(value != 0.0)],
            other => {
                return refuse(format!(
                    "`{name}` is of type `{other}`; numbers by value are float, int32_t, uint32_t, int64_t, uint64_t or bool"
                ))
            }
        })
    }

    /// Returns the element types of the case by the names of a kernel's type parameters.
    pub fn types(&self, kernel: &CheckedKernel) -> Vec<(String, DType)> {
        let sig = &kernel.kernel().sig;
        let named = sig.dtypes.iter().zip(["T", "U"].iter().zip(&self.types));
        named
            .map(|(own, (_, dtype))| (own.name.clone(), *dtype))
            .collect()
    }
}
