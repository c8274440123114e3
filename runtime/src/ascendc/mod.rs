//! AscendC on the CPU: compiles AscendC text with this machine's C++ compiler against our own
//! headers, and runs it.
//!
//! The headers and the machine behind them are C++ (`runtime/ascendc`), embedded in this crate as
//! text. A program is one kernel source with its launch. [`Unit::compile`] makes it, cached by
//! content. [`Program::run`] gives it arrays as files and reads its report. The program's line
//! table maps addresses in the report to lines of the kernel.
//!
//! It needs `g++` or `clang++`. It leaves out cube cores and time.

mod at_once;
mod compile;
mod embed;
mod launch;
mod launches;
mod machine;
mod operator;
mod place;
mod record;
mod repository;
mod scan;
mod template_keys;
mod toolchain;

pub use at_once::at_once;
pub use compile::{machine_is_made, Program, Source, Unit};
pub use launch::{remove_scratch, Argument, Check, LaunchOptions, Note, Outcome, Tile};
pub use machine::{is_whole, keep, shared_machine, SharedMachine};
pub use operator::{Answer, Attr, Definition, Param, Request, Takes, Tensor};
pub use repository::{projects, Launched, Project, Verdict};
pub use scan::{blanked, has_main, has_variants, scan, KernelFunction};
pub use template_keys::{Instance, TemplateKeys};
pub use toolchain::{cache_folder, Toolchain};
