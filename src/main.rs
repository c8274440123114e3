//! The `jumar` command: check, emit and run kernels from a file, without rustc.
//!
//! Exit codes: 0 the call succeeded; 1 the kernel is wrong (a finding, or a fault in the simulator); 2 the call is
//! wrong (a file, an argument, a folder); 130 a signal ended it. Results go to standard output, findings and errors to standard error.
#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
