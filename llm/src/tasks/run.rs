//! A case of a task with an element type: its inputs, its expected results, and runs of a kernel on
//! each reader.
//!
//! A kernel never causes a panic here. A wrong header or reference does, because it is a defect of
//! the suite.

use super::corpus::{Case, Is, Task, Tensor};
use super::data::{array, attrs, filled, Sizes};
use super::judge::Reference;
use super::reference::{Due, Given, Wanted};
use super::tolerance::off;
use jumar::dsl::check::{check, CheckedKernel};
use jumar::dsl::diag::{Code, Diagnostic};
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{walk_stmts_mut, Instr, ParamKind, StmtKind, TileStmt};
use jumar::dsl::lower::lower;
use jumar::dsl::ops::contract::Access;
use jumar::dsl::tiling::Value;
use jumar::runtime::tile::{Cut, Tile};
use jumar::runtime::{AsInput, Backend, Job, Ran, RunError};
use jumar::{Array, Launch, Report};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Why a launch was refused or stopped, with the code if there is one.
#[derive(Clone, Debug)]
pub struct Halt {
    /// The code of the error.
    pub code: Option<Code>,
    pub why: String,
}

impl Halt {
    pub(super) fn uncoded(why: String) -> Self {
        Halt { code: None, why }
    }

    /// Adds the name of a reader.
    fn of(self, reader: &str) -> Self {
        Halt {
            why: format!("{reader}: {}", self.why),
            ..self
        }
    }
}

impl From<RunError> for Halt {
    fn from(e: RunError) -> Self {
        Halt {
            code: Some(e.code()),
            why: e.to_string(),
        }
    }
}

/// A case with an element type.
#[derive(Debug)]
pub struct Run<'a> {
    /// Its name in messages.
    pub name: String,
    /// Tensors in order; a list is item by item.
    pub(super) tensors: Vec<Held<'a>>,
    /// Attributes of each item.
    pub(super) attrs: Vec<Vec<(String, Value)>>,
    /// Enum attributes with their variants, which a kernel may number differently.
    choices: BTreeMap<&'a str, Vec<&'a str>>,
    /// The kernel's names of tensors and attributes, if they differ from the task's.
    called: BTreeMap<String, String>,
    /// Names of attributes that are lists.
    pub(super) listed: Vec<&'a str>,
    /// Tensors that are lists.
    pub(super) lists: Vec<&'a Tensor>,
    /// The inputs of the reference, for each item.
    pub(super) items: Vec<Given>,
    /// The element types `T` and `U`.
    pub(super) types: Vec<DType>,
    pub(super) units: f64,
}

/// A tensor of a case before the run.
#[derive(Debug)]
pub(super) struct Held<'a> {
    pub(super) tensor: &'a Tensor,
    /// The item of a list; 0 for other tensors.
    pub(super) item: usize,
    pub(super) array: Array,
}

impl Held<'_> {
    /// Returns its name; for an item of a list, with its position.
    fn said(&self) -> String {
        if self.tensor.list {
            format!("{}[{}]", self.tensor.name, self.item)
        } else {
            self.tensor.name.clone()
        }
    }
}

/// Elements of the interpreter that this process has compared with the simulator, and elements that
/// it left out. The latter depend on what another order of a sum may decide differently.
static COMPARED: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// Returns how many elements of the interpreter this process has compared, and how many it left out
/// as undecided.
pub fn compared() -> [u64; 2] {
    COMPARED.each_ref().map(|n| n.load(Ordering::Relaxed))
}

/// True if blocks add to elements of GM.
fn adds(kernel: &CheckedKernel) -> bool {
    let mut found = false;
    let variants = kernel.instances().iter().flat_map(|own| &own.variants);
    for variant in variants {
        variant.body.walk(&mut |s| {
            let views = s.instr().into_iter().flat_map(Instr::views);
            found |= views
                .into_iter()
                .any(|(rule, _)| rule.access == Access::Add);
        });
    }
    found
}

/// The error bound of each element, by the name of the tensor.
pub type Errors = Vec<(String, Vec<f64>)>;

/// The interpreter, with the error bounds of each item.
struct Bounded {
    tile: Tile,
    of_items: Mutex<Vec<Errors>>,
}

impl Backend for Bounded {
    fn run(&self, job: Job<'_>) -> Result<Ran, RunError> {
        let ran = self.tile.run(job)?;
        self.of_items
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(self.tile.errors());
        Ok(ran)
    }
}

/// The bits of outputs before a run, which no kernel computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Poison {
    /// Every byte is 0xa5, and every bool 1.
    High,
    /// Every byte is 0x5a, and every bool 0.
    Low,
}

impl Poison {
    /// Makes an output of this element type and shape.
    pub(super) fn filled(self, like: &Array) -> Array {
        let byte = match (self, like.dtype()) {
            (Poison::High, DType::Bool) => 1,
            (Poison::Low, DType::Bool) => 0,
            (Poison::High, _) => 0xa5,
            (Poison::Low, _) => 0x5a,
        };
        let bytes = vec![byte; bytes_of(like)];
        Array::from_bytes(like.dtype(), like.shape(), &bytes).expect("as many bytes as it has")
    }
}

/// Forged results that need no computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgery {
    /// Zeros in all elements.
    Zeros,
    /// Ones in all elements.
    Constant,
    /// The elements of an input, repeated.
    Input,
    /// The expected result, except that its last eighth is 0.
    Dropped,
}

impl Forgery {
    pub const ALL: [Forgery; 4] = [
        Forgery::Zeros,
        Forgery::Constant,
        Forgery::Input,
        Forgery::Dropped,
    ];
}

/// The result of a run: every tensor, and the decisions of the host.
#[derive(Debug)]
pub struct After {
    pub(super) arrays: Vec<Array>,
    /// The report of the launch; `None` for a handwritten kernel.
    pub report: Option<Report>,
}

impl<'a> Run<'a> {
    /// Makes the case with its numbers, which depend on its name and the seed.
    ///
    /// # Panics
    /// If the header of the task is wrong.
    pub fn new(task: &'a Task, case: &Case, element: &str, salt: u64) -> Self {
        let binding: Vec<&str> = element.split_whitespace().collect();
        let named = |of: &str| {
            let name = ["T", "U"]
                .iter()
                .position(|p| *p == of)
                .map_or(of, |at| binding[at]);
            DType::by_name(name)
                .unwrap_or_else(|| panic!("{}: no element type `{name}`", task.stem))
        };
        let sizes: Vec<String> = case
            .given
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let of_items: Vec<String> = case
            .items
            .iter()
            .flatten()
            .map(|item| format!("[{item}]"))
            .collect();
        let all = sizes
            .into_iter()
            .chain(of_items)
            .collect::<Vec<_>>()
            .join(", ");
        let name = format!(
            "{} of {element:?}, {all}, without {:?}",
            task.stem, case.without
        );
        let cases: Vec<Case> = (0..case.count().max(1))
            .map(|item| case.of_item(item))
            .collect();
        let attrs: Vec<_> = cases.iter().map(|case| attrs(task, case)).collect();
        let sizes = |item: usize| Sizes::of(&cases[item], &attrs[item]);
        let given = task
            .tensors
            .iter()
            .filter(|t| !case.without.contains(&t.name));
        let places = given
            .flat_map(|t| (0..if t.list { case.count() } else { 1 }).map(move |item| (t, item)));
        let held = |(seed, (tensor, item)): (u64, (&'a Tensor, usize))| Held {
            tensor,
            item,
            array: filled(tensor, named(&tensor.of), &sizes(item), seed),
        };
        let tensors: Vec<Held<'_>> = (hash(name.as_bytes()).wrapping_add(salt.wrapping_mul(ODD))..)
            .zip(places)
            .map(held)
            .collect();
        let choices: BTreeMap<&str, Vec<&str>> = task
            .attrs
            .iter()
            .filter(|attr| attr.of.contains('|'))
            .map(|attr| (attr.name.as_str(), attr.choices()))
            .collect();
        let number = |v: &Value| match v {
            Value::Bool(b) => f64::from(u8::from(*b)),
            Value::Int(i) => *i as f64,
            Value::I32(i) => f64::from(*i),
            Value::F32(x) => f64::from(*x),
        };
        let types: Vec<DType> = binding.iter().map(|name| named(name)).collect();
        let of_item = |item: usize| {
            let own = tensors
                .iter()
                .filter(|held| held.tensor.is.read() && (!held.tensor.list || held.item == item));
            let tensors = own
                .map(|held| (held.tensor.name.clone(), held.array.to_f64()))
                .collect();
            let mut numbers: BTreeMap<String, f64> = attrs[item]
                .iter()
                .map(|(name, v)| (name.clone(), number(v)))
                .collect();
            numbers.insert("item".into(), item as f64);
            let name = |(attr, all): (&&str, &Vec<&str>)| {
                (attr.to_string(), all[numbers[*attr] as usize].to_string())
            };
            let names = choices.iter().map(name).collect();
            Given {
                tensors,
                numbers,
                names,
                sizes: sizes(item),
                types: types.clone(),
            }
        };
        let items = (0..case.count()).map(of_item).collect();
        let listed = task
            .attrs
            .iter()
            .filter(|attr| attr.list)
            .map(|attr| attr.name.as_str())
            .collect();
        let lists = task.tensors.iter().filter(|t| t.list).collect();
        Run {
            name,
            items,
            types,
            attrs,
            choices,
            called: BTreeMap::new(),
            listed,
            lists,
            tensors,
            units: task.tolerance.units,
        }
    }

    /// Sets the kernel's names of parameters, by the task's names.
    #[must_use]
    pub fn called(self, called: BTreeMap<String, String>) -> Self {
        Run { called, ..self }
    }

    /// Returns the kernel's name of a parameter.
    fn own<'n>(&'n self, name: &'n str) -> &'n str {
        self.called.get(name).map_or(name, String::as_str)
    }

    /// Computes the expected results of each item. Items run in order, so an in-place tensor that
    /// is no list has the values that earlier items left.
    pub fn due(&self, reference: Reference) -> Vec<Due> {
        let shared: Vec<&str> = self
            .tensors
            .iter()
            .filter(|h| h.tensor.is == Is::Inplace && !h.tensor.list)
            .map(|h| h.tensor.name.as_str())
            .collect();
        let mut left: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        let mut all = Vec::with_capacity(self.items.len());
        for given in &self.items {
            let given = Given {
                tensors: given
                    .tensors
                    .iter()
                    .map(|(name, v)| (name.clone(), left.get(name).unwrap_or(v).clone()))
                    .collect(),
                numbers: given.numbers.clone(),
                names: given.names.clone(),
                sizes: given.sizes.clone(),
                types: given.types.clone(),
            };
            let due = reference(&given);
            for name in &shared {
                left.extend(
                    due.0
                        .get(name)
                        .map(|wanted| (name.to_string(), wanted.values.clone())),
                );
            }
            all.push(due);
        }
        all
    }

    /// Returns the expected result of a tensor; if it is no list, that of the last item.
    fn wanted<'d>(&self, due: &'d [Due], held: &Held<'_>) -> Option<&'d Wanted> {
        let own = if held.tensor.list {
            due.get(held.item)
        } else {
            due.last()
        }?;
        let missing = || panic!("{}: nothing is due of `{}`", self.name, held.tensor.name);
        Some(own.0.get(held.tensor.name.as_str()).unwrap_or_else(missing))
    }

    /// Converts the number of a variant to the kernel's number; other values stay.
    pub(super) fn numbered(
        &self,
        kernel: &CheckedKernel,
        attr: &str,
        value: Value,
    ) -> Result<Value, Halt> {
        let (Some(names), Value::Int(at)) = (self.choices.get(attr), value) else {
            return Ok(value);
        };
        let name = names[at as usize];
        let param = kernel
            .kernel()
            .sig
            .params
            .iter()
            .find(|p| p.name == self.own(attr));
        let own = match param.map(|p| &p.kind) {
            Some(ParamKind::Attr { choices, .. }) => {
                choices.iter().position(|choice| choice == name)
            }
            _ => None,
        };
        own.map(|at| Value::Int(at as i64))
            .ok_or_else(|| Halt::uncoded(format!("`{attr}` is no enum with a variant for {name}")))
    }

    /// Runs a kernel on the simulator, or on the given reader.
    ///
    /// # Errors
    /// If the launch is refused or the run stops.
    pub fn launch(
        &self,
        kernel: &CheckedKernel,
        backend: Option<&dyn Backend>,
        poison: Poison,
    ) -> Result<After, Halt> {
        let before = |held: &Held<'_>| match held.tensor.is {
            Is::Inplace => held.array.clone(),
            // A tensor that is only read is lent, so it needs no copy.
            Is::Input | Is::Optional => Array::I8(ndarray::ArrayD::zeros(ndarray::IxDyn(&[0]))),
            Is::Output | Is::Asked => poison.filled(&held.array),
        };
        let mut after: Vec<Array> = self.tensors.iter().map(before).collect();
        let mut launch = Launch::new(kernel).pipes(true);
        let (mut before, mut rest) = (self.tensors.as_slice(), after.as_mut_slice());
        while let Some(Held { tensor, .. }) = before.first() {
            let count = before
                .iter()
                .take_while(|held| held.tensor.name == tensor.name)
                .count();
            let (own, others) = before.split_at(count);
            let (written, others_written) = rest.split_at_mut(count);
            (before, rest) = (others, others_written);
            let name = self.own(&tensor.name);
            launch = match (tensor.is, tensor.list, written) {
                (Is::Input | Is::Optional, true, _) => {
                    launch.inputs(name, own.iter().map(|held| &held.array))
                }
                (Is::Inplace, true, all) => launch.inouts(name, all),
                (Is::Output | Is::Asked, true, all) => launch.outputs(name, all),
                (Is::Input | Is::Optional, false, _) => launch.input(name, &own[0].array),
                (Is::Inplace, false, all) => launch.inout(name, &mut all[0]),
                (Is::Output | Is::Asked, false, all) => launch.output(name, &mut all[0]),
            };
        }
        // A list without items has no tensor here.
        for tensor in self
            .lists
            .iter()
            .filter(|t| self.tensors.iter().all(|held| held.tensor.name != t.name))
        {
            launch = match tensor.is {
                Is::Input | Is::Optional => launch.inputs::<Array>(self.own(&tensor.name), []),
                Is::Inplace => launch.inouts::<Array>(self.own(&tensor.name), []),
                Is::Output | Is::Asked => launch.outputs::<Array>(self.own(&tensor.name), []),
            };
        }
        for (name, value) in self
            .attrs
            .iter()
            .take(1)
            .flatten()
            .filter(|(name, _)| !self.listed.contains(&name.as_str()))
        {
            launch = launch.attr(self.own(name), self.numbered(kernel, name, *value)?);
        }
        for listed in &self.listed {
            let of_items = self
                .attrs
                .iter()
                .take(self.items.len())
                .flatten()
                .filter(|(name, _)| name == listed);
            launch = launch.attrs(self.own(listed), of_items.map(|(_, value)| *value));
        }
        let launch = backend
            .into_iter()
            .fold(launch, |launch, backend| launch.backend(backend));
        let report = launch.run()?;
        Ok(After {
            arrays: after,
            report: Some(report),
        })
    }

    /// Returns the largest error as a fraction of the tolerance.
    ///
    /// # Errors
    /// Names the first element beyond the tolerance.
    pub fn against(&self, due: &[Due], found: &After) -> Result<f64, String> {
        let mut worst = 0.0f64;
        for (held, found) in self
            .tensors
            .iter()
            .zip(&found.arrays)
            .filter(|(held, _)| held.tensor.is.written())
        {
            let Some(want) = self.wanted(due, held) else {
                continue;
            };
            let said = held.said();
            assert_eq!(
                want.values.len(),
                found.len(),
                "{}: elements of `{said}`",
                self.name
            );
            let part = off(want, found, self.units).map_err(|why| format!("{said}: {why}"))?;
            worst = worst.max(part);
        }
        Ok(worst)
    }

    /// Compares the interpreter with the simulator, whose results for `kernel` are `simulated`.
    /// Passes that lowering has joined round differently from any order of a sum. For such a
    /// kernel, both run the variant `exact` without joined passes.
    ///
    /// Returns by how much each element may differ in another order of a sum.
    ///
    /// # Errors
    /// If a reader stops or differs.
    pub fn interpreted(
        &self,
        kernel: &CheckedKernel,
        exact: Option<&CheckedKernel>,
        simulated: &After,
    ) -> Result<Vec<Errors>, Halt> {
        let own = exact
            .map(|exact| self.launch(exact, None, Poison::High))
            .transpose()?;
        let (kernel, simulated) = (exact.unwrap_or(kernel), own.as_ref().unwrap_or(simulated));
        let mut last = Vec::new();
        for (name, cut) in [
            ("interpreter", Cut::Whole),
            ("interpreter by halves", Cut::Halves),
        ] {
            let tile = Bounded {
                tile: Tile::new(cut, true),
                of_items: Mutex::default(),
            };
            let interpreted = self
                .launch(kernel, Some(&tile), Poison::Low)
                .map_err(|halt| halt.of(name))?;
            let errors = tile
                .of_items
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner);
            self.agree((name, &interpreted), simulated, &errors)
                .map_err(Halt::uncoded)?;
            last = errors;
        }
        Ok(last)
    }

    /// Compares the emitted C++ with the simulator, bit by bit. Where blocks add to one element,
    /// they do so in any order, and results may differ as those of the interpreter may.
    ///
    /// # Errors
    /// If it stops or differs.
    pub fn emitted(
        &self,
        kernel: &CheckedKernel,
        cpp: &dyn Backend,
        simulated: &After,
        orders: &[Errors],
    ) -> Result<(), Halt> {
        let emitted = self.launch(kernel, Some(cpp), Poison::Low)?;
        let orders = if adds(kernel) { orders } else { &[] };
        self.agree(("emitted C++", &emitted), simulated, orders)
            .map_err(Halt::uncoded)
    }

    /// Compares two runs of the simulator with different bits in the outputs.
    ///
    /// # Errors
    /// Names the first element that differs.
    pub fn steady(&self, first: &After, second: &After) -> Result<(), String> {
        self.agree(("another run", second), first, &[])
    }

    /// Compares results bit by bit, or within the error bounds of another order of a sum.
    fn agree(
        &self,
        (reader, found): (&str, &After),
        simulated: &After,
        errors: &[Errors],
    ) -> Result<(), String> {
        let pairs = simulated.arrays.iter().zip(&found.arrays);
        for (held, (a, b)) in self
            .tensors
            .iter()
            .zip(pairs)
            .filter(|(held, _)| held.tensor.is.written())
        {
            let of_item = if held.tensor.list {
                errors.get(held.item)
            } else {
                errors.last()
            };
            let errors = of_item
                .into_iter()
                .flatten()
                .find(|(name, _)| *name == held.tensor.name);
            let errors = errors.map_or(&[][..], |(_, list)| list);
            if reader.starts_with("interpreter") {
                let left_out = errors.iter().filter(|error| error.is_infinite()).count();
                COMPARED[0].fetch_add((a.len() - left_out) as u64, Ordering::Relaxed);
                COMPARED[1].fetch_add(left_out as u64, Ordering::Relaxed);
            }
            for (i, (a, b)) in a.to_f64().into_iter().zip(b.to_f64()).enumerate() {
                // An empty list means that every element is exact.
                let error = errors.get(i).copied().unwrap_or(0.0);
                let same = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                if !same && !(error > 0.0 && (error.is_infinite() || (a - b).abs() <= error)) {
                    let at = format!("{}: element {i}", held.said());
                    return Err(format!(
                        "{at}: simulator {a:e}, {reader} {b:e}, which may be off by {error:e}"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Iterates over tensors with their name, their use, and their data before and after a run. A
    /// tensor that is only read has no data after it.
    pub fn tensors<'r>(
        &'r self,
        after: &'r After,
    ) -> impl Iterator<Item = (String, Is, &'r Array, &'r Array)> {
        self.tensors
            .iter()
            .zip(&after.arrays)
            .map(|(held, after)| (held.said(), held.tensor.is, &held.array, after))
    }

    /// Bytes of all tensors: the least that a launch moves if it reads each input and writes each
    /// output.
    pub fn bytes(&self) -> usize {
        self.tensors.iter().map(|held| bytes_of(&held.array)).sum()
    }

    /// Bytes of the tensors that are only outputs, each of which a correct kernel writes.
    pub fn bytes_written(&self) -> usize {
        let outputs = self
            .tensors
            .iter()
            .filter(|held| held.tensor.is.written() && !held.tensor.is.read());
        outputs.map(|held| bytes_of(&held.array)).sum()
    }

    /// A hash of all inputs, which no run may change.
    pub fn hash(&self) -> u64 {
        let of = |hash: u64, held: &Held<'_>| {
            held.array
                .as_input()
                .bytes()
                .iter()
                .fold(hash, |h, b| mixed(h, *b))
        };
        self.tensors.iter().fold(START, of)
    }

    /// True if the reference tells the forgery from a result; without elements it cannot.
    pub fn tells(&self, due: &[Due], forgery: Forgery) -> bool {
        let input = self
            .tensors
            .iter()
            .filter(|held| held.tensor.is.read())
            .map(|held| held.array.to_f64())
            .find(|v| !v.is_empty());
        let forged = |values: &[f64]| -> Option<Vec<f64>> {
            let kept = values.len() - values.len().div_ceil(8);
            Some(match forgery {
                Forgery::Zeros => vec![0.0; values.len()],
                Forgery::Constant => vec![1.0; values.len()],
                Forgery::Input => input
                    .as_ref()?
                    .iter()
                    .copied()
                    .cycle()
                    .take(values.len())
                    .collect(),
                Forgery::Dropped => values[..kept]
                    .iter()
                    .copied()
                    .chain(vec![0.0; values.len() - kept])
                    .collect(),
            })
        };
        let is_told = |held: &Held<'_>| {
            let want = self.wanted(due, held)?;
            let found = array(
                held.array.dtype(),
                held.array.shape(),
                forged(&want.values)?,
            );
            off(want, &found, self.units).err()
        };
        self.tensors
            .iter()
            .filter(|held| held.tensor.is.written())
            .any(|held| is_told(held).is_some())
    }

    /// Iterates over written tensors with their name, element type and expected result.
    pub(super) fn results<'d>(
        &'d self,
        due: &'d [Due],
    ) -> impl Iterator<Item = (&'d str, DType, &'d Wanted)> {
        let written = self.tensors.iter().filter(|held| held.tensor.is.written());
        written.filter_map(|held| {
            Some((
                held.tensor.name.as_str(),
                held.array.dtype(),
                self.wanted(due, held)?,
            ))
        })
    }
}

/// Returns the element types that a case runs with; an empty name if all tensors have fixed types.
pub fn element_types(task: &Task) -> Vec<String> {
    if task.elements.is_empty() {
        vec![String::new()]
    } else {
        task.elements.clone()
    }
}

/// Iterates over each case with each element type.
pub fn runs(task: &Task) -> impl Iterator<Item = (&Case, String)> {
    task.cases
        .iter()
        .flat_map(move |case| element_types(task).into_iter().map(move |e| (case, e)))
}

/// Counts the elements of all tensors of a case.
pub fn elements(task: &Task, case: &Case) -> usize {
    let of_item = |item: usize| {
        let case = case.of_item(item);
        let sizes = Sizes::of(&case, &attrs(task, &case));
        let given = task
            .tensors
            .iter()
            .filter(|t| !case.without.contains(&t.name) && (t.list || item == 0));
        given
            .map(|t| sizes.shape(&t.shape).iter().product::<usize>())
            .sum::<usize>()
    };
    (0..case.count()).map(of_item).sum()
}

fn bytes_of(array: &Array) -> usize {
    array.as_input().bytes().len()
}

/// Hashes bytes by FNV-1a, for a seed that depends only on a name.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().copied().fold(START, mixed)
}

/// The offset basis of FNV-1a.
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Separates the sequences of two seeds, since the tensors of a case use consecutive seeds.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

fn mixed(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// Returns the kernel with `.exact()` loops, or `None` if lowering joins no passes.
///
/// # Errors
/// If the kernel is refused in that form.
pub fn exact(kernel: &CheckedKernel) -> Result<Option<CheckedKernel>, Halt> {
    let (written, chip) = (kernel.kernel(), kernel.chip());
    let joins =
        |at: usize| lower(written, at, chip).is_ok_and(|lowering| !lowering.joined.is_empty());
    if !(0..written.sig.instances.len()).any(joins) {
        return Ok(None);
    }
    let mut written = written.clone();
    if let Some(body) = written.tiles_mut() {
        walk_stmts_mut(&mut body.stmts, &mut |s| {
            if let StmtKind::Do(TileStmt::Loop { tile }) = &mut s.kind {
                tile.exact = true;
            }
        });
    }
    let refused = |found: Vec<Diagnostic>| {
        let first = found.first().map_or("", |d| d.message.as_str());
        Halt {
            code: found.first().map(|d| d.code),
            why: format!("refused where it is exact: {first}"),
        }
    };
    check(&written, chip).map(Some).map_err(refused)
}
