//! Programs that the borrow checker must refuse: each would use memory that is gone or in use.
//!
//! The first program compiles, so that the others fail only because of their differences.
//!
//! ```no_run
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Stream};
//! fn all(context: &Context, stream: Stream) -> Result<(), Error> {
//!     let mut x = PinnedBuffer::from_slice(context, &[1u8])?;
//!     let there = DeviceBuffer::from_slice(context, &[1u8])?;
//!     stream.scope(|queue| queue.upload(&x, &there))?;
//!     stream.scope(|queue| queue.download(&there, &mut x))?;
//!     let running = stream.start((x, there), |queue, (x, there)| queue.upload(x, there))?;
//!     let (x, there) = running.wait()?;
//!     std::thread::spawn(move || stream.scope(|queue| queue.upload(&x, &there)));
//!     Ok(())
//! }
//! ```
//! Memory is made inside of a scope and dropped before its end:
//! ```compile_fail,E0597
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Stream};
//! fn all(context: &Context, stream: Stream) -> Result<(), Error> {
//!     let there = DeviceBuffer::from_slice(context, &[1u8])?;
//!     stream.scope(|queue| {
//!         let x = PinnedBuffer::from_slice(context, &[1u8])?;
//!         queue.upload(&x, &there)
//!     })
//! }
//! ```
//! Memory is written while it is copied:
//! ```compile_fail,E0502
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Stream};
//! fn all(context: &Context, stream: Stream) -> Result<(), Error> {
//!     let mut x = PinnedBuffer::from_slice(context, &[1u8])?;
//!     let there = DeviceBuffer::from_slice(context, &[1u8])?;
//!     stream.scope(|queue| {
//!         queue.upload(&x, &there)?;
//!         x[0] = 2;
//!         Ok(())
//!     })
//! }
//! ```
//! Memory is read while it is copied to:
//! ```compile_fail,E0502
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Stream};
//! fn all(context: &Context, stream: Stream) -> Result<u8, Error> {
//!     let mut x = PinnedBuffer::from_slice(context, &[1u8])?;
//!     let there = DeviceBuffer::from_slice(context, &[1u8])?;
//!     stream.scope(|queue| {
//!         queue.download(&there, &mut x)?;
//!         Ok(x[0])
//!     })
//! }
//! ```
//! Memory is dropped while it is copied:
//! ```compile_fail,E0505
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Stream};
//! fn all(context: &Context, stream: Stream) -> Result<(), Error> {
//!     let x = PinnedBuffer::from_slice(context, &[1u8])?;
//!     let there = DeviceBuffer::from_slice(context, &[1u8])?;
//!     stream.scope(|queue| {
//!         queue.upload(&x, &there)?;
//!         drop(x);
//!         Ok(())
//!     })
//! }
//! ```
//! A queue is used after its scope:
//! ```compile_fail,E0521
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Queue, Stream};
//! fn all(context: &Context, stream: Stream) -> Result<(), Error> {
//!     let there = DeviceBuffer::from_slice(context, &[1u8])?;
//!     let mut kept: Option<&Queue> = None;
//!     stream.scope(|queue| {
//!         kept = Some(queue);
//!         Ok(())
//!     })?;
//!     kept.unwrap().zero(&there)
//! }
//! ```
//! Work uses memory that it was not given:
//! ```compile_fail,E0597
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Stream};
//! fn all(context: &Context, stream: Stream) -> Result<(), Error> {
//!     let x = PinnedBuffer::from_slice(context, &[1u8])?;
//!     let there = DeviceBuffer::from_slice(context, &[1u8])?;
//!     stream.start(there, |queue, there| queue.upload(&x, there))?.wait().map(drop)
//! }
//! ```
//! Work is given only a reference to memory:
//! ```compile_fail,E0597
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Stream};
//! fn all(context: &Context, stream: Stream) -> Result<(), Error> {
//!     let there = DeviceBuffer::from_slice(context, &[1u8])?;
//!     stream.start(&there, |queue, there| queue.zero(*there))?.wait().map(drop)
//! }
//! ```
//! Two threads share a stream:
//! ```compile_fail,E0277
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Stream};
//! fn all(context: &Context, stream: Stream) {
//!     std::thread::scope(|scope| {
//!         scope.spawn(|| stream.synchronize());
//!         stream.synchronize().unwrap();
//!     });
//! }
//! ```
//! A stream is dropped before its work ends:
//! ```compile_fail,E0505
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Stream};
//! fn all(context: &Context, stream: Stream) -> Result<(), Error> {
//!     let there = DeviceBuffer::from_slice(context, &[1u8])?;
//!     let running = stream.start(there, |queue, there| queue.zero(there))?;
//!     drop(stream);
//!     running.wait().map(drop)
//! }
//! ```
//! Operators; the first program compiles again:
//! ```no_run
//! # use jumar_acl::operator::{Operator, Tensor};
//! # use jumar_acl::sys::types::aclDataType;
//! # use jumar_acl::{Context, DeviceBuffer, Error, Stream};
//! fn all<'a>(
//!     stream: &Stream,
//!     relu: Operator<(&'a Tensor<'a>,)>,
//!     a: &'a [DeviceBuffer<u8>; 2],
//!     x: &'a Tensor<'a>,
//! ) -> Result<(), Error> {
//!     let mut call = stream.scope(|queue| queue.plan_repeated(&relu, (x,)))?;
//!     stream.scope(|queue| queue.run_repeated(&call, &a[0]))?;
//!     call.set_input(0, x, &a[1])
//! }
//! ```
//! A tensor outlives its new buffer:
//! ```compile_fail,E0597
//! # use jumar_acl::operator::{Operator, Tensor};
//! # use jumar_acl::sys::types::aclDataType;
//! # use jumar_acl::{Context, DeviceBuffer, Error, Stream};
//! fn all<'a>(
//!     stream: &Stream,
//!     relu: Operator<(&'a Tensor<'a>,)>,
//!     a: &'a [DeviceBuffer<u8>; 2],
//!     x: &'a Tensor<'a>,
//! ) -> Result<(), Error> {
//!     let gone = DeviceBuffer::<u8>::zeroed(a[0].context(), 8)?;
//!     let mut call = stream.scope(|queue| queue.plan_repeated(&relu, (x,)))?;
//!     stream.scope(|queue| queue.run_repeated(&call, &a[0]))?;
//!     call.set_input(0, x, &gone)
//! }
//! ```
//! A plan is changed while it runs:
//! ```compile_fail,E0502
//! # use jumar_acl::operator::{Operator, Tensor};
//! # use jumar_acl::sys::types::aclDataType;
//! # use jumar_acl::{Context, DeviceBuffer, Error, Stream};
//! fn all<'a>(
//!     stream: &Stream,
//!     relu: Operator<(&'a Tensor<'a>,)>,
//!     a: &'a [DeviceBuffer<u8>; 2],
//!     x: &'a Tensor<'a>,
//! ) -> Result<(), Error> {
//!     let mut call = stream.scope(|queue| queue.plan_repeated(&relu, (x,)))?;
//!     stream.scope(|queue| {
//!         queue.run_repeated(&call, &a[0])?;
//!         call.set_input(0, x, &a[1])
//!     })
//! }
//! ```
//! A program implements `Passed`, which could give any address:
//! ```compile_fail,E0200
//! struct Address(usize);
//! impl jumar_acl::Passed<'_> for Address {
//!     type C = *const u8;
//!     fn passed(&self) -> *const u8 {
//!         self.0 as *const u8
//!     }
//! }
//! ```
