//! An operator project as files, its library, and the client program in its `examples`.

use crate::outside::{cargo, target};
use jumar::codegen::{emit, names, EmitOptions, ProjectKind};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{Param, Role};
use jumar::dsl::soc::Chip;
use jumar::dsl::tiling::Value;
use jumar::load::check_text;
use jumar::runtime::{Array, AsInput, Launch};
use jumar_standin::{toolkit, Release, Toolkit};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

/// The compiled client of a project.
pub struct Client {
    kernel: CheckedKernel,
    program: PathBuf,
    /// The project, and the installed package of its operator.
    project: PathBuf,
    package: PathBuf,
    toolkit: Toolkit,
    folder: TempDir,
}

/// Values of an attribute as the simulator takes them.
pub type Attr = (&'static str, &'static [Value]);

impl Client {
    /// Emits, builds and installs the operator of a kernel, and compiles its client.
    pub fn of(name: &str, text: &str) -> Result<Client, String> {
        Client::changed(name, text, str::to_string)
    }

    /// Makes the client of a kernel with a change to its text.
    pub fn changed(
        name: &str,
        text: &str,
        change: impl Fn(&str) -> String,
    ) -> Result<Client, String> {
        let file = check_text("kernel.rs", text, Some(Chip::default_chip()));
        let kernel = file
            .kernels()
            .first()
            .and_then(|k| k.checked.first())
            .cloned()
            .ok_or_else(|| file.render(false))?;
        let project = emit(
            &kernel,
            &EmitOptions {
                kind: ProjectKind::Msopgen,
                ..EmitOptions::default()
            },
        );
        let place = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("aclnn")
            .join(name);
        for file in &project.files {
            write(&place.join(&file.path), &file.text)?;
        }
        let main = project.text("examples/main.cpp").ok_or("no client")?;
        let changed = change(main);
        if changed != main {
            write(&place.join("examples/changed.cpp"), &changed)?;
        }
        let toolkit = toolkit(Release::V9_0)?;
        let package = toolkit.operators(&place)?;
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let main = place.join(if changed == main {
            "examples/main.cpp"
        } else {
            "examples/changed.cpp"
        });
        let program = compile(
            &toolkit,
            &package,
            &place,
            &main,
            &folder.path().join("client"),
        )?;
        Ok(Client {
            kernel,
            program,
            project: place,
            package,
            toolkit,
            folder,
        })
    }

    /// Writes inputs for the tensors of the words, and runs the client.
    pub fn run(&self, words: &str) -> Result<Output, String> {
        for tensor in self
            .tensors(words)?
            .iter()
            .filter(|tensor| tensor.role != Role::Out)
        {
            let path = self
                .folder
                .path()
                .join(format!("input_{}.bin", tensor.called));
            fs::write(path, tensor.given().as_input().bytes()).map_err(|e| e.to_string())?;
        }
        Command::new(&self.program)
            .current_dir(self.folder.path())
            .args(words.split_whitespace())
            .output()
            .map_err(|e| e.to_string())
    }

    /// Compiles the client in Rust against this clone of jumar. The flags after `--` apply to it
    /// alone, so the crates below it are not rebuilt.
    pub fn in_rust(&self) -> Result<PathBuf, String> {
        let jumar = Path::new(env!("CARGO_MANIFEST_DIR"));
        // With this lock file cargo needs no other versions of third-party crates.
        let lock = self.project.join("examples/rust/Cargo.lock");
        fs::copy(jumar.join("Cargo.lock"), &lock).map_err(|e| e.to_string())?;
        let patch = format!(
            "patch.crates-io.jumar-acl.path=\"{}\"",
            jumar.join("runtime/acl").display()
        );
        let mut cargo = cargo();
        cargo.args([
            "rustc",
            "--quiet",
            "--offline",
            "--config",
            &patch,
            "--manifest-path",
        ]);
        cargo
            .arg(self.project.join("examples/rust/Cargo.toml"))
            .args(["--", "-Dwarnings"]);
        let out = cargo.output().map_err(|e| e.to_string())?;
        match out.status.success() {
            true => Ok(target()
                .join("debug")
                .join(format!("{}_client", names(&self.kernel).op_stem))),
            false => Err(String::from_utf8_lossy(&out.stderr).into_owned()),
        }
    }

    /// Runs another program on the words and inputs of an earlier run. It finds CANN by environment
    /// variables.
    pub fn run_by(&self, program: &Path, words: &str) -> Result<Output, String> {
        let mut command = Command::new(program);
        command
            .current_dir(self.folder.path())
            .args(words.split_whitespace());
        // Packages put themselves in front of others. Here another operator's comes first, and the
        // list ends with a colon, as their scripts leave it.
        let packages = format!(
            "{}:{}:",
            self.folder.path().display(),
            self.package.display()
        );
        command
            .env("ASCEND_HOME_PATH", &self.toolkit.home)
            .env("ASCEND_CUSTOM_OPP_PATH", packages);
        command.output().map_err(|e| e.to_string())
    }

    /// Removes the outputs of a run, and returns their bytes by file.
    pub fn taken(&self) -> BTreeMap<OsString, Vec<u8>> {
        let entries = fs::read_dir(self.folder.path())
            .into_iter()
            .flatten()
            .flatten();
        let outputs =
            entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("output_"));
        let taken = |path: PathBuf| {
            fs::read(&path)
                .and_then(|bytes| fs::remove_file(&path).map(|()| bytes))
                .expect("an output")
        };
        outputs
            .map(|entry| (entry.file_name(), taken(entry.path())))
            .collect()
    }

    /// Runs the client, and compares its outputs with the simulator.
    pub fn check(&self, words: &str, attrs: &[Attr]) -> Result<(), String> {
        let out = self.run(words)?;
        if out.status.code() != Some(0) {
            let (status, stderr) = outcome(&out);
            return Err(format!("ends with {status:?}: {stderr}"));
        }
        let tensors = self.tensors(words)?;
        let mut arrays: Vec<(String, Vec<Array>)> = tensors
            .iter()
            .map(|t| (t.name.clone(), vec![t.given()]))
            .collect();
        let mut launch = Launch::new(&self.kernel).arrays(&mut arrays);
        for (name, values) in attrs {
            let sig = &self.kernel.kernel().sig;
            let is_single = sig
                .params
                .iter()
                .any(|p| p.name == *name && p.per == jumar::dsl::ir::Per::Launch);
            launch = match is_single {
                true => launch.attr(name, values[0]),
                false => launch.attrs(name, values.iter().copied()),
            };
        }
        launch.run().map_err(|e| e.to_string())?;
        for (tensor, (_, expected)) in tensors
            .iter()
            .zip(&arrays)
            .filter(|(t, _)| t.role != Role::In)
        {
            let path = self
                .folder
                .path()
                .join(format!("output_{}.bin", tensor.called));
            let found = fs::read(path).map_err(|e| format!("output of `{}`: {e}", tensor.name))?;
            if expected[0].as_input().bytes()[..] != found[..] {
                let found =
                    Array::from_bytes(tensor.dtype, &tensor.shape, &found).map(|a| a.to_f64());
                return Err(format!(
                    "`{}`: simulator {:?}, client {found:?}",
                    tensor.name,
                    expected[0].to_f64()
                ));
            }
        }
        Ok(())
    }

    /// Returns the tensors that the words name.
    fn tensors(&self, words: &str) -> Result<Vec<Tensor>, String> {
        let sig = &self.kernel.kernel().sig;
        let spelled = |binding: &[DType]| {
            binding
                .iter()
                .map(|d| d.name())
                .collect::<Vec<_>>()
                .join("_")
        };
        let mut all = Vec::new();
        let dtype = words
            .split_whitespace()
            .skip_while(|word| *word != "--dtype")
            .nth(1);
        let instance = self
            .kernel
            .instances()
            .iter()
            .find(|l| dtype.is_none_or(|d| spelled(l.binding()) == d));
        let Some(instance) = instance else {
            return Ok(all);
        };
        for word in words.split_whitespace() {
            let Some((called, shape)) = word.split_once('=') else {
                continue;
            };
            let is_so = |p: &Param| p.name == called || format!("{}1", p.name) == called;
            let Some((id, param, role, _)) = sig.tensors().find(|(_, p, ..)| is_so(p)) else {
                continue;
            };
            let shape: Option<Vec<usize>> = shape
                .split('x')
                .filter(|s| !s.is_empty())
                .map(|s| s.parse().ok())
                .collect();
            let dtype = sig
                .dtype(id)
                .ok_or("a tensor has an element type")?
                .resolve(instance.binding());
            let (name, called) = (param.name.clone(), called.to_string());
            all.push(Tensor {
                name,
                called,
                role,
                dtype,
                shape: shape.ok_or(word)?,
                seed: id.index(),
            });
        }
        Ok(all)
    }
}

/// A tensor of a call.
struct Tensor {
    name: String,
    /// Its name in the client.
    called: String,
    role: Role,
    dtype: DType,
    shape: Vec<usize>,
    seed: usize,
}

impl Tensor {
    /// Returns small multiples of a half, whose sums are exact in every order. Outputs are zeros,
    /// unlike memory of the stand-in.
    fn given(&self) -> Array {
        let count: usize = self.shape.iter().product();
        let half = |i: usize| {
            if self.role == Role::Out {
                0.0
            } else {
                ((i * (7 + self.seed) + self.seed) % 17) as f32 / 2.0 - 4.0
            }
        };
        let bytes: Vec<u8> = (0..count)
            .flat_map(|i| element(self.dtype, half(i)))
            .collect();
        Array::from_bytes(self.dtype, &self.shape, &bytes).expect("bytes of elements")
    }
}

fn element(dtype: DType, value: f32) -> Vec<u8> {
    match dtype {
        DType::F16 => half::f16::from_f32(value).to_le_bytes().to_vec(),
        DType::Bf16 => half::bf16::from_f32(value).to_le_bytes().to_vec(),
        DType::F32 => value.to_le_bytes().to_vec(),
        DType::I32 => (value as i32).to_le_bytes().to_vec(),
        DType::Bool => vec![u8::from(value > 0.0)],
        other => panic!("no test has elements of {}", other.name()),
    }
}

/// Writes a file by rename, since tests of one kernel run side by side.
fn write(path: &Path, text: &str) -> Result<(), String> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    if fs::read(path).is_ok_and(|found| found == text.as_bytes()) {
        return Ok(());
    }
    let own = path.with_extension(format!("of-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    let folder = fs::create_dir_all(path.parent().unwrap_or(path));
    folder
        .and_then(|()| fs::write(&own, text))
        .and_then(|()| fs::rename(&own, path))
        .map_err(|e| format!("{}: {e}", path.display()))
}

/// Compiles with the flags of `examples/CMakeLists.txt`.
fn compile(
    toolkit: &Toolkit,
    package: &Path,
    project: &Path,
    main: &Path,
    to: &Path,
) -> Result<PathBuf, String> {
    let mut command = Command::new(toolkit.compiler());
    command
        .args(["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(project.join("op_host"))
        .arg(main);
    let out = command
        .args(toolkit.client_flags(package))
        .arg("-o")
        .arg(to)
        .output()
        .map_err(|e| e.to_string())?;
    match out.status.success() {
        true => Ok(to.to_path_buf()),
        false => Err(String::from_utf8_lossy(&out.stderr).into_owned()),
    }
}

/// Returns the exit code and the error output of a program.
pub fn outcome(out: &Output) -> (Option<i32>, String) {
    (
        out.status.code(),
        String::from_utf8_lossy(&out.stderr).into_owned(),
    )
}
