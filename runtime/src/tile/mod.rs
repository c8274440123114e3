//! The tile interpreter: runs a tile kernel from its source.
//!
//! It runs the IR *as the author wrote it* on whole arrays. It knows no tile size, queue, core,
//! pitch or padding. It uses the scalar meaning of the op table and nothing of the lowering, the
//! simulator or the emitter. Its agreement with those two is therefore evidence for the lowering,
//! which both of them read.
//!
//! | module | has |
//! |---|---|
//! | `walk` | statements, loops, accesses |
//! | `cuts` | comparison of two runs with other cuts |
//! | `array`, `gm` | tiles, tensors |
//! | `elementwise`, `reduce`, `round` | arithmetic |
//! | `add` | stores that several iterations may make to one element |
//! | `append` | stores whose place is data |
//! | `open` | elements that a bound leaves undecided |
//! | `ideal` | values without a largest number |
//!
//! The order of a sum is the lowering's choice. On data where all orders agree (small integers,
//! powers of two) every reader must give equal bits. On other data [`Tile::bounded`] carries a
//! distance beside each element: how far another legal order may lie away. The distance is 0
//! wherever no such choice was made.
//!
//! These bounds leave some comparisons undecided. The numbers at hand decide them, and a mark
//! (`open`) travels with everything that depends on the decision. [`Tile::open`] counts the marked
//! elements of each output.
//!
//! No result may depend on how loops are cut: [`AnyCut`] runs a launch several times and compares.
//! No result may be lost to an intermediate number that overflows its type; `ideal` finds such
//! results.
//!
//! The interpreter leaves out time, memory, alignment, and whether the chip has what a kernel asks
//! for (the checker's task).
//!
//! Start reading at [`Tile::interpret`], then `walk.rs` (`Walker`).

mod add;
mod append;
mod array;
mod cuts;
mod elementwise;
mod gm;
mod ideal;
mod open;
mod parts;
mod pick;
mod reduce;
mod round;
mod scan;
mod stored;
#[cfg(test)]
mod tests;
mod top;
mod trace;
mod walk;

pub use cuts::AnyCut;
pub use trace::Traced;

use crate::error::Trip;
use crate::{Alike, Backend, Fault, Job, JobBytes, Open, Overflow, Ran, RunError, Shown};
use jumar_dsl::diag::Code;
use jumar_dsl::ir::tile::Body;
use jumar_dsl::ir::{Kernel, ParamId, Role, SpanId, StmtKind, TileStmt};
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::{Env, Value};
use std::sync::{Mutex, PoisonError};

/// The way in which tile loops are cut into iterations. No kernel's result may depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Cut {
    /// One iteration with everything.
    #[default]
    Whole,
    /// Two iterations, the first one larger by at most one.
    Halves,
    /// One index in each iteration.
    Singles,
    /// This many indices in each iteration.
    By(i64),
    /// Iterations of many lengths, drawn from a seed.
    Uneven(u64),
}

impl Cut {
    /// Returns first index and length of each iteration. An extent of 0 has none.
    pub(crate) fn runs(self, extent: i64) -> Vec<(i64, i64)> {
        let mut seed = if let Cut::Uneven(seed) = self {
            seed
        } else {
            0
        };
        let mut runs = Vec::new();
        let mut at = 0;
        while at < extent {
            let step = match self {
                Cut::Whole => extent,
                Cut::Halves => (extent + 1) / 2,
                Cut::Singles => 1,
                Cut::By(step) => step.max(1),
                Cut::Uneven(_) => {
                    // The multiplier and the increment of Knuth's MMIX.
                    seed = seed
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    1 + (seed >> 33) as i64 % (extent / 2 + 1)
                }
            };
            runs.push((at, step.min(extent - at)));
            at += step;
        }
        runs
    }
}

/// Options of a run.
#[derive(Clone, Copy, Debug, Default)]
struct Options {
    cut: Cut,
    overflow: Overflow,
    bounded: bool,
    traced: bool,
}

/// Runs launches on the tile interpreter.
///
/// ```
/// use jumar_runtime::{tile::Tile, Launch};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let text = "#[kernel]
/// pub fn doubled(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
///     for t in tiles(x) {
///         y.at(t).store(x.at(t).load() * 2.0);
///     }
/// }";
/// let parsed = jumar_dsl::front::parse_file(text).map_err(|broken| broken.0.message)?;
/// let kernel = parsed[0].kernel.as_ref().ok_or("the kernel has errors")?;
/// let chip = jumar_dsl::soc::Chip::default_chip();
/// let kernel = jumar_dsl::check::check(kernel, chip).map_err(|d| d[0].message.clone())?;
///
/// let x = ndarray::Array1::<f32>::ones(1000);
/// let mut y = ndarray::Array1::<f32>::zeros(1000);
/// let tile = Tile::default();
/// Launch::new(&kernel).backend(&tile).input("x", &x).output("y", &mut y).run()?;
/// assert!(y.iter().all(|v| *v == 2.0));
/// # Ok(()) }
/// ```
#[derive(Debug, Default)]
pub struct Tile {
    /// The cut of tile loops.
    pub cut: Cut,
    /// Carries bounds for what the order of a sum may change; [`Tile::errors`] returns them.
    pub bounded: bool,
    traced: bool,
    trace: Mutex<Vec<Traced>>,
    errors: Mutex<Vec<(String, Vec<f64>)>>,
    overflowed: Mutex<Option<Fault>>,
    alike: Mutex<Alike>,
    open: Mutex<Vec<Open>>,
    shown: Mutex<Shown>,
}

impl Tile {
    /// Makes an interpreter with a cut, and with or without bounds.
    pub fn new(cut: Cut, bounded: bool) -> Self {
        Tile {
            cut,
            bounded,
            ..Tile::default()
        }
    }

    /// Returns the dumps of the last run.
    pub fn shown(&self) -> Shown {
        self.shown
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Also records what tiles hold; [`Tile::trace`] returns it.
    #[must_use]
    pub fn traced(self) -> Self {
        Tile {
            traced: true,
            ..self
        }
    }

    /// Returns the trace of the last traced run: for each statement that made or changed a tile,
    /// the first value that it gave. Statements are in the order in which they first ran.
    pub fn trace(&self) -> Vec<Traced> {
        self.trace
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns, for the last run with bounds, the outputs with elements that depend on a decision
    /// which another order of a sum may change.
    pub fn open(&self) -> Vec<Open> {
        self.open
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns the stores of the last run that promise equal stores by other iterations.
    pub fn alike(&self) -> Alike {
        self.alike
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns the distances of the last run with bounds: for each written tensor, how far each
    /// element of another legal order may lie away. An undecided element has infinity. A list is
    /// empty where every element is exact.
    pub fn errors(&self) -> Vec<(String, Vec<f64>)> {
        self.errors
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns the overflow of the last run with bounds, as J0815. It is at the first element of an
    /// output that is not finite, but would be a number of its type if no intermediate number had
    /// overflowed.
    pub fn overflowed(&self) -> Option<Fault> {
        self.overflowed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Runs a kernel that need not be checked or even lowerable: the tile dialect after any pass.
    ///
    /// `tensors` and `attrs` have the order of [`Job`].
    ///
    /// # Errors
    /// - [`RunError::Refused`] for a kernel of the queue level.
    /// - [`RunError::Fault`] with J0801 for an access outside of a tensor.
    /// - [`RunError::Fault`] with J0802 for an output that is read before it is written, or that
    ///   has gaps after the run.
    /// - [`RunError::Fault`] with J0804 for a value that cannot be computed.
    pub fn interpret(
        &self,
        kernel: &Kernel,
        instance: usize,
        inputs: Inputs<'_, '_>,
    ) -> Result<(), RunError> {
        let Some(body) = kernel.tiles() else {
            let message = format!(
                "kernel `{}` is written at queue level; the tile interpreter runs tile kernels",
                kernel.sig.name
            );
            return Err(RunError::refused(Code::J0605, message));
        };
        let placed = |span: SpanId, trip: Trip| {
            let place = kernel.spans.get(span.index()).copied().unwrap_or_default();
            let Trip { code, message } = trip;
            let (line, column) = (place.line, place.column);
            let kernel = kernel.sig.name.clone();
            Fault {
                code,
                message,
                kernel,
                line,
                column,
                block: None,
                tile: None,
            }
        };
        let fault = |span: SpanId, trip: Trip| RunError::Fault(Box::new(placed(span, trip)));
        let missing = || fault(SpanId(0), Trip::malformed("no such dtype instance"));
        let binding = kernel.sig.instances.get(instance).ok_or_else(missing)?;
        // `size_of::<T>()` is a number in an instance.
        let mut body = body.clone();
        body.change_scalars(|scalar| scalar.sized(binding));
        let Inputs {
            chip,
            dims,
            attrs,
            overflow,
            tensors,
        } = inputs;
        let options = Options {
            cut: self.cut,
            overflow,
            bounded: self.bounded,
            traced: self.traced,
        };
        // One block runs all iterations.
        let env = Env {
            dims,
            attrs,
            chip,
            vars: Vec::new(),
            block: Some((0, 1)),
        };
        let (bound, outs) = bind(kernel, &body, instance, tensors)?;
        let mut walker = walk::Walker::new(
            (&kernel.sig, &body, binding, &kernel.spans),
            env,
            &options,
            bound,
        )
        .map_err(|trip| fault(SpanId(0), trip))?;
        let done = walker.stmts(&body.stmts);
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) =
            std::mem::take(&mut walker.shown);
        *self.trace.lock().unwrap_or_else(PoisonError::into_inner) =
            std::mem::take(&mut walker.traced)
                .into_iter()
                .map(|(_, traced)| traced)
                .collect();
        done.map_err(|trip| fault(walker.span, trip))?;
        let written = |id: ParamId| walker.tensors.get(id.index()).and_then(Option::as_ref);
        for (id, _) in &outs {
            if let Some(at) = written(*id).and_then(gm::Tensor::first_unwritten) {
                let p = kernel.sig.param(*id);
                let message = format!(
                    "output `{}` is not wholly written: no store reaches element {at}",
                    p.name
                );
                return Err(fault(p.span, Trip::new(Code::J0802, message)));
            }
        }
        let overflowed = outs.iter().find_map(|(id, _)| {
            let (at, element, ideal, left) = written(*id)?.overflowed()?;
            let (name, most) = (&kernel.sig.param(*id).name, round::largest(left.dtype));
            let message = format!(
                "element {at} of `{name}` is {element}, and would be {} if no number on the way to it were too large: here one of {} leaves {}, \
                 which ends at {}",
                short(ideal),
                short(left.value),
                left.dtype,
                short(most)
            );
            Some(placed(left.span, Trip::new(Code::J0815, message)))
        });
        *self
            .overflowed
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = overflowed;
        let alike = outs.iter().filter_map(|(id, _)| {
            let all = &written(*id)?.alike;
            (!all.is_empty()).then(|| {
                (
                    kernel.sig.param(*id).name.clone(),
                    all.iter().map(|at| *at..at + 1).collect(),
                )
            })
        });
        *self.alike.lock().unwrap_or_else(PoisonError::into_inner) = alike.collect();
        let (mut errors, mut open) = (Vec::new(), Vec::new());
        for (id, out) in outs {
            if let Some(tensor) = written(id) {
                let of = out.len() / tensor.dtype.bytes() as usize;
                let own = tensor.finish(out);
                let name = &kernel.sig.param(id).name;
                let elements = own.iter().filter(|e| e.is_infinite()).count();
                if elements > 0 {
                    let place = walker
                        .open
                        .first
                        .and_then(|span| kernel.spans.get(span.index()));
                    open.push(Open {
                        tensor: name.clone(),
                        elements,
                        of,
                        line: place.map(|place| place.line),
                    });
                }
                errors.push((name.clone(), own));
            }
        }
        *self.errors.lock().unwrap_or_else(PoisonError::into_inner) = errors;
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = open;
        Ok(())
    }
}

/// Formats a number for people: digits in the middle of the range, an exponent at its ends.
fn short(v: f64) -> String {
    match v == 0.0 || (1e-4..1e7).contains(&v.abs()) {
        true => (v as f32).to_string(),
        false => format!("{v:.3e}"),
    }
}

/// The tensors by parameter, and the destinations of those that are written.
type Bound<'t> = (Vec<Option<gm::Tensor<'t>>>, Vec<(ParamId, &'t mut [u8])>);

fn bind<'t>(
    kernel: &Kernel,
    body: &Body,
    instance: usize,
    tensors: Vec<(&str, JobBytes<'t>)>,
) -> Result<Bound<'t>, RunError> {
    let mut bound: Vec<Option<gm::Tensor<'t>>> = kernel.sig.params.iter().map(|_| None).collect();
    let mut outs = Vec::new();
    let mut given = tensors.into_iter().peekable();
    for (id, p, role, ty) in kernel.sig.tensors() {
        if kernel.sig.is_optional(id) && given.peek().is_none_or(|(name, _)| *name != p.name) {
            continue;
        }
        let missing =
            || RunError::refused(Code::J0605, format!("tensor `{}` was not bound", p.name));
        let (_, bytes) = given.next().ok_or_else(missing)?;
        let dtype = ty.resolve(&kernel.sig.instances[instance]);
        bound[id.index()] = Some(match (role, &bytes) {
            // An appended tensor keeps the elements that no iteration reaches.
            (Role::Out, JobBytes::Write(bytes)) if appends(body, id) => {
                gm::Tensor::copied(&p.name, dtype, bytes)
            }
            (Role::Out, bytes) => gm::Tensor::undefined(&p.name, dtype, bytes.bytes().len()),
            (Role::In | Role::InOut, JobBytes::Read(bytes)) => {
                gm::Tensor::new(&p.name, dtype, bytes)
            }
            (Role::In | Role::InOut, JobBytes::Write(bytes)) => {
                gm::Tensor::copied(&p.name, dtype, bytes)
            }
        });
        if let JobBytes::Write(out) = bytes {
            outs.push((id, out));
        }
    }
    Ok((bound, outs))
}

/// True for a tensor that the kernel appends to.
fn appends(body: &Body, to: ParamId) -> bool {
    let mut found = false;
    body.walk(&mut |s| found |= matches!(&s.kind, StmtKind::Do(TileStmt::Append { to: at, .. }) if at.param() == Some(to)));
    found
}

/// Arguments of a run.
pub struct Inputs<'a, 't> {
    /// The chip, for the facts that scalars may ask for.
    pub chip: &'static Chip,
    /// Size of each named axis.
    pub dims: &'a [i64],
    /// Value of each attribute, by parameter.
    pub attrs: &'a [Option<Value>],
    /// The treatment of 16-bit results that overflow.
    pub overflow: Overflow,
    /// The tensors in the order of the parameters.
    pub tensors: Vec<(&'t str, JobBytes<'t>)>,
}

impl Backend for Tile {
    fn run(&self, job: Job<'_>) -> Result<Ran, RunError> {
        let Job {
            kernel,
            instance,
            dims,
            attrs,
            overflow,
            tensors,
            ..
        } = job;
        self.interpret(
            kernel.kernel(),
            instance,
            Inputs {
                chip: kernel.chip(),
                dims,
                attrs,
                overflow,
                tensors,
            },
        )?;
        Ok(Ran {
            shown: self.shown(),
            alike: self.alike(),
            open: self.open(),
            ..Ran::default()
        })
    }
}
