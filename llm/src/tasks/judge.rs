//! A task and the text of a kernel: the verdict.
//!
//! The text is checked as `jumar check` does, and run in every case and for every element type on the simulator, whose results are held to the
//! reference. The tile interpreter, whole and with loops cut in halves, and the emitted C++ must give what the simulator gives: the C++ the
//! same bits, the interpreter what another order of the sums may give. Nothing here panics on what a text says.

use super::corpus::{Case, Is, Task, Tensor};
use super::data::{attrs, filled, Sizes};
use super::reference::{Due, Given, Wanted};
use half::bf16;
use jumar::cpp::Cpp;
use jumar::dsl::check::{check, CheckedKernel};
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{walk_stmts_mut, ParamKind, StmtKind};
use jumar::dsl::lower::lower;
use jumar::dsl::tiling::Value;
use jumar::load::check_text;
use jumar::runtime::tile::{Cut, Tile};
use jumar::runtime::{Backend, Job, RunError};
use jumar::{Array, Launch};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;

/// What a task computes of what it is given.
pub type Reference = fn(&Given) -> Due;

/// What became of a text.
#[derive(Debug)]
pub enum Verdict {
    /// All readers agree with the reference; the largest error as a part of what is allowed.
    Right {
        /// It.
        worst: f64,
    },
    /// The text has no such kernel, or the front end or the checker refuses it.
    Refused(String),
    /// A launch is refused, or a run stops.
    Stopped {
        /// Which run.
        case: String,
        /// The error.
        why: String,
    },
    /// A result is not the reference's.
    Wrong {
        /// Which run.
        case: String,
        /// Which element, and what it should be.
        why: String,
    },
    /// Another reader says something else than the simulator: a mistake of jumar's.
    Disagree {
        /// Which run.
        case: String,
        /// Which element of which reader.
        why: String,
    },
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Right { worst } => write!(f, "right, {worst:.2} of what is allowed"),
            Verdict::Refused(why) => write!(f, "refused: {why}"),
            Verdict::Stopped { case, why } => write!(f, "stopped: {case}: {why}"),
            Verdict::Wrong { case, why } => write!(f, "wrong: {case}: {why}"),
            Verdict::Disagree { case, why } => write!(f, "readers disagree: {case}: {why}"),
        }
    }
}

/// Judges the text of a kernel named like the task; the emitted C++ is asked, too, where `cpp` says so.
pub fn judge(task: &Task, reference: Reference, text: &str, cpp: bool) -> Verdict {
    let file = check_text(&format!("{}.rs", task.stem), text, None);
    if file.has_errors() {
        return Verdict::Refused(file.render(false));
    }
    let Some(kernel) = file.kernel(&task.stem).and_then(|k| k.checked.first()) else {
        return Verdict::Refused(format!("there is no kernel `{}`", task.stem));
    };
    let mut worst = 0.0f64;
    for (case, element) in runs(task) {
        let run = Run::new(task, case, &element);
        match run.judged(kernel, reference, cpp) {
            Ok(part) => worst = worst.max(part),
            Err(verdict) => return verdict,
        }
    }
    Verdict::Right { worst }
}

/// A case with an element type.
struct Run<'a> {
    name: String,
    /// Tensor by tensor, of a list item by item.
    tensors: Vec<Held<'a>>,
    /// Attributes of each item.
    attrs: Vec<Vec<(String, Value)>>,
    /// Those that are one of several names, which a kernel may number otherwise.
    choices: BTreeMap<&'a str, Vec<&'a str>>,
    /// Names of those that are lists.
    listed: Vec<&'a str>,
    /// Tensors that are lists.
    lists: Vec<&'a Tensor>,
    /// What a reference is given of each item.
    items: Vec<Given>,
    units: f64,
}

/// A tensor of a case before the run.
struct Held<'a> {
    tensor: &'a Tensor,
    /// Which of a list; 0 of what is none.
    item: usize,
    array: Array,
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

/// Of tensors by name, how far each element may be off.
type Errors = Vec<(String, Vec<f64>)>;

/// The interpreter, and how far each element of each item may be off.
struct Bounded {
    tile: Tile,
    of_items: Mutex<Vec<Errors>>,
}

impl Backend for Bounded {
    fn run(&self, job: Job<'_>) -> Result<(), RunError> {
        self.tile.run(job)?;
        self.of_items.lock().expect("nobody panics with it").push(self.tile.errors());
        Ok(())
    }
}

impl<'a> Run<'a> {
    fn new(task: &'a Task, case: &Case, element: &str) -> Self {
        let binding: Vec<&str> = element.split_whitespace().collect();
        let named = |of: &str| {
            let name = ["T", "U"].iter().position(|p| *p == of).map_or(of, |at| binding[at]);
            DType::by_name(name).unwrap_or_else(|| panic!("{}: no element type `{name}`", task.stem))
        };
        let sizes: Vec<String> = case.given.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let of_items: Vec<String> = case.items.iter().flatten().map(|item| format!("[{item}]")).collect();
        let all = sizes.into_iter().chain(of_items).collect::<Vec<_>>().join(", ");
        let name = format!("{} of {element:?}, {all}, without {:?}", task.stem, case.without);
        let cases: Vec<Case> = (0..case.count().max(1)).map(|item| case.of_item(item)).collect();
        let attrs: Vec<_> = cases.iter().map(|case| attrs(task, case)).collect();
        let sizes = |item: usize| Sizes::of(&cases[item], &attrs[item]);
        let given = task.tensors.iter().filter(|t| !case.without.contains(&t.name));
        let places = given.flat_map(|t| (0..if t.list { case.count() } else { 1 }).map(move |item| (t, item)));
        let held = |(seed, (tensor, item)): (u64, (&'a Tensor, usize))| Held {
            tensor,
            item,
            array: filled(tensor, named(&tensor.of), &sizes(item), seed),
        };
        let tensors: Vec<Held<'_>> = (seed(&name)..).zip(places).map(held).collect();
        let choices: BTreeMap<&str, Vec<&str>> =
            task.attrs.iter().filter(|attr| attr.of.contains('|')).map(|attr| (attr.name.as_str(), attr.choices())).collect();
        let number = |v: &Value| match v {
            Value::Bool(b) => f64::from(u8::from(*b)),
            Value::Int(i) => *i as f64,
            Value::I32(i) => f64::from(*i),
            Value::F32(x) => f64::from(*x),
        };
        let types: Vec<DType> = binding.iter().map(|name| named(name)).collect();
        let of_item = |item: usize| {
            let own = tensors.iter().filter(|held| held.tensor.is.read() && (!held.tensor.list || held.item == item));
            let tensors = own.map(|held| (held.tensor.name.clone(), held.array.to_f64())).collect();
            let mut numbers: BTreeMap<String, f64> = attrs[item].iter().map(|(name, v)| (name.clone(), number(v))).collect();
            numbers.insert("item".into(), item as f64);
            let name = |(attr, all): (&&str, &Vec<&str>)| (attr.to_string(), all[numbers[*attr] as usize].to_string());
            let names = choices.iter().map(name).collect();
            Given { tensors, numbers, names, sizes: sizes(item), types: types.clone() }
        };
        let items = (0..case.count()).map(of_item).collect();
        let listed = task.attrs.iter().filter(|attr| attr.list).map(|attr| attr.name.as_str()).collect();
        let lists = task.tensors.iter().filter(|t| t.list).collect();
        Run { name, items, attrs, choices, listed, lists, tensors, units: task.tolerance.units }
    }

    /// What is due of each item: they are done one after the other, so that one finds in what is no list what those before left there.
    fn due(&self, reference: Reference) -> Vec<Due> {
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
                tensors: given.tensors.iter().map(|(name, v)| (name.clone(), left.get(name).unwrap_or(v).clone())).collect(),
                numbers: given.numbers.clone(),
                names: given.names.clone(),
                sizes: given.sizes.clone(),
                types: given.types.clone(),
            };
            let due = reference(&given);
            for name in &shared {
                left.extend(due.0.get(name).map(|wanted| (name.to_string(), wanted.values.clone())));
            }
            all.push(due);
        }
        all
    }

    /// What is due of a tensor: of what is no list what the last item leaves there.
    fn wanted<'d>(&self, due: &'d [Due], held: &Held<'_>) -> Option<&'d Wanted> {
        let own = if held.tensor.list { due.get(held.item) } else { due.last() }?;
        let missing = || panic!("{}: nothing is due of `{}`", self.name, held.tensor.name);
        Some(own.0.get(held.tensor.name.as_str()).unwrap_or_else(missing))
    }

    /// The largest error as a part of what is allowed.
    fn judged(&self, kernel: &CheckedKernel, reference: Reference, cpp: bool) -> Result<f64, Verdict> {
        let case = || self.name.clone();
        let stopped = |why: String| Verdict::Stopped { case: case(), why };
        let disagree = |why: String| Verdict::Disagree { case: case(), why };
        let simulated = self.launch(kernel, None).map_err(stopped)?;
        let worst = self.against(&self.due(reference), &simulated).map_err(|why| Verdict::Wrong { case: case(), why })?;
        self.interpreted(kernel).map_err(disagree)?;
        if cpp {
            let emitted = self.launch(kernel, Some(&Cpp::new(None, false))).map_err(disagree)?;
            self.agree("emitted C++", &simulated, &emitted, &[]).map_err(disagree)?;
        }
        Ok(worst)
    }

    /// The number that a kernel has for a name; every other value as it is.
    fn numbered(&self, kernel: &CheckedKernel, attr: &str, value: Value) -> Result<Value, String> {
        let (Some(names), Value::Int(at)) = (self.choices.get(attr), value) else { return Ok(value) };
        let name = names[at as usize];
        let param = kernel.kernel().sig.params.iter().find(|p| p.name == attr);
        let own = match param.map(|p| &p.kind) {
            Some(ParamKind::Attr { choices, .. }) => choices.iter().position(|choice| choice == name),
            _ => None,
        };
        own.map(|at| Value::Int(at as i64)).ok_or_else(|| format!("`{attr}` is no enum with a variant for {name}"))
    }

    /// Every tensor after a run.
    fn launch(&self, kernel: &CheckedKernel, backend: Option<&dyn Backend>) -> Result<Vec<Array>, String> {
        let mut after: Vec<Array> = self.tensors.iter().map(|held| held.array.clone()).collect();
        let mut launch = Launch::new(kernel).pipes(true);
        let (mut before, mut rest) = (self.tensors.as_slice(), after.as_mut_slice());
        while let Some(Held { tensor, .. }) = before.first() {
            let count = before.iter().take_while(|held| held.tensor.name == tensor.name).count();
            let (own, others) = before.split_at(count);
            let (written, others_written) = rest.split_at_mut(count);
            (before, rest) = (others, others_written);
            let name = &tensor.name;
            launch = match (tensor.is, tensor.list, written) {
                (Is::Input | Is::Optional, true, _) => launch.inputs(name, own.iter().map(|held| &held.array)),
                (Is::Inplace, true, all) => launch.inouts(name, all),
                (Is::Output | Is::Asked, true, all) => launch.outputs(name, all),
                (Is::Input | Is::Optional, false, _) => launch.input(name, &own[0].array),
                (Is::Inplace, false, all) => launch.inout(name, &mut all[0]),
                (Is::Output | Is::Asked, false, all) => launch.output(name, &mut all[0]),
            };
        }
        // A list without items has no tensor here.
        for tensor in self.lists.iter().filter(|t| self.tensors.iter().all(|held| held.tensor.name != t.name)) {
            launch = match tensor.is {
                Is::Input | Is::Optional => launch.inputs::<Array>(&tensor.name, []),
                Is::Inplace => launch.inouts::<Array>(&tensor.name, []),
                Is::Output | Is::Asked => launch.outputs::<Array>(&tensor.name, []),
            };
        }
        for (name, value) in self.attrs.iter().take(1).flatten().filter(|(name, _)| !self.listed.contains(&name.as_str())) {
            launch = launch.attr(name, self.numbered(kernel, name, *value)?);
        }
        for listed in &self.listed {
            let of_items = self.attrs.iter().take(self.items.len()).flatten().filter(|(name, _)| name == listed);
            launch = launch.attrs(listed, of_items.map(|(_, value)| *value));
        }
        let launch = backend.into_iter().fold(launch, |launch, backend| launch.backend(backend));
        launch.run().map_err(|e| e.to_string())?;
        Ok(after)
    }

    fn against(&self, due: &[Due], found: &[Array]) -> Result<f64, String> {
        let mut worst = 0.0f64;
        for (held, found) in self.tensors.iter().zip(found).filter(|(held, _)| held.tensor.is.written()) {
            let Some(want) = self.wanted(due, held) else { continue };
            let said = held.said();
            assert_eq!(want.values.len(), found.len(), "{}: elements of `{said}`", self.name);
            let part = off(want, found, self.units).map_err(|why| format!("{said}: {why}"))?;
            worst = worst.max(part);
        }
        Ok(worst)
    }

    /// The interpreter against the simulator. Passes that lowering has joined round otherwise than any order of a sum: those are kept apart.
    fn interpreted(&self, kernel: &CheckedKernel) -> Result<(), String> {
        let kernel = &exact(kernel)?;
        let simulated = self.launch(kernel, None)?;
        for (name, cut) in [("interpreter", Cut::Whole), ("interpreter by halves", Cut::Halves)] {
            let tile = Bounded { tile: Tile::new(cut, true), of_items: Mutex::default() };
            let interpreted = self.launch(kernel, Some(&tile)).map_err(|why| format!("{name}: {why}"))?;
            let errors = tile.of_items.into_inner().expect("nobody panics with it");
            self.agree(name, &simulated, &interpreted, &errors)?;
        }
        Ok(())
    }

    /// The same bits, or as far away as the order of a sum may bring it.
    fn agree(&self, reader: &str, a: &[Array], b: &[Array], errors: &[Errors]) -> Result<(), String> {
        for (held, (a, b)) in self.tensors.iter().zip(a.iter().zip(b)).filter(|(held, _)| held.tensor.is.written()) {
            let of_item = if held.tensor.list { errors.get(held.item) } else { errors.last() };
            let errors = of_item.into_iter().flatten().find(|(name, _)| *name == held.tensor.name);
            let errors = errors.map_or(&[][..], |(_, list)| list);
            for (i, (a, b)) in a.to_f64().into_iter().zip(b.to_f64()).enumerate() {
                // An empty list says that every element is exact.
                let error = errors.get(i).copied().unwrap_or(0.0);
                let same = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                if !same && !(error > 0.0 && (error.is_infinite() || (a - b).abs() <= error)) {
                    let at = format!("{}: element {i}", held.said());
                    return Err(format!("{at}: simulator {a:e}, {reader} {b:e}, which may be off by {error:e}"));
                }
            }
        }
        Ok(())
    }
}

/// How blunt a tolerance is: the largest error that is allowed of a tensor in any case, as a part of its largest element in any, and which
/// tensor that is. Of whole numbers and bits their own rounding does not count.
pub fn bluntest(task: &Task, reference: Reference) -> (f64, String) {
    let mut ends: BTreeMap<(String, DType), (f64, f64)> = BTreeMap::new();
    for (case, element) in runs(task) {
        let run = Run::new(task, case, &element);
        let due = run.due(reference);
        for held in run.tensors.iter().filter(|held| held.tensor.is.written()) {
            let (Some(want), dtype) = (run.wanted(&due, held), held.array.dtype()) else { continue };
            let (most, largest) = ends.entry((held.tensor.name.clone(), dtype)).or_default();
            for (v, size) in want.values.iter().zip(&want.sizes).filter(|(v, _)| v.is_finite()) {
                *most = most.max(allowed(*v, *size, run.units, dtype));
                *largest = largest.max(v.abs());
            }
        }
    }
    // What is 0 everywhere has no parts: there it is the error itself.
    let part = |dtype: DType, most: f64, largest: f64| {
        if dtype.is_float() && largest == 0.0 {
            most
        } else if dtype.is_float() {
            most / largest
        } else {
            (most - 0.5) / largest.max(1.0)
        }
    };
    let parts =
        ends.into_iter().map(|((name, dtype), (most, largest))| (part(dtype, most, largest), format!("{name} of {dtype}")));
    parts.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_else(|| panic!("{} has no result", task.stem))
}

/// Each case with each element type; a task whose tensors all have a type of their own runs once.
fn runs(task: &Task) -> impl Iterator<Item = (&Case, String)> {
    let elements = if task.elements.is_empty() { vec![String::new()] } else { task.elements.clone() };
    task.cases.iter().flat_map(move |case| elements.clone().into_iter().map(move |e| (case, e)))
}

/// FNV-1a: one name, one sequence of numbers.
fn seed(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// The kernel with loops that are `.exact()` where passes would be joined.
fn exact(kernel: &CheckedKernel) -> Result<CheckedKernel, String> {
    let (written, chip) = (kernel.kernel(), kernel.chip());
    let joins = |at: usize| lower(written, at, chip).is_ok_and(|lowering| !lowering.joined.is_empty());
    if !(0..written.sig.instances.len()).any(joins) {
        return Ok(kernel.clone());
    }
    let mut written = written.clone();
    walk_stmts_mut(&mut written.body.stmts, &mut |s| {
        if let StmtKind::Loop { tile } = &mut s.kind {
            tile.exact = true;
        }
    });
    check(&written, chip).map_err(|found| format!("refused where it is exact: {}", found[0].message))
}

/// The largest error as a part of what is allowed, or the first element that is off by more.
fn off(want: &Wanted, found: &Array, units: f64) -> Result<f64, String> {
    let dtype = found.dtype();
    let mut worst = 0.0f64;
    for (i, ((want, size), got)) in want.values.iter().zip(&want.sizes).zip(found.to_f64()).enumerate() {
        let allowed = allowed(*want, *size, units, dtype);
        assert!(allowed.is_finite() || !want.is_finite(), "element {i} is {want:e} and may be off by {allowed:e}");
        let part = part(got, *want, allowed, dtype);
        if part > 1.0 {
            return Err(format!("element {i} is {got:e}, meant {want:e}, which may be off by {allowed:e}"));
        }
        worst = worst.max(part);
    }
    Ok(worst)
}

/// What is computed has so many roundings of `f32`, and what is stored is rounded once.
pub fn allowed(want: f64, size: f64, units: f64, dtype: DType) -> f64 {
    let before = units * f64::from(f32::EPSILON) * size;
    before + 0.5 * unit(dtype, want.abs() + before)
}

fn part(got: f64, want: f64, allowed: f64, dtype: DType) -> f64 {
    if got == want || got.is_nan() && want.is_nan() {
        return 0.0;
    }
    // What is allowed beside an infinity is everything.
    if !want.is_finite() {
        return f64::INFINITY;
    }
    // Beyond the largest number a float is infinite, and a whole number its end.
    let (low, high) = ends(dtype);
    if got.is_infinite() && got.signum() == want.signum() && want.abs() + allowed >= high {
        return 0.0;
    }
    match (got - want.clamp(low, high)).abs() {
        off if off.is_nan() => f64::INFINITY,
        off => off / allowed,
    }
}

fn ends(dtype: DType) -> (f64, f64) {
    match dtype {
        DType::F16 => (-65504.0, 65504.0),
        DType::Bf16 => (bf16::MIN.to_f64(), bf16::MAX.to_f64()),
        DType::F32 => (f64::from(f32::MIN), f64::from(f32::MAX)),
        DType::I32 => (f64::from(i32::MIN), f64::from(i32::MAX)),
        DType::I8 => (-128.0, 127.0),
        DType::I64 => (i64::MIN as f64, i64::MAX as f64),
        DType::I16 => (f64::from(i16::MIN), f64::from(i16::MAX)),
        DType::U8 => (0.0, 255.0),
        DType::U16 => (0.0, f64::from(u16::MAX)),
        DType::U32 => (0.0, f64::from(u32::MAX)),
        DType::Bool | DType::Bits => (0.0, 1.0),
    }
}

/// The distance of neighbouring numbers of a type at a number.
fn unit(dtype: DType, v: f64) -> f64 {
    let (digits, least) = match dtype {
        DType::F32 => (23, -126),
        DType::F16 => (10, -14),
        DType::Bf16 => (7, -126),
        DType::I32 | DType::I8 | DType::I64 | DType::I16 | DType::U8 | DType::U16 | DType::U32 | DType::Bool | DType::Bits => {
            return 1.0
        }
    };
    let exponent = if v == 0.0 || !v.is_finite() { least } else { libm::ilogb(v).max(least) };
    libm::ldexp(1.0, exponent - digits)
}
