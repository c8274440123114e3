//! A case of a task with an element type: its numbers, what is due of it, and a kernel run on each reader.
//!
//! Nothing here panics on what a kernel does; what a header or a reference has wrong is a mistake of the suite, and does.

use super::corpus::{Case, Is, Task, Tensor};
use super::data::{array, attrs, filled, Sizes};
use super::judge::Reference;
use super::reference::{Due, Given, Wanted};
use super::tolerance::off;
use jumar::cpp::Cpp;
use jumar::dsl::check::{check, CheckedKernel};
use jumar::dsl::diag::{Code, Diagnostic};
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{walk_stmts_mut, ParamKind, StmtKind, TileStmt};
use jumar::dsl::lower::lower;
use jumar::dsl::tiling::Value;
use jumar::runtime::tile::{Cut, Tile};
use jumar::runtime::{AsInput, Backend, Job, Ran, RunError};
use jumar::{Array, Launch, Report};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Of a launch that was not made or did not end: why, and the code where there is one.
#[derive(Clone, Debug)]
pub struct Halt {
    /// The code.
    pub code: Option<Code>,
    /// What was found.
    pub why: String,
}

impl Halt {
    pub(super) fn uncoded(why: String) -> Self {
        Halt { code: None, why }
    }

    /// The same, said of a reader.
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
    /// How messages name it.
    pub name: String,
    /// Tensor by tensor, of a list item by item.
    pub(super) tensors: Vec<Held<'a>>,
    /// Attributes of each item.
    pub(super) attrs: Vec<Vec<(String, Value)>>,
    /// Those that are one of several names, which a kernel may number otherwise.
    choices: BTreeMap<&'a str, Vec<&'a str>>,
    /// What the kernel calls tensors and attributes, where it is not what the task does.
    called: BTreeMap<String, String>,
    /// Names of those that are lists.
    pub(super) listed: Vec<&'a str>,
    /// Tensors that are lists.
    pub(super) lists: Vec<&'a Tensor>,
    /// What a reference is given of each item.
    pub(super) items: Vec<Given>,
    /// What `T` and `U` are.
    pub(super) types: Vec<DType>,
    pub(super) units: f64,
}

/// A tensor of a case before the run.
#[derive(Debug)]
pub(super) struct Held<'a> {
    pub(super) tensor: &'a Tensor,
    /// Which of a list; 0 of what is none.
    pub(super) item: usize,
    pub(super) array: Array,
}

impl Held<'_> {
    /// Its name, of one of a list with its place.
    fn said(&self) -> String {
        if self.tensor.list {
            format!("{}[{}]", self.tensor.name, self.item)
        } else {
            self.tensor.name.clone()
        }
    }
}

/// Elements of the interpreter that were held to those of the simulator in this process, and those that were left out, since they hang from what another
/// order of a sum may decide otherwise.
static COMPARED: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// So many elements of the interpreter were compared in this process, and so many left out as undecided.
pub fn compared() -> [u64; 2] {
    COMPARED.each_ref().map(|n| n.load(Ordering::Relaxed))
}

/// Of tensors by name, how far each element may be off.
type Errors = Vec<(String, Vec<f64>)>;

/// The interpreter, and how far each element of each item may be off.
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

/// What outputs hold before a run: no kernel's result is this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Poison {
    /// Every byte 0xa5, of bools 1.
    High,
    /// Every byte 0x5a, of bools 0.
    Low,
}

impl Poison {
    /// An output of this element type and shape.
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

/// Results that cost no work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgery {
    /// 0 everywhere.
    Zeros,
    /// 1 everywhere.
    Constant,
    /// The elements of an input, again and again.
    Input,
    /// What is due, but for the last eighth, which is 0.
    Dropped,
}

impl Forgery {
    /// Each of them.
    pub const ALL: [Forgery; 4] = [
        Forgery::Zeros,
        Forgery::Constant,
        Forgery::Input,
        Forgery::Dropped,
    ];
}

/// What a run left: every tensor, and what the host decided.
#[derive(Debug)]
pub struct After {
    pub(super) arrays: Vec<Array>,
    /// What the run did; nothing of a kernel that is no kernel of ours.
    pub report: Option<Report>,
}

impl<'a> Run<'a> {
    /// The case with its numbers, which hang from its name and the seed.
    ///
    /// # Panics
    /// Where the header of the task is wrong.
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

    /// The same for a kernel that calls its parameters otherwise: what it calls each, by what the task does.
    #[must_use]
    pub fn called(self, called: BTreeMap<String, String>) -> Self {
        Run { called, ..self }
    }

    /// What the kernel calls a parameter.
    fn own<'n>(&'n self, name: &'n str) -> &'n str {
        self.called.get(name).map_or(name, String::as_str)
    }

    /// What is due of each item: they are done one after the other, so that one finds in what is no list what those before left there.
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

    /// What is due of a tensor: of what is no list what the last item leaves there.
    fn wanted<'d>(&self, due: &'d [Due], held: &Held<'_>) -> Option<&'d Wanted> {
        let own = if held.tensor.list {
            due.get(held.item)
        } else {
            due.last()
        }?;
        let missing = || panic!("{}: nothing is due of `{}`", self.name, held.tensor.name);
        Some(own.0.get(held.tensor.name.as_str()).unwrap_or_else(missing))
    }

    /// The number that a kernel has for a name; every other value as it is.
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
    /// Where the launch is refused or the run stops.
    pub fn launch(
        &self,
        kernel: &CheckedKernel,
        backend: Option<&dyn Backend>,
        poison: Poison,
    ) -> Result<After, Halt> {
        let before = |held: &Held<'_>| match held.tensor.is {
            Is::Inplace => held.array.clone(),
            // What is only read is lent as it is.
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

    /// The largest error as a part of what is allowed.
    ///
    /// # Errors
    /// Names the first element that is off by more.
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

    /// The interpreter against the simulator. Passes that lowering has joined round otherwise than any order of a sum: those are kept apart.
    /// `simulated` is what the simulator gives for the kernel as it is.
    ///
    /// # Errors
    /// Where a reader stops, or says something else.
    pub fn interpreted(
        &self,
        kernel: &CheckedKernel,
        exact: Option<&CheckedKernel>,
        simulated: &After,
    ) -> Result<(), Halt> {
        let own = exact
            .map(|exact| self.launch(exact, None, Poison::High))
            .transpose()?;
        let (kernel, simulated) = (exact.unwrap_or(kernel), own.as_ref().unwrap_or(simulated));
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
        }
        Ok(())
    }

    /// The emitted C++ against the simulator: the same bits.
    ///
    /// # Errors
    /// Where it stops, or says something else.
    pub fn emitted(
        &self,
        kernel: &CheckedKernel,
        cpp: &Cpp,
        simulated: &After,
    ) -> Result<(), Halt> {
        let emitted = self.launch(kernel, Some(cpp), Poison::Low)?;
        self.agree(("emitted C++", &emitted), simulated, &[])
            .map_err(Halt::uncoded)
    }

    /// The same bits of two runs of the simulator, whatever stood in the outputs.
    ///
    /// # Errors
    /// Names the first element that is another one.
    pub fn steady(&self, first: &After, second: &After) -> Result<(), String> {
        self.agree(("another run", second), first, &[])
    }

    /// The same bits, or as far away as the order of a sum may bring it.
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
                // An empty list says that every element is exact.
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

    /// Every tensor by its name, what the kernel does with it, and what it holds before and after a run; what is only read stays as it is.
    pub fn tensors<'r>(
        &'r self,
        after: &'r After,
    ) -> impl Iterator<Item = (String, Is, &'r Array, &'r Array)> {
        self.tensors
            .iter()
            .zip(&after.arrays)
            .map(|(held, after)| (held.said(), held.tensor.is, &held.array, after))
    }

    /// Bytes of all tensors: what a launch moves that reads each input and writes each output once.
    pub fn bytes(&self) -> usize {
        self.tensors.iter().map(|held| bytes_of(&held.array)).sum()
    }

    /// Bytes of the tensors that are outputs and nothing else: every right kernel writes each of them.
    pub fn bytes_written(&self) -> usize {
        let outputs = self
            .tensors
            .iter()
            .filter(|held| held.tensor.is.written() && !held.tensor.is.read());
        outputs.map(|held| bytes_of(&held.array)).sum()
    }

    /// A number of all inputs, which no run may change.
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

    /// True where the reference tells this from a result; what has no elements tells nothing.
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

    /// Of what is written: its name, its element type, and what is due of it.
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

/// The element types that a case runs with; of a task whose tensors all have a type of their own one without a name.
pub fn element_types(task: &Task) -> Vec<String> {
    if task.elements.is_empty() {
        vec![String::new()]
    } else {
        task.elements.clone()
    }
}

/// Each case with each element type.
pub fn runs(task: &Task) -> impl Iterator<Item = (&Case, String)> {
    task.cases
        .iter()
        .flat_map(move |case| element_types(task).into_iter().map(move |e| (case, e)))
}

/// Elements of all tensors of a case.
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

/// FNV-1a: one name, one sequence of numbers.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().copied().fold(START, mixed)
}

/// Where FNV-1a starts.
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Keeps the sequences of two seeds apart, whose tensors count on from one another.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

fn mixed(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// The kernel with loops that are `.exact()` where passes would be joined; `None` where none are.
///
/// # Errors
/// Where it is refused that way.
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
