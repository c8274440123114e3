//! Threads that come, go and pass objects on.

use crate::{both, Both, Setting};
use jumar_acl::{Acl, Args, Binary, Cores, DeviceBuffer, Error, Event, LaunchConfig, Stream};
use std::cell::RefCell;
use std::sync::mpsc::channel;

/// Objects in a thread local are dropped after the library's own state of the thread, and may still
/// fail then.
pub fn last_words_of_a_thread(set: &Setting) {
    thread_local! {
        static LAST: RefCell<Vec<(Both, Stream, Event)>> = const { RefCell::new(Vec::new()) };
    }
    set.control.reset();
    let acl = Acl::load_at(&set.toolkit.home).expect("it starts");
    let device = acl.device(0).expect("a device");
    let holds = || -> Result<(), Error> {
        // The thread local is initialised before the library's own, so that it is dropped after
        // them.
        LAST.with(|last| last.borrow_mut().reserve(1));
        let context = device.context();
        let held = (both(context)?, Stream::new(context)?, Event::new(context)?);
        held.1.scope(|queue| queue.upload(&held.0 .0, &held.0 .1))?;
        // Errors make the library keep texts of this thread, which go with the thread.
        (0..3).for_each(|_| assert!(acl.device(99).is_err()));
        LAST.with(|last| last.borrow_mut().push(held));
        assert!(
            set.control.fail("aclrtFree", 1, 507_899)
                && set.control.fail("aclrtDestroyEvent", 1, 507_899)
        );
        Ok(())
    };
    std::thread::scope(|scope| scope.spawn(holds).join().expect("no panic")).expect("no error");
    drop(device);
    let late = acl.take_late_errors();
    assert!(
        late.len() == 2
            && late
                .iter()
                .all(|e| e.to_string().contains("a test asked for it")),
        "{late:?}"
    );
    set.control.reset();
}

/// Many threads start the library, and take devices into use and release them, at once.
pub fn begin_and_end_at_once(set: &Setting) {
    set.control.reset();
    std::thread::scope(|scope| {
        for thread in 0..8u32 {
            scope.spawn(move || {
                for turn in 0..50 {
                    let acl = Acl::load_at(&set.toolkit.home).expect("it starts");
                    let device = acl.device((thread + turn) % 2).expect("a device");
                    drop(acl);
                    let x = DeviceBuffer::from_slice(device.context(), &[thread]).expect("memory");
                    drop(device);
                    assert_eq!(x.to_vec().expect("it is read"), [thread]);
                }
            });
        }
    });
    set.nothing_is_left();
}

/// A stream moves from thread to thread, and all of them look up a binary's functions at once.
pub fn one_stream_for_all(set: &Setting) {
    set.part(|acl| {
        let device = acl.device(0)?;
        let context = &device.new_context()?;
        let binary = &Binary::load(context, &set.image, Cores::Vector)?;
        let x = &DeviceBuffer::<i32>::zeroed(context, 1)?;
        let (give, take) = channel::<Stream>();
        let take = std::sync::Mutex::new(take);
        give.send(Stream::new(context)?).expect("somebody waits");
        std::thread::scope(|scope| {
            for thread in 1..9i32 {
                let (give, take) = (give.clone(), &take);
                scope.spawn(move || {
                    let mark = binary.function("mark").expect("a function");
                    let own = Stream::new(binary.context()).expect("a stream");
                    let stream = take.lock().expect("no panic").recv().expect("it comes");
                    let args = Args::new().buffer(x).value(&thread);
                    for stream in [&stream, &own] {
                        stream
                            .scope(|queue| queue.launch(&mark, 1, &args, LaunchConfig::default()))
                            .expect("it runs");
                    }
                    give.send(stream).expect("somebody waits");
                });
            }
        });
        assert!((1..9).contains(&x.to_vec()?[0]));
        drop(take);
        Ok(())
    });
    set.nothing_is_left();
}
