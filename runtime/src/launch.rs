//! Binding of arguments, choice of the instance, host tiling, and the run.
//!
//! A launch refuses before it writes: every argument, shape and requirement is checked first. The order of checks is
//! names and roles, dtypes, shapes, attributes, `require`d facts, tiling.

use crate::array::{AsInput, AsOutput, InputTensor, OutputTensor};
use crate::sim::{self, Census, Gm, Overflow, Progress};
use crate::{Backend, Job, JobBytes, RunError, Shown};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{Lowered, Role, Signature};
use jumar_dsl::soc::{Chip, MAX_BLOCK_DIM};
use jumar_dsl::tiling::{bind, eval, evaluate, Env, Tiling, TilingError, Value};

/// What a run did.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What the host decided.
    pub tiling: Tiling,
    /// The dtype instance, an index into the signature's instances.
    pub instance: usize,
    /// Blocks that ran.
    pub blocks: i64,
    /// Turns of outermost loops, over all blocks: the tiles that were processed. Only the simulator counts them; 0 where
    /// another backend ran.
    pub turns: i64,
    /// What the kernel showed by `v.dump("name")`.
    pub shown: Shown,
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
    fn facts(&self) -> Option<(DType, &[usize])> {
        match self {
            Argument::Input(t) => Some((t.dtype, &t.shape)),
            Argument::InOut(t) | Argument::Output(t) => t.as_ref().ok().map(|t| (t.dtype, t.shape.as_slice())),
        }
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
    arguments: Vec<(String, Argument<'a>)>,
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
        self.arguments.push((name.to_string(), Argument::Input(array.as_input())));
        self
    }

    /// Binds a tensor that the kernel updates in place (`#[inplace]`).
    #[must_use]
    pub fn inout<A: AsOutput + ?Sized>(mut self, name: &str, array: &'a mut A) -> Self {
        self.arguments.push((name.to_string(), Argument::InOut(array.as_output())));
        self
    }

    /// Binds a tensor that the kernel writes.
    #[must_use]
    pub fn output<A: AsOutput + ?Sized>(mut self, name: &str, array: &'a mut A) -> Self {
        self.arguments.push((name.to_string(), Argument::Output(array.as_output())));
        self
    }

    /// Sets an attribute; those left out take their defaults.
    #[must_use]
    pub fn attr(mut self, name: &str, value: impl AttrValue) -> Self {
        self.attrs.push((name.to_string(), value.attr_value()));
        self
    }

    /// Sets a list of numbers.
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
        let arguments = by_parameter(sig, self.arguments)?;
        let lowered = choose_instance(sig, self.instances, &arguments)?;
        let mut given: Vec<(&str, Value)> = self.attrs.iter().map(|(name, v)| (name.as_str(), *v)).collect();
        for (name, values) in &self.lists {
            given.extend(list(sig, name, values)?);
        }
        let shapes: Vec<Option<&[usize]>> =
            arguments.iter().map(|a| a.as_ref().and_then(|a| a.facts()).map(|(_, shape)| shape)).collect();
        let (attrs, dims) = bind(sig, &shapes, &given)?;
        let tiling = tile(lowered, self.chip, &dims, &attrs)?;

        if let (Some(backend), Some(kernel)) = (self.backend, self.kernel) {
            let instance = lowered.instance;
            let overflow = self.overflow;
            let mut arguments = arguments;
            let tensors = sig.params.iter().zip(&mut arguments);
            let tensors = tensors.filter_map(|(p, a)| a.as_mut().map(|a| (p.name.as_str(), a.job_bytes()))).collect::<Vec<_>>();
            backend.run(Job { kernel, instance, dims: &dims, attrs: &attrs, tiling: &tiling, overflow, tensors })?;
            return Ok(Report { instance, blocks: tiling.block_dim, turns: 0, tiling, shown: backend.shown() });
        }
        let tensors = sig.params.iter().zip(arguments);
        let gms = tensors.map(|(param, a)| a.map(|a| into_gm(&param.name, a)).transpose()).collect::<Result<Vec<_>, _>>()?;
        let (overflow, pipes) = (self.overflow, self.pipes);
        let counted = self.census.map_or_else(Vec::new, |_| sim::counters(&lowered.funcs));
        let setup = sim::Setup { lowered, chip: self.chip, tiling: &tiling, overflow, pipes, counted };
        let (turns, shown) = sim::run(&setup, gms, self.progress.as_deref())?;
        if let Some(census) = self.census {
            census.add(lowered, &setup.counted);
        }
        Ok(Report { instance: lowered.instance, blocks: tiling.block_dim, turns, tiling, shown })
    }
}

/// The attributes of a list of numbers with their values.
fn list<'s>(sig: &'s Signature, name: &str, values: &[Value]) -> Result<Vec<(&'s str, Value)>, RunError> {
    let ids = sig.list(name);
    let refuse = |message: String| Err(RunError::refused(Code::J0605, message));
    if ids.is_empty() {
        return refuse(format!("kernel `{}` has no list of numbers `{name}`", sig.name));
    }
    if ids.len() != values.len() {
        return refuse(format!("attribute `{name}` is a list of {}, and {} were given", ids.len(), values.len()));
    }
    Ok(ids.iter().map(|id| sig.param(*id).name.as_str()).zip(values.iter().copied()).collect())
}

/// The arguments in the order of the parameters; `None` for attributes.
fn by_parameter<'a>(sig: &Signature, arguments: Vec<(String, Argument<'a>)>) -> Result<Vec<Option<Argument<'a>>>, RunError> {
    let refuse = |message: String| Err(RunError::refused(Code::J0605, message));
    let mut bound: Vec<Option<Argument<'a>>> = sig.params.iter().map(|_| None).collect();
    for (name, argument) in arguments {
        let Some((id, _, role, _)) = sig.tensors().find(|(_, p, _, _)| p.name == name) else {
            return refuse(format!("kernel `{}` has no tensor `{name}`", sig.name));
        };
        if role != argument.role() {
            let word = |role| match role {
                Role::In => "an input",
                Role::Out => "an output",
                Role::InOut => "updated in place",
            };
            return refuse(format!("`{name}` is {} and was bound as {}", word(role), word(argument.role())));
        }
        if bound[id.index()].is_some() {
            return refuse(format!("`{name}` was bound twice"));
        }
        if let Argument::InOut(Err(e)) | Argument::Output(Err(e)) = &argument {
            return Err(RunError::refused(e.code(), format!("`{name}`: {}", e.message())));
        }
        bound[id.index()] = Some(argument);
    }
    match sig.tensors().find(|(id, _, _, _)| bound[id.index()].is_none() && !sig.is_optional(*id)) {
        Some((_, param, _, _)) => refuse(format!("tensor `{}` of kernel `{}` was not bound", param.name, sig.name)),
        None => Ok(bound),
    }
}

/// The instance whose tensor dtypes are those of the arguments.
fn choose_instance<'l>(
    sig: &Signature,
    instances: &'l [Lowered],
    arguments: &[Option<Argument<'_>>],
) -> Result<&'l Lowered, RunError> {
    let dtype_of = |id: jumar_dsl::ir::ParamId| arguments[id.index()].as_ref().and_then(Argument::facts).map(|(d, _)| d);
    let is = |id, dtype| dtype_of(id).map_or(sig.is_optional(id), |given| given == dtype);
    let fits = |l: &&Lowered| sig.tensors().all(|(id, _, _, ty)| is(id, ty.resolve(l.binding())));
    if let Some(found) = instances.iter().find(fits) {
        return Ok(found);
    }
    let list = |dtype: &dyn Fn(jumar_dsl::ir::ParamId, jumar_dsl::ir::Ty) -> Option<DType>| {
        let each = sig.tensors().map(|(id, p, _, ty)| format!("{}: {}", p.name, dtype(id, ty).map_or("?", DType::name)));
        each.collect::<Vec<_>>().join(", ")
    };
    let found = list(&|id, _| dtype_of(id));
    let allowed: Vec<String> = instances.iter().map(|l| format!("({})", list(&|_, ty| Some(ty.resolve(l.binding()))))).collect();
    let allowed = if allowed.is_empty() { "nothing".to_string() } else { allowed.join(" or ") };
    let message = format!("kernel `{}` has no instance for ({found}); it takes {allowed}", sig.name);
    Err(RunError::refused(Code::J0605, message))
}

/// Runs the host tiling and tells the author's own requirements from the lack of room.
fn tile(lowered: &Lowered, chip: &Chip, dims: &[i64], attrs: &[Option<Value>]) -> Result<Tiling, RunError> {
    let scalar = |e| RunError::refused(Code::J0603, format!("the tiling of kernel `{}` meets {e}", lowered.sig.name));
    let env = Env { dims, attrs, chip, vars: Vec::new(), block: None };
    for fact in &lowered.sig.facts {
        if !eval(&fact.cond, &env).and_then(Value::as_bool).map_err(scalar)? {
            let message = format!("kernel `{}` requires {}", lowered.sig.name, fact.text);
            return Err(RunError::refused(Code::J0604, message));
        }
    }
    let tiling = evaluate(lowered, chip, dims, attrs).map_err(|e| match e {
        TilingError::Eval(e) => scalar(e),
        TilingError::Require(message) => RunError::refused(Code::J0606, message),
    })?;
    if !(1..=MAX_BLOCK_DIM).contains(&tiling.block_dim) {
        let message = format!("the block dim is {}, allowed are 1 to {MAX_BLOCK_DIM}", tiling.block_dim);
        return Err(RunError::refused(Code::J0503, message));
    }
    Ok(tiling)
}

/// J0605 for bytes that are no elements: a bool is 0 or 1.
fn are_elements(name: &str, dtype: DType, bytes: &[u8]) -> Result<(), RunError> {
    let odd = bytes.iter().position(|b| *b > 1).filter(|_| dtype == DType::Bool);
    odd.map_or(Ok(()), |at| {
        let message = format!("element {at} of `{name}` is {}, and a bool is 0 or 1: give `{name} != 0`", bytes[at]);
        Err(RunError::refused(Code::J0605, message))
    })
}

fn into_gm<'a>(name: &str, argument: Argument<'a>) -> Result<Gm<'a>, RunError> {
    let role = argument.role();
    Ok(match argument {
        Argument::Input(t) => {
            are_elements(name, t.dtype, &t.bytes)?;
            Gm::read_only(name, t.dtype, t.bytes)
        }
        Argument::InOut(t) | Argument::Output(t) => {
            let t = t?;
            are_elements(name, t.dtype, t.bytes)?;
            Gm::writable(name, role, t.dtype, t.shape, t.bytes)
        }
    })
}
