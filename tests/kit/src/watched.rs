//! Runs a test again under valgrind: in the night where there is valgrind, and with
//! `JUMAR_VALGRIND=1`; with `JUMAR_VALGRIND=0` never.

use crate::alone::said;
use crate::{files, tier};
use std::env;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

/// The switch that asks for valgrind.
const SWITCH: &str = "JUMAR_VALGRIND";
/// Set in the process under valgrind.
const WATCHED: &str = "JUMAR_WATCHED";

/// True in a process under valgrind, which is much slower.
pub fn is_watched() -> bool {
    env::var_os(WATCHED).is_some()
}

/// Flags of valgrind: it reports invalid accesses, uses of undefined values, and memory without a
/// pointer to it.
const ASKED: [&str; 7] = [
    "--quiet",
    "--error-exitcode=9",
    "--leak-check=full",
    "--show-leak-kinds=definite",
    "--errors-for-leak-kinds=definite",
    "--num-callers=40",
    // The stand-in's libraries stay loaded, so reports name their functions.
    "--keep-debuginfo=yes",
];

/// Returns a compiler without AVX-512, which valgrind does not know. The machine is compiled with
/// it where the processor has it.
fn plainer_compiler() -> PathBuf {
    let real = env::var("CXX").unwrap_or_else(|_| "g++".to_string());
    let last = if cfg!(target_arch = "x86_64") {
        "-march=x86-64-v3"
    } else {
        ""
    };
    let (folder, text) = (
        files::workspace().join("target/tmp"),
        format!("#!/bin/sh\nexec {real} \"$@\" {last}\n"),
    );
    fs::create_dir_all(&folder).expect("the folder is made");
    let script = folder.join("plainer-compiler");
    // Another test may run the script, so it is replaced by a rename.
    let own = folder.join(format!(
        "plainer-compiler.{}.{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    fs::write(&own, text).expect("the script is written");
    fs::set_permissions(&own, fs::Permissions::from_mode(0o755)).expect("it may run");
    fs::rename(&own, &script).expect("the script is there");
    script
}

/// True if valgrind runs. If only the tier asks for it and it is missing, a line on the error
/// output says so, outside of the test's capture.
fn is_there(test: &str) -> bool {
    let there = Command::new("valgrind")
        .arg("--version")
        .output()
        .is_ok_and(|out| out.status.success());
    assert!(
        there || env::var_os(SWITCH).is_none(),
        "{SWITCH} asks for valgrind, which does not run: install the package valgrind"
    );
    if !there {
        let _ = writeln!(
            io::stderr(),
            "{test} was not watched: there is no valgrind (install the package valgrind)"
        );
    }
    there
}

/// Runs a test of this program again under valgrind, where the tier or the switch asks for it. Does
/// nothing in a process under valgrind. `test` is the test's full name.
///
/// # Panics
/// The test fails there, or the switch asks for valgrind and it is missing. The message has all
/// output.
pub fn holds(test: &str) {
    if is_watched() || tier::cases(SWITCH, 0, 1) == 0 || !is_there(test) {
        return;
    }
    let own = env::current_exe().expect("a program");
    let mut command = Command::new("valgrind");
    command
        .args(ASKED)
        .arg(own)
        .args(["--exact", test, "--test-threads=1"]);
    let out = command
        .env(WATCHED, "1")
        .env("CXX", plainer_compiler())
        .output()
        .expect("valgrind runs");
    assert!(
        out.status.success() && said(&out).contains("1 passed"),
        "{}\nagain: {SWITCH}=1 cargo test -p jumar-acl no_memory",
        said(&out)
    );
}
