//! What executes a launch: the simulator by default, another reader of the same kernel, or a device.

use crate::sim::{self, Gm};
use crate::{Overflow, RunError, Shown};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::ir::ParamKind;
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::{Tiling, Value};
use std::borrow::Cow;
use std::ops::Range;
use std::time::Duration;

/// A tensor of a job.
#[derive(Debug)]
pub enum JobBytes<'a> {
    /// It is read.
    Read(&'a [u8]),
    /// It is written, and may be read.
    Write(&'a mut [u8]),
}

impl JobBytes<'_> {
    /// The elements, row-major.
    pub fn bytes(&self) -> &[u8] {
        match self {
            JobBytes::Read(bytes) => bytes,
            JobBytes::Write(bytes) => bytes,
        }
    }
}

/// A launch whose arguments, shapes and attributes fit the kernel.
#[derive(Debug)]
pub struct Job<'a> {
    /// The kernel.
    pub kernel: &'a CheckedKernel,
    /// The dtype instance, an index into the signature's instances.
    pub instance: usize,
    /// Sizes of the axes, in the order of the signature.
    pub dims: &'a [i64],
    /// Values of the attributes, one entry a parameter.
    pub attrs: &'a [Option<Value>],
    /// What the evaluator decided; a backend with a tiling function of its own must decide the same.
    pub tiling: &'a Tiling,
    /// What becomes of 16-bit results that overflow.
    pub overflow: Overflow,
    /// Name and bytes of each tensor parameter, in order.
    pub tensors: Vec<(&'a str, JobBytes<'a>)>,
    /// Shapes of the same.
    pub shapes: Vec<&'a [usize]>,
}

/// By name of a tensor, elements that were stored to with the promise that others store the same there at the same time.
pub type Alike = Vec<(String, Vec<Range<usize>>)>;

/// Elements of an output that hang from what another legal order of a sum may decide otherwise: J0819.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// The output.
    pub tensor: String,
    /// How many of its elements.
    pub elements: usize,
    /// How many it has.
    pub of: usize,
    /// Where the first question was left open.
    pub line: Option<u32>,
}

impl std::fmt::Display for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Open {
            tensor,
            elements,
            of,
            line,
        } = self;
        let verb = if *elements == 1 { "hangs" } else { "hang" };
        write!(f, "{elements} of {of} elements of `{tensor}` {verb} from what another order of a sum may decide otherwise")?;
        line.map_or(Ok(()), |line| write!(f, ", first in line {line}"))
    }
}

/// What a run left besides the bytes of written tensors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ran {
    /// Turns of outermost loops over all blocks, where they are counted: on the simulator.
    pub turns: i64,
    /// What the kernel showed by `v.dump("name")`.
    pub shown: Shown,
    /// What was stored with `store_any`, by who knows it: simulator, interpreter, and emitted C++ that looks for races.
    pub alike: Alike,
    /// Outputs with elements that are not decided; of the interpreter, which carries bounds.
    pub open: Vec<Open>,
    /// How long the device worked, by its own events; none where there is no device.
    pub device_time: Option<Duration>,
}

/// A job that has begun. One that is dropped ends without results.
pub trait Underway {
    /// Whether it has ended.
    ///
    /// # Errors
    /// Why nobody knows.
    fn is_done(&self) -> Result<bool, RunError>;

    /// Waits for its end, and gives the written tensors, in the order of the job, what they hold.
    ///
    /// # Errors
    /// Why it did not end well. What the written tensors hold then is undefined.
    fn wait(self: Box<Self>, written: Vec<&mut [u8]>) -> Result<Ran, RunError>;
}

/// Runs jobs.
pub trait Backend {
    /// Runs one job to its end; the bytes of written tensors are its result.
    ///
    /// # Errors
    /// Why it did not end well. What the written tensors hold then is undefined.
    fn run(&self, job: Job<'_>) -> Result<Ran, RunError>;

    /// Begins a job, of which nothing is used any more when this comes back; none where the backend does not come back before the end.
    ///
    /// # Errors
    /// Why it was not begun.
    fn start<'a>(&'a self, _job: &Job<'_>) -> Result<Option<Box<dyn Underway + 'a>>, RunError> {
        Ok(None)
    }

    /// The chip that it is, for which kernels are checked that run on it; none for one that takes kernels of any chip.
    fn chip(&self) -> Option<&'static Chip> {
        None
    }
}

/// The reference simulator, as a launch has it that names no backend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simulator;

impl Backend for Simulator {
    fn run(&self, job: Job<'_>) -> Result<Ran, RunError> {
        let lowered = &job.kernel.instances()[job.instance];
        let mut given = job.tensors.into_iter().zip(job.shapes).peekable();
        let mut gms = Vec::new();
        for param in &lowered.sig.params {
            let ParamKind::Tensor { role, dtype, .. } = &param.kind else {
                gms.push(None);
                continue;
            };
            let dtype = dtype.resolve(lowered.binding());
            gms.push(given.next_if(|((name, _), _)| *name == param.name).map(
                |((name, bytes), shape)| match bytes {
                    JobBytes::Read(bytes) => Gm::read_only(name, dtype, Cow::Borrowed(bytes)),
                    JobBytes::Write(bytes) => {
                        Gm::writable(name, *role, dtype, shape.to_vec(), bytes)
                    }
                },
            ));
        }
        let setup = sim::Setup {
            lowered,
            chip: job.kernel.chip(),
            tiling: job.tiling,
            overflow: job.overflow,
            pipes: false,
            counted: Vec::new(),
        };
        sim::run(&setup, gms, None)
    }
}
