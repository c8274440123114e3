//! A test once more in a process of its own: one that ends its process, or whose library a process has once.

use std::env;
use std::process::{Command, Output};

/// Set to the name of the test in its own process.
const ALONE: &str = "JUMAR_ALONE";

/// Runs `part` in the process of its own, and gives nothing; elsewhere starts that process and gives its end. `test` is the test's whole
/// name, and `change` may change the command.
///
/// # Panics
/// The program does not start.
pub fn alone(test: &str, part: impl FnOnce(), change: impl FnOnce(&mut Command)) -> Option<Output> {
    if env::var_os(ALONE).is_some_and(|name| name == test) {
        part();
        return None;
    }
    let mut command = Command::new(env::current_exe().expect("a program"));
    command.args(["--exact", test, "--nocapture"]).env(ALONE, test);
    change(&mut command);
    Some(command.output().expect("it runs"))
}

/// Holds that a test passes in a process of its own.
///
/// # Panics
/// It fails there, with all that it said; or there is no test of that name.
pub fn holds_alone(test: &str, part: impl FnOnce()) {
    if let Some(out) = alone(test, part, |_| ()) {
        assert!(out.status.success() && said(&out).contains("1 passed"), "{}", said(&out));
    }
}

/// All that a process said.
pub fn said(out: &Output) -> String {
    [&out.stdout, &out.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}
