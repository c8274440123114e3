//! Runs a checked kernel: the reference simulator and the launch API in front of it.
//!
//! A [`Launch`] binds arrays and attributes to a [`jumar_dsl::check::CheckedKernel`]. It picks the
//! instance by the element types of the arrays, runs the host tiling and executes every block on
//! the CPU. Rounding, the order of reductions and edge values are those that AscendC documents. No
//! NPU and no CANN are involved.
//!
//! The simulator also checks the run. It stops with a [`Fault`] that names source line, block and
//! tile for:
//!
//! - a read of UB that was never written;
//! - an access outside of a tensor or buffer;
//! - misuse of a queue;
//! - a block that touches elements another block writes;
//! - an output with gaps.
//!
//! There are two more readers of a kernel. [`tile`] runs a tile kernel as written, before any
//! lowering. [`ascendc`] compiles AscendC text, emitted or handwritten, with this machine's C++
//! compiler and runs the result. A [`Backend`] executes a launch. The simulator is the default; a
//! device is a backend as well (`jumar::npu`).
//!
//! Start reading at `launch/mod.rs` (`Launch`), then `sim/mod.rs` (`run`).
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
