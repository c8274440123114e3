//! Every emitted C++ text compiles without warnings against the headers of the CPU build.

use crate::common;
use jumar_codegen::{emit, EmitOptions, Form, Project, ProjectKind};
use jumar_dsl::ir::ScalarTy;
use jumar_dsl::tiling::{Tiling, Value};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Asks g++ whether files are right; `prelude` is included before each.
fn compiles(dir: &Path, files: &[&str], prelude: Option<&str>) {
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/ascendc/include");
    let torch = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stubs");
    let mut g = Command::new("g++");
    g.args(["-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-x", "c++", "-I"]).arg(headers).arg("-I").arg(dir);
    g.arg("-isystem").arg(torch);
    if let Some(prelude) = prelude {
        g.arg("-include").arg(dir.join(prelude));
    }
    let out = g.args(files.iter().map(|f| dir.join(f))).output().expect("g++ runs; install the package g++");
    assert!(out.status.success(), "{files:?}:\n{}", String::from_utf8_lossy(&out.stderr));
}

fn write(dir: &Path, project: &Project) {
    for file in &project.files {
        let path = dir.join(&file.path);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the test folder is writable");
        std::fs::write(path, &file.text).expect("the test folder is writable");
    }
}

fn folder(kernel: &str, kind: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cpp").join(kernel).join(kind);
    std::fs::create_dir_all(&dir).expect("the test folder is writable");
    dir
}

fn emitted(kernel: &str, kind: ProjectKind) -> (PathBuf, Project) {
    let options = EmitOptions { kind, source_name: Some(format!("{kernel}.rs")), ..EmitOptions::default() };
    let project = emit(&common::checked(kernel), &options);
    let dir = folder(kernel, kind.name());
    write(&dir, &project);
    (dir, project)
}

/// Names of the kernel functions in a text, in order.
fn entries(text: &str) -> Vec<&str> {
    let heads = text.lines().filter(|l| l.contains("__global__")).filter_map(|l| l.split_once('('));
    heads.filter_map(|(head, _)| head.rsplit(' ').next()).collect()
}

/// The headers that the build of a kernel library makes.
fn launch_headers(kernel: &str, dir: &Path, source: &str) {
    let checked = common::checked(kernel);
    let names = jumar_codegen::names(&checked);
    let (data, tensors) = (names.data, checked.kernel().sig.tensors().count() + usize::from(names.takes_workspace));
    for entry in entries(source) {
        let params = format!("uint32_t, aclrtStream, {}{data} *", "void *, ".repeat(tensors));
        std::fs::write(
            dir.join(format!("aclrtlaunch_{entry}.h")),
            format!("extern \"C\" uint32_t aclrtlaunch_{entry}({params});\n"),
        )
        .expect("the test folder is writable");
    }
}

#[test]
fn torch_projects_compile() {
    for (kernel, _) in common::KERNELS {
        let (dir, project) = emitted(kernel, ProjectKind::Torch);
        let source = format!("csrc/{kernel}.cpp");
        launch_headers(kernel, &dir.join("csrc"), project.text(&source).expect("the kernel source"));
        // g++ finds what an include names beside the file that includes it.
        compiles(&dir, &[&source, &format!("csrc/{kernel}_meta.cpp"), &format!("csrc/{kernel}_npu.cpp")], None);
    }
}

#[test]
fn direct_projects_compile() {
    for (kernel, _) in common::KERNELS {
        let (dir, project) = emitted(kernel, ProjectKind::Direct);
        let source = format!("{kernel}.cpp");
        launch_headers(kernel, &dir, project.text(&source).expect("the kernel source"));
        compiles(&dir, &[&source, "main.cpp"], None);
    }
}

#[test]
fn asc_projects_compile() {
    for (kernel, _) in common::KERNELS {
        let (dir, project) = emitted(kernel, ProjectKind::Asc);
        // Only bisheng knows the launch brackets; what stands around them is C++.
        let text = project.text(&format!("{kernel}.asc")).expect("the source");
        assert!(text.contains("<<<blockDim, nullptr, stream>>>("));
        let plain =
            text.replace("<<<blockDim, nullptr, stream>>>(", "(").replace("const uint32_t blockDim = ", "(void)stream;\n(void)");
        std::fs::write(dir.join("plain.cpp"), plain).expect("the test folder is writable");
        compiles(&dir, &["plain.cpp"], None);
    }
}

#[test]
fn operator_projects_compile() {
    for (kernel, _) in common::KERNELS {
        let (dir, _) = emitted(kernel, ProjectKind::Msopgen);
        let names = jumar_codegen::names(&common::checked(kernel));
        let (data, stem) = (common::registered(&common::checked(kernel)), &names.op_stem);
        compiles(&dir, &[&format!("op_host/{stem}.cpp")], None);
        // The build makes the kernel's structure from the host's definition.
        let prelude = format!(
            "#include \"kernel_operator.h\"\n#include \"op_host/{stem}_tiling.h\"\nusing optiling::{data};\n\
             REGISTER_TILING_DEFAULT({data});\n"
        );
        std::fs::write(dir.join("prelude.h"), prelude).expect("the test folder is writable");
        compiles(&dir, &[&format!("op_kernel/{stem}.cpp")], Some("prelude.h"));
    }
}

/// The tiling keys in a kernel's text after the preprocessor, which knows the dtypes of some tensors.
fn keys_with(text: &str, dtypes: &[(&str, &str)]) -> Vec<i64> {
    let dir = folder("keys", ProjectKind::Msopgen.name());
    let own: String = text.lines().filter(|l| !l.starts_with("#include")).map(|l| format!("{l}\n")).collect();
    std::fs::write(dir.join("kernel.cpp"), own).expect("the test folder is writable");
    let mut g = Command::new("g++");
    g.args(["-E", "-P", "-DDT_FLOAT=0", "-DDT_FLOAT16=1", "-DDT_INT32=3", "-DDT_BF16=27"]);
    g.args(dtypes.iter().map(|(tensor, dtype)| format!("-DORIG_DTYPE_{tensor}={dtype}")));
    let out = g.arg(dir.join("kernel.cpp")).output().expect("g++ runs; install the package g++");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let found = text.split("TILING_KEY_IS(").skip(1).filter_map(|rest| rest.split(')').next()?.parse().ok());
    found.collect()
}

#[test]
fn a_binary_of_one_dtype_has_the_keys_of_that_dtype_only() {
    for (kernel, dtypes, keys) in [
        ("swish", &[("X", "DT_FLOAT16")][..], &[1][..]),
        ("swish", &[("X", "DT_BF16")], &[11]),
        ("swish", &[("X", "DT_FLOAT")], &[21]),
        ("swish", &[], &[1, 11, 21]),
        ("softmax", &[("X", "DT_BF16")], &[11, 12]),
        ("choose", &[("ARGS", "DT_FLOAT16"), ("CLASS1", "DT_FLOAT")], &[1]),
        ("choose", &[("ARGS", "DT_FLOAT"), ("CLASS1", "DT_FLOAT")], &[11]),
        ("weigh", &[("X", "DT_FLOAT")], &[1, 2]),
    ] {
        let project = emit(&common::checked(kernel), &EmitOptions { kind: ProjectKind::Msopgen, ..EmitOptions::default() });
        let text = project.text(&format!("op_kernel/{kernel}_custom.cpp")).expect("the kernel");
        assert_eq!(keys_with(text, dtypes), keys, "{kernel} {dtypes:?}");
    }
}

/// The text of a device object, with the tiling data as `Names::pack` lays it out: each member where C++ has it.
#[test]
fn objects_compile_and_their_tiling_data_lie_where_they_are_packed() {
    for (kernel, _) in common::KERNELS {
        let checked = common::checked(kernel);
        let object = jumar_codegen::emit_object(&checked, &EmitOptions::default()).expect("a source");
        if object.form == Form::Library {
            // Its launches are no C++; it is compiled and run by `tests/npu.rs` of the root.
            assert!(object.meets && object.name.ends_with(".asc"), "{kernel}");
            continue;
        }
        assert!(!object.text.contains("KERNEL_TASK_TYPE"), "{kernel}: the toolkit's builds read it, and there is none");
        let names = jumar_codegen::names(&checked);
        let wanted: Vec<_> = names.entries.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(entries(&object.text), wanted, "{kernel}");
        let mut text = object.text.clone();
        text.push_str("#include <cstddef>\n");
        for field in &names.fields {
            let one = match field.ty {
                ScalarTy::Index => Value::Int(1),
                ScalarTy::I32 => Value::I32(1),
                ScalarTy::F32 => Value::F32(f32::from_bits(1)),
                ScalarTy::Bool => Value::Bool(true),
            };
            let fields = vec![(field.var.clone(), one)];
            let tiling = Tiling { variant: 0, key: 0, block_dim: 1, workspace: 0, vars: Vec::new(), fields };
            let bytes = names.pack(&tiling).expect("a member");
            let at = bytes.iter().position(|b| *b == 1).expect("the one is there");
            text.push_str(&format!("static_assert(offsetof({}, {}) == {at});\n", names.data, field.member));
            text.push_str(&format!("static_assert(sizeof({}) == {});\n", names.data, bytes.len()));
        }
        let dir = folder(kernel, "object");
        std::fs::write(dir.join(&object.name), text).expect("the test folder is writable");
        compiles(&dir, &[&object.name], None);
    }
}
