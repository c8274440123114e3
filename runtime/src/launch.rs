//! Binding of arguments, choice of the instance, host tiling, and the run.
//!
//! A launch refuses before it writes: every argument, shape and requirement is checked first. The order of checks is
//! names and roles, dtypes, shapes, attributes, `require`d facts, tiling.
//!
//! A kernel with lists is one of an item: each item is bound and tiled for itself, and run after the one before.

use crate::array::{Array, AsInput, AsOutput, InputTensor, OutputTensor};
use crate::plan::{Item, Numbers};
use crate::sim::{self, Census, Gm, Overflow, Progress};
use crate::{Backend, Job, JobBytes, RunError, Shown};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{Lowered, ParamId, ParamKind, Per, Role, Signature, Ty};
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::{Tiling, Value};
use std::borrow::Cow;
use std::time::Duration;

/// What a run did.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What the host decided: one of a kernel without lists, else one for each item.
    pub items: Vec<Tiling>,
    /// The dtype instance, an index into the signature's instances.
    pub instance: usize,
    /// Blocks that ran, of the item with the most.
    pub blocks: i64,
    /// Turns of outermost loops, over all blocks: the tiles that were processed. Only the simulator counts them; 0 where
    /// another backend ran.
    pub turns: i64,
    /// What the kernel showed by `v.dump("name")`.
    pub shown: Shown,
    /// How long a device worked, by its own events: of all items. None where no device did.
    pub device_time: Option<Duration>,
}

/// A value that an attribute can take.
pub trait AttrValue {
    /// The value for the tiling evaluator.
    fn attr_value(self) -> Value;
}
macro_rules! attr_values {
    ($($t:ty: |$v:ident| $e:expr),* $(,)?) => {$(
        impl AttrValue for $t {
            fn attr_value(self) -> Value {
                let $v = self;
                $e
            }
        }
    )*};
}
attr_values! {
    f32: |v| Value::F32(v),
    f64: |v| Value::F32(v as f32),
    i32: |v| Value::Int(i64::from(v)),
    i64: |v| Value::Int(v),
    // No size of an array exceeds `i64::MAX`; a larger number can only be refused later, by range.
    usize: |v| Value::Int(i64::try_from(v).unwrap_or(i64::MAX)),
    bool: |v| Value::Bool(v),
    Value: |v| v,
}

enum Argument<'a> {
    Input(InputTensor<'a>),
    InOut(Result<OutputTensor<'a>, RunError>),
    Output(Result<OutputTensor<'a>, RunError>),
}

impl<'a> Argument<'a> {
    /// The same for one item.
    fn lend(&mut self) -> Argument<'_> {
        fn again<'s>(t: &'s mut Result<OutputTensor<'_>, RunError>) -> Result<OutputTensor<'s>, RunError> {
            match t {
                Ok(t) => Ok(OutputTensor { dtype: t.dtype, shape: t.shape.clone(), bytes: &mut *t.bytes }),
                Err(e) => Err(e.clone()),
            }
        }
        match self {
            Argument::Input(t) => {
                Argument::Input(InputTensor { dtype: t.dtype, shape: t.shape.clone(), bytes: Cow::Borrowed(&t.bytes) })
            }
            Argument::InOut(t) => Argument::InOut(again(t)),
            Argument::Output(t) => Argument::Output(again(t)),
        }
    }
    fn role(&self) -> Role {
        match self {
            Argument::Input(_) => Role::In,
            Argument::InOut(_) => Role::InOut,
            Argument::Output(_) => Role::Out,
        }
    }
    fn job_bytes(&mut self) -> JobBytes<'_> {
        match self {
            Argument::Input(t) => JobBytes::Read(&t.bytes),
            Argument::InOut(Ok(t)) | Argument::Output(Ok(t)) => JobBytes::Write(t.bytes),
            // Refused before: an array that cannot be written never gets here.
            Argument::InOut(Err(_)) | Argument::Output(Err(_)) => JobBytes::Read(&[]),
        }
    }
    /// J0605 for bytes that are no elements.
    fn are_elements(&self, name: &str) -> Result<(), RunError> {
        match self {
            Argument::Input(t) => are_elements(name, t.dtype, &t.bytes),
            Argument::InOut(Ok(t)) | Argument::Output(Ok(t)) => are_elements(name, t.dtype, t.bytes),
            Argument::InOut(Err(_)) | Argument::Output(Err(_)) => Ok(()),
        }
    }
    fn facts(&self) -> Option<(DType, &[usize])> {
        match self {
            Argument::Input(t) => Some((t.dtype, &t.shape)),
            Argument::InOut(t) | Argument::Output(t) => t.as_ref().ok().map(|t| (t.dtype, t.shape.as_slice())),
        }
    }
}

/// What was bound under a name.
struct Given<'a> {
    name: String,
    is_list: bool,
    tensors: Vec<Argument<'a>>,
}

impl<'a> Given<'a> {
    fn one(name: &str, tensor: Argument<'a>) -> Self {
        Given { name: name.to_string(), is_list: false, tensors: vec![tensor] }
    }
    fn list(name: &str, tensors: impl Iterator<Item = Argument<'a>>) -> Self {
        Given { name: name.to_string(), is_list: true, tensors: tensors.collect() }
    }
}

/// One launch of a kernel on the simulator.
///
/// ```
/// use jumar_runtime::Launch;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let text = "#[kernel]
/// pub fn scaled<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(1.0)] scale: f32) {
///     for t in tiles(x) {
///         y.at(t).store((x.at(t).load().cast::<f32>() * scale).cast::<T>());
///     }
/// }";
/// let parsed = jumar_dsl::front::parse_file(text).map_err(|broken| broken.0.message)?;
/// let kernel = parsed[0].kernel.as_ref().ok_or("the kernel has errors")?;
/// let chip = jumar_dsl::soc::Chip::default_chip();
/// let kernel = jumar_dsl::check::check(kernel, chip).map_err(|d| d[0].message.clone())?;
///
/// let x = ndarray::Array2::<f32>::ones((4, 1000));
/// let mut y = ndarray::Array2::<f32>::zeros((4, 1000));
/// let report = Launch::new(&kernel).input("x", &x).output("y", &mut y).attr("scale", 1.5f32).run()?;
/// assert!(y.iter().all(|v| *v == 1.5) && report.turns > 0);
/// # Ok(()) }
/// ```
pub struct Launch<'a> {
    kernel: Option<&'a CheckedKernel>,
    backend: Option<&'a dyn Backend>,
    sig: Option<&'a Signature>,
    instances: &'a [Lowered],
    chip: &'static Chip,
    arguments: Vec<Given<'a>>,
    attrs: Vec<(String, Value)>,
    lists: Vec<(String, Vec<Value>)>,
    overflow: Overflow,
    pipes: bool,
    census: Option<&'a Census>,
    progress: Option<Box<Progress<'a>>>,
}

impl<'a> Launch<'a> {
    /// A launch of `kernel` without arguments yet.
    pub fn new(kernel: &'a CheckedKernel) -> Self {
        Launch { kernel: Some(kernel), sig: Some(&kernel.kernel().sig), ..Self::lowered(kernel.instances(), kernel.chip()) }
    }

    /// A launch of lowered instances that need not come from a checked kernel, for the simulator's own tests.
    pub(crate) fn lowered(instances: &'a [Lowered], chip: &'static Chip) -> Self {
        Launch {
            kernel: None,
            backend: None,
            sig: instances.first().map(|l| &l.sig),
            instances,
            chip,
            arguments: Vec::new(),
            attrs: Vec::new(),
            lists: Vec::new(),
            overflow: Overflow::default(),
            pipes: false,
            census: None,
            progress: None,
        }
    }

    /// Binds a tensor that the kernel reads. A view that is not row-major is copied.
    #[must_use]
    pub fn input<A: AsInput + ?Sized>(mut self, name: &str, array: &'a A) -> Self {
        self.arguments.push(Given::one(name, Argument::Input(array.as_input())));
        self
    }

    /// Binds a list of tensors that the kernel reads, one for each item. Arrays of several types are `&dyn AsInput`.
    #[must_use]
    pub fn inputs<A: AsInput + ?Sized + 'a>(mut self, name: &str, arrays: impl IntoIterator<Item = &'a A>) -> Self {
        self.arguments.push(Given::list(name, arrays.into_iter().map(|array| Argument::Input(array.as_input()))));
        self
    }

    /// Binds a tensor that the kernel updates in place (`#[inplace]`).
    #[must_use]
    pub fn inout<A: AsOutput + ?Sized>(mut self, name: &str, array: &'a mut A) -> Self {
        self.arguments.push(Given::one(name, Argument::InOut(array.as_output())));
        self
    }

    /// Binds a list of tensors that the kernel updates in place.
    #[must_use]
    pub fn inouts<A: AsOutput + ?Sized + 'a>(mut self, name: &str, arrays: impl IntoIterator<Item = &'a mut A>) -> Self {
        self.arguments.push(Given::list(name, arrays.into_iter().map(|array| Argument::InOut(array.as_output()))));
        self
    }

    /// Binds tensors by name, each as what the signature says of it: lists item by item, and of the others one each. None of such a name is a tensor that is
    /// left out; names that the kernel does not have are passed over.
    #[must_use]
    pub fn arrays(mut self, arrays: &'a mut [(String, Vec<Array>)]) -> Self {
        // What has no signature is refused when it is run.
        let Some(sig) = self.sig else { return self };
        for (name, all) in arrays {
            let Some((_, param, role, _)) = sig.tensors().find(|(_, p, ..)| p.name == *name) else { continue };
            self = match (role, param.per, all.as_mut_slice()) {
                (Role::In, Per::Item, all) => self.inputs(name, &*all),
                (Role::Out, Per::Item, all) => self.outputs(name, all),
                (Role::InOut, Per::Item, all) => self.inouts(name, all),
                (Role::In, _, [one]) => self.input(name, &*one),
                (Role::Out, _, [one]) => self.output(name, one),
                (Role::InOut, _, [one]) => self.inout(name, one),
                (_, Per::Launch | Per::Place, _) => self,
            };
        }
        self
    }

    /// Binds a tensor that the kernel writes.
    #[must_use]
    pub fn output<A: AsOutput + ?Sized>(mut self, name: &str, array: &'a mut A) -> Self {
        self.arguments.push(Given::one(name, Argument::Output(array.as_output())));
        self
    }

    /// Binds a list of tensors that the kernel writes.
    #[must_use]
    pub fn outputs<A: AsOutput + ?Sized + 'a>(mut self, name: &str, arrays: impl IntoIterator<Item = &'a mut A>) -> Self {
        self.arguments.push(Given::list(name, arrays.into_iter().map(|array| Argument::Output(array.as_output()))));
        self
    }

    /// Sets an attribute; those left out take their defaults.
    #[must_use]
    pub fn attr(mut self, name: &str, value: impl AttrValue) -> Self {
        self.attrs.push((name.to_string(), value.attr_value()));
        self
    }

    /// Sets a list of numbers, or the numbers of all items.
    #[must_use]
    pub fn attrs<V: AttrValue>(mut self, name: &str, values: impl IntoIterator<Item = V>) -> Self {
        self.lists.push((name.to_string(), values.into_iter().map(AttrValue::attr_value).collect()));
        self
    }

    /// What becomes of 16-bit results that overflow; infinity where not set.
    #[must_use]
    pub fn overflow(mut self, overflow: Overflow) -> Self {
        self.overflow = overflow;
        self
    }

    /// Whether the simulator also looks for accesses of one block that nothing orders: two copies to the same elements of GM,
    /// or pipes that share UB without a queue between them (J0809). It takes longer, and is off
    /// where not set.
    #[must_use]
    pub fn pipes(mut self, watched: bool) -> Self {
        self.pipes = watched;
        self
    }

    /// Counts how often the simulator runs each call of the kernel's device functions, for tests of what kernels reach.
    #[doc(hidden)]
    #[must_use]
    pub fn census(mut self, census: &'a Census) -> Self {
        self.census = Some(census);
        self
    }

    /// Runs on something else than the simulator.
    #[must_use]
    pub fn backend(mut self, backend: &'a dyn Backend) -> Self {
        self.backend = Some(backend);
        self
    }

    /// Calls `f` with its index each time a block has finished, from the thread that ran it and in no order.
    #[must_use]
    pub fn progress(mut self, f: impl Fn(i64) + Sync + 'a) -> Self {
        self.progress = Some(Box::new(f));
        self
    }

    /// Runs the kernel.
    ///
    /// # Errors
    /// [`RunError::Refused`] with J0605 for a missing, unknown or repeated argument, a wrong role, a dtype without
    /// instance or a bad attribute, J0603 for shapes, J0604 for a `require`d fact, J0606 where no tile fits and J0503
    /// for the block dim; [`RunError::Fault`] with J0801 to J0804 or J0809 where the simulator stops the run.
    pub fn run(self) -> Result<Report, RunError> {
        let Some(sig) = self.sig else {
            return Err(RunError::refused(Code::J0605, "the kernel has no instance"));
        };
        let mut arguments = by_parameter(sig, self.arguments)?;
        let lowered = choose_instance(sig, self.instances, &arguments)?;
        let count = count_items(sig, &arguments, &self.lists)?;
        let is_listed = sig.lists().next().is_some();
        let of_item = |e: RunError, item| if is_listed { e.of_item(item) } else { e };
        let numbers = Numbers { attrs: &self.attrs, lists: &self.lists };
        let item = |nth| Item::new(lowered, self.chip, &shapes_of(sig, &arguments, nth), numbers, (nth, count));
        let items: Vec<Item> = (0..count).map(|nth| item(nth).map_err(|e| of_item(e, nth))).collect::<Result<_, _>>()?;
        for (param, all) in sig.params.iter().zip(&arguments) {
            all.iter().try_for_each(|argument| argument.are_elements(&param.name))?;
        }

        let instance = lowered.instance;
        let (mut turns, mut shown, mut device_time) = (0, Shown::default(), None);
        for (nth, Item { dims, attrs, tiling }) in items.iter().enumerate() {
            // Only a backend asks for them beside the arguments.
            let shapes = self.backend.map_or_else(Vec::new, |_| given_shapes(sig, &arguments, nth));
            let tensors = sig.params.iter().zip(&mut arguments).map(|(param, all)| {
                let at = if param.per == Per::Item { nth } else { 0 };
                (param.name.as_str(), all.get_mut(at))
            });
            if let (Some(backend), Some(kernel)) = (self.backend, self.kernel) {
                let tensors = tensors.filter_map(|(name, a)| a.map(|a| (name, a.job_bytes()))).collect::<Vec<_>>();
                let shapes = shapes.iter().map(Vec::as_slice).collect();
                let overflow = self.overflow;
                let job = Job { kernel, instance, dims, attrs, tiling, overflow, tensors, shapes };
                let ran = backend.run(job).map_err(|e| of_item(e, nth))?;
                turns += ran.turns;
                shown.join(ran.shown);
                device_time = device_time.into_iter().chain(ran.device_time).reduce(|a, b| a + b);
                continue;
            }
            let gms = tensors.map(|(name, a)| a.map(|a| into_gm(name, a.lend())).transpose()).collect::<Result<Vec<_>, _>>()?;
            let (overflow, pipes) = (self.overflow, self.pipes);
            let counted = self.census.map_or_else(Vec::new, |_| sim::counters(&lowered.funcs));
            let setup = sim::Setup { lowered, chip: self.chip, tiling, overflow, pipes, counted };
            let (own, seen) = sim::run(&setup, gms, self.progress.as_deref()).map_err(|e| of_item(e, nth))?;
            turns += own;
            shown.join(seen);
            if let Some(census) = self.census {
                census.add(lowered, &setup.counted);
            }
        }
        let blocks = items.iter().map(|item| item.tiling.block_dim).max().unwrap_or(0);
        Ok(Report { instance, blocks, turns, items: items.into_iter().map(|item| item.tiling).collect(), shown, device_time })
    }
}

/// How many items the lists have; 1 where there is none.
fn count_items(sig: &Signature, arguments: &[Vec<Argument<'_>>], numbers: &[(String, Vec<Value>)]) -> Result<usize, RunError> {
    let mut first: Option<(&str, usize)> = None;
    for (id, param) in sig.lists() {
        let count = match &param.kind {
            ParamKind::Tensor { .. } => arguments[id.index()].len(),
            ParamKind::Attr { .. } => match numbers.iter().find(|(name, _)| *name == param.name) {
                Some((_, values)) => values.len(),
                None => {
                    let message = format!("the list of numbers `{}` of kernel `{}` was not given", param.name, sig.name);
                    return Err(RunError::refused(Code::J0605, message));
                }
            },
        };
        let (name, known) = *first.get_or_insert((&param.name, count));
        if known != count {
            let message = format!("list `{name}` has {known} items and `{}` has {count}: lists are equally long", param.name);
            return Err(RunError::refused(Code::J0605, message));
        }
    }
    Ok(first.map_or(1, |(_, count)| count))
}

/// The shapes of what an item has, by parameter.
fn shapes_of<'t>(sig: &Signature, arguments: &'t [Vec<Argument<'_>>], item: usize) -> Vec<Option<&'t [usize]>> {
    let at = |per| if per == Per::Item { item } else { 0 };
    let of_item = sig.params.iter().zip(arguments).map(|(param, all)| all.get(at(param.per)));
    of_item.map(|a| a.and_then(Argument::facts).map(|(_, shape)| shape)).collect()
}

/// The shapes of the tensors that an item has.
fn given_shapes(sig: &Signature, arguments: &[Vec<Argument<'_>>], item: usize) -> Vec<Vec<usize>> {
    shapes_of(sig, arguments, item).into_iter().flatten().map(<[usize]>::to_vec).collect()
}

/// The arguments in the order of the parameters: none for attributes, one for each item of a list.
fn by_parameter<'a>(sig: &Signature, arguments: Vec<Given<'a>>) -> Result<Vec<Vec<Argument<'a>>>, RunError> {
    let refuse = |message: String| Err(RunError::refused(Code::J0605, message));
    let mut bound: Vec<Option<Vec<Argument<'a>>>> = sig.params.iter().map(|_| None).collect();
    for Given { name, is_list, tensors } in arguments {
        let Some((id, param, role, _)) = sig.tensors().find(|(_, p, _, _)| p.name == name) else {
            return refuse(format!("kernel `{}` has no tensor `{name}`", sig.name));
        };
        if is_list != (param.per == Per::Item) {
            let (is, was) = if is_list { ("one tensor", "a list") } else { ("a list of tensors", "one tensor") };
            return refuse(format!("`{name}` is {is} and was bound as {was}"));
        }
        if let Some(other) = tensors.iter().map(Argument::role).find(|own| *own != role) {
            let word = |role| match role {
                Role::In => "an input",
                Role::Out => "an output",
                Role::InOut => "updated in place",
            };
            return refuse(format!("`{name}` is {} and was bound as {}", word(role), word(other)));
        }
        if bound[id.index()].is_some() {
            return refuse(format!("`{name}` was bound twice"));
        }
        for tensor in &tensors {
            if let Argument::InOut(Err(e)) | Argument::Output(Err(e)) = tensor {
                return Err(RunError::refused(e.code(), format!("`{name}`: {}", e.message())));
            }
        }
        bound[id.index()] = Some(tensors);
    }
    match sig.tensors().find(|(id, _, _, _)| bound[id.index()].is_none() && !sig.is_optional(*id)) {
        Some((_, param, _, _)) => refuse(format!("tensor `{}` of kernel `{}` was not bound", param.name, sig.name)),
        None => Ok(bound.into_iter().map(Option::unwrap_or_default).collect()),
    }
}

/// The instance whose tensor dtypes are those of the arguments.
fn choose_instance<'l>(
    sig: &Signature,
    instances: &'l [Lowered],
    arguments: &[Vec<Argument<'_>>],
) -> Result<&'l Lowered, RunError> {
    let dtype_of = |id: ParamId| arguments[id.index()].first().and_then(Argument::facts).map(|(d, _)| d);
    for (id, param, ..) in sig.tensors() {
        let other = arguments[id.index()].iter().filter_map(Argument::facts).map(|(d, _)| d).find(|d| Some(*d) != dtype_of(id));
        if let (Some(first), Some(other)) = (dtype_of(id), other) {
            let message =
                format!("list `{}` has tensors of {first} and of {other}: all of a list have one element type", param.name);
            return Err(RunError::refused(Code::J0605, message));
        }
    }
    // What was left out, and a list without items, fits any.
    let is = |id: ParamId, dtype| dtype_of(id).is_none_or(|given| given == dtype);
    let fits = |l: &&Lowered| sig.tensors().all(|(id, _, _, ty)| is(id, ty.resolve(l.binding())));
    if let Some(found) = instances.iter().find(fits) {
        return Ok(found);
    }
    let list = |dtype: &dyn Fn(ParamId, Ty) -> Option<DType>| {
        let each = sig.tensors().map(|(id, p, _, ty)| format!("{}: {}", p.name, dtype(id, ty).map_or("?", DType::name)));
        each.collect::<Vec<_>>().join(", ")
    };
    let found = list(&|id, _| dtype_of(id));
    let allowed: Vec<String> = instances.iter().map(|l| format!("({})", list(&|_, ty| Some(ty.resolve(l.binding()))))).collect();
    let allowed = if allowed.is_empty() { "nothing".to_string() } else { allowed.join(" or ") };
    let message = format!("kernel `{}` has no instance for ({found}); it takes {allowed}", sig.name);
    Err(RunError::refused(Code::J0605, message))
}

/// J0605 for bytes that are no elements: a bool is 0 or 1.
fn are_elements(name: &str, dtype: DType, bytes: &[u8]) -> Result<(), RunError> {
    // A fold without early exit is a vector loop; the search runs only once something was found.
    let are_bits = || bytes.iter().fold(0, |all, b| all | b) <= 1;
    if dtype != DType::Bool || are_bits() {
        return Ok(());
    }
    bytes.iter().position(|b| *b > 1).map_or(Ok(()), |at| {
        let message = format!("element {at} of `{name}` is {}, and a bool is 0 or 1: give `{name} != 0`", bytes[at]);
        Err(RunError::refused(Code::J0605, message))
    })
}

fn into_gm<'a>(name: &str, argument: Argument<'a>) -> Result<Gm<'a>, RunError> {
    let role = argument.role();
    Ok(match argument {
        Argument::Input(t) => Gm::read_only(name, t.dtype, t.bytes),
        Argument::InOut(t) | Argument::Output(t) => {
            let t = t?;
            Gm::writable(name, role, t.dtype, t.shape, t.bytes)
        }
    })
}
