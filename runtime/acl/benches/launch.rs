//! Measures the cost of a launch through the safe layer, beside direct calls of the same C
//! functions in the same run.
//!
//! `cargo bench -p jumar-acl --bench launch` prints one row for each way to launch: the median time
//! of one launch, ours and direct, and our overhead. The aim is 5 us. Kernels are counted and not
//! run, and nothing is asserted.
//!
//! The library is the stand-in: the time of direct calls is that of its queues, and says nothing
//! about CANN's. A launch with a wait wakes two threads. On a busy machine its rows measure that
//! rather than our code.

use jumar_acl::sys::types::*;
use jumar_acl::sys::Functions;
use jumar_acl::{
    Acl, Args, Binary, Context, Cores, DeviceBuffer, Error, Function, LaunchConfig, Path, Stream,
};
use jumar_standin::{toolkit, Release};
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

const KERNEL: &str = r#"#include "kernel_operator.h"
extern "C" __global__ __aicore__ void three(GM_ADDR x, GM_ADDR y, uint32_t n) { *reinterpret_cast<__gm__ uint32_t *>(y) = n + *x; }
"#;
const RUNS: usize = 41;
const LAUNCHES: u32 = 1000;

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e6
}

/// Returns the medians of two alternating actions, in us.
fn paired(mut ours: impl FnMut(), mut direct: impl FnMut()) -> (f64, f64) {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for run in 0..RUNS + 1 {
        let start = Instant::now();
        ours();
        let middle = Instant::now();
        direct();
        // The first run warms up.
        if run > 0 {
            a.push(middle - start);
            b.push(middle.elapsed());
        }
    }
    (median(a), median(b))
}

fn row(what: &str, (ours, direct): (f64, f64), launches: u32) {
    let (ours, direct) = (ours / f64::from(launches), direct / f64::from(launches));
    println!(
        "{what:<70} {ours:>8.3} us | direct {direct:>8.3} us | adds {:>7.3} us",
        ours - direct
    );
}

/// The binary, launched by C functions.
struct Direct<'f> {
    f: &'f Functions,
    function: aclrtFuncHandle,
    token: *const c_void,
    stream: aclrtStream,
    block: [u64; 3],
}

impl Direct<'_> {
    fn launch(&mut self, path: Path) -> Result<(), Error> {
        let (f, function, stream) = (self.f, self.function, self.stream);
        let at: *mut c_void = self.block.as_mut_ptr().cast();
        // SAFETY: the handles are alive, and the block has two addresses and four bytes.
        unsafe {
            match path {
                Path::HostArgs => f.aclrtLaunchKernelWithHostArgs(
                    function,
                    1,
                    stream,
                    null_mut(),
                    at,
                    20,
                    null_mut(),
                    0,
                ),
                Path::Registered => {
                    f.rtKernelLaunch(self.token, 1, at, 20, null_mut(), rtStream_t(stream.0))
                }
                Path::ArgsList => self.launch_list(),
            }
        }
    }

    /// Launches with a list of arguments.
    ///
    /// # Safety
    /// The handles are alive.
    unsafe fn launch_list(&mut self) -> Result<(), Error> {
        let (mut list, mut values, mut place) = ([0u64; 8], [0u64; 3], aclrtParamHandle::NULL);
        let handle = aclrtArgsHandle(list.as_mut_ptr().cast());
        // SAFETY: the caller promises it; the list has the 64 bytes that the stand-in asks for.
        unsafe {
            self.f.aclrtKernelArgsInitByUserMem(
                self.function,
                handle,
                values.as_mut_ptr().cast(),
                24,
            )?;
            for (at, bytes) in [(0, 8), (1, 8), (2, 4)] {
                self.f.aclrtKernelArgsAppend(
                    handle,
                    (&raw mut self.block[at]).cast(),
                    bytes,
                    &mut place,
                )?;
            }
            self.f.aclrtKernelArgsFinalize(handle)?;
            self.f.aclrtLaunchKernelWithConfig(
                self.function,
                1,
                self.stream,
                null_mut(),
                handle,
                null_mut(),
            )
        }
    }

    fn wait(&self) -> Result<(), Error> {
        // SAFETY: the stream is alive.
        unsafe { self.f.aclrtSynchronizeStream(self.stream) }
    }
}

/// Loads a binary by C functions. Returns the handle of its function, and the address that
/// identifies it.
fn loaded(
    f: &Functions,
    image: &[u8],
    token: &'static u8,
) -> Result<(aclrtFuncHandle, *const c_void), Error> {
    let (mut binary, mut function, mut lower) =
        (aclrtBinHandle::NULL, aclrtFuncHandle::NULL, null_mut());
    let token: *const c_void = std::ptr::from_ref(token).cast();
    let registered = rtDevBinary_t {
        magic: ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE,
        version: 0,
        data: image.as_ptr().cast(),
        length: image.len() as u64,
    };
    // SAFETY: the length is the image's, which outlives the program's work; names end with a zero,
    // and the handles are written.
    unsafe {
        f.aclrtBinaryLoadFromData(image.as_ptr().cast(), image.len(), null(), &mut binary)?;
        f.aclrtBinaryGetFunction(binary, c"three".as_ptr(), &mut function)?;
        f.rtDevBinaryRegister(&registered, &mut lower)?;
        f.rtFunctionRegister(lower, token, c"three".as_ptr(), c"three".as_ptr().cast(), 0)?;
    }
    Ok((function, token))
}

fn one_way(
    context: &Context,
    image: &[u8],
    path: Path,
    direct: &mut Direct<'_>,
) -> Result<(), Error> {
    let three: Function =
        Binary::load_by(context, image, Cores::Vector, path)?.function("three")?;
    let stream = Stream::new(context)?;
    let (x, y) = (
        DeviceBuffer::<i32>::zeroed(context, 8)?,
        DeviceBuffer::<i32>::zeroed(context, 8)?,
    );
    direct.block = [x.address() as u64, y.address() as u64, 8];
    // Both use one stream, whose thread is equally far from this one.
    direct.stream = stream.raw();
    let good = |done: Result<(), Error>| done.expect("it launches");
    let args = || Args::new().buffer(&x).output(&y).value(&8u32);
    let kept = args();
    let config = LaunchConfig::default();
    let one = || {
        (0..LAUNCHES)
            .for_each(|_| good(stream.scope(|queue| queue.launch(&three, 1, &args(), config))))
    };
    let both = paired(one, || {
        (0..LAUNCHES).for_each(|_| good(direct.launch(path).and_then(|()| direct.wait())))
    });
    row(
        &format!("{path}: scope, arguments, launch, end"),
        both,
        LAUNCHES,
    );
    let many = || {
        good(stream.scope(|queue| {
            (0..LAUNCHES).try_for_each(|_| queue.launch(&three, 1, &args(), config))
        }))
    };
    let mut queued = || {
        (0..LAUNCHES).for_each(|_| good(direct.launch(path)));
        good(direct.wait());
    };
    row(
        &format!("{path}: {LAUNCHES} launches of one scope"),
        paired(many, &mut queued),
        LAUNCHES,
    );
    let many =
        || {
            good(stream.scope(|queue| {
                (0..LAUNCHES).try_for_each(|_| queue.launch(&three, 1, &kept, config))
            }))
        };
    row(
        &format!("{path}: {LAUNCHES} launches with the same arguments"),
        paired(many, &mut queued),
        LAUNCHES,
    );
    Ok(())
}

fn main() -> Result<(), Error> {
    static TOKEN: u8 = 0;
    let toolkit = toolkit(Release::V9_0).expect("the stand-in is made");
    let image = toolkit.kernel(KERNEL).expect("the kernel compiles");
    toolkit
        .control()
        .expect("the library opens")
        .count_only(true);
    let acl = Acl::load_at(&toolkit.home)?;
    let device = acl.device(0)?;
    let (function, token) = loaded(acl.functions(), &image, &TOKEN)?;
    let mut direct = Direct {
        f: acl.functions(),
        function,
        token,
        stream: aclrtStream::NULL,
        block: [0; 3],
    };
    for path in Path::ALL {
        one_way(device.context(), &image, path, &mut direct)?;
    }
    Ok(())
}
