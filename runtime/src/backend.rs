//! Backends that execute a launch: the simulator by default, another reader of the kernel, or a
//! device.

use crate::sim::{self, Gm};
use crate::{Overflow, RunError, Shown};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::ir::ParamKind;
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::{Tiling, Value};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// A tensor of a job.
#[derive(Debug)]
pub enum JobBytes<'a> {
    /// Bytes that are read.
    Read(&'a [u8]),
    /// Bytes that are written, and may be read.
    Write(&'a mut [u8]),
}

impl JobBytes<'_> {
    /// Returns the elements, row-major.
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
    pub kernel: &'a CheckedKernel,
    /// The instance, an index into the signature's instances.
    pub instance: usize,
    /// Sizes of the axes, in the order of the signature.
    pub dims: &'a [i64],
    /// Values of the attributes, one entry for each parameter.
    pub attrs: &'a [Option<Value>],
    /// Decisions of the evaluator; a backend with its own tiling function must decide the same.
    pub tiling: &'a Tiling,
    /// The treatment of 16-bit results that overflow.
    pub overflow: Overflow,
    /// Name and bytes of each tensor parameter, in order.
    pub tensors: Vec<(&'a str, JobBytes<'a>)>,
    /// The shapes of `tensors`.
    pub shapes: Vec<&'a [usize]>,
}

/// Elements that were stored to with the promise that other iterations store equal values, by name
/// of the tensor.
pub type Alike = Vec<(String, Vec<Range<usize>>)>;

/// Elements of an output that depend on a decision which another legal order of a sum may change:
/// J0819.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    pub tensor: String,
    /// The number of such elements.
    pub elements: usize,
    /// The number of all its elements.
    pub of: usize,
    /// The line of the first undecided question.
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
        let verb = if *elements == 1 { "depends" } else { "depend" };
        write!(f, "{elements} of {of} elements of `{tensor}` {verb} on what another order of a sum may decide otherwise")?;
        line.map_or(Ok(()), |line| write!(f, ", first in line {line}"))
    }
}

/// The result of a run besides the bytes of written tensors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ran {
    /// Iterations of outermost loops over all blocks; only the simulator counts them.
    pub turns: i64,
    /// The dumps of `v.dump("name")`.
    pub shown: Shown,
    /// Stores by `store_any`. The simulator, the interpreter, and emitted C++ that looks for races
    /// fill it.
    pub alike: Alike,
    /// Outputs with undecided elements; only the interpreter fills it, since it carries bounds.
    pub open: Vec<Open>,
    /// Values that scalars took from tensors, of each block in order; only the simulator fills it.
    /// With them, `jumar_dsl::cost::stream` follows what depends on data.
    pub read: Vec<Vec<Value>>,
    /// The time that the device worked, by its own events; `None` where no device ran.
    pub device_time: Option<Duration>,
}

/// A job that has begun. Dropping it ends the job without results.
pub trait Underway {
    /// True if the job has ended.
    ///
    /// # Errors
    /// The reason why its state is unknown.
    fn is_done(&self) -> Result<bool, RunError>;

    /// Waits for the end, and copies the results to the written tensors, in the order of the job.
    ///
    /// # Errors
    /// The reason why the job failed. The contents of written tensors are undefined then.
    fn wait(self: Box<Self>, written: Vec<&mut [u8]>) -> Result<Ran, RunError>;
}

/// An executor of jobs.
pub trait Backend {
    /// Runs one job to its end; the bytes of written tensors are its result.
    ///
    /// # Errors
    /// The reason why the job failed. The contents of written tensors are undefined then.
    fn run(&self, job: Job<'_>) -> Result<Ran, RunError>;

    /// Begins a job, and uses nothing of `_job` after it returns. Returns `None` if this backend
    /// can only run a job to its end.
    ///
    /// # Errors
    /// The reason why the job was not begun.
    fn start<'a>(&'a self, _job: &Job<'_>) -> Result<Option<Box<dyn Underway + 'a>>, RunError> {
        Ok(None)
    }

    /// Returns the chip for which kernels must be checked, or `None` if the backend takes kernels
    /// of any chip.
    fn chip(&self) -> Option<&'static Chip> {
        None
    }
}

impl<B: Backend + ?Sized> Backend for Arc<B> {
    fn run(&self, job: Job<'_>) -> Result<Ran, RunError> {
        (**self).run(job)
    }

    fn start<'a>(&'a self, job: &Job<'_>) -> Result<Option<Box<dyn Underway + 'a>>, RunError> {
        (**self).start(job)
    }

    fn chip(&self) -> Option<&'static Chip> {
        (**self).chip()
    }
}

/// The reference simulator, the backend of a launch that names none.
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
