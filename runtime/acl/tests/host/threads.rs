//! Many threads that launch at once.

use super::program::Setting;
use jumar_acl::{Acl, Args, Binary, Cores, DeviceBuffer, Error, LaunchConfig, Path, Stream};

pub const THREADS: i32 = 8;
/// The launches of one scope.
pub const EACH: i32 = 10;

/// Launches from 8 threads on two streams each.
pub fn many_threads(set: &Setting, path: Path, turns: i32) {
    let acl = Acl::load_at(&set.toolkit.home).expect("it starts");
    let device = &acl.device(0).expect("a device");
    let binary =
        Binary::load_by(device.context(), &set.image, Cores::Vector, path).expect("it loads");
    let bump = &binary.function("bump").expect("a function");
    let one = |thread: i32| -> Result<(), Error> {
        let context = device.context();
        let streams = [Stream::new(context)?, Stream::new(context)?];
        let buffers = [
            DeviceBuffer::from_slice(context, &[thread; 4])?,
            DeviceBuffer::from_slice(context, &[-thread; 4])?,
        ];
        for turn in 0..turns {
            let at = turn as usize % 2;
            let args = Args::new().buffer(&buffers[at]).value(&4u32);
            streams[at].scope(|queue| {
                (0..EACH).try_for_each(|_| queue.launch(bump, 1, &args, LaunchConfig::default()))
            })?;
        }
        assert_eq!(buffers[0].to_vec()?, [thread + (turns + 1) / 2 * EACH; 4]);
        assert_eq!(buffers[1].to_vec()?, [-thread + turns / 2 * EACH; 4]);
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| scope.spawn(move || one(thread)))
            .collect();
        threads
            .into_iter()
            .for_each(|thread| thread.join().expect("no panic").expect("no error"));
    });
}

/// Launches by stubs, and by operators in the second half of an iteration.
pub fn many_threads_of_libraries(set: &Setting, turns: i32) {
    let acl = Acl::load_at(&set.toolkit.home).expect("it starts");
    let device = &acl.device(0).expect("a device");
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                scope.spawn(move || set.libraries.count_up(device.context(), thread, turns))
            })
            .collect();
        threads
            .into_iter()
            .for_each(|thread| thread.join().expect("no panic").expect("no error"));
    });
}
