//! The stand-in's device compiler: accepted command lines and sources, and messages for others.

use jumar_standin::{toolkit, Release};
use std::fs;
use std::path::Path;
use std::process::Command;

const KERNEL: &str =
    "#include \"kernel_operator.h\"\n// __global__ void none(int x);\n#define NONE __global__ void none(int x)\nextern \"C\" \
                      __global__ __aicore__ void mark(GM_ADDR x, int32_t n)\n{\n    *(__gm__ int32_t *)x = n;\n}\n";
const OBJECT: &str = "-c -x cce -O3 -std=c++17 --cce-aicore-arch=dav-c220-vec --cce-aicore-only --cce-auto-sync -mllvm \
                      -cce-aicore-stack-size=0x8000 -D__NPU_TILING__ -I HEADERS k.cpp -o k.o";
const PROGRAM: &str = "p.asc -o p --npu-arch=dav-2201 --cce-auto-sync -O2";
const SOURCE: &str = "#include \"acl/acl.h\"\n#include \"kernel_operator.h\"\n__global__ __vector__ void mark(GM_ADDR x, int32_t n)\n{\n    \
                      *(__gm__ int32_t *)x = n;\n}\nint main()\n{\n    aclrtStream stream = nullptr; void *x = nullptr; int32_t y = 0;\n    aclInit(nullptr); \
                      aclrtSetDevice(0); aclrtCreateStream(&stream); aclrtMalloc(&x, 64, ACL_MEM_MALLOC_HUGE_FIRST);\n    mark<<<1, nullptr, \
                      stream>>>((uint8_t *)x, 7);\n    const int error = aclrtSynchronizeStream(stream);\n    aclrtMemcpy(&y, 4, x, 4, \
                      ACL_MEMCPY_DEVICE_TO_HOST);\n    return error == 0 ? y : 99;\n}\n";

/// Returns the message of a tool for a command line, or `None` if it succeeds. `HEADERS` is the
/// toolkit's folder of headers.
fn said(home: &Path, folder: &Path, tool: &str, line: &str) -> Option<String> {
    let headers = home.join("compiler/tikcpp/tikcfw").display().to_string();
    let words = line.split_whitespace().map(|word| {
        if word == "HEADERS" {
            headers.clone()
        } else {
            word.to_string()
        }
    });
    let program = home.join("compiler/ccec_compiler/bin").join(tool);
    let out = Command::new(program)
        .args(words)
        .current_dir(folder)
        .output()
        .expect("it runs");
    (!out.status.success()).then(|| String::from_utf8_lossy(&out.stderr).into_owned())
}

#[test]
fn lines_that_the_compiler_does_not_know_are_refused() {
    let home = toolkit(Release::V9_0).expect("the stand-in is made").home;
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("the folder is writable")
    };
    file("k.cpp", KERNEL);
    file("p.asc", SOURCE);
    file(
        "empty.cpp",
        "#include \"kernel_operator.h\"\nvoid mark() {}\n",
    );
    file("wrong.cpp", &KERNEL.replace("x = n;", "x = m;"));
    file("gives.cpp", &KERNEL.replace("void mark", "int mark"));
    assert_eq!(said(&home, folder.path(), "bisheng", OBJECT), None);
    assert_eq!(
        said(
            &home,
            folder.path(),
            "ld.lld",
            "-m aicorelinux -Ttext=0 k.o -static -o k.so"
        ),
        None
    );
    assert_eq!(said(&home, folder.path(), "bisheng", PROGRAM), None);
    let ran = Command::new(folder.path().join("p"))
        .env("LD_LIBRARY_PATH", home.join("lib64"))
        .status()
        .expect("it runs");
    assert_eq!(ran.code(), Some(7));
    for (tool, line, wanted) in [
        (
            "bisheng",
            OBJECT.replace("--cce-aicore-only", "--cce-aicore-one"),
            "error: unknown argument: '--cce-aicore-one'",
        ),
        (
            "bisheng",
            OBJECT.replace("--cce-aicore-only", ""),
            "'--cce-aicore-only' is missing",
        ),
        (
            "bisheng",
            OBJECT.replace("dav-c220-vec", "dav-c310"),
            "unsupported argument 'dav-c310' to option '--cce-aicore-arch='",
        ),
        (
            "bisheng",
            OBJECT.replace("--cce-aicore-arch=dav-c220-vec", ""),
            "'--cce-aicore-arch' is missing",
        ),
        (
            "bisheng",
            OBJECT.replace("-std=c++17", "-std=c++20"),
            "AscendC is C++17",
        ),
        (
            "bisheng",
            OBJECT.replace("-std=c++17", ""),
            "'-std' is missing",
        ),
        (
            "bisheng",
            OBJECT.replace("-cce-aicore-stack-size", "-cce-stack"),
            "Unknown command line argument '-cce-stack=0x8000'",
        ),
        (
            "bisheng",
            OBJECT.replace("-x cce", "-x c"),
            "language not recognized: 'c'",
        ),
        (
            "bisheng",
            OBJECT.replace("-I HEADERS", ""),
            "kernel_operator.h: No such file",
        ),
        (
            "bisheng",
            OBJECT.replace("k.cpp", "none.cpp"),
            "no such file or directory: 'none.cpp'",
        ),
        (
            "bisheng",
            OBJECT.replace("k.cpp", "k.cpp k.cpp"),
            "this is a second one",
        ),
        ("bisheng", OBJECT.replace("k.cpp", ""), "no input files"),
        (
            "bisheng",
            OBJECT.replace("-o k.o", "-o"),
            "argument to '-o' is missing",
        ),
        (
            "bisheng",
            OBJECT.replace("k.cpp", "empty.cpp"),
            "empty.cpp:1:1: error: the stand-in wants a kernel function",
        ),
        (
            "bisheng",
            OBJECT.replace("k.cpp", "wrong.cpp"),
            "wrong.cpp:6:",
        ),
        (
            "bisheng",
            OBJECT.replace("k.cpp", "gives.cpp"),
            "a kernel function must return void, and this one says 'int'",
        ),
        (
            "bisheng",
            PROGRAM.replace("--npu-arch=dav-2201", ""),
            "'--npu-arch' is missing",
        ),
        (
            "bisheng",
            PROGRAM.replace("dav-2201", "dav-9"),
            "unsupported argument 'dav-9'",
        ),
        (
            "bisheng",
            format!("{PROGRAM} -shared"),
            "'-fPIC' is missing",
        ),
        ("bisheng", format!("{PROGRAM} -lnothing"), "-lnothing"),
        (
            "ld.lld",
            "-Ttext=0 k.o -static -o k.so".into(),
            "'-m aicorelinux'",
        ),
        (
            "ld.lld",
            "-m elf_x86_64 k.o -static -o k.so".into(),
            "unknown emulation: elf_x86_64",
        ),
        (
            "ld.lld",
            "-m aicorelinux -static -o k.so".into(),
            "no input files",
        ),
        (
            "ld.lld",
            "-m aicorelinux -shared k.o -static -o k.so".into(),
            "unknown argument '-shared'",
        ),
    ] {
        let said = said(&home, folder.path(), tool, &line)
            .unwrap_or_else(|| panic!("{tool} takes {line}"));
        assert!(said.contains(wanted), "{tool} {line}: {said}");
    }
}

#[test]
fn an_older_release_has_no_sources_of_host_and_device() {
    let home = toolkit(Release::V8_1).expect("the stand-in is made").home;
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("p.asc"), SOURCE).expect("the folder is writable");
    let said = said(&home, folder.path(), "bisheng", PROGRAM).expect("it is refused");
    assert!(
        said.starts_with("bisheng: error: unknown argument: '--npu-arch='"),
        "{said}"
    );
}
