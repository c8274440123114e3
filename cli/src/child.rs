//! Options of the commands that start child processes of this program.

use super::Failure;
use jumar_llm::child::Start;
use std::time::Duration;

/// Returns the call of this program with another command.
pub fn start(command: &str, arguments: Vec<String>) -> Result<Start, Failure> {
    let program = std::env::current_exe().map_err(|e| {
        Failure::call(
            format!("this program has no path: {e}"),
            "start it by its path",
        )
    })?;
    Ok((
        program,
        std::iter::once(command.to_string())
            .chain(arguments)
            .collect(),
    ))
}

/// Converts MiB to bytes.
pub fn bytes(mib: u64) -> u64 {
    mib.saturating_mul(1 << 20)
}

/// Reads the time of an option.
pub fn seconds(name: &str, value: f64) -> Result<Duration, Failure> {
    let wrong = |_| {
        Failure::call(
            format!("--{name} {value} is no time"),
            "give seconds, for example 60",
        )
    };
    Duration::try_from_secs_f64(value).map_err(wrong)
}

/// Returns the number of parallel jobs, by default one for each core.
pub fn jobs(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}
