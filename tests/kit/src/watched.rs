//! A test once more under valgrind: in the night where there is valgrind, and with `JUMAR_VALGRIND=1`; `JUMAR_VALGRIND=0` never.

use crate::alone::said;
use crate::{files, tier};
use std::env;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

/// The switch: whether tests are watched.
const SWITCH: &str = "JUMAR_VALGRIND";
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
    let (folder, text) = (files::workspace().join("target/tmp"), format!("#!/bin/sh\nexec {real} \"$@\" {last}\n"));
    fs::create_dir_all(&folder).expect("the folder is made");
    let script = folder.join("plainer-compiler");
    // Written beside it and moved: it may be running.
    let own = folder.join(format!("plainer-compiler.{}.{:?}", std::process::id(), std::thread::current().id()));
    fs::write(&own, text).expect("the script is written");
    fs::set_permissions(&own, fs::Permissions::from_mode(0o755)).expect("it may run");
    fs::rename(&own, &script).expect("the script is there");
    script
}

/// Whether there is a valgrind. Where only the tier asks for it and it is missing, that is said past the capture of a passing test's output.
fn is_there(test: &str) -> bool {
    let there = Command::new("valgrind").arg("--version").output().is_ok_and(|out| out.status.success());
    assert!(
        there || env::var_os(SWITCH).is_none(),
        "{SWITCH} asks for valgrind, which does not run: install the package valgrind"
    );
    if !there {
        let _ = writeln!(io::stderr(), "{test} was not watched: there is no valgrind (install the package valgrind)");
    }
    there
}

/// Runs a test of this program once more, watched, where the tier or the switch asks for it; nothing in a process that is watched. `test` is
/// the test's whole name.
///
/// # Panics
/// It fails there, with all that was said; or valgrind is asked for by its switch and missing.
pub fn holds(test: &str) {
    if is_watched() || tier::cases(SWITCH, 0, 1) == 0 || !is_there(test) {
        return;
    }
    let own = env::current_exe().expect("a program");
    let mut command = Command::new("valgrind");
    command.args(ASKED).arg(own).args(["--exact", test, "--test-threads=1"]);
    let out = command.env(WATCHED, "1").env("CXX", plainer_compiler()).output().expect("valgrind runs");
    assert!(
        out.status.success() && said(&out).contains("1 passed"),
        "{}\nagain: {SWITCH}=1 cargo test -p jumar-acl no_memory",
        said(&out)
    );
}
