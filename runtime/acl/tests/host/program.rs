//! A program that uses all of the binding.

use super::operators::Libraries;
use jumar_acl::{
    Acl, Args, Binary, Cores, DeviceBuffer, Error, Event, LaunchConfig, Metrics, Path,
    PinnedBuffer, Profile, Stream,
};
use jumar_standin::{toolkit, Control, Release, Toolkit};

/// Adds one to each of `n` numbers; `beyond` writes after their end.
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

pub struct Setting {
    pub toolkit: Toolkit,
    pub control: Control,
    pub image: Vec<u8>,
    pub libraries: Libraries,
    profiles: tempfile::TempDir,
}

impl Setting {
    pub fn new() -> Self {
        let toolkit = toolkit(Release::V9_0).expect("the stand-in is made");
        let image = toolkit.kernel(KERNEL).expect("the kernel compiles");
        let libraries = Libraries::make(&toolkit);
        let control = toolkit.control().expect("the library opens");
        Setting {
            toolkit,
            control,
            image,
            libraries,
            profiles: tempfile::tempdir().expect("a folder"),
        }
    }
}

/// Uses all of the binding by one way to launch; errors without a receiver go to `late`.
pub fn program(set: &Setting, path: Path, late: &mut Vec<Error>) -> Result<(), Error> {
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
    assert!(
        device.vector_cores()? > 0
            && device.ai_cores()? > 0
            && device.l2_bytes()? > 0
            && device.memory()?.1 > 0
    );
    device.set_saturation(false)?;
    let context = &device.new_context()?;
    let binary = Binary::load_by(context, &set.image, Cores::Vector, path)?;
    let bump = binary.function("bump")?;
    let (stream, other) = (Stream::new(context)?, Stream::new(context)?);
    let (start, end) = (Event::new(context)?, Event::new(context)?);
    let x = PinnedBuffer::from_slice(context, &[1i32, 2, 3, 4])?;
    let mut y = PinnedBuffer::<i32>::zeroed(context, 4)?;
    let (there, copy) = (
        DeviceBuffer::<i32>::uninit(context, 4)?,
        DeviceBuffer::<i32>::zeroed(context, 4)?,
    );
    let args = Args::new().output(&there).value(&4u32);
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
    let given = || {
        Ok::<_, Error>((
            PinnedBuffer::from_slice(context, &[7u8; 3])?,
            DeviceBuffer::<u8>::uninit(context, 3)?,
        ))
    };
    let (_, uploaded) = stream
        .start(given()?, |queue, (from, to)| queue.upload(from, to))?
        .wait()?;
    assert_eq!(uploaded.to_vec()?, [7; 3]);
    // Dropping running work waits for it.
    drop(stream.start(given()?, |queue, (from, to)| queue.upload(from, to))?);
    set.libraries.all(context, &stream)?;
    drop(profile);
    context.synchronize()
}
