//! A crate outside of this workspace that depends on `jumar` alone, as a newcomer builds it: one
//! `jumar-dsl` for macro and program.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MAIN: &str = r#"use jumar::half::f16;
use jumar::ndarray::{arr1, Array1};
use jumar::prelude::*;

#[kernel]
pub fn twice<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for t in tiles(x) {
        y.at(t).store((x.at(t).load().cast::<f32>() * 2.0).cast::<T>());
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x = arr1(&[1.0f32, 2.5, -3.0]);
    let mut y = Array1::<f32>::zeros(3);
    twice.bind()?.input("x", &x).output("y", &mut y).run()?;
    assert_eq!(y, arr1(&[2.0, 5.0, -6.0]));
    let x = x.mapv(f16::from_f32);
    let mut y = Array1::from_elem(3, f16::ZERO);
    twice.bind()?.input("x", &x).output("y", &mut y).run()?;
    assert_eq!(y.mapv(f16::to_f32), arr1(&[2.0, 5.0, -6.0]));
    Ok(())
}
"#;

/// Returns the target folder of packages outside, which is that of this workspace.
pub fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("a folder of the target folder")
}

/// Returns a cargo command for packages outside, with the profile of the workspace. So third-party
/// crates are built once; those of jumar are other units, as in every workspace.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").expect("cargo runs the tests"));
    cargo
        .env("CARGO_TARGET_DIR", target())
        .env("CARGO_PROFILE_DEV_LTO", "off");
    [
        "CARGO_PROFILE_DEV_DEBUG",
        "CARGO_PROFILE_DEV_BUILD_OVERRIDE_DEBUG",
    ]
    .iter()
    .for_each(|name| _ = cargo.env(name, "false"));
    cargo
}

/// A package outside of this workspace that depends on `jumar` and nothing else.
pub struct Outside {
    pub folder: PathBuf,
}

impl Outside {
    /// Writes a package with default features; `more` is appended to its manifest.
    pub fn new(name: &str, more: &str) -> Outside {
        Outside::with(name, "", more)
    }

    /// Writes a package whose dependency has these features.
    fn with(name: &str, features: &str, more: &str) -> Outside {
        let outside = Outside {
            folder: Path::new(env!("CARGO_TARGET_TMPDIR")).join(name),
        };
        let ours = Path::new(env!("CARGO_MANIFEST_DIR"));
        // The package is a workspace of its own. A literal string of TOML takes every path.
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\njumar = {{ path = '{}'{features} }}\n\n[workspace]\n{more}",
            ours.display()
        );
        outside.write("Cargo.toml", &manifest);
        // The lock file names the versions that are already downloaded.
        fs::copy(ours.join("Cargo.lock"), outside.folder.join("Cargo.lock"))
            .expect("the workspace has a lock file");
        outside
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is writable");
        fs::write(path, text).expect("the folder is writable");
    }

    /// Runs cargo. Returns its lines of JSON, among them the messages of the compiler, and its
    /// error output if it fails.
    pub fn cargo(&self, words: &[&str]) -> (Vec<Value>, Result<(), String>) {
        let done = cargo()
            .args(words)
            .current_dir(&self.folder)
            .output()
            .expect("cargo starts");
        let lines = String::from_utf8(done.stdout).expect("cargo writes UTF-8");
        let messages = lines
            .lines()
            .map(|line| serde_json::from_str(line).expect("a line is JSON"))
            .collect();
        let why = || String::from_utf8_lossy(&done.stderr).into_owned();
        (
            messages,
            done.status.success().then_some(()).ok_or_else(why),
        )
    }
}

#[test]
fn a_crate_that_depends_on_jumar_alone_builds_and_runs() {
    let outside = Outside::new("outside", "");
    outside.write("src/main.rs", MAIN);
    let (messages, ended) = outside.cargo(&[
        "build",
        "--quiet",
        "--offline",
        "--message-format=json-render-diagnostics",
    ]);
    ended.unwrap_or_else(|why| panic!("{why}"));
    // Cargo names new artifacts, and those that were there before.
    let artifacts: Vec<Value> = messages
        .into_iter()
        .filter(|message| message["reason"] == "compiler-artifact")
        .collect();
    let of = |name: &'static str| {
        artifacts
            .iter()
            .filter(move |artifact| artifact["target"]["name"] == name)
    };
    let units: BTreeSet<String> = of("jumar_dsl")
        .map(|unit| unit["filenames"].to_string())
        .collect();
    assert_eq!(units.len(), 1, "macro and program share one jumar-dsl, for which dsl/Cargo.toml names `bytemuck`: {units:?}");
    let program = of("outside")
        .find_map(|unit| unit["executable"].as_str())
        .expect("the program was built");
    let done = Command::new(program).output().expect("the program starts");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

/// The remaining features do not need the missing one.
#[test]
fn a_crate_builds_and_runs_without_each_feature() {
    for (name, features) in [
        ("no_emit", ""),
        ("no_cpp", "\"emit\", \"npu\""),
        ("no_npu", "\"cpp\", \"emit\""),
    ] {
        let outside = Outside::with(
            name,
            &format!(", default-features = false, features = [{features}]"),
            "",
        );
        outside.write("src/main.rs", MAIN);
        let (_, ended) = outside.cargo(&["run", "--quiet", "--offline"]);
        ended.unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}
