//! `jumar fmt`: kernels in canonical form.

use super::{say, source, Failure, Outcome};
use clap::ValueEnum;
use jumar::load::check_text;
use jumar_llm::canon::{canonical, CanonError, Names};
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  jumar fmt softmax.rs                     one op a `let`, names from pools: the form that `jumar grammar` describes
  jumar fmt softmax.rs --names author      the same with the author's names of parameters and axes
  jumar fmt softmax.rs --names axes        tiles say their axes, too: the form of `jumar grammar --format lark-axes`
  jumar fmt all.rs --kernel softmax        only this kernel of the file

Functions of the file are inlined and constants folded; two spellings of one kernel have one canonical form, which reads as that kernel. Kernels of
the queue level have none. Standard output has one text a kernel; the file is not changed.";

/// The source of names.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum From {
    /// From pools: x0, a0, v0
    Pools,
    /// From the author for parameters and axes
    Author,
    /// From the author, and names of tiles and runs contain their axes: v_t_n_d_0
    Axes,
}

#[derive(clap::Args)]
pub struct Call {
    /// Rust file with kernels
    file: PathBuf,
    /// Only this kernel of the file
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Names of parameters and axes
    #[arg(long, value_enum, default_value = "pools")]
    names: From,
}

pub fn main(call: &Call) -> Outcome {
    let text = source::read(&call.file)?;
    let names = match call.names {
        From::Pools => Names::Pools,
        From::Author => Names::Author,
        From::Axes => Names::Axes,
    };
    let kernels = canonical(&text, names).map_err(|e| match e {
        CanonError::Wrong(_) => {
            source::rejected(&check_text(&call.file.display().to_string(), &text, None))
        }
        CanonError::Empty => Failure::call(e, "a kernel is a function under `#[kernel]`"),
        CanonError::Unprintable { .. } => {
            Failure::call(e, "name another kernel of the file with `--kernel`")
        }
    });
    let asked = |name: &str| call.kernel.as_deref().is_none_or(|asked| asked == name);
    let texts: Vec<String> = kernels?
        .into_iter()
        .filter(|(name, _)| asked(name))
        .map(|(_, text)| text)
        .collect();
    match (texts.is_empty(), &call.kernel) {
        (true, Some(name)) => Err(Failure::call(
            format!("there is no kernel `{name}` in it"),
            "`jumar check` lists the kernels of a file",
        )),
        _ => say(&texts.join("\n")),
    }
}
