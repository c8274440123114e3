//! What executes a launch: the simulator by default, or another reader of the same kernel.

use crate::{Overflow, RunError, Shown};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::tiling::{Tiling, Value};

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
}

/// Runs jobs.
pub trait Backend {
    /// Runs one job to its end; the bytes of written tensors are its result.
    ///
    /// # Errors
    /// Why it did not end well. What the written tensors hold then is undefined.
    fn run(&self, job: Job<'_>) -> Result<(), RunError>;

    /// What the last run showed.
    fn shown(&self) -> Shown {
        Shown::default()
    }
}
