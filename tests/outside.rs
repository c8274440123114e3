//! A crate outside of this workspace that knows `jumar` alone: what a newcomer builds first, with one `jumar-dsl` for macro and program.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
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

#[test]
fn a_crate_that_depends_on_jumar_alone_builds_and_runs() {
    let (ours, folder) = (Path::new(env!("CARGO_MANIFEST_DIR")), Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside"));
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is writable");
        fs::write(path, text).expect("the folder is writable");
    };
    // A workspace of its own; a string of TOML between quotes takes every path.
    let manifest = format!(
        "[package]\nname = \"outside\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\njumar = {{ path = '{}' }}\n\n[workspace]\n",
        ours.display()
    );
    write("Cargo.toml", &manifest);
    write("src/main.rs", MAIN);
    // The versions that are here already.
    fs::copy(ours.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the workspace has a lock file");
    let cargo = std::env::var_os("CARGO").expect("cargo runs the tests");
    let mut build = Command::new(cargo);
    // The Rust clients of `aclnn.rs` are built in the same folder.
    build.args(["build", "--quiet", "--offline", "--message-format=json-render-diagnostics"]).current_dir(&folder);
    let built = build.env("CARGO_TARGET_DIR", folder.join("target")).output().expect("cargo starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    // Cargo names what it has built now and what was there already.
    let lines = String::from_utf8(built.stdout).expect("cargo writes UTF-8");
    let messages = lines.lines().map(|line| serde_json::from_str(line).expect("a line is JSON"));
    let artifacts: Vec<Value> = messages.filter(|message: &Value| message["reason"] == "compiler-artifact").collect();
    let of = |name: &'static str| artifacts.iter().filter(move |artifact| artifact["target"]["name"] == name);
    let units: BTreeSet<String> = of("jumar_dsl").map(|unit| unit["filenames"].to_string()).collect();
    assert_eq!(units.len(), 1, "macro and program share one jumar-dsl, for which dsl/Cargo.toml names `bytemuck`: {units:?}");
    let program = of("outside").find_map(|unit| unit["executable"].as_str()).expect("the program was built");
    let done = Command::new(program).output().expect("the program starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
