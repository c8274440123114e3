//! Streams, and work on them that borrows its memory.
//!
//! A device continues after a call has returned. Memory of the host must therefore not change or go
//! away before the work is done. Only two forms queue work, and both ensure this:
//!
//! - [`Stream::scope`] borrows. It returns when the work is done, also on an error or a panic.
//! - [`Stream::start`] owns. The memory of the work goes into a [`Running`], and comes back when
//!   the work is done. Dropping a [`Running`] waits; forgetting one leaks its memory.

use crate::launch::{Args, LaunchConfig};
use crate::sys::types::{aclrtMemcpyKind, aclrtStream, aclrtStreamStatus};
use crate::{Context, DeviceBuffer, Error, Event, Function, PinnedBuffer};
use bytemuck::Pod;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::Write;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::rc::Rc;

/// A queue of work on a device, done in order.
pub struct Stream {
    context: Context,
    raw: aclrtStream,
    /// CANN does not allow two threads to use one stream at the same time.
    not_sync: PhantomData<Cell<()>>,
}
// SAFETY: the context is set before each call, so any one thread may have it.
unsafe impl Send for Stream {}

impl Stream {
    /// Makes a stream without work.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn new(context: &Context) -> Result<Self, Error> {
        let mut raw = aclrtStream::NULL;
        // SAFETY: `raw` is written.
        unsafe { context.enter()?.aclrtCreateStream(&mut raw) }?;
        Ok(Stream {
            context: context.clone(),
            raw,
            not_sync: PhantomData,
        })
    }

    /// Returns the context of the stream.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the handle, for raw calls.
    pub fn raw(&self) -> aclrtStream {
        self.raw
    }

    /// True if its work is done.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn is_done(&self) -> Result<bool, Error> {
        let mut status = aclrtStreamStatus::ACL_STREAM_STATUS_NOT_READY;
        // SAFETY: the stream is alive, and `status` is written.
        unsafe {
            self.context
                .enter()?
                .aclrtStreamQuery(self.raw, &mut status)
        }?;
        Ok(status == aclrtStreamStatus::ACL_STREAM_STATUS_COMPLETE)
    }

    /// Waits for its work.
    ///
    /// # Errors
    /// [`Error::Call`] with the error of the work, such as 507015.
    pub fn synchronize(&self) -> Result<(), Error> {
        // SAFETY: the stream is alive.
        unsafe { self.context.enter()?.aclrtSynchronizeStream(self.raw) }
    }

    /// Queues work that borrows its memory, and waits for it.
    ///
    /// ```no_run
    /// # use jumar_acl::{Acl, DeviceBuffer, Error, PinnedBuffer, Stream};
    /// # fn main() -> Result<(), Error> {
    /// let device = Acl::load()?.device(0)?;
    /// let stream = Stream::new(device.context())?;
    /// let x = PinnedBuffer::from_slice(device.context(), &[1.0f32, 2.0])?;
    /// let mut y = PinnedBuffer::<f32>::zeroed(device.context(), 2)?;
    /// let there = DeviceBuffer::<f32>::uninit(device.context(), 2)?;
    /// stream.scope(|queue| {
    ///     queue.upload(&x, &there)?;
    ///     queue.download(&there, &mut y)
    /// })?;
    /// assert_eq!(y[..], [1.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The first error: that of the closure, else that of the work.
    ///
    /// # Aborts
    /// If neither stream nor device can be waited for, the process aborts: the borrowed memory
    /// could not be returned.
    pub fn scope<'env, R>(
        &'env self,
        work: impl FnOnce(&Queue<'env>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let queue = Queue::new(self);
        // The guard is dropped before the queue and the memory that the queue keeps.
        let waits = WaitOnUnwind(self);
        let done = work(&queue);
        std::mem::forget(waits);
        let waited = self.drain();
        if let Drained::No(e) = waited {
            abort_for(&e);
        }
        let value = done?;
        waited.result()?;
        Ok(value)
    }

    /// Queues work on `given`, and returns at once.
    ///
    /// The work may use nothing but `given`, which does not move until the work is done:
    ///
    /// ```no_run
    /// # use jumar_acl::{Acl, DeviceBuffer, Error, PinnedBuffer, Stream};
    /// # fn main() -> Result<(), Error> {
    /// # let device = Acl::load()?.device(0)?;
    /// # let stream = Stream::new(device.context())?;
    /// let given = (
    ///     PinnedBuffer::from_slice(device.context(), &[1u8, 2])?,
    ///     DeviceBuffer::<u8>::uninit(device.context(), 2)?,
    /// );
    /// let running = stream.start(given, |queue, (x, there)| queue.upload(x, there))?;
    /// let (_, there) = running.wait()?;
    /// assert_eq!(there.to_vec()?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// That of the closure, after what it queued is done.
    pub fn start<G: 'static>(
        &self,
        given: G,
        work: impl for<'g> FnOnce(&Queue<'g>, &'g mut G) -> Result<(), Error>,
    ) -> Result<Running<'_, G>, Error> {
        Running::start(Held::Lent(self), given, work)
    }

    /// As [`start`](Self::start), but the work also owns the stream; [`Running::finish`] returns
    /// it.
    ///
    /// # Errors
    /// As [`start`](Self::start); the stream is destroyed then.
    pub fn start_owned<G: 'static>(
        self,
        given: G,
        work: impl for<'g> FnOnce(&Queue<'g>, &'g mut G) -> Result<(), Error>,
    ) -> Result<Running<'static, G>, Error> {
        Running::start(Held::Owned(self), given, work)
    }

    /// Waits until no work uses any memory, whatever else fails.
    fn drain(&self) -> Drained {
        let Err(first) = self.synchronize() else {
            return Drained::Yes(Ok(()));
        };
        // A failed call may not have waited. A call that says how work ended has waited, and
        // returns at once the second time.
        let ended =
            |again: Result<(), Error>| again.map_or_else(|e| e.is_of_finished_work(), |()| true);
        if ended(self.synchronize()) || ended(self.context.synchronize()) {
            Drained::Yes(Err(first))
        } else {
            Drained::No(first)
        }
    }
}

/// The result of waiting for a stream.
enum Drained {
    /// Nothing is running; the work ended with this result.
    Yes(Result<(), Error>),
    /// The state is unknown, because of this error.
    No(Error),
}

impl Drained {
    fn result(self) -> Result<(), Error> {
        match self {
            Drained::Yes(result) => result,
            Drained::No(e) => Err(e),
        }
    }
}

fn abort_for(e: &Error) -> ! {
    // `eprintln` panics if stderr cannot be written, and a panic would leave the scope.
    let text =
        format!("jumar: neither stream nor device can be waited for, and memory that the device may use cannot be kept: {e}\n");
    let _ = std::io::stderr().write_all(text.as_bytes());
    std::process::abort()
}

/// Makes a panic in a scope wait as its end does.
struct WaitOnUnwind<'s>(&'s Stream);
impl Drop for WaitOnUnwind<'_> {
    fn drop(&mut self) {
        if let Drained::No(e) = self.0.drain() {
            abort_for(&e);
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Its work uses no memory of others: scopes have waited, and `start` keeps what it owns.
        self.context.late(self.drain().result());
        // SAFETY: the stream is from `aclrtCreateStream`, and nobody has it any more.
        self.context
            .end(|f| unsafe { f.aclrtDestroyStream(self.raw) });
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stream").field(&self.raw).finish()
    }
}

/// Running work, with the memory that it uses.
#[must_use = "what is dropped waits for its work"]
pub struct Running<'s, G> {
    /// Both fields are taken or dropped once.
    stream: ManuallyDrop<Held<'s>>,
    given: ManuallyDrop<Box<(G, Kept)>>,
}

/// The stream of running work.
enum Held<'s> {
    Lent(&'s Stream),
    Owned(Stream),
}

impl Held<'_> {
    fn stream(&self) -> &Stream {
        match self {
            Held::Lent(stream) => stream,
            Held::Owned(stream) => stream,
        }
    }
}

impl<'s, G> Running<'s, G> {
    fn start(
        stream: Held<'s>,
        given: G,
        work: impl for<'g> FnOnce(&Queue<'g>, &'g mut G) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        // On an error or a panic the drop waits. If it cannot, memory that the queue made stays
        // with `given`.
        let given = ManuallyDrop::new(Box::new((given, Kept::default())));
        let mut running = Running {
            stream: ManuallyDrop::new(stream),
            given,
        };
        let (given, kept) = &mut **running.given;
        work(
            &Queue {
                kept: kept.clone(),
                ..Queue::new(running.stream.stream())
            },
            given,
        )?;
        Ok(running)
    }

    /// True if the work is done.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn is_done(&self) -> Result<bool, Error> {
        self.stream.stream().is_done()
    }

    /// Waits for the work, and returns what was given to it.
    ///
    /// # Errors
    /// [`Error::Call`] with the error of the work, such as 507015.
    pub fn wait(self) -> Result<G, Error> {
        self.finish().1
    }

    /// As `wait`, and also returns the stream if the work owned it.
    pub fn finish(self) -> (Option<Stream>, Result<G, Error>) {
        let waited = self.stream.stream().drain();
        let mut parts = ManuallyDrop::new(self);
        // SAFETY: the drop of `Running` does not run any more, and the stream is taken once, here.
        let stream = match unsafe { ManuallyDrop::take(&mut parts.stream) } {
            Held::Lent(_) => None,
            Held::Owned(stream) => Some(stream),
        };
        let given = match waited {
            Drained::Yes(result) => {
                // SAFETY: as above.
                let given = unsafe { ManuallyDrop::take(&mut parts.given) };
                result.map(|()| given.0)
            }
            // The memory is leaked: the device may still use it.
            Drained::No(e) => Err(e),
        };
        (stream, given)
    }
}

impl<G> Drop for Running<'_, G> {
    fn drop(&mut self) {
        let stream = self.stream.stream();
        match stream.drain() {
            Drained::Yes(result) => {
                stream.context.late(result);
                // SAFETY: `given` is dropped once, here.
                unsafe { ManuallyDrop::drop(&mut self.given) };
            }
            Drained::No(e) => stream.context.late(Err(e)),
        }
        // SAFETY: as above; nothing uses the stream any more.
        unsafe { ManuallyDrop::drop(&mut self.stream) };
    }
}

/// A handle for queueing work. Everything that the work uses lives for `'env`, until the work is
/// done.
pub struct Queue<'env> {
    stream: &'env Stream,
    /// Makes `'env` invariant: a shorter one would accept memory that ends before the work.
    env: PhantomData<fn(&'env ()) -> &'env ()>,
    kept: Kept,
}

/// Memory that was made for the work of a queue, with shared ownership.
type Kept = Rc<RefCell<Vec<DeviceBuffer<u8>>>>;

impl<'env> Queue<'env> {
    fn new(stream: &'env Stream) -> Self {
        Queue {
            stream,
            env: PhantomData,
            kept: Kept::default(),
        }
    }

    /// Keeps memory until the work is done.
    pub(crate) fn keep(&self, memory: DeviceBuffer<u8>) {
        self.kept.borrow_mut().push(memory);
    }

    /// Copies from the host to the device.
    ///
    /// # Errors
    /// [`Error::Refused`] for another number of elements or memory of another device;
    /// [`Error::Call`].
    pub fn upload<T: Pod>(
        &self,
        from: &'env PinnedBuffer<T>,
        to: &'env DeviceBuffer<T>,
    ) -> Result<(), Error> {
        self.are_here(&[to.context(), from.context()])?;
        are_equal(from.len(), to.len())?;
        self.copy_bytes(
            to.address(),
            from.as_ptr().cast(),
            to.bytes(),
            aclrtMemcpyKind::ACL_MEMCPY_HOST_TO_DEVICE,
        )
    }

    /// Copies from the device to the host.
    ///
    /// # Errors
    /// As [`upload`](Self::upload).
    pub fn download<T: Pod>(
        &self,
        from: &'env DeviceBuffer<T>,
        to: &'env mut PinnedBuffer<T>,
    ) -> Result<(), Error> {
        self.are_here(&[from.context(), to.context()])?;
        are_equal(from.len(), to.len())?;
        let to = to.as_mut_ptr().cast();
        self.copy_bytes(
            to,
            from.address(),
            from.bytes(),
            aclrtMemcpyKind::ACL_MEMCPY_DEVICE_TO_HOST,
        )
    }

    /// Copies on the device.
    ///
    /// # Errors
    /// As [`upload`](Self::upload).
    pub fn copy<T: Pod>(
        &self,
        from: &'env DeviceBuffer<T>,
        to: &'env DeviceBuffer<T>,
    ) -> Result<(), Error> {
        self.are_here(&[from.context(), to.context()])?;
        are_equal(from.len(), to.len())?;
        self.copy_bytes(
            to.address(),
            from.address(),
            from.bytes(),
            aclrtMemcpyKind::ACL_MEMCPY_DEVICE_TO_DEVICE,
        )
    }

    /// Sets all elements to zero.
    ///
    /// # Errors
    /// As [`upload`](Self::upload).
    pub fn zero<T: Pod>(&self, buffer: &'env DeviceBuffer<T>) -> Result<(), Error> {
        self.are_here(&[buffer.context()])?;
        let bytes = buffer.bytes();
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the buffer has `bytes` bytes, and lives until the work is done.
        unsafe {
            self.stream.context.enter()?.aclrtMemsetAsync(
                buffer.address(),
                bytes,
                0,
                bytes,
                self.stream.raw,
            )
        }
    }

    /// Starts a kernel with this number of blocks.
    ///
    /// # Errors
    /// [`Error::Refused`] for a kernel of another context, memory of another device, or an
    /// impossible block dim; [`Error::Call`].
    pub fn launch(
        &self,
        function: &'env Function,
        blocks: u32,
        args: &Args<'env>,
        config: LaunchConfig,
    ) -> Result<(), Error> {
        if !function.context().is(&self.stream.context) {
            return Err(Error::refused(format!(
                "kernel `{}` was loaded in another context than that of the stream",
                function.name()
            )));
        }
        args.belong_to(&self.stream.context)?;
        function.launch(self.stream, blocks, args, config)
    }

    /// Records an event after the work that is queued so far.
    ///
    /// # Errors
    /// [`Error::Refused`] for an event of another device; [`Error::Call`].
    pub fn record(&self, event: &'env Event) -> Result<(), Error> {
        self.are_here(&[event.context()])?;
        // SAFETY: both live until the work is done.
        unsafe {
            self.stream
                .context
                .enter()?
                .aclrtRecordEvent(event.raw(), self.stream.raw)
        }
    }

    /// Makes later work wait for an event.
    ///
    /// # Errors
    /// [`Error::Refused`] for an event of another device; [`Error::Call`].
    pub fn wait_for(&self, event: &'env Event) -> Result<(), Error> {
        self.are_here(&[event.context()])?;
        // SAFETY: both live until the work is done.
        unsafe {
            self.stream
                .context
                .enter()?
                .aclrtStreamWaitEvent(self.stream.raw, event.raw())
        }
    }

    /// Returns the stream of the queue.
    pub fn stream(&self) -> &'env Stream {
        self.stream
    }

    pub(crate) fn are_here(&self, contexts: &[&Context]) -> Result<(), Error> {
        match contexts
            .iter()
            .all(|context| context.shares_memory_with(&self.stream.context))
        {
            true => Ok(()),
            false => Err(Error::refused(
                "a buffer or event is of another device than the stream",
            )),
        }
    }

    fn copy_bytes(
        &self,
        to: *mut std::ffi::c_void,
        from: *const std::ffi::c_void,
        bytes: usize,
        kind: aclrtMemcpyKind,
    ) -> Result<(), Error> {
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: both sides have `bytes` bytes and are borrowed until the work is done.
        unsafe {
            self.stream.context.enter()?.aclrtMemcpyAsync(
                to,
                bytes,
                from,
                bytes,
                kind,
                self.stream.raw,
            )
        }
    }
}

fn are_equal(from: usize, to: usize) -> Result<(), Error> {
    match from == to {
        true => Ok(()),
        false => Err(Error::refused(format!(
            "{from} elements are copied to a buffer of {to}: both sides have the same number"
        ))),
    }
}
