//! Binding of arguments, choice of the instance, host tiling, and the run.
//!
//! A launch refuses before it writes: it checks every argument, shape and requirement first. The
//! order of checks is names and roles, dtypes, shapes, attributes, `require`d facts, tiling.
//!
//! A kernel with lists is a kernel of one item. Each item is bound and tiled for itself, and runs
//! after the one before.

mod arguments;
mod promised;
mod running;

pub use running::Running;

use crate::array::{Array, AsInput, AsOutput};
use crate::plan::{Item, Numbers};
use crate::sim::{self, Census, Overflow, Progress};
use crate::{Backend, Open, RunError, Shown};
use arguments::{by_parameter, choose_instance, count_items, into_gm, shapes_of, Argument, Given};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::diag::Code;
use jumar_dsl::ir::{Lowered, Per, Role, Signature};
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::{Tiling, Value};
use promised::Promises;
use running::{of_item, Begun, Bound};
use std::time::Duration;

/// The report of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Decisions of the host: one entry for a kernel without lists, else one for each item.
    pub items: Vec<Tiling>,
    /// The instance, an index into the signature's instances.
    pub instance: usize,
    /// Blocks that ran, of the item with the most.
    pub blocks: i64,
    /// Iterations of outermost loops over all blocks: the tiles that were processed. Only the
    /// simulator counts them; other backends leave 0.
    pub turns: i64,
    /// The dumps of `v.dump("name")`.
    pub shown: Shown,
    /// Outputs with elements that depend on a decision which another order of a sum may change,
    /// item by item. Only the interpreter fills it.
    pub open: Vec<Open>,
    /// Values that scalars took from tensors, of each item and block; only the simulator fills it.
    pub read: Vec<Vec<Vec<Value>>>,
    /// The time that a device worked on all items, by its own events. `None` where no device ran.
    pub device_time: Option<Duration>,
}

/// A type that an attribute accepts.
pub trait AttrValue {
    /// Returns the value for the tiling evaluator.
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
    // No size of an array exceeds `i64::MAX`; the check of the range refuses a larger number later.
    usize: |v| Value::Int(i64::try_from(v).unwrap_or(i64::MAX)),
    bool: |v| Value::Bool(v),
    Value: |v| v,
}

/// One launch of a kernel on the simulator.
///
/// ```
/// use jumar_runtime::Launch;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let text = "#[kernel]
/// pub fn scaled<T: Float>(
///     x: &GlobalTensor<T>,
///     y: &mut GlobalTensor<T>,
///     #[default(1.0)] scale: f32,
/// ) {
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
/// let launch = Launch::new(&kernel).input("x", &x).output("y", &mut y);
/// let report = launch.attr("scale", 1.5f32).run()?;
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
    /// Makes a launch of `kernel` without arguments.
    pub fn new(kernel: &'a CheckedKernel) -> Self {
        Launch {
            kernel: Some(kernel),
            sig: Some(&kernel.kernel().sig),
            ..Self::lowered(kernel.instances(), kernel.chip())
        }
    }

    /// Makes a launch of lowered instances that need not come from a checked kernel, for the
    /// simulator's own tests.
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
        self.arguments
            .push(Given::one(name, Argument::Input(array.as_input())));
        self
    }

    /// Binds a list of tensors that the kernel reads, one for each item. Arrays of several types
    /// are `&dyn AsInput`.
    #[must_use]
    pub fn inputs<A: AsInput + ?Sized + 'a>(
        mut self,
        name: &str,
        arrays: impl IntoIterator<Item = &'a A>,
    ) -> Self {
        self.arguments.push(Given::list(
            name,
            arrays
                .into_iter()
                .map(|array| Argument::Input(array.as_input())),
        ));
        self
    }

    /// Binds a tensor that the kernel updates in place (`#[inplace]`).
    #[must_use]
    pub fn inout<A: AsOutput + ?Sized>(mut self, name: &str, array: &'a mut A) -> Self {
        self.arguments
            .push(Given::one(name, Argument::InOut(array.as_output())));
        self
    }

    /// Binds a list of tensors that the kernel updates in place.
    #[must_use]
    pub fn inouts<A: AsOutput + ?Sized + 'a>(
        mut self,
        name: &str,
        arrays: impl IntoIterator<Item = &'a mut A>,
    ) -> Self {
        self.arguments.push(Given::list(
            name,
            arrays
                .into_iter()
                .map(|array| Argument::InOut(array.as_output())),
        ));
        self
    }

    /// Binds tensors by name, with the roles that the signature gives them. A list gets all arrays
    /// of its name, item by item; every other tensor gets one. No array under a name leaves the
    /// tensor out. Names that the kernel lacks are ignored.
    #[must_use]
    pub fn arrays(mut self, arrays: &'a mut [(String, Vec<Array>)]) -> Self {
        // A launch without a signature is refused at its run.
        let Some(sig) = self.sig else { return self };
        for (name, all) in arrays {
            let Some((_, param, role, _)) = sig.tensors().find(|(_, p, ..)| p.name == *name) else {
                continue;
            };
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
        self.arguments
            .push(Given::one(name, Argument::Output(array.as_output())));
        self
    }

    /// Binds a list of tensors that the kernel writes.
    #[must_use]
    pub fn outputs<A: AsOutput + ?Sized + 'a>(
        mut self,
        name: &str,
        arrays: impl IntoIterator<Item = &'a mut A>,
    ) -> Self {
        self.arguments.push(Given::list(
            name,
            arrays
                .into_iter()
                .map(|array| Argument::Output(array.as_output())),
        ));
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
        self.lists.push((
            name.to_string(),
            values.into_iter().map(AttrValue::attr_value).collect(),
        ));
        self
    }

    /// Sets the treatment of 16-bit results that overflow; infinity is the default.
    #[must_use]
    pub fn overflow(mut self, overflow: Overflow) -> Self {
        self.overflow = overflow;
        self
    }

    /// Makes the simulator also look for accesses of one block that nothing orders (J0809).
    /// Examples are two copies to the same elements of GM, and pipes that share UB without a queue
    /// between them. It takes longer and is off by default.
    #[must_use]
    pub fn pipes(mut self, watched: bool) -> Self {
        self.pipes = watched;
        self
    }

    /// Counts how often the simulator runs each call of the kernel's device functions, for tests of
    /// what kernels reach.
    #[doc(hidden)]
    #[must_use]
    pub fn census(mut self, census: &'a Census) -> Self {
        self.census = Some(census);
        self
    }

    /// Runs on another backend than the simulator.
    #[must_use]
    pub fn backend(mut self, backend: &'a dyn Backend) -> Self {
        self.backend = Some(backend);
        self
    }

    /// Calls `f` with the index of each block that has finished, from the thread that ran it and in
    /// no order.
    #[must_use]
    pub fn progress(mut self, f: impl Fn(i64) + Sync + 'a) -> Self {
        self.progress = Some(Box::new(f));
        self
    }

    /// Runs the kernel.
    ///
    /// # Errors
    /// [`RunError::Refused`] with:
    ///
    /// - J0605 for a missing, unknown or repeated argument, a wrong role, a dtype without instance,
    ///   or a bad attribute;
    /// - J0603 for shapes, and J0604 for a `require`d fact;
    /// - J0606 where no tile fits, and J0503 for the block dim.
    ///
    /// [`RunError::Fault`] with J0801 to J0804 or J0809 where the simulator stops the run.
    pub fn run(self) -> Result<Report, RunError> {
        if let (Some(backend), Some(kernel)) = (self.backend, self.kernel) {
            return self.start_on(backend, kernel)?.wait();
        }
        let (overflow, pipes, census, chip) = (self.overflow, self.pipes, self.census, self.chip);
        let (mut bound, progress) = self.bound()?;
        let (sig, lowered) = (bound.sig, bound.lowered);
        let (mut report, mut promises) = (bound.report(), Promises::default());
        for (nth, Item { tiling, .. }) in bound.items.iter().enumerate() {
            let tensors = of_item(sig, &mut bound.arguments, nth);
            let gms = tensors
                .map(|(name, a)| a.map(|a| into_gm(name, a.lend())).transpose())
                .collect::<Result<Vec<_>, _>>()?;
            let counted = census.map_or_else(Vec::new, |_| sim::counters(&lowered.funcs));
            let setup = sim::Setup {
                lowered,
                chip,
                tiling,
                overflow,
                pipes,
                counted,
            };
            let ran =
                sim::run(&setup, gms, progress.as_deref()).map_err(|e| bound.said_of(e, nth))?;
            bound.keeps(&mut promises, nth, &ran.alike)?;
            report.join(ran);
            if let Some(census) = census {
                census.add(lowered, &setup.counted);
            }
        }
        Ok(report)
    }

    /// Begins to run the kernel. On a device the work goes on after this function returns; all
    /// other backends finish it first. The caller may use arrays that are read as soon as this
    /// returns. Arrays that are written belong to the launch until [`Running::wait`]. Items of
    /// lists run side by side, unless they write to one tensor.
    ///
    /// # Errors
    /// Those of [`run`](Self::run), as far as they are known before the end.
    pub fn start(self) -> Result<Running<'a>, RunError> {
        match (self.backend, self.kernel) {
            (Some(backend), Some(kernel)) => self.start_on(backend, kernel),
            _ => Ok(Running {
                report: self.run()?,
                bound: None,
                underway: Vec::new(),
            }),
        }
    }

    fn start_on(
        self,
        backend: &'a dyn Backend,
        kernel: &'a CheckedKernel,
    ) -> Result<Running<'a>, RunError> {
        let overflow = self.overflow;
        let (mut bound, _) = self.bound()?;
        let mut report = bound.report();
        let (is_apart, mut underway, mut promises) =
            (bound.are_apart(), Vec::new(), Promises::default());
        for nth in 0..bound.items.len() {
            let begun = bound.with_job(kernel, overflow, nth, |job| {
                let begun = if is_apart { backend.start(&job)? } else { None };
                begun.map_or_else(
                    || backend.run(job).map(Begun::Ended),
                    |one| Ok(Begun::Underway(one)),
                )
            });
            match begun.map_err(|e| bound.said_of(e, nth))? {
                Begun::Underway(one) => underway.push((nth, one)),
                Begun::Ended(ran) => {
                    bound.keeps(&mut promises, nth, &ran.alike)?;
                    report.join(ran);
                }
            }
        }
        Ok(Running {
            report,
            bound: Some(bound),
            underway,
        })
    }

    /// Binds arguments, chooses the instance and tiles; every refusal happens here.
    fn bound(self) -> Result<(Bound<'a>, Option<Box<Progress<'a>>>), RunError> {
        let Some(sig) = self.sig else {
            return Err(RunError::refused(Code::J0605, "the kernel has no instance"));
        };
        let arguments = by_parameter(sig, self.arguments)?;
        let lowered = choose_instance(sig, self.instances, &arguments)?;
        let count = count_items(sig, &arguments, &self.lists)?;
        let mut bound = Bound {
            sig,
            lowered,
            arguments,
            items: Vec::new(),
        };
        let numbers = Numbers {
            attrs: &self.attrs,
            lists: &self.lists,
        };
        let item = |nth| {
            Item::new(
                lowered,
                self.chip,
                &shapes_of(sig, &bound.arguments, nth),
                numbers,
                (nth, count),
            )
        };
        let items = (0..count)
            .map(|nth| item(nth).map_err(|e| bound.said_of(e, nth)))
            .collect::<Result<_, _>>()?;
        bound.items = items;
        for (param, all) in sig.params.iter().zip(&bound.arguments) {
            all.iter()
                .try_for_each(|argument| argument.are_elements(&param.name))?;
        }
        Ok((bound, self.progress))
    }
}
