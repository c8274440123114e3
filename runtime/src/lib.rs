//! What a checked kernel computes: the reference simulator and the launch API in front of it.
//!
//! A [`Launch`] binds arrays and attributes to a [`jumar_dsl::check::CheckedKernel`], picks the dtype instance by the
//! arrays' element types, runs the host tiling and executes every block on the CPU, with the rounding, the order of
//! reductions and the edge values that AscendC documents. No NPU and no CANN are involved.
//!
//! The simulator also watches: reads of UB that was never written, accesses outside tensors and buffers, misuse of queues,
//! blocks that touch what another one writes, and outputs with gaps stop the run with a [`Fault`] that names source line,
//! block and tile.
//!
//! There are two more readers. [`tile`] runs a tile kernel as it was written, before any lowering. [`ascendc`] compiles AscendC
//! text, emitted or handwritten, with this machine's C++ compiler and runs that. A [`Backend`] executes a launch; the simulator is
//! the default, and a device is one, too (`jumar::npu`).
#![forbid(unsafe_code)]

mod array;
#[cfg(feature = "cpp")]
pub mod ascendc;
mod backend;
pub mod cuts;
mod error;
mod infer;
mod launch;
mod plan;
mod shown;
mod sim;
pub mod tile;

pub use array::{Array, AsInput, AsOutput, Input, InputTensor, Output, OutputTensor};
pub use backend::{Alike, Backend, Job, JobBytes, Open, Ran, Simulator, Underway};
pub use error::{CppFault, CppPlace, Fault, RunError};
pub use infer::infer_output_shapes;
pub use launch::{AttrValue, Launch, Report, Running};
pub use plan::{plan, Case};
pub use shown::{Dump, Element, Shown};
pub use sim::Overflow;
#[doc(hidden)]
pub use sim::{Census, Form};
