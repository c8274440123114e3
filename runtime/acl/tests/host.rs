//! The whole host path against the stand-in: every way to launch, every call failing once, work that ends badly, and many threads.
//!
//! One process has one library, whose failures and counts all of it shares: the parts are one test.

use jumar_acl::sys::PROTOTYPES;
use jumar_acl::{
    Acl, Args, Binary, Cores, DeviceBuffer, Error, Event, LaunchConfig, Metrics, Path, PinnedBuffer, Profile, Stream,
};
use jumar_standin::{toolkit, Control, Release, Toolkit};
use std::collections::BTreeSet;

/// Adds one to each of `n` numbers; `beyond` writes behind them.
const KERNEL: &str = r#"#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void bump(GM_ADDR x, uint32_t n)
{
    GlobalTensor<int32_t> all;
    all.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(x), n);
    for (uint32_t i = 0; i < n; ++i) {
        all.SetValue(i, all.GetValue(i) + 1);
    }
    DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(all);
}
extern "C" __global__ __aicore__ void beyond(GM_ADDR x, uint32_t n)
{
    GlobalTensor<int32_t> all;
    all.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(x), n);
    all.SetValue(n + 64, 1);
}
"#;

/// Functions that end something: where one does nothing, what it was to end is left.
const ENDS: &[&str] = &[
    "aclFinalizeReference",
    "aclFinalize",
    "aclrtResetDevice",
    "aclrtDestroyContext",
    "aclrtDestroyStream",
    "aclrtDestroyEvent",
    "aclrtFree",
    "aclrtFreeHost",
    "aclrtBinaryUnLoad",
    "rtDevBinaryUnRegister",
    "aclprofStop",
    "aclprofDestroyConfig",
    "aclprofFinalize",
];

struct Setting {
    toolkit: Toolkit,
    control: Control,
    image: Vec<u8>,
    profiles: tempfile::TempDir,
}

/// All of the binding in one program, by one way to launch; what went wrong where nobody was told goes to `late`.
fn program(set: &Setting, path: Path, late: &mut Vec<Error>) -> Result<(), Error> {
    let acl = Acl::load_at(&set.toolkit.home)?;
    let done = with(set, &acl, path);
    late.extend(acl.take_late_errors());
    done
}

fn with(set: &Setting, acl: &Acl, path: Path) -> Result<(), Error> {
    assert!(acl.device_count()? > 0);
    acl.version()?;
    let device = acl.device(0)?;
    let profile = Profile::start(acl, &[&device], set.profiles.path(), Metrics::default())?;
    assert!(device.soc_name()?.starts_with("Ascend910"));
    assert!(device.vector_cores()? > 0 && device.ai_cores()? > 0 && device.l2_bytes()? > 0 && device.memory()?.1 > 0);
    device.set_saturation(false)?;
    let context = &device.new_context()?;
    let binary = Binary::load_by(context, &set.image, Cores::Vector, path)?;
    let bump = binary.function("bump")?;
    let (stream, other) = (Stream::new(context)?, Stream::new(context)?);
    let (start, end) = (Event::new(context)?, Event::new(context)?);
    let x = PinnedBuffer::from_slice(context, &[1i32, 2, 3, 4])?;
    let mut y = PinnedBuffer::<i32>::zeroed(context, 4)?;
    let (there, copy) = (DeviceBuffer::<i32>::uninit(context, 4)?, DeviceBuffer::<i32>::zeroed(context, 4)?);
    let args = Args::new().buffer(&there).value(&4u32);
    stream.scope(|queue| {
        queue.record(&start)?;
        queue.upload(&x, &there)?;
        queue.launch(&bump, 1, &args, LaunchConfig::default())?;
        queue.zero(&copy)?;
        queue.copy(&there, &copy)?;
        queue.record(&end)
    })?;
    end.since(&start)?;
    assert!(end.is_done()? && stream.is_done()?);
    end.wait()?;
    other.scope(|queue| {
        queue.wait_for(&end)?;
        queue.download(&copy, &mut y)
    })?;
    assert_eq!(y[..], [2, 3, 4, 5]);
    let given = || Ok::<_, Error>((PinnedBuffer::from_slice(context, &[7u8; 3])?, DeviceBuffer::<u8>::uninit(context, 3)?));
    let (_, uploaded) = stream.start(given()?, |queue, (from, to)| queue.upload(from, to))?.wait()?;
    assert_eq!(uploaded.to_vec()?, [7; 3]);
    // One that nobody waits for waits itself.
    drop(stream.start(given()?, |queue, (from, to)| queue.upload(from, to))?);
    drop(profile);
    context.synchronize()
}

/// Each call that the program makes fails once: the first error is that one, and nothing is left but what a call was to end that did nothing.
fn every_call_fails_once(set: &Setting, path: Path, seen: &mut BTreeSet<&'static str>) -> usize {
    set.control.reset();
    program(set, path, &mut Vec::new()).unwrap_or_else(|e| panic!("{path}: {e}"));
    let calls: Vec<_> = PROTOTYPES.iter().map(|row| (row.name, set.control.calls(row.name))).filter(|(_, n)| *n > 0).collect();
    let mut failures = 0;
    for (name, count) in calls {
        // The text of an error is asked when there is one.
        if matches!(name, "aclGetRecentErrMsg" | "aclFinalizeReference" | "aclFinalize") {
            continue;
        }
        seen.insert(name);
        for nth in 1..=count as u32 {
            set.control.reset();
            // So that memory which goes too early is gone before the work begins.
            set.control.latency(50_000);
            assert!(set.control.fail(name, nth, 507_899), "{name}");
            let mut late = Vec::new();
            let done = program(set, path, &mut late);
            let first = done.err().or_else(|| late.first().cloned());
            let first = first.unwrap_or_else(|| panic!("{path}: {name} failed in its call {nth}, and nobody was told"));
            assert!(first.to_string().contains(name), "{path}: {name} failed in its call {nth}, and the first error is {first}");
            let left = set.control.counts();
            assert!(left.is_nothing_left() || ENDS.contains(&name), "{path}: {name} failed in its call {nth}, and left {left:?}");
            failures += 1;
        }
    }
    failures
}

fn work_that_ends_badly(set: &Setting) {
    for code in [507_015, 507_035, 507_014, 507_054] {
        set.control.reset();
        set.control.fail_late(code);
        let failed = program(set, Path::HostArgs, &mut Vec::new()).expect_err("work fails");
        assert_eq!(failed.code(), Some(code), "{failed}");
        assert!(set.control.counts().is_nothing_left(), "{:?}", set.control.counts());
    }
    set.control.reset();
    let acl = Acl::load_at(&set.toolkit.home).expect("it starts");
    let device = acl.device(0).expect("a device");
    let context = device.context();
    let binary = Binary::load(context, &set.image, Cores::Vector).expect("it loads");
    assert_eq!((binary.path(), binary.passed_over().len()), (Path::HostArgs, 0));
    let beyond = binary.function("beyond").expect("a function");
    let (stream, x) = (Stream::new(context).expect("a stream"), DeviceBuffer::from_slice(context, &[1i32; 8]).expect("memory"));
    let args = Args::new().buffer(&x).value(&8u32);
    let failed =
        stream.scope(|queue| queue.launch(&beyond, 1, &args, LaunchConfig::default())).expect_err("it leaves its tensor");
    let said = failed.to_string();
    assert!(said.contains("507035 (ACL_ERROR_RT_VECTOR_CORE_EXCEPTION)") && said.contains("--backend cpp"), "{said}");
    // What is refused before CANN sees it.
    let other = DeviceBuffer::<i32>::uninit(acl.device(1).expect("a device").context(), 8).expect("memory");
    let elsewhere = Args::new().buffer(&other).value(&8u32);
    let met = LaunchConfig { all_at_once: true, cores: 40 };
    for (blocks, args, config, says) in [
        (0, &args, LaunchConfig::default(), "the block dim is 0, allowed are 1 to 65535"),
        (65_536, &args, LaunchConfig::default(), "the block dim is 65536"),
        (41, &args, met, "the device has 40 cores for them"),
        (1, &elsewhere, LaunchConfig::default(), "another device"),
    ] {
        let refused = stream.scope(|queue| queue.launch(&beyond, blocks, args, config)).expect_err(says);
        assert!(matches!(&refused, Error::Refused(why) if why.contains(says)), "{refused}");
    }
    let missing = binary.function("nothing").expect_err("no such function");
    assert!(missing.to_string().contains("aclrtBinaryGetFunction"), "{missing}");
    assert!(Binary::load(context, b"no object", Cores::Vector).is_err());
}

/// Launches of 8 threads on two streams each.
fn many_threads(set: &Setting, path: Path) {
    const TURNS: i32 = 125;
    const EACH: i32 = 10;
    let acl = Acl::load_at(&set.toolkit.home).expect("it starts");
    let device = &acl.device(0).expect("a device");
    let binary = Binary::load_by(device.context(), &set.image, Cores::Vector, path).expect("it loads");
    let bump = &binary.function("bump").expect("a function");
    let one = |thread: i32| -> Result<(), Error> {
        let context = device.context();
        let streams = [Stream::new(context)?, Stream::new(context)?];
        let buffers = [DeviceBuffer::from_slice(context, &[thread; 4])?, DeviceBuffer::from_slice(context, &[-thread; 4])?];
        for turn in 0..TURNS {
            let at = turn as usize % 2;
            let args = Args::new().buffer(&buffers[at]).value(&4u32);
            streams[at].scope(|queue| (0..EACH).try_for_each(|_| queue.launch(bump, 1, &args, LaunchConfig::default())))?;
        }
        assert_eq!(buffers[0].to_vec()?, [thread + (TURNS + 1) / 2 * EACH; 4]);
        assert_eq!(buffers[1].to_vec()?, [-thread + TURNS / 2 * EACH; 4]);
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|thread| scope.spawn(move || one(thread))).collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no panic").expect("no error"));
    });
}

#[test]
fn the_host_path_holds_whatever_fails() {
    let toolkit = toolkit(Release::V9_0).expect("the stand-in is made");
    let image = toolkit.kernel(KERNEL).expect("the kernel compiles");
    let control = toolkit.control().expect("the library opens");
    let set = Setting { toolkit, control, image, profiles: tempfile::tempdir().expect("a folder") };
    let mut seen = BTreeSet::new();
    let failures: usize = Path::ALL.into_iter().map(|path| every_call_fails_once(&set, path, &mut seen)).sum();
    assert!(failures >= 300 && seen.len() >= 50, "{failures} failures of {} functions", seen.len());
    work_that_ends_badly(&set);
    set.control.reset();
    Path::ALL.into_iter().for_each(|path| many_threads(&set, path));
    let left = set.control.counts();
    assert!(left.is_nothing_left() && left.kernels_run == 30_000, "{left:?}");
}
