//! Ascend NPU kernels as Rust functions: checked at compile time, emitted as AscendC, run on a
//! reference simulator.
//!
//! ```
//! use jumar::prelude::*;
//!
//! /// `y = x * sigmoid(scale * x)`
//! #[kernel]
//! pub fn swish<T: Float>(
//!     x: &GlobalTensor<T>,
//!     y: &mut GlobalTensor<T>,
//!     #[default(1.0)] scale: f32,
//! ) {
//!     for t in tiles(x) {
//!         let v = x.at(t).load().cast::<f32>();
//!         y.at(t).store((v / ((v * -scale).exp() + 1.0)).cast::<T>());
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use jumar::ndarray::Array2;
//!
//! let x = Array2::from_elem((32, 32), 1.0f32);
//! let mut y = Array2::<f32>::zeros((32, 32));
//! swish.launch(&jumar::Simulator, &x, &mut y, Some(1.0))?;
//! assert!((y[[31, 31]] - 0.731_058_6).abs() < 1e-6);
//! # Ok(())
//! # }
//! ```
//!
//! - **Write**: the [`prelude`] is the language. `book/src/reference/language/files.md` says what a
//!   kernel may contain.
//! - **Run**: a kernel under `#[kernel]` is a static [`KernelDef`] with its own method `launch`. It
//!   takes a [`Backend`] and the kernel's arguments. Backends are [`Simulator`], [`cpp::Cpp`] (the
//!   emitted AscendC on this machine's processor) and [`npu::Npu`] (a device). [`KernelDef::bind`]
//!   takes arguments by name, and [`KernelDef::emit`] gives the AscendC.
//! - **Without rustc**: [`load`] checks kernel text at run time, as the `jumar` command does.
//!
//! | feature, on by default | has |
//! |---|---|
//! | `emit` | [`codegen`], [`KernelDef::emit`] |
//! | `cpp` | [`cpp`], and [`runtime::ascendc`] below it |
//! | `npu` | [`npu`] |
//!
//! Each part is a crate. [`dsl`] says what a kernel may contain and whether it is right.
//! [`codegen`] prints the AscendC, and [`runtime`] computes results.
#![forbid(unsafe_code)]

// Expansions of `#[kernel]` name `::jumar::…`; this alias makes the path resolve inside this
// package.
extern crate self as jumar;

#[cfg(feature = "cpp")]
pub mod cpp;
mod fixed;
#[cfg(feature = "cpp")]
pub mod held;
mod kernel;
pub mod load;
#[cfg(feature = "npu")]
pub mod npu;
pub mod render;

// Callers must use these versions: arrays and halves of another version are other types.
pub use half;
pub use ndarray;

#[cfg(feature = "emit")]
pub use jumar_codegen as codegen;
#[cfg(feature = "emit")]
pub use jumar_codegen::ProjectKind;
pub use jumar_dsl as dsl;
pub use jumar_dsl::soc::Chip;
pub use jumar_runtime as runtime;
pub use jumar_runtime::{Array, Backend, Launch, Report, RunError, Running, Simulator};
pub use kernel::{Error, KernelDef, LaunchError, Rejection};

/// The language of kernels, in one import.
pub mod prelude {
    pub use half::{bf16, f16};
    pub use jumar_dsl::dtype::RoundMode;
    pub use jumar_dsl::surface::*;
    pub use jumar_macros::{kernel, kernels};
}

/// Functions that expansions of our macros call; not a public interface.
#[doc(hidden)]
pub mod __rt {
    use crate::KernelDef;
    pub use jumar_dsl::tiling::Value;
    pub use jumar_runtime::AttrValue;

    /// Makes a kernel from the IR that the macro printed.
    pub const fn kernel(name: &'static str, file: &'static str, ir: &'static str) -> KernelDef {
        KernelDef::new(name, file, ir)
    }
}
