//! The whole host path on the stand-in: every way to launch, each call failing once, work that ends
//! with an error, and many threads.
//!
//! One process has one library, with common failures and counts, so the parts are one test.

mod operators;
mod program;
mod threads;

use jumar_acl::sys::PROTOTYPES;
use jumar_acl::{Acl, Args, Binary, Cores, DeviceBuffer, Error, LaunchConfig, Path, Stream};
use jumar_kit::watched;
use program::{program, Setting};
use std::collections::BTreeSet;
use threads::{many_threads, many_threads_of_libraries, EACH, THREADS};

/// The extent of the test.
struct Extent {
    /// The calls of each function that fail, one in each run.
    failures: u64,
    /// The scopes of each thread.
    turns: i32,
}
/// Every call fails once; 10,000 launches by each way.
const WHOLE: Extent = Extent {
    failures: u64::MAX,
    turns: 125,
};
/// For runs under a tool that slows the program down: each function fails at its first call.
const REDUCED: Extent = Extent {
    failures: 1,
    turns: 2,
};

/// Functions that release something: if one does nothing, its object stays.
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
    "aclDestroyTensor",
    "aclDestroyTensorList",
    "aclDestroyScalar",
    "aclDestroyIntArray",
    "aclDestroyFloatArray",
    "aclDestroyBoolArray",
    "aclDestroyAclOpExecutor",
    "aclprofStop",
    "aclprofDestroyConfig",
    "aclprofFinalize",
];

/// Functions that libraries of kernels and operators call themselves, besides those of the binding.
const OF_LIBRARIES: &[&str] = &["aclrtLaunchHostFunc", "aclGetDataType"];

/// Makes each call of the program fail once. The first error must name it, and nothing may be left
/// except the object of a release that did nothing.
fn every_call_fails_once(
    set: &Setting,
    path: Path,
    most: u64,
    seen: &mut BTreeSet<&'static str>,
) -> usize {
    set.control.reset();
    program(set, path, &mut Vec::new()).unwrap_or_else(|e| panic!("{path}: {e}"));
    let names = PROTOTYPES
        .iter()
        .map(|row| row.name)
        .chain(OF_LIBRARIES.iter().copied());
    let calls: Vec<_> = names
        .map(|name| (name, set.control.calls(name)))
        .filter(|(_, n)| *n > 0)
        .collect();
    let mut failures = 0;
    for (name, count) in calls {
        // The text of an error is read only after an error.
        if matches!(
            name,
            "aclGetRecentErrMsg" | "aclFinalizeReference" | "aclFinalize"
        ) {
            continue;
        }
        seen.insert(name);
        for nth in 1..=count.min(most) as u32 {
            set.control.reset();
            // The latency makes a mistake visible: memory that is freed too early is gone before
            // the work begins.
            set.control.latency(50_000);
            assert!(set.control.fail(name, nth, 507_899), "{name}");
            let mut late = Vec::new();
            let done = program(set, path, &mut late);
            let first = done.err().or_else(|| late.first().cloned());
            let first = first.unwrap_or_else(|| {
                panic!("{path}: {name} failed in its call {nth}, and nobody was told")
            });
            assert!(
                first.to_string().contains(name),
                "{path}: {name} failed in its call {nth}, and the first error is {first}"
            );
            let left = set.control.counts();
            assert!(
                left.is_nothing_left() || ENDS.contains(&name),
                "{path}: {name} failed in its call {nth}, and left {left:?}"
            );
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
        assert!(
            set.control.counts().is_nothing_left(),
            "{:?}",
            set.control.counts()
        );
    }
    set.control.reset();
    let acl = Acl::load_at(&set.toolkit.home).expect("it starts");
    let device = acl.device(0).expect("a device");
    let context = device.context();
    let binary = Binary::load(context, &set.image, Cores::Vector).expect("it loads");
    assert_eq!(
        (binary.path(), binary.passed_over().len()),
        (Some(Path::HostArgs), 0)
    );
    let beyond = binary.function("beyond").expect("a function");
    let (stream, x) = (
        Stream::new(context).expect("a stream"),
        DeviceBuffer::from_slice(context, &[1i32; 8]).expect("memory"),
    );
    let args = Args::new().buffer(&x).value(&8u32);
    let failed = stream
        .scope(|queue| queue.launch(&beyond, 1, &args, LaunchConfig::default()))
        .expect_err("it leaves its tensor");
    let said = failed.to_string();
    assert!(
        said.contains("507035 (ACL_ERROR_RT_VECTOR_CORE_EXCEPTION)")
            && said.contains("--backend cpp"),
        "{said}"
    );
    // These are refused before CANN sees them.
    let other =
        DeviceBuffer::<i32>::uninit(acl.device(1).expect("a device").context(), 8).expect("memory");
    let elsewhere = Args::new().buffer(&other).value(&8u32);
    let (read_too, twice) = (
        Args::new().output(&x).value(&8u32).buffer(&x),
        Args::new().output(&x).output(&x),
    );
    let met = LaunchConfig {
        all_at_once: true,
        cores: 40,
    };
    for (blocks, args, config, says) in [
        (
            0,
            &args,
            LaunchConfig::default(),
            "the block dim is 0, allowed are 1 to 65535",
        ),
        (
            65_536,
            &args,
            LaunchConfig::default(),
            "the block dim is 65536",
        ),
        (41, &args, met, "the device has 40 cores for them"),
        (1, &elsewhere, LaunchConfig::default(), "another device"),
        (
            1,
            &read_too,
            LaunchConfig::default(),
            "argument 0 is written, and argument 2 has the same memory",
        ),
        (
            1,
            &twice,
            LaunchConfig::default(),
            "argument 0 is written, and argument 1 has the same memory",
        ),
    ] {
        let refused = stream
            .scope(|queue| queue.launch(&beyond, blocks, args, config))
            .expect_err(says);
        assert!(
            matches!(&refused, Error::Refused(why) if why.contains(says)),
            "{refused}"
        );
    }
    let missing = binary.function("nothing").expect_err("no such function");
    assert!(
        missing.to_string().contains("aclrtBinaryGetFunction"),
        "{missing}"
    );
    assert!(Binary::load(context, b"no object", Cores::Vector).is_err());
}

fn all(extent: &Extent) -> usize {
    let set = Setting::new();
    let mut seen = BTreeSet::new();
    let sweep = |path| every_call_fails_once(&set, path, extent.failures, &mut seen);
    let failures: usize = Path::ALL.into_iter().map(sweep).sum();
    assert!(seen.len() >= 68, "{} functions", seen.len());
    work_that_ends_badly(&set);
    operators::what_is_refused(&set);
    set.control.reset();
    Path::ALL
        .into_iter()
        .for_each(|path| many_threads(&set, path, extent.turns));
    many_threads_of_libraries(&set, extent.turns);
    let left = set.control.counts();
    let launches = 3 * THREADS * extent.turns * EACH;
    assert!(
        left.is_nothing_left() && left.kernels_run == launches as u64,
        "{left:?}"
    );
    failures
}

#[test]
fn the_host_path_holds_whatever_fails() {
    let failures = all(if watched::is_watched() {
        &REDUCED
    } else {
        &WHOLE
    });
    assert!(
        watched::is_watched() || failures >= 600,
        "{failures} failures"
    );
}

#[test]
fn no_memory_is_used_wrongly_or_lost() {
    watched::holds("host::the_host_path_holds_whatever_fails");
}
