//! Every emitted C++ text must compile without warnings against the headers of the CPU build. All
//! kernels compile together, and some also by themselves. In the bundle, a missing include may be
//! hidden by another text's include.

use crate::bundle::{self, compiles, folder, is_alone, write, write_project};
use crate::common;
use jumar_codegen::{emit, names, EmitOptions, Form, ProjectKind};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::ir::ScalarTy;
use jumar_dsl::tiling::{Tiling, Value};
use std::fmt::Write;
use std::process::Command;
use std::sync::LazyLock;

static CHECKED: LazyLock<Vec<CheckedKernel>> = LazyLock::new(|| {
    common::KERNELS
        .iter()
        .map(|(name, _)| common::checked(name))
        .collect()
});

#[test]
fn direct_projects_compile() {
    bundle::device_compiles("all", &CHECKED, "");
    bundle::programs_compile("all", &CHECKED);
}

#[test]
fn torch_projects_compile() {
    bundle::extensions_compile("all", &CHECKED);
    // The kernel library is that of a direct project, which the test of those compiles.
    for kernel in CHECKED.iter() {
        let [own, direct] =
            [ProjectKind::Torch, ProjectKind::Direct].map(|kind| bundle::emitted(kernel, kind));
        let stem = names(kernel).kernel;
        for file in [
            format!("{stem}.cpp"),
            format!("{stem}_tiling.h"),
            format!("{stem}_tiling_func.h"),
        ] {
            let text = direct.text(&file).expect("a file of the kernel library");
            assert_eq!(own.text(&format!("csrc/{file}")), Some(text), "{file}");
        }
    }
}

#[test]
fn asc_projects_compile() {
    bundle::single_sources_compile("all", &CHECKED);
}

#[test]
fn operator_projects_compile() {
    bundle::operators_compile("all", &CHECKED);
    bundle::operator_kernels_compile("all", &CHECKED);
}

/// One kernel in ten, and at night each.
#[test]
fn each_file_compiles_by_itself() {
    for (kernel, (name, _)) in CHECKED
        .iter()
        .zip(common::KERNELS)
        .filter(|(_, (name, source))| is_alone(name, source))
    {
        for kind in ProjectKind::ALL {
            let dir = folder(&format!("alone/{name}/{kind}"));
            let project = write_project(&dir, kernel, kind);
            // A kernel function of an operator needs the text that its build writes before it.
            // `projects` compiles clients against the header of their operator.
            let own = |path: &&str| {
                path.ends_with(".asc")
                    || path.ends_with(".cpp")
                        && !path.starts_with("op_kernel/")
                        && !path.starts_with("examples/")
            };
            let built = (kind == ProjectKind::Msopgen).then_some("built_kernel.cpp");
            for path in project
                .files
                .iter()
                .map(|file| file.path.as_str())
                .filter(own)
                .chain(built)
            {
                compiles(&dir, path);
            }
        }
        if let Some((name_of_object, text)) = object(name, kernel) {
            let dir = folder(&format!("alone/{name}/object"));
            write(&dir.join(&name_of_object), &text);
            compiles(&dir, &name_of_object);
        }
    }
}

/// Returns the tiling keys in a kernel's text after the preprocessor, which knows the dtypes of
/// some tensors.
fn keys_with(text: &str, dtypes: &[(&str, &str)]) -> Vec<i64> {
    let dir = folder("keys");
    let own: String = text
        .lines()
        .filter(|l| !l.starts_with("#include"))
        .map(|l| format!("{l}\n"))
        .collect();
    std::fs::write(dir.join("kernel.cpp"), own).expect("the test folder is writable");
    let mut g = Command::new("g++");
    g.args([
        "-E",
        "-P",
        "-DDT_FLOAT=0",
        "-DDT_FLOAT16=1",
        "-DDT_INT32=3",
        "-DDT_BF16=27",
    ]);
    g.args(
        dtypes
            .iter()
            .map(|(tensor, dtype)| format!("-DORIG_DTYPE_{tensor}={dtype}")),
    );
    let out = g
        .arg(dir.join("kernel.cpp"))
        .output()
        .expect("g++ runs; install the package g++");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let found = text
        .split("TILING_KEY_IS(")
        .skip(1)
        .filter_map(|rest| rest.split(')').next()?.parse().ok());
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
        (
            "choose",
            &[("ARGS", "DT_FLOAT16"), ("CLASS1", "DT_FLOAT")],
            &[1],
        ),
        (
            "choose",
            &[("ARGS", "DT_FLOAT"), ("CLASS1", "DT_FLOAT")],
            &[11],
        ),
        ("weigh", &[("X", "DT_FLOAT")], &[1, 2]),
    ] {
        let project = emit(
            &common::checked(kernel),
            &EmitOptions {
                kind: ProjectKind::Msopgen,
                ..EmitOptions::default()
            },
        );
        let text = project
            .text(&format!("op_kernel/{kernel}_custom.cpp"))
            .expect("the kernel");
        assert_eq!(keys_with(text, dtypes), keys, "{kernel} {dtypes:?}");
    }
}

/// Returns the names of the kernel functions in a text, in order.
fn entries(text: &str) -> Vec<&str> {
    let heads = text
        .lines()
        .filter(|l| l.contains("__global__"))
        .filter_map(|l| l.split_once('('));
    heads
        .filter_map(|(head, _)| head.rsplit(' ').next())
        .collect()
}

/// Returns name and text of a device object. The tiling data is as `Names::pack` lays it out: each
/// member where C++ has it.
fn object(kernel: &str, checked: &CheckedKernel) -> Option<(String, String)> {
    let object = jumar_codegen::emit_object(checked, &EmitOptions::default()).expect("a source");
    if object.form == Form::Library {
        // Its launches are no C++; `tests/npu.rs` of the root compiles and runs it.
        assert!(object.meets && object.name.ends_with(".asc"), "{kernel}");
        return None;
    }
    assert!(
        !object.text.contains("KERNEL_TASK_TYPE"),
        "{kernel}: the toolkit's builds read it, and there is none"
    );
    let names = names(checked);
    let wanted: Vec<_> = names
        .entries
        .iter()
        .map(|(_, name)| name.as_str())
        .collect();
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
        let tiling = Tiling {
            variant: 0,
            key: 0,
            block_dim: 1,
            workspace: 0,
            vars: Vec::new(),
            fields,
        };
        let bytes = names.pack(&tiling).expect("a member");
        let at = bytes
            .iter()
            .position(|b| *b == 1)
            .expect("the one is there");
        text.push_str(&format!(
            "static_assert(offsetof({}, {}) == {at});\n",
            names.data, field.member
        ));
        text.push_str(&format!(
            "static_assert(sizeof({}) == {});\n",
            names.data,
            bytes.len()
        ));
    }
    Some((object.name, text))
}

#[test]
fn objects_compile_and_their_tiling_data_lie_where_they_are_packed() {
    let mut bundle = bundle::Bundle::new("all_objects", &["kernel_operator.h"]);
    let mut count = 0;
    for (kernel, (name, _)) in CHECKED.iter().zip(common::KERNELS) {
        let Some((file, text)) = object(name, kernel) else {
            continue;
        };
        write(&bundle.dir.join(&file), &text);
        let _ = writeln!(bundle.text, "#include \"{file}\"");
        count += 1;
    }
    assert!(count > 30, "only {count} kernels are objects");
    bundle.compile();
}
