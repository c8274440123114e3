//! The events of a launch, from parts that do not know each other.
//!
//! The walk of the lowered kernel and the emitted text, run on the CPU, must give the same events.
//! That reads the order, the flags and the strides of emitted text, on which no result depends.

use crate::cpp::Cpp;
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::cost::event::{Stream, Trace};
use jumar_dsl::cost::stream::{sample, trace, Launch};
use jumar_dsl::cost::CostError;
use jumar_dsl::diag::Code;
use jumar_runtime::ascendc::Program;
use jumar_runtime::{Backend, Job, JobBytes, Ran, RunError, Simulator};

/// Runs launches as emitted AscendC on the CPU, and refuses one whose events differ from those of
/// its lowered kernel. Where they depend on data, the simulator says what scalars read.
#[derive(Debug)]
pub struct Held {
    cpp: Cpp,
}

impl Held {
    /// Makes a backend with the checks of [`Cpp::new`].
    pub fn new(race: Option<u64>, sanitize: bool) -> Held {
        let mut cpp = Cpp::new(race, sanitize);
        cpp.record = true;
        Held { cpp }
    }

    /// Compiles the kernel to a program, or finds it in the cache.
    ///
    /// # Errors
    /// Those of [`Cpp::compile`].
    pub fn compile(&self, kernel: &CheckedKernel) -> Result<Program, RunError> {
        self.cpp.compile(kernel)
    }
}

impl Default for Held {
    fn default() -> Held {
        Held::new(None, false)
    }
}

impl Backend for Held {
    fn run(&self, job: Job<'_>) -> Result<Ran, RunError> {
        let walked = walked(&job);
        let ran = self.cpp.run(job)?;
        let recorded = self.cpp.outcome().trace;
        let differs = match (walked?, recorded) {
            (Ok(Some(walked)), Some(recorded)) => walked.difference(&recorded),
            (Ok(_), None) => Some("the run has no record".to_string()),
            (Ok(None), Some(_)) => None,
            (Err(why), _) => Some(why.to_string()),
        };
        let refused = |difference: String| RunError::Refused {
            code: Code::J0806,
            message: format!("events of the lowered kernel (-) and of its text (+): {difference}"),
        };
        differs.map_or(Ok(ran), |difference| Err(refused(difference)))
    }
}

type Walk = Result<Option<Trace>, CostError>;

/// Returns the events of all blocks of a launch; `None` where nothing is known of the chip.
fn walked(job: &Job<'_>) -> Result<Walk, RunError> {
    let chip = job.kernel.chip();
    if chip.timing().is_none() {
        return Ok(Ok(None));
    }
    let launch = |read| Launch {
        lowered: &job.kernel.instances()[job.instance],
        chip,
        tiling: job.tiling,
        file: "",
        read,
    };
    Ok(match trace(&launch(None)) {
        Ok(walked) if !walked.is_most() => {
            sampled(&launch(None), &walked.trace)?;
            Ok(Some(walked.trace))
        }
        Ok(_) | Err(CostError::Data(_)) => {
            let read = simulated(job)?.read;
            trace(&launch(Some(&read))).map(|walked| Some(walked.trace))
        }
        Err(other) => Err(other),
    })
}

/// Holds the blocks of a sample, whose loops are not all walked, to the same blocks of all.
fn sampled(launch: &Launch<'_>, all: &Trace) -> Result<(), RunError> {
    let refused = |message: String| RunError::Refused {
        code: Code::J0806,
        message: format!("events of a few blocks (-) and of all (+): {message}"),
    };
    let few = sample(launch).map_err(|e| refused(e.to_string()))?;
    let few = few.trace.expanded();
    let own = few.streams.iter().map(|stream| stream.block);
    let streams = own.filter_map(|block| all.streams.get(block as usize).cloned());
    let streams: Vec<Stream> = streams.collect();
    let same = Trace {
        streams,
        ..all.clone()
    };
    let alike: u32 = few.streams.iter().map(|stream| stream.alike).sum();
    if alike != all.blocks {
        return Err(refused(format!("{alike} blocks beside {}", all.blocks)));
    }
    few.difference(&same).map(refused).map_or(Ok(()), Err)
}

/// Runs a copy of a job on the simulator.
fn simulated(job: &Job<'_>) -> Result<Ran, RunError> {
    let mut copies: Vec<Vec<u8>> = job
        .tensors
        .iter()
        .map(|(_, bytes)| bytes.bytes().to_vec())
        .collect();
    let tensors = job.tensors.iter().zip(&mut copies);
    let tensors = tensors.map(|((name, bytes), copy)| {
        let copy = match bytes {
            JobBytes::Read(_) => JobBytes::Read(copy),
            JobBytes::Write(_) => JobBytes::Write(copy),
        };
        (*name, copy)
    });
    Simulator.run(Job {
        tensors: tensors.collect(),
        shapes: job.shapes.clone(),
        ..*job
    })
}
