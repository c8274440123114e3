//! What the borrow checker refuses: each text but the first one would use memory that is gone or in use.
//!
//! The first one compiles, so that the others fail for what they differ in.
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
//! Memory that is made inside of a scope and gone before its end:
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
//! Memory that is written while it is copied:
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
//! Memory that is read while it is copied to:
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
//! Memory that is dropped while it is copied:
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
//! A queue that is used behind its scope:
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
//! Work that is started on what it was not given:
//! ```compile_fail,E0597
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Stream};
//! fn all(context: &Context, stream: Stream) -> Result<(), Error> {
//!     let x = PinnedBuffer::from_slice(context, &[1u8])?;
//!     let there = DeviceBuffer::from_slice(context, &[1u8])?;
//!     stream.start(there, |queue, there| queue.upload(&x, there))?.wait().map(drop)
//! }
//! ```
//! Work that is given what somebody else has:
//! ```compile_fail,E0597
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Stream};
//! fn all(context: &Context, stream: Stream) -> Result<(), Error> {
//!     let there = DeviceBuffer::from_slice(context, &[1u8])?;
//!     stream.start(&there, |queue, there| queue.zero(*there))?.wait().map(drop)
//! }
//! ```
//! A stream of two threads:
//! ```compile_fail,E0277
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Stream};
//! fn all(context: &Context, stream: Stream) {
//!     std::thread::scope(|scope| {
//!         scope.spawn(|| stream.synchronize());
//!         stream.synchronize().unwrap();
//!     });
//! }
//! ```
//! A stream that is dropped before its work:
//! ```compile_fail,E0505
//! # use jumar_acl::{Acl, Context, DeviceBuffer, Error, PinnedBuffer, Stream};
//! fn all(context: &Context, stream: Stream) -> Result<(), Error> {
//!     let running = stream.start(DeviceBuffer::from_slice(context, &[1u8])?, |queue, there| queue.zero(there))?;
//!     drop(stream);
//!     running.wait().map(drop)
//! }
//! ```
//! Operators, again with one that compiles:
//! ```no_run
//! # use jumar_acl::operator::{Operator, Tensor};
//! # use jumar_acl::sys::types::aclDataType;
//! # use jumar_acl::{Context, DeviceBuffer, Error, Stream};
//! fn all<'a>(stream: &Stream, relu: Operator<(&'a Tensor<'a>,)>, a: &'a [DeviceBuffer<u8>; 2], x: &'a Tensor<'a>) -> Result<(), Error> {
//!     let mut call = stream.scope(|queue| queue.plan_repeated(&relu, (x,)))?;
//!     stream.scope(|queue| queue.run_repeated(&call, &a[0]))?;
//!     call.set_input(0, x, &a[1])
//! }
//! ```
//! A tensor whose new buffer is gone before it:
//! ```compile_fail,E0597
//! # use jumar_acl::operator::{Operator, Tensor};
//! # use jumar_acl::sys::types::aclDataType;
//! # use jumar_acl::{Context, DeviceBuffer, Error, Stream};
//! fn all<'a>(stream: &Stream, relu: Operator<(&'a Tensor<'a>,)>, a: &'a [DeviceBuffer<u8>; 2], x: &'a Tensor<'a>) -> Result<(), Error> {
//!     let gone = DeviceBuffer::<u8>::zeroed(a[0].context(), 8)?;
//!     let mut call = stream.scope(|queue| queue.plan_repeated(&relu, (x,)))?;
//!     stream.scope(|queue| queue.run_repeated(&call, &a[0]))?;
//!     call.set_input(0, x, &gone)
//! }
//! ```
//! A plan that is changed while it runs:
//! ```compile_fail,E0502
//! # use jumar_acl::operator::{Operator, Tensor};
//! # use jumar_acl::sys::types::aclDataType;
//! # use jumar_acl::{Context, DeviceBuffer, Error, Stream};
//! fn all<'a>(stream: &Stream, relu: Operator<(&'a Tensor<'a>,)>, a: &'a [DeviceBuffer<u8>; 2], x: &'a Tensor<'a>) -> Result<(), Error> {
//!     let mut call = stream.scope(|queue| queue.plan_repeated(&relu, (x,)))?;
//!     stream.scope(|queue| {
//!         queue.run_repeated(&call, &a[0])?;
//!         call.set_input(0, x, &a[1])
//!     })
//! }
//! ```
//! An argument of one's own, which may give any address:
//! ```compile_fail,E0200
//! struct Address(usize);
//! impl jumar_acl::Passed<'_> for Address {
//!     type C = *const u8;
//!     fn passed(&self) -> *const u8 {
//!         self.0 as *const u8
//!     }
//! }
//! ```
