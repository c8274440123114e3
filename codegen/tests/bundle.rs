//! Compiles emitted texts of many kernels in one run of the compiler, so that it reads the headers
//! once.

use crate::common;
use jumar_codegen::{emit, names, EmitOptions, Names, Project, ProjectKind};
use jumar_dsl::check::CheckedKernel;
use jumar_kit::tier;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Headers that must be read outside of the namespaces, which keep the texts of a bundle apart.
const HOST: &str = "algorithm cmath cstddef cstdint cstdio cstdlib cstring set string vector";
/// The header of the platform.
pub const PLATFORM: &str = "tiling/platform/platform_ascendc.h";
/// Names that host files have in common.
const COMMON: &str =
    "ChipOf Sizes ReadAttrs DtypeInstance TilingFunc InferShape InferDataType ItemsOf MAX_ITEMS";

/// Makes an empty folder for texts of a test.
pub fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("bundle")
        .join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("the test folder is writable");
    dir
}

/// Writes a file and its folders.
pub fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a file has a folder"))
        .expect("the test folder is writable");
    std::fs::write(path, text).expect("the test folder is writable");
}

/// Runs the compiler on a file of a folder, and returns its output or its errors. It reads the
/// headers of the CPU build, and the stand-ins for PyTorch and aclnn.
fn asked(args: &[&str], dir: &Path, file: &str) -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut g = Command::new("g++");
    g.arg("-isystem")
        .arg(root.join("tests/stubs"))
        .args(["-std=c++17", "-x", "c++", "-I"]);
    g.arg(root.join("../runtime/ascendc/include"))
        .arg("-I")
        .arg(dir)
        .args(args)
        .arg(dir.join(file));
    let out = g.output().expect("g++ runs; install the package g++");
    let said = String::from_utf8_lossy(&out.stderr);
    let errors: Vec<&str> = said
        .lines()
        .filter(|l| l.contains("error"))
        .take(40)
        .collect();
    if !out.status.success() {
        let again = format!(
            "JUMAR_SEED={} cargo test -p jumar-codegen --test suite",
            tier::seed()
        );
        return Err(format!(
            "{file} of {}:\n{}\nAgain: {again}",
            dir.display(),
            errors.join("\n")
        ));
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// Returns the compiler's output about a valid file.
pub fn gcc(args: &[&str], dir: &Path, file: &str) -> String {
    asked(args, dir, file).unwrap_or_else(|said| panic!("{said}"))
}

/// True if a file is valid C++ for the headers of a release (`ASCENDC_CPU_CANN`).
pub fn compiles_for(release: u32, dir: &Path, file: &str) -> bool {
    asked(
        &["-fsyntax-only", &format!("-DASCENDC_CPU_CANN={release}")],
        dir,
        file,
    )
    .is_ok()
}

/// Checks that a file is valid C++ without a warning.
fn is_right(dir: &Path, file: &str) -> Result<(), String> {
    asked(&["-fsyntax-only", "-Wall", "-Wextra", "-Werror"], dir, file).map(|_| ())
}

/// Asserts that a file is valid C++ without a warning.
pub fn compiles(dir: &Path, file: &str) {
    is_right(dir, file).unwrap_or_else(|said| panic!("{said}"));
}

/// True for the kernels whose files compile one by one: `swish` and one in ten, at night all.
/// `JUMAR_CPP_ALONE=all` selects all in one run.
pub fn is_alone(kernel: &str, source: &str) -> bool {
    kernel == "swish" || tier::is_drawn("JUMAR_CPP_ALONE", 10, source)
}

/// Emits the project of a kernel, from a file of its name.
pub fn emitted(kernel: &CheckedKernel, kind: ProjectKind) -> Project {
    let source_name = Some(format!("{}.rs", names(kernel).kernel));
    emit(
        kernel,
        &EmitOptions {
            kind,
            source_name,
            ..EmitOptions::default()
        },
    )
}

/// Writes the declarations of launches that the build of a kernel library makes.
fn launch_headers(dir: &Path, kernel: &CheckedKernel, n: &Names) {
    let tensors = kernel.kernel().sig.tensors().count() + usize::from(n.takes_workspace);
    let params = format!(
        "uint32_t, aclrtStream, {}{} *",
        "void *, ".repeat(tensors),
        n.data
    );
    for (_, entry) in &n.entries {
        let text = format!("extern \"C\" uint32_t aclrtlaunch_{entry}({params});\n");
        write(&dir.join(format!("aclrtlaunch_{entry}.h")), &text);
    }
}

/// Converts a single source for a compiler without launch brackets; the code around them is C++.
fn without_brackets(text: &str) -> String {
    assert!(text.contains("<<<blockDim, nullptr, stream>>>("));
    text.replace("<<<blockDim, nullptr, stream>>>(", "(")
        .replace("const uint32_t blockDim = ", "(void)stream;\n(void)")
}

/// Writes a project with the files that its build adds, as it is compiled here.
pub fn write_project(dir: &Path, kernel: &CheckedKernel, kind: ProjectKind) -> Project {
    let (mut project, n) = (emitted(kernel, kind), names(kernel));
    for file in &mut project.files {
        if file.path.ends_with(".asc") {
            file.text = without_brackets(&file.text);
        }
        write(&dir.join(&file.path), &file.text);
    }
    match kind {
        ProjectKind::Direct => launch_headers(dir, kernel, &n),
        ProjectKind::Torch => launch_headers(&dir.join("csrc"), kernel, &n),
        ProjectKind::Asc => {}
        // The build makes the kernel's structure from the host's definition.
        ProjectKind::Msopgen => {
            let (data, stem) = (common::registered(kernel), &n.op_stem);
            let text = format!(
                "#include \"kernel_operator.h\"\n#include \"op_host/{stem}_tiling.h\"\nusing optiling::{data};\n\
                 REGISTER_TILING_DEFAULT({data});\n#include \"op_kernel/{stem}.cpp\"\n"
            );
            write(&dir.join("built_kernel.cpp"), &text);
        }
    }
    project
}

/// A file that includes texts of many kernels.
pub struct Bundle {
    pub dir: PathBuf,
    pub text: String,
}

impl Bundle {
    pub fn new(name: &str, includes: &[&str]) -> Self {
        let mut text: String = HOST
            .split(' ')
            .map(|h| format!("#include <{h}>\n"))
            .collect();
        includes
            .iter()
            .for_each(|i| text.push_str(&format!("#include \"{i}\"\n")));
        Bundle {
            dir: folder(name),
            text,
        }
    }

    /// Compiles the bundle, and returns the errors.
    pub fn said(&self) -> Result<(), String> {
        write(&self.dir.join("bundle.cpp"), &self.text);
        is_right(&self.dir, "bundle.cpp")
    }

    pub fn compile(&self) {
        self.said().unwrap_or_else(|said| panic!("{said}"));
    }

    /// Writes each kernel's project below `k0`, `k1` ..
    fn of(
        name: &str,
        includes: &[&str],
        kernels: &[CheckedKernel],
        kind: ProjectKind,
        each: impl Fn(&mut String, usize, &Names),
    ) -> Self {
        let mut bundle = Bundle::new(name, includes);
        for (i, kernel) in kernels.iter().enumerate() {
            write_project(&bundle.dir.join(format!("k{i}")), kernel, kind);
            each(&mut bundle.text, i, &names(kernel));
        }
        bundle
    }
}

/// Compiles kernel functions and tiling functions of direct projects, after `prelude`.
pub fn device_compiles(set: &str, kernels: &[CheckedKernel], prelude: &str) {
    let mut device = Bundle::of(
        &format!("{set}_device"),
        &["kernel_operator.h"],
        kernels,
        ProjectKind::Direct,
        |text, i, n| {
            let stem = &n.kernel;
            let _ = writeln!(
                text,
                "#include \"k{i}/{stem}.cpp\"\n#include \"k{i}/{stem}_tiling_func.h\""
            );
        },
    );
    let at = device
        .text
        .find("#include \"k0/")
        .unwrap_or(device.text.len());
    device.text.insert_str(at, prelude);
    device.compile();
}

/// Compiles programs that launch the kernels of direct projects.
pub fn programs_compile(set: &str, kernels: &[CheckedKernel]) {
    let includes = ["acl/acl.h", PLATFORM];
    let each = |text: &mut String, i: usize, _: &Names| {
        let _ = writeln!(
            text,
            "namespace bundle{i} {{\n#include \"k{i}/main.cpp\"\n}}"
        );
    };
    Bundle::of(
        &format!("{set}_host"),
        &includes,
        kernels,
        ProjectKind::Direct,
        each,
    )
    .compile();
}

/// Compiles operators of PyTorch.
pub fn extensions_compile(set: &str, kernels: &[CheckedKernel]) {
    let includes = ["acl/acl.h", PLATFORM];
    let each = |text: &mut String, i: usize, n: &Names| {
        for part in ["meta", "npu"] {
            let _ = writeln!(text, "#include \"k{i}/csrc/{}_{part}.cpp\"", n.kernel);
        }
    };
    Bundle::of(
        &format!("{set}_torch"),
        &includes,
        kernels,
        ProjectKind::Torch,
        each,
    )
    .compile();
}

/// Compiles programs with the kernels in one file.
pub fn single_sources_compile(set: &str, kernels: &[CheckedKernel]) {
    let includes = ["acl/acl.h", "kernel_operator.h", PLATFORM];
    let each = |text: &mut String, i: usize, n: &Names| {
        let _ = writeln!(
            text,
            "namespace bundle{i} {{\n#include \"k{i}/{}.asc\"\n}}",
            n.kernel
        );
    };
    Bundle::of(
        &format!("{set}_asc"),
        &includes,
        kernels,
        ProjectKind::Asc,
        each,
    )
    .compile();
}

/// Renames what the host files of all kernels define under one name.
fn apart(at: usize) -> String {
    COMMON
        .split(' ')
        .map(|name| format!("#undef {name}\n#define {name} {name}{at}\n"))
        .collect()
}

/// Compiles host files of operator projects.
pub fn operators_compile(set: &str, kernels: &[CheckedKernel]) {
    let includes = [
        "register/op_def_registry.h",
        "register/tilingdata_base.h",
        PLATFORM,
    ];
    let each = |text: &mut String, i: usize, n: &Names| {
        text.push_str(&apart(i));
        let _ = writeln!(text, "#include \"k{i}/op_host/{}.cpp\"", n.op_stem);
    };
    Bundle::of(
        &format!("{set}_op_host"),
        &includes,
        kernels,
        ProjectKind::Msopgen,
        each,
    )
    .compile();
}

/// Compiles kernel functions of operator projects.
pub fn operator_kernels_compile(set: &str, kernels: &[CheckedKernel]) {
    let mut bundle = Bundle::new(
        &format!("{set}_op_kernel"),
        &[
            "kernel_operator.h",
            "kernel_operator_list_tensor_intf.h",
            "register/tilingdata_base.h",
        ],
    );
    for (i, kernel) in kernels.iter().enumerate() {
        write_project(
            &bundle.dir.join(format!("k{i}")),
            kernel,
            ProjectKind::Msopgen,
        );
        let stem = names(kernel).op_stem;
        bundle.text.push_str(&apart(i));
        // All structures are declared here; a namespace selects the one that a kernel reads.
        let _ = writeln!(bundle.text, "#include \"k{i}/op_host/{stem}_tiling.h\"");
        let data = common::registered(kernel);
        let _ = writeln!(
            bundle.text,
            "namespace bundle{i} {{\nusing optiling::{data};\nREGISTER_TILING_DEFAULT({data});\n#include \"k{i}/op_kernel/{stem}.cpp\"\n}}"
        );
    }
    bundle.compile();
}
