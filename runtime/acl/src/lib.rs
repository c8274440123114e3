//! CANN's host runtime for Rust: devices, memory, streams, events and kernel launches.
//!
//! The libraries are found and opened when a program runs ([`Acl::load`]); nothing of CANN is needed to build, and a program without it
//! gets an error that says so. Each function is looked up when it is first called, so that one build serves releases that differ; what a
//! release lacks is [`Error::Missing`].
//!
//! ```no_run
//! use jumar_acl::{Acl, Args, Binary, Cores, DeviceBuffer, LaunchConfig, Stream};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let device = Acl::load()?.device(0)?;
//! let context = device.context();
//! let x = DeviceBuffer::from_slice(context, &[1.0f32; 1024])?;
//! let y = DeviceBuffer::<f32>::uninit(context, 1024)?;
//! let kernel = Binary::load(context, &std::fs::read("kernel.o")?, Cores::Vector)?.function("twice")?;
//! let stream = Stream::new(context)?;
//! stream.scope(|queue| queue.launch(&kernel, 8, &Args::new().buffer(&x).buffer(&y), LaunchConfig::default()))?;
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
//! Everything is given back when it is dropped, in the order that CANN asks for: each thing keeps what it belongs to. What goes wrong
//! in a `drop` is kept for [`Acl::take_late_errors`].
//!
//! **What is trusted**: the libraries that are opened ([`Acl::load_at`], [`StubLibrary::open`], [`operator::OperatorLibrary::custom`]), whose
//! initialisers run as those of linked libraries do, and kernels, which may write all memory that their device can. Objects that are kept in
//! thread locals or statics may be dropped behind what CANN keeps of the thread or the process, of which it promises nothing; a process that was
//! forked uses nothing of its parent's.
//!
//! This crate is the only one of jumar with `unsafe` code, each block with the reason why it is sound. [`sys`] has the raw functions.
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
