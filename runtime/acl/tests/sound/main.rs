//! The safe layer against a hostile user: objects that are forgotten, dropped in any order or by
//! any thread, panics, and code beside it that ends things.
//!
//! Programs that must not compile are in `src/refused.rs`. One process has one library, whose
//! counts are common, so the parts are one test.

mod ended;
mod threads;
mod traits;

use jumar_acl::{
    Acl, Args, Binary, Context, Cores, DeviceBuffer, Error, Event, LaunchConfig, Metrics,
    PinnedBuffer, Profile, Running, Stream,
};
use jumar_kit::{alone, watched};
use jumar_standin::{toolkit, Control, Release, Toolkit};
use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A long delay: memory that is freed too early is gone before the work begins.
const LATE: u64 = 20_000_000;

const KERNEL: &str = include_str!("../mark.cpp");

struct Setting {
    toolkit: Toolkit,
    control: Control,
    image: Vec<u8>,
}

impl Setting {
    fn new() -> Self {
        let toolkit = toolkit(Release::V9_0).expect("the stand-in is made");
        let image = toolkit.kernel(KERNEL).expect("the kernel compiles");
        let control = toolkit.control().expect("the library opens");
        Setting {
            toolkit,
            control,
            image,
        }
    }

    /// Resets the stand-in, then runs `part` with a library that was just started.
    fn part(&self, part: impl FnOnce(&Acl) -> Result<(), Error>) {
        self.control.reset();
        let acl = Acl::load_at(&self.toolkit.home).expect("it starts");
        part(&acl).expect("no error");
        assert_eq!(acl.take_late_errors(), []);
    }

    fn nothing_is_left(&self) {
        let left = self.control.counts();
        assert!(left.is_nothing_left(), "{left:?}");
    }
}

/// The two sides of a copy.
type Both = (PinnedBuffer<i32>, DeviceBuffer<i32>);

fn both(context: &Context) -> Result<Both, Error> {
    Ok((
        PinnedBuffer::from_slice(context, &[1, 2, 3])?,
        DeviceBuffer::zeroed(context, 3)?,
    ))
}

/// A panic waits as a normal end does: borrowed memory lives until then.
fn panics_wait(set: &Setting) {
    set.part(|acl| {
        let device = acl.device(0)?;
        let stream = Stream::new(device.context())?;
        set.control.latency(LATE);
        let (x, there) = both(device.context())?;
        let scope = || {
            stream.scope(|queue| -> Result<(), Error> {
                queue.upload(&x, &there)?;
                panic!("in a scope")
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(scope)).is_err());
        assert!(stream.is_done()?);
        drop(x);
        assert_eq!(there.to_vec()?, [1, 2, 3]);
        let given = both(device.context())?;
        let start = || {
            stream.start(given, |queue, (x, there)| {
                queue.upload(x, there)?;
                panic!("at a start")
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(start)).is_err());
        assert!(stream.is_done()?);
        Ok(())
    });
    set.nothing_is_left();
}

/// Runs a test in a separate process: the objects that it leaks keep the library started.
fn holds_alone(test: &str, part: impl FnOnce(&Setting)) {
    alone::holds_alone(test, || part(&Setting::new()));
}

/// A forgotten object is leaked, and never freed too early: work on freed memory fails with 507013.
#[test]
fn what_is_forgotten_stays() {
    holds_alone("what_is_forgotten_stays", forget);
}

fn forget(set: &Setting) {
    set.part(|acl| {
        let device = acl.device(0)?;
        let stream = Stream::new(device.context())?;
        set.control.latency(LATE);
        std::mem::forget(stream.start(both(device.context())?, |queue, (x, there)| {
            queue.upload(x, there)
        })?);
        let running: Running<'_, Both> = stream
            .start(both(device.context())?, |queue, (x, there)| {
                queue.upload(x, there)
            })?;
        // As above, for a stream that nothing will ever drop.
        std::mem::forget(running);
        drop(stream);
        Ok(())
    });
    let left = set.control.counts();
    assert_eq!(
        (left.streams, left.host_blocks, left.device_blocks),
        (0, 2, 2),
        "{left:?}"
    );
}

/// Drops related objects in all orders.
fn any_order_of_drops(set: &Setting) {
    fn orders(of: usize) -> Vec<Vec<usize>> {
        if of == 0 {
            return vec![vec![]];
        }
        let shorter = orders(of - 1);
        let with = |order: &Vec<usize>, at: usize| [&order[..at], &[of - 1], &order[at..]].concat();
        shorter
            .iter()
            .flat_map(|order| (0..of).map(move |at| with(order, at)))
            .collect()
    }
    let all = orders(7);
    assert_eq!(all.len(), 5040);
    set.control.reset();
    for order in all.iter().step_by(7) {
        let acl = Acl::load_at(&set.toolkit.home).expect("it starts");
        let things = || -> Result<Vec<Option<Box<dyn Any>>>, Error> {
            let device = acl.device(0)?;
            let context = device.new_context()?;
            let binary = Binary::load(&context, &set.image, Cores::Vector)?;
            let function = binary.function("mark")?;
            let (x, stream) = both(&context)?;
            let things: [Box<dyn Any>; 7] = [
                Box::new(x),
                Box::new(stream),
                Box::new((Stream::new(&context)?, Event::new(&context)?)),
                Box::new(device),
                Box::new(binary),
                Box::new(function),
                Box::new(context),
            ];
            Ok(things.map(Some).into())
        };
        let mut things = things().expect("they are made");
        order.iter().for_each(|at| drop(things[*at].take()));
        assert_eq!(acl.take_late_errors(), [], "{order:?}");
        drop(acl);
        set.nothing_is_left();
    }
}

/// Buffers without elements, of elements without bytes, and larger than possible.
fn sizes_at_the_edge(set: &Setting) {
    set.part(|acl| {
        let device = acl.device(0)?;
        let context = device.context();
        let stream = Stream::new(context)?;
        for len in [0, 1, 7] {
            let (none, there, copy) = (
                PinnedBuffer::<[u64; 0]>::zeroed(context, len)?,
                DeviceBuffer::<[u64; 0]>::zeroed(context, len)?,
                DeviceBuffer::<[u64; 0]>::uninit(context, len)?,
            );
            let mut back = PinnedBuffer::<[u64; 0]>::zeroed(context, len)?;
            stream.scope(|queue| {
                queue.upload(&none, &there)?;
                queue.zero(&copy)?;
                queue.copy(&there, &copy)?;
                queue.download(&copy, &mut back)
            })?;
            assert_eq!((back.len(), there.to_vec()?.len()), (len, len));
        }
        let (empty, nothing) = (
            DeviceBuffer::<f32>::from_slice(context, &[])?,
            PinnedBuffer::<f32>::zeroed(context, 0)?,
        );
        assert_eq!((empty.to_vec()?.len(), nothing.len()), (0, 0));
        for len in [usize::MAX, isize::MAX as usize / 4 + 1] {
            assert!(matches!(
                DeviceBuffer::<i32>::uninit(context, len),
                Err(Error::Refused(_))
            ));
            assert!(matches!(
                PinnedBuffer::<i32>::zeroed(context, len),
                Err(Error::Refused(_))
            ));
        }
        Ok(())
    });
    set.nothing_is_left();
}

/// Memory, events and kernels of one device with the streams of another; events of two streams.
fn two_devices(set: &Setting) {
    set.part(|acl| {
        let (here, elsewhere) = (acl.device(0)?, acl.device(1)?);
        let (stream, other) = (Stream::new(here.context())?, Stream::new(here.context())?);
        let (x, far) = (both(here.context())?, both(elsewhere.context())?);
        let (event, far_event) = (
            Event::new(here.context())?,
            Event::new(elsewhere.context())?,
        );
        let mark = Binary::load(here.context(), &set.image, Cores::Vector)?.function("mark")?;
        let far_mark =
            Binary::load(elsewhere.context(), &set.image, Cores::Vector)?.function("mark")?;
        let own = here.new_context()?;
        let own_mark = Binary::load(&own, &set.image, Cores::Vector)?.function("mark")?;
        let refused =
            |done: Result<(), Error>| assert!(matches!(done, Err(Error::Refused(_))), "{done:?}");
        let config = LaunchConfig::default();
        let mut back = PinnedBuffer::<i32>::zeroed(here.context(), 3)?;
        stream.scope(|queue| {
            refused(queue.upload(&far.0, &x.1));
            refused(queue.upload(&x.0, &far.1));
            refused(queue.copy(&x.1, &far.1));
            refused(queue.zero(&far.1));
            refused(queue.download(&far.1, &mut back));
            refused(queue.record(&far_event));
            refused(queue.wait_for(&far_event));
            refused(queue.launch(&far_mark, 1, &Args::new().buffer(&x.1).value(&1i32), config));
            refused(queue.launch(&own_mark, 1, &Args::new().buffer(&x.1).value(&1i32), config));
            refused(queue.launch(&mark, 1, &Args::new().buffer(&far.1).value(&1i32), config));
            queue.record(&event)
        })?;
        event.wait()?;
        // Another stream records the event again, and the first one waits for it.
        other.scope(|queue| queue.record(&event))?;
        stream.scope(|queue| queue.wait_for(&event))?;
        assert!(event.is_done()?);
        refused(event.since(&far_event).map(drop));
        Ok(())
    });
    set.nothing_is_left();
}

/// A library of host and device code, as jumar makes it, whose kernel takes a tensor and a number.
const HOSTED: &str = r#"#include "acl/acl.h"
extern "C" uint32_t jumar_library_version() { return 1; }
extern "C" uint32_t jumar_argument_bytes(uint32_t argument) { return argument == 0 ? 8 : argument == 1 ? 4 : 0; }
extern "C" void jumar_start_set(uint32_t, aclrtStream, void *const *values)
{
    **static_cast<int32_t *const *>(values[0]) = *static_cast<const int32_t *>(values[1]);
}
"#;

/// The start of such a kernel reads all arguments, so it must get as many as it takes.
fn libraries_get_their_arguments(set: &Setting) {
    let file = set.toolkit.library(HOSTED).expect("it compiles");
    let other = set
        .toolkit
        .library(&HOSTED.replace("return 1", "return 2"))
        .expect("it compiles");
    set.part(|acl| {
        let device = acl.device(0)?;
        let context = device.context();
        assert!(
            matches!(Binary::open(context, &other, Cores::Mixed), Err(Error::Refused(why)) if why.contains("build it again"))
        );
        let kernel = Binary::open(context, &file, Cores::Mixed)?.function("set")?;
        let (stream, x) = (Stream::new(context)?, DeviceBuffer::<i32>::zeroed(context, 1)?);
        for (args, says) in [
            (Args::new(), "takes more than the 0 arguments"),
            (Args::new().buffer(&x), "takes more than the 1 arguments"),
            (Args::new().buffer(&x).value(&1u16), "argument 1 of kernel `set` has 4 bytes, and 2 are given"),
            (Args::new().buffer(&x).value(&1u64), "argument 1 of kernel `set` has 4 bytes, and 8 are given"),
            (Args::new().value(&1u32), "argument 0 of kernel `set` has 8 bytes, and 4 are given"),
            (Args::new().buffer(&x).value(&1i32).null(), "takes 2 arguments, and more are given"),
        ] {
            let refused = stream.scope(|queue| queue.launch(&kernel, 1, &args, LaunchConfig::default())).expect_err(says);
            assert!(matches!(&refused, Error::Refused(why) if why.contains(says)), "{refused}");
        }
        let args = Args::new().buffer(&x).value(&7i32);
        stream.scope(|queue| queue.launch(&kernel, 1, &args, LaunchConfig::default()))?;
        assert_eq!(x.to_vec()?, [7]);
        Ok(())
    });
    set.nothing_is_left();
}

/// A device is in use as long as a profile of it.
fn profiles_keep_their_devices(set: &Setting) {
    set.part(|acl| {
        let folder = tempfile::tempdir().expect("a folder");
        let profile = Profile::start(
            acl,
            &[&acl.device(0)?, &acl.device(1)?],
            folder.path(),
            Metrics::default(),
        )?;
        assert_eq!(set.control.counts().device_references, 2);
        drop(profile);
        Ok(())
    });
    set.nothing_is_left();
}

#[test]
fn no_memory_is_used_wrongly_or_lost() {
    watched::holds("safe_code_can_do_no_harm");
}

#[test]
fn safe_code_can_do_no_harm() {
    let set = Setting::new();
    panics_wait(&set);
    any_order_of_drops(&set);
    sizes_at_the_edge(&set);
    two_devices(&set);
    profiles_keep_their_devices(&set);
    libraries_get_their_arguments(&set);
    threads::begin_and_end_at_once(&set);
    threads::one_stream_for_all(&set);
    threads::last_words_of_a_thread(&set);
}
