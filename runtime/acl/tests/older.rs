//! An older release: the binding skips what the release lacks, and says so.

use jumar_acl::{Acl, Args, Binary, Cores, DeviceBuffer, Error, LaunchConfig, Path, Stream};
use jumar_kit::alone::holds_alone;
use jumar_standin::{toolkit, Release};

const KERNEL: &str = include_str!("mark.cpp");

/// A process has one library, and here it is that of another release.
#[test]
fn a_release_without_host_arguments_launches_by_lists_and_says_why() {
    holds_alone(
        "older::a_release_without_host_arguments_launches_by_lists_and_says_why",
        launch,
    );
}

fn launch() {
    let toolkit = toolkit(Release::V8_1).expect("the stand-in is made");
    let image = toolkit.kernel(KERNEL).expect("the kernel compiles");
    let acl = Acl::load_at(&toolkit.home).expect("it starts");
    assert_eq!(acl.installation().version.as_deref(), Some("8.1.RC1"));
    let device = acl.device(0).expect("a device");
    // The older function is used: this release has no aclrtGetDeviceInfo.
    assert!(device.vector_cores().expect("a number") > 0);
    let binary = Binary::load(device.context(), &image, Cores::Vector).expect("it loads");
    assert_eq!(binary.path(), Some(Path::ArgsList));
    let [(Path::HostArgs, Error::Missing { symbol, .. })] = binary.passed_over() else {
        panic!("{:?}", binary.passed_over())
    };
    assert_eq!(*symbol, "aclrtBinaryLoadFromData");
    let (mark, stream) = (
        binary.function("mark").expect("a function"),
        Stream::new(device.context()).expect("a stream"),
    );
    let x = DeviceBuffer::from_slice(device.context(), &[0i32]).expect("memory");
    stream
        .scope(|queue| {
            queue.launch(
                &mark,
                1,
                &Args::new().buffer(&x).value(&42i32),
                LaunchConfig::default(),
            )
        })
        .expect("it runs");
    assert_eq!(x.to_vec().expect("it is read"), [42]);
}
