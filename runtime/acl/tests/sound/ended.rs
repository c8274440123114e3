//! Objects that other code of the process ends while they are used here.

use crate::{both, holds_alone, Setting, LATE};
use jumar_acl::operator::{OperatorLibrary, Tensor};
use jumar_acl::sys::types::{aclDataType, aclrtContext};
use jumar_acl::{Acl, Context, DeviceBuffer, Event, LeftOut, Stream};
use jumar_kit::alone::{alone, said};
use std::ffi::CStr;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

/// Other code resets the device: calls fail, and errors of drops come late.
#[test]
fn a_device_may_be_reset_beside_us() {
    holds_alone("ended::a_device_may_be_reset_beside_us", |set| {
        used_when_ended(set, false)
    });
}

/// Other code ends the library.
#[test]
fn the_library_may_be_ended_beside_us() {
    holds_alone("ended::the_library_may_be_ended_beside_us", |set| {
        used_when_ended(set, true)
    });
}

fn used_when_ended(set: &Setting, library_too: bool) {
    let acl = Acl::load_at(&set.toolkit.home).expect("it starts");
    let device = acl.device(0).expect("a device");
    let things = || both(device.context()).expect("memory");
    let (given, dropped) = (things(), things());
    let (stream, event) = (
        Stream::new(device.context()).expect("a stream"),
        Event::new(device.context()).expect("an event"),
    );
    // SAFETY: the ended objects are only known by handles, which the library distinguishes from
    // live ones.
    unsafe {
        acl.functions().aclrtResetDevice(0).expect("it is reset");
        if library_too {
            acl.functions().aclFinalize().expect("it is ended");
        }
    }
    let failed = stream
        .start(given, |queue, (x, there)| queue.upload(x, there))
        .err()
        .expect("there is no context");
    assert!(
        failed.to_string().contains("aclrtSetCurrentContext"),
        "{failed}"
    );
    assert!(
        event.is_done().is_err()
            && device.context().synchronize().is_err()
            && stream.is_done().is_err()
    );
    assert!(dropped.1.to_vec().is_err());
    drop((stream, event, dropped, device));
    assert!(acl.take_late_errors().len() >= 4);
}

/// Returns the context of this thread.
fn current(acl: &Acl) -> aclrtContext {
    let mut raw = aclrtContext::NULL;
    // SAFETY: the handle is written.
    unsafe { acl.functions().aclrtGetCurrentContext(&mut raw) }.expect("there is one");
    raw
}

/// Ends a context as other code might, so that neither its streams nor its device can be waited
/// for.
fn end(context: &Context) {
    let acl = context.acl();
    Event::new(context)
        .map(drop)
        .expect("it becomes the context of this thread");
    // SAFETY: the library distinguishes handles of ended objects from those of live ones.
    unsafe { acl.functions().aclrtDestroyContext(current(&acl)) }.expect("it is ended");
}

/// Work that cannot be waited for keeps all its memory, including memory made for it.
#[test]
fn what_nobody_can_wait_for_stays() {
    holds_alone("ended::what_nobody_can_wait_for_stays", lose);
}

type Mix<'a, 'b> = (
    &'a Tensor<'b>,
    LeftOut,
    LeftOut,
    bool,
    i64,
    f64,
    &'a CStr,
    LeftOut,
    LeftOut,
    LeftOut,
    LeftOut,
    &'a Tensor<'b>,
);

fn lose(set: &Setting) {
    let file = set
        .toolkit
        .library(include_str!("../host/operators.cpp"))
        .expect("the library compiles");
    let acl = Acl::load_at(&set.toolkit.home).expect("it starts");
    let device = acl.device(0).expect("a device");
    for fails in [false, true] {
        let context = device.new_context().expect("a context");
        let operators = OperatorLibrary::custom(&context, &file).expect("it opens");
        // SAFETY: operators.cpp; lists and arrays that are left out are null.
        let mix = unsafe { operators.operator::<Mix<'static, 'static>>("aclnnMix") }
            .expect("an operator");
        let stream = Stream::new(&context).expect("a stream");
        let buffer = |number| DeviceBuffer::from_slice(&context, &[number; 4]).expect("memory");
        let buffers: &'static [DeviceBuffer<i32>] = Vec::leak(vec![buffer(1), buffer(2)]);
        let tensor =
            |at: usize| Tensor::new(&buffers[at], &[4], aclDataType::ACL_INT32).expect("a tensor");
        let before = set.control.counts();
        set.control.latency(LATE);
        let ended = context.clone();
        let none = LeftOut;
        let started = stream.start((mix, tensor(0), tensor(1)), move |queue, (mix, x, y)| {
            queue.run(
                mix,
                (
                    &*x, none, none, true, 1, 0.0, c"", none, none, none, none, &*y,
                ),
            )?;
            end(&ended);
            if fails {
                queue.zero(&buffers[0])
            } else {
                Ok(())
            }
        });
        assert_eq!(started.is_err(), fails);
        assert!(started
            .map_or_else(Err, |running| running.wait().map(drop))
            .is_err());
        // The workspace still exists.
        let left = set.control.counts();
        assert_eq!(
            (left.device_blocks, left.tensors),
            (before.device_blocks + 1, 2 * (1 + u64::from(fails))),
            "{fails}"
        );
    }
}

/// A scope that cannot wait aborts the process, since its borrowed memory would go away.
#[test]
fn a_scope_that_cannot_wait_does_not_end() {
    // An unwritable stderr must not change this.
    for stderr in [
        Stdio::piped(),
        File::options()
            .write(true)
            .open("/dev/full")
            .expect("a device")
            .into(),
    ] {
        let change = |command: &mut Command| {
            command.stderr(stderr);
        };
        let part = || scope_of_what_is_gone(&Setting::new());
        let Some(out) = alone("ended::a_scope_that_cannot_wait_does_not_end", part, change) else {
            return;
        };
        // The signal is SIGABRT.
        assert_eq!(out.status.signal(), Some(6), "{}", said(&out));
    }
}

fn scope_of_what_is_gone(set: &Setting) {
    let acl = Acl::load_at(&set.toolkit.home).expect("it starts");
    let context = acl
        .device(0)
        .and_then(|device| device.new_context())
        .expect("a context");
    let stream = Stream::new(&context).expect("a stream");
    let (x, there) = both(&context).expect("memory");
    let ended = stream.scope(|queue| {
        queue.upload(&x, &there)?;
        end(&context);
        Ok(())
    });
    panic!("it ended with {ended:?}");
}
