//! Runs a test again in a separate process: a test that ends its process, or whose library exists
//! once in a process.

use std::env;
use std::process::{Command, Output};

/// Set to the name of the test in its separate process.
const ALONE: &str = "JUMAR_ALONE";

/// Runs `part` in the separate process, and returns `None` there. Elsewhere starts that process and
/// returns its output. `test` is the test's full name, and `change` may change the command.
///
/// # Panics
/// The program does not start.
pub fn alone(test: &str, part: impl FnOnce(), change: impl FnOnce(&mut Command)) -> Option<Output> {
    if env::var_os(ALONE).is_some_and(|name| name == test) {
        part();
        return None;
    }
    let mut command = Command::new(env::current_exe().expect("a program"));
    command
        .args(["--exact", test, "--nocapture"])
        .env(ALONE, test);
    change(&mut command);
    Some(command.output().expect("it runs"))
}

/// Asserts that a test passes in a separate process.
///
/// # Panics
/// The test fails there, or no test has that name. The message has all output.
pub fn holds_alone(test: &str, part: impl FnOnce()) {
    if let Some(out) = alone(test, part, |_| ()) {
        assert!(
            out.status.success() && said(&out).contains("1 passed"),
            "{}",
            said(&out)
        );
    }
}

/// Returns all output of a process.
pub fn said(out: &Output) -> String {
    [&out.stdout, &out.stderr]
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .concat()
}
