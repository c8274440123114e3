//! The `jumar` command: checks, emits and runs kernels from a file, without rustc.
//!
//! Exit codes:
//!
//! - 0: the call succeeded.
//! - 1: the kernel is wrong (a finding, or a fault in the simulator).
//! - 2: the call is wrong (a file, an argument, a folder).
//! - 130: a signal ended the call.
//!
//! Results go to standard output, findings and errors to standard error.
//!
//! Each subcommand has a file. It returns a [`Failure`], which alone decides the exit code. A
//! message contains the mistake, its place, what is allowed and what to do. It never contains
//! `Debug` output.

#![forbid(unsafe_code)]

mod args;
mod bind;
mod bridge;
mod build;
mod card;
mod check;
mod child;
mod cleanup;
mod cost;
mod cpp;
mod data;
mod doctor;
mod emit;
mod eval;
mod fix;
mod fmt;
mod folder;
mod grammar;
mod mcp;
mod memory;
mod npy;
mod operators;
mod outputs;
mod profile;
mod progress;
mod reward;
mod run;
mod source;
mod tables;
mod told;

use clap::{Args, Parser, Subcommand, ValueEnum};
use jumar::dsl::diag::{outcome_to_json, About, Code};
use jumar::runtime::RunError;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Ascend NPU kernels in Rust: checked, emitted as AscendC, run on a reference simulator.
#[derive(Parser)]
#[command(name = "jumar", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
A kernel file is Rust text with functions under `#[kernel]`:

  use jumar::prelude::*;

  #[kernel]
  pub fn swish<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(1.0)] scale: f32) {
      for t in tiles(x) {
          let v = x.at(t).load().cast::<f32>();
          y.at(t).store((v / ((v * -scale).exp() + 1.0)).cast::<T>());
      }
  }

Examples:
  jumar check swish.rs                                      what is wrong with it?
  jumar fix swish.rs                                        mend what can be mended
  jumar explain J0304                                       what does this error mean?
  jumar run swish.rs --arg x=@x.npy --out y=@y.npy          what does it compute?
  jumar emit swish.rs --out swish_project                   which AscendC says the same?
  jumar cpp add.cpp --arg x=@x.npy --out y:f32[64]=@y.npy   what does this AscendC do?

Exit codes: 0 success, 1 the kernel is wrong, 2 the call is wrong, 130 interrupted.";

#[derive(Subcommand)]
enum Command {
    /// Check the kernels of a file; nothing is written
    #[command(after_help = check::EXAMPLES)]
    Check(check::Call),
    /// Apply the fixes of a file that a program may apply
    #[command(after_help = fix::EXAMPLES)]
    Fix(fix::Call),
    /// Write a kernel as an AscendC project, or print its lowered form
    #[command(after_help = emit::EXAMPLES)]
    Emit(emit::Call),
    /// Compile a kernel to a device object, with the device compiler of CANN
    #[command(after_help = build::EXAMPLES)]
    Build(build::Call),
    /// Run a kernel on the reference simulator, as emitted C++ or on a device, with arrays from
    /// .npy files
    #[command(after_help = run::EXAMPLES)]
    Run(run::Call),
    /// Run an AscendC file on the CPU, compiled by this machine's C++ compiler, with its accesses
    /// checked
    #[command(after_help = cpp::EXAMPLES)]
    Cpp(Box<cpp::Call>),
    /// Predict the time of an AscendC kernel from its events, and say what holds it up
    #[command(after_help = profile::EXAMPLES)]
    Profile(Box<profile::Call>),
    /// Print kernels in canonical form: one op in each `let`, names from pools
    #[command(after_help = fmt::EXAMPLES)]
    Fmt(fmt::Call),
    /// Print the language as a grammar, for engines that constrain the output of a model
    #[command(after_help = grammar::EXAMPLES)]
    Grammar(grammar::Call),
    /// Print a description of the language for a prompt, within a limit of tokens
    #[command(after_help = card::EXAMPLES)]
    Card(card::Call),
    /// Print a kernel in the form in which a benchmark takes answers
    #[command(after_help = bridge::EXAMPLES)]
    Bridge(bridge::Call),
    /// Judge kernels that a language model wrote for the tasks of public benchmarks
    #[command(after_help = eval::EXAMPLES)]
    Eval(Box<eval::Call>),
    /// Judge candidates from standard input; called by `jumar eval`
    #[command(hide = true)]
    EvalWorker {
        /// Settings of the worker
        settings: Vec<String>,
    },
    /// Write training data: kernels, wrong attempts and their failures
    #[command(subcommand, after_help = data::EXAMPLES)]
    Data(data::Call),
    /// Reward candidates that come as lines of JSON, for the training of a model
    #[command(after_help = reward::EXAMPLES)]
    Reward(reward::Call),
    /// Serve the tools of a model over standard input and output (Model Context Protocol)
    #[command(after_help = mcp::EXAMPLES)]
    Mcp(mcp::Call),
    /// Call tools from standard input; called by `jumar mcp`
    #[command(hide = true)]
    McpWorker {
        /// The memory limit in bytes
        memory: u64,
    },
    /// Say which tools to build and launch kernels are installed, and what each missing one costs
    #[command(after_help = doctor::EXAMPLES)]
    Doctor(doctor::Call),
    /// Explain an error code with a wrong and a right kernel; without a code, list all of them
    Explain {
        /// The code, for example J0304
        code: Option<String>,
    },
    /// List the chips
    Chips,
    /// List the ops, or show one of them
    Ops {
        /// Name of an op, for example exp
        name: Option<String>,
    },
}

/// A file, optionally one of its kernels, and a chip.
#[derive(Args, Clone)]
struct Which {
    /// Rust file with the kernel
    file: PathBuf,
    /// Only this kernel of the file
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// The chip to check for (`jumar chips` lists them); by default the one that the kernel
    /// declares, or ascend910b1
    #[arg(long, value_name = "NAME")]
    chip: Option<String>,
}

/// The kind of project.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Project {
    /// Kernel launch by ascendc_library and aclrtlaunch
    Direct,
    /// One .asc source with <<<>>> launches (CANN 8.5 and later)
    Asc,
    /// A custom operator project as msopgen makes it (CANN 8.5 and later)
    Msopgen,
    /// A PyTorch extension: an operator of torch_npu with its schema, shape function and Python
    /// test
    Torch,
}

/// Why a call did not succeed. The text is for standard error and may be empty.
enum Failure {
    /// The kernel is wrong: exit code 1.
    Kernel(String),
    /// The call is wrong: exit code 2.
    Call {
        /// The code of the error, if the table of codes has one.
        code: Option<Code>,
        /// The description of the mistake.
        what: String,
        /// The advice to the caller.
        help: String,
    },
}

impl Failure {
    /// Makes a failure of the call from a mistake and advice.
    fn call(what: impl std::fmt::Display, help: impl std::fmt::Display) -> Self {
        Failure::Call {
            code: None,
            what: what.to_string(),
            help: help.to_string(),
        }
    }

    /// Makes a failure of the call from a refused launch.
    fn refused(e: &RunError, help: impl std::fmt::Display) -> Self {
        Failure::Call {
            code: Some(e.code()),
            what: e.message().to_owned(),
            help: help.to_string(),
        }
    }

    /// Reports the failure, and returns the exit code. With `json`, which says what the call is
    /// about, it is one line of JSON on standard output.
    fn report(self, json: Option<About<'_>>) -> u8 {
        let (text, exit) = match (self, json) {
            (Failure::Kernel(text), _) => (text, 1),
            (Failure::Call { code, what, help }, Some(about)) => {
                // If standard output cannot be written, only the exit code is left.
                let _ = say(&format!(
                    "{}\n",
                    outcome_to_json(code, "error", &what, about, &[], (&[], &[&help]))
                ));
                (String::new(), 2)
            }
            (Failure::Call { code, what, help }, None) => {
                let code = code.map_or(String::new(), |code| format!("[{code}]"));
                (format!("error{code}: {what}\nhelp: {help}"), 2)
            }
        };
        if !text.is_empty() {
            complain(&format!("{}\n", text.trim_end()));
        }
        exit
    }
}

type Outcome = Result<(), Failure>;

/// Parses the arguments, runs the command, and reports its failure.
fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e)
            if e.use_stderr()
                && std::env::args_os()
                    .take_while(|a| a != "--")
                    .any(|a| a == "--json") =>
        {
            return ExitCode::from(misspelled(&e).report(Some(About::default())));
        }
        // Wrong arguments end here with exit code 2, `--help` with 0.
        Err(e) => e.exit(),
    };
    cleanup::on_signals();
    let json = match &cli.command {
        Command::Check(call) => call.json_about(),
        Command::Emit(_)
        | Command::Build(_)
        | Command::Doctor(_)
        | Command::Fix(_)
        | Command::Run(_)
        | Command::Cpp(_)
        | Command::Profile(_)
        | Command::Fmt(_)
        | Command::Grammar(_)
        | Command::Card(_)
        | Command::Bridge(_)
        | Command::Explain { .. }
        | Command::Chips
        | Command::Ops { .. } => None,
        Command::Eval(_) | Command::EvalWorker { .. } => None,
        Command::Data(_) | Command::Reward(_) | Command::Mcp(_) | Command::McpWorker { .. } => None,
    };
    let about = json.as_ref().map(|(file, kernel)| About {
        file: Some(file),
        kernel: kernel.as_deref(),
    });
    let outcome = match &cli.command {
        Command::Check(call) => check::main(call),
        Command::Fix(call) => fix::main(call),
        Command::Emit(call) => emit::main(call),
        Command::Build(call) => build::main(call),
        Command::Doctor(call) => doctor::main(call),
        Command::Run(call) => run::main(call),
        Command::Cpp(call) => cpp::main(call),
        Command::Profile(call) => profile::main(call),
        Command::Fmt(call) => fmt::main(call),
        Command::Grammar(call) => grammar::main(call),
        Command::Card(call) => card::main(call),
        Command::Bridge(call) => bridge::main(call),
        Command::Eval(call) => eval::main(call),
        Command::EvalWorker { settings } => eval::worker(settings),
        Command::Data(call) => data::main(call),
        Command::Reward(call) => reward::main(call),
        Command::Mcp(call) => mcp::main(call),
        Command::McpWorker { memory } => mcp::worker(*memory),
        Command::Explain { code } => tables::explain(code.as_deref()),
        Command::Chips => tables::chips(),
        Command::Ops { name } => tables::ops(name.as_deref()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ExitCode::from(failure.report(about)),
    }
}

/// Makes a failure from arguments that do not parse. clap's first paragraph is the mistake, and the
/// others are advice.
fn misspelled(e: &clap::Error) -> Failure {
    let text = e.render().to_string();
    let (what, help) = text.split_once("\n\n").unwrap_or((&text, ""));
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    Failure::call(one_line(what.trim_start_matches("error: ")), one_line(help))
}

/// Writes to standard output. A closed pipe (`jumar ops | head`) is the reader's choice and no
/// error.
fn say(text: &str) -> Outcome {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::call(
            format!("standard output cannot be written: {}", npy::said(&e)),
            "write to a file or terminal with room",
        )),
        _ => Ok(()),
    }
}

/// Writes to standard error. A failure is ignored, because nothing else could report it.
fn complain(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
