//! Emitted projects as whole programs: host code, acl calls, launches and kernels, compiled and run
//! on the CPU.

use super::agree::{data, differs, halves, keep_promises, simulated, Case};
use jumar::codegen::{emit, names, EmitOptions, ProjectKind};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::ir::Role;
use jumar::runtime::ascendc::{LaunchOptions, Program, Source, Unit};
use jumar::runtime::{Array, AsInput, Overflow};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes a kernel's project, and returns its folder and files.
pub fn write(kernel: &CheckedKernel, kind: ProjectKind) -> (PathBuf, Vec<PathBuf>) {
    let name = names(kernel).kernel;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("programs")
        .join(&name)
        .join(kind.name());
    let project = emit(
        kernel,
        &EmitOptions {
            kind,
            source_name: Some(format!("{name}.rs")),
            ..EmitOptions::default()
        },
    );
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is writable");
        fs::write(&path, text).expect("the folder is writable");
        path
    };
    let files = project
        .files
        .iter()
        .map(|file| write(&file.path, &file.text))
        .collect();
    (folder, files)
}

/// Compiles the program of a kernel's project.
pub fn compile(kernel: &CheckedKernel, kind: ProjectKind) -> Result<Program, String> {
    program(kernel, &sources(write(kernel, kind).1))
}

/// Compiles the program of a kernel's project with a change to its texts.
pub fn changed(
    kernel: &CheckedKernel,
    kind: ProjectKind,
    change: impl Fn(&str) -> String,
) -> Result<Program, String> {
    let sources = sources(write(kernel, kind).1);
    for path in &sources {
        let text = fs::read_to_string(path).expect("a text that was written");
        fs::write(path, change(&text)).expect("the folder is writable");
    }
    program(kernel, &sources)
}

fn sources(files: Vec<PathBuf>) -> Vec<PathBuf> {
    files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "cpp" || e == "asc"))
        .collect()
}

fn program(kernel: &CheckedKernel, sources: &[PathBuf]) -> Result<Program, String> {
    let unit = Unit {
        strict: true,
        ..Unit::program(sources.to_vec(), kernel.chip().arch)
    };
    unit.compile().map_err(|e| e.to_string())
}

/// Compiles an operator project: the kernel with its tiling data, and the host file in an empty
/// program.
pub fn compile_operator(kernel: &CheckedKernel) -> Result<(), String> {
    let (folder, _) = write(kernel, ProjectKind::Msopgen);
    let stem = names(kernel).op_stem;
    let source = Source::File(folder.join(format!("op_kernel/{stem}.cpp")));
    let tiling = Some(folder.join(format!("op_host/{stem}_tiling.h")));
    let device = Unit {
        tiling,
        strict: true,
        ..Unit::kernel(source, &stem, kernel.chip().arch)
    };
    let main = folder.join("main.cpp");
    fs::write(
        &main,
        format!("#include \"op_host/{stem}.cpp\"\nint main()\n{{\n    return 0;\n}}\n"),
    )
    .expect("the folder is writable");
    let host = Unit {
        strict: true,
        ..Unit::program(vec![main], kernel.chip().arch)
    };
    [device, host]
        .iter()
        .try_for_each(|unit| unit.compile().map(drop).map_err(|e| e.to_string()))
}

/// Returns the words of the call in the README of a direct project, with all optional words and the
/// first of each choice.
fn shown_call(kernel: &CheckedKernel, folder: &Path) -> Vec<String> {
    let readme = fs::read_to_string(folder.join("README.md")).expect("a README");
    let program = format!("{}_main ", names(kernel).kernel);
    let line = readme
        .lines()
        .find_map(|line| line.strip_prefix(&program))
        .expect("a call");
    let words = line.replace(['[', ']'], "").replace(" --device N", "");
    words
        .split(' ')
        .map(|word| word.split('|').next().unwrap_or(word).to_string())
        .collect()
}

/// Calls the program of a project as its README says, on zeros. Returns the output of a failure.
pub fn called_as_shown(kernel: &CheckedKernel) -> Option<String> {
    let (folder, files) = write(kernel, ProjectKind::Direct);
    let words = shown_call(kernel, &folder);
    let place = tempfile::tempdir().expect("a folder");
    let sig = &kernel.kernel().sig;
    for (_, param, role, ty) in sig.tensors() {
        let shape = words
            .iter()
            .find_map(|word| word.strip_prefix(&format!("{}=", param.name)));
        let shape = shape
            .expect("a shape for each tensor")
            .split('x')
            .filter(|size| !size.is_empty());
        let count: usize = shape
            .map(|size| size.parse::<usize>().expect("a size"))
            .product();
        if role != Role::Out {
            let bytes = vec![0u8; count * ty.resolve(&sig.instances[0]).bytes() as usize];
            fs::write(
                place.path().join(format!("input_{}.bin", param.name)),
                bytes,
            )
            .expect("the folder is writable");
        }
    }
    let called: Vec<OsString> = words.iter().map(OsString::from).collect();
    let ran = program(kernel, &sources(files)).and_then(|program| {
        program
            .run_main(&LaunchOptions::new(kernel.chip()), &called, place.path())
            .map_err(|e| e.to_string())
    });
    match ran {
        Ok(ran) if ran.status == 0 => None,
        ran => Some(format!("{}: {ran:?}", words.join(" "))),
    }
}

/// Runs the program on files, and returns the difference to the simulator.
pub fn disagreement(
    program: &Program,
    case: &Case,
    kernel: &CheckedKernel,
    dtype: Option<&str>,
) -> Option<String> {
    let options = LaunchOptions::new(case.chip);
    disagreement_of(case, kernel, dtype, |words, folder| {
        program
            .run_main(&options, words, folder)
            .map(|ran| (ran.status, format!("{ran:?}")))
            .map_err(|e| e.to_string())
    })
}

/// Runs a program by `run`, which returns exit code and output, and returns the difference to the
/// simulator.
pub fn disagreement_of(
    case: &Case,
    kernel: &CheckedKernel,
    dtype: Option<&str>,
    run: impl Fn(&[OsString], &Path) -> Result<(i32, String), String>,
) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut words: Vec<String> = dtype
        .map(|d| ["--dtype".to_string(), d.to_string()])
        .into_iter()
        .flatten()
        .collect();
    let given = |(tensor, seed)| {
        if case.exact {
            halves(tensor, seed)
        } else {
            data(tensor, seed)
        }
    };
    let mut inputs: Vec<Array> = case.tensors.iter().zip(case.seed..).map(given).collect();
    let names: Vec<&str> = case.tensors.iter().map(|t| t.name.as_str()).collect();
    keep_promises(kernel, &names, &mut inputs, &case.attrs);
    for (tensor, input) in case.tensors.iter().zip(&inputs) {
        let shape: Vec<String> = tensor.shape.iter().map(usize::to_string).collect();
        words.push(format!("{}={}", tensor.name, shape.join("x")));
        if !tensor.written {
            let bytes = input.as_input().bytes().to_vec();
            fs::write(
                folder.path().join(format!("input_{}.bin", tensor.name)),
                bytes,
            )
            .expect("the folder is writable");
        }
    }
    for (name, value) in &case.attrs {
        words.push(format!("{name}={}", value.as_f32().expect("a number")));
    }
    let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    let expected = simulated(case, kernel, Overflow::InfNan);
    let ran = run(&words, folder.path());
    match (expected, ran) {
        (Ok(expected), Ok((0, _))) => {
            let outputs = case
                .tensors
                .iter()
                .zip(&expected)
                .filter(|(t, _)| t.written);
            outputs
                .filter_map(|(tensor, expected)| {
                    let bytes = fs::read(folder.path().join(format!("output_{}.bin", tensor.name)))
                        .unwrap_or_default();
                    match Array::from_bytes(tensor.dtype, &tensor.shape, &bytes) {
                        Some(array) => differs(expected, "emitted program", &array)
                            .map(|why| format!("{}: {why}", tensor.name)),
                        None => Some(format!(
                            "output_{}.bin has {} bytes",
                            tensor.name,
                            bytes.len()
                        )),
                    }
                })
                .next()
        }
        (Err(_), Ok((1, _))) => None,
        (expected, ran) => Some(format!(
            "simulator: {:?}\nprogram: {ran:?}",
            expected.map(|_| "ends well")
        )),
    }
}
