//! Events: points in the work of a stream.

use crate::sys::types::{
    aclrtEvent, aclrtEventRecordedStatus, ACL_EVENT_SYNC, ACL_EVENT_TIME_LINE,
};
use crate::{Context, Error};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

/// A point in the work of a stream: recorded there, waited for by other streams or the host, with a
/// time.
pub struct Event {
    context: Context,
    raw: aclrtEvent,
    /// CANN does not allow two threads to use one event at the same time.
    not_sync: PhantomData<Cell<()>>,
}
// SAFETY: the context is set before each call, so any one thread may have it.
unsafe impl Send for Event {}

impl Event {
    /// Makes an event that streams can wait for and that records its time.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn new(context: &Context) -> Result<Self, Error> {
        let mut raw = aclrtEvent::NULL;
        // SAFETY: `raw` is written.
        unsafe {
            context
                .enter()?
                .aclrtCreateEventWithFlag(&mut raw, ACL_EVENT_TIME_LINE | ACL_EVENT_SYNC)
        }?;
        Ok(Event {
            context: context.clone(),
            raw,
            not_sync: PhantomData,
        })
    }

    /// True if the event has occurred.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn is_done(&self) -> Result<bool, Error> {
        let mut status = aclrtEventRecordedStatus::ACL_EVENT_RECORDED_STATUS_NOT_READY;
        // SAFETY: the event is alive, and `status` is written.
        unsafe {
            self.context
                .enter()?
                .aclrtQueryEventStatus(self.raw, &mut status)
        }?;
        Ok(status == aclrtEventRecordedStatus::ACL_EVENT_RECORDED_STATUS_COMPLETE)
    }

    /// Waits for the event.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn wait(&self) -> Result<(), Error> {
        // SAFETY: the event is alive.
        unsafe { self.context.enter()?.aclrtSynchronizeEvent(self.raw) }
    }

    /// Returns the time from `start` to this event on the device. Both must have been recorded and
    /// waited for.
    ///
    /// # Errors
    /// [`Error::Refused`] for events of two devices. [`Error::Call`] with 107006 for an event that
    /// has not occurred, or 107007 for the wrong order.
    pub fn since(&self, start: &Event) -> Result<Duration, Error> {
        if !start.context.shares_memory_with(&self.context) {
            return Err(Error::refused(
                "the two events are of two devices, which have a clock each",
            ));
        }
        let mut ms = 0.0;
        // SAFETY: both events are alive, and `ms` is written.
        unsafe {
            self.context
                .enter()?
                .aclrtEventElapsedTime(&mut ms, start.raw, self.raw)
        }?;
        Duration::try_from_secs_f32(ms / 1e3).map_err(|_| {
            Error::refused(format!(
                "aclrtEventElapsedTime gave {ms} ms, which is no time between two events"
            ))
        })
    }

    pub(crate) fn raw(&self) -> aclrtEvent {
        self.raw
    }

    /// Returns the context of the event.
    pub fn context(&self) -> &Context {
        &self.context
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: the event is from `aclrtCreateEventWithFlag`; queues keep events that they use.
        self.context
            .end(|f| unsafe { f.aclrtDestroyEvent(self.raw) });
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Event").field(&self.raw).finish()
    }
}
