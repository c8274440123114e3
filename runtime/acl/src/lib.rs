//! CANN's host runtime for Rust: devices, memory, streams, events and kernel launches.
//!
//! [`Acl::load`] finds and opens the libraries when a program runs. A build needs nothing of CANN,
//! and a program without CANN gets an error that says so. Each function is looked up at its first
//! call, so that one build serves several releases. A function that a release lacks is
//! [`Error::Missing`].
//!
//! ```no_run
//! use jumar_acl::{Acl, Args, Binary, Cores, DeviceBuffer, LaunchConfig, Stream};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let device = Acl::load()?.device(0)?;
//! let context = device.context();
//! let x = DeviceBuffer::from_slice(context, &[1.0f32; 1024])?;
//! let y = DeviceBuffer::<f32>::uninit(context, 1024)?;
//! let binary = Binary::load(context, &std::fs::read("kernel.o")?, Cores::Vector)?;
//! let kernel = binary.function("twice")?;
//! let stream = Stream::new(context)?;
//! let args = Args::new().buffer(&x).buffer(&y);
//! stream.scope(|queue| queue.launch(&kernel, 8, &args, LaunchConfig::default()))?;
//! println!("{:?}", &y.to_vec()?[..4]);
//! # Ok(())
//! # }
//! ```
//!
//! | type | thread rules |
//! |---|---|
//! | [`Acl`], [`Device`], [`Context`], [`Binary`], [`Function`], [`DeviceBuffer`], [`PinnedBuffer`] | any number of threads at once |
//! | [`Stream`], [`Event`] | one thread at a time, any of them (`Send`, not `Sync`): CANN promises no more |
//!
//! **Lifetimes**: each object keeps what it belongs to, and drops give everything back in the order
//! that CANN asks for. An error in a `drop` is kept for [`Acl::take_late_errors`].
//!
//! **Trust**: this crate trusts the libraries that it opens ([`Acl::load_at`],
//! [`StubLibrary::open`], [`operator::OperatorLibrary::custom`]). Their initialisers run as those
//! of linked libraries do. It trusts kernels, which may write all memory that their device can.
//!
//! Objects in thread locals or statics may be dropped after CANN's own state of the thread or the
//! process; CANN promises nothing for that case. A forked process uses nothing of its parent's.
//!
//! Only this crate of jumar has `unsafe` code, and each block states why it is sound. [`sys`] has
//! the raw functions.
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod binary;
mod codes;
mod device;
mod error;
mod event;
pub mod find;
mod hosted;
mod launch;
mod library;
mod memory;
pub mod operator;
mod passed;
mod profile;
#[cfg(doctest)]
mod refused;
mod registry;
mod stream;
mod stub;
pub mod sys;

pub use binary::{Binary, Cores, Function, Path};
pub use codes::{advice, name, NAMES};
pub use device::{Context, Device};
pub use error::{Call, Error};
pub use event::Event;
pub use launch::{Args, LaunchConfig, MOST_BLOCKS, MOST_PARAMETERS};
pub use library::Acl;
pub use memory::{DeviceBuffer, PinnedBuffer};
pub use passed::{ByValue, LeftOut, Passed, Prototype};
pub use profile::{Metrics, Profile};
pub use stream::{Queue, Running, Stream};
pub use stub::{Stub, StubLibrary};
