//! A test once more under a memory checker: `JUMAR_VALGRIND=1 cargo test -p jumar-acl`, on a machine that has valgrind.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set in the process that is watched.
const WATCHED: &str = "JUMAR_WATCHED";

/// Whether this process is watched, and slower by much.
pub fn is_watched() -> bool {
    env::var_os(WATCHED).is_some()
}

/// What valgrind looks for: invalid accesses, values that nobody set, memory that nobody has an address of any more.
const ASKED: [&str; 7] = [
    "--quiet",
    "--error-exitcode=9",
    "--leak-check=full",
    "--show-leak-kinds=definite",
    "--errors-for-leak-kinds=definite",
    "--num-callers=40",
    // What the stand-in loads stays loaded, so that reports name its functions.
    "--keep-debuginfo=yes",
];

/// A compiler for code that valgrind reads: it knows no AVX-512, which the machine is compiled with where the processor has it.
fn plainer_compiler() -> PathBuf {
    let real = env::var("CXX").unwrap_or_else(|_| "g++".to_string());
    let last = if cfg!(target_arch = "x86_64") { "-march=x86-64-v3" } else { "" };
    let (folder, text) = (Path::new(env!("CARGO_TARGET_TMPDIR")), format!("#!/bin/sh\nexec {real} \"$@\" {last}\n"));
    let script = folder.join("plainer-compiler");
    // Written beside it and moved: it may be running.
    let own = folder.join(format!("plainer-compiler.{}", std::process::id()));
    fs::write(&own, text).expect("the script is written");
    fs::set_permissions(&own, fs::Permissions::from_mode(0o755)).expect("it may run");
    fs::rename(&own, &script).expect("the script is there");
    script
}

/// Runs a test of this program once more, watched; nothing without `JUMAR_VALGRIND`, and in a process that is watched.
pub fn holds(test: &str) {
    if env::var_os("JUMAR_VALGRIND").is_none() || is_watched() {
        return;
    }
    let own = env::current_exe().expect("a program");
    let mut command = Command::new("valgrind");
    command.args(ASKED).arg(own).args(["--exact", test, "--test-threads=1"]);
    let out = command.env(WATCHED, "1").env("CXX", plainer_compiler()).output().expect("valgrind runs");
    let said = [out.stdout, out.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(out.status.success() && said.contains("1 passed"), "{said}");
}
