//! `jumar grammar`: the language as a grammar for engines that constrain what a model writes.

use super::{say, Failure, Outcome};
use clap::ValueEnum;
use jumar_llm::grammar::{grammar, Format, Profile};

pub const EXAMPLES: &str = "\
Examples:
  jumar grammar --format lark > jumar.lark                          for llguidance, vLLM, XGrammar, OpenAI's custom tools
  jumar grammar --format gbnf > jumar.gbnf                          for llama.cpp
  jumar grammar --format ebnf > jumar.ebnf                          for SGLang and XGrammar
  jumar grammar --format bnf --profile slice --ops exp,amax,sum     for a prompt: what softmax needs

What it describes is the canonical form of tile kernels, which `jumar fmt` prints: names from pools, one op a `let`, eight levels of blocks.";

/// Notation.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Notation {
    /// Lark as llguidance reads it
    Lark,
    /// GBNF of llama.cpp
    Gbnf,
    /// EBNF of XGrammar and SGLang
    Ebnf,
    /// BNF for prompts
    Bnf,
}

/// How much of the language.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Which {
    /// All tile kernels in canonical form
    Llm,
    /// The same with the ops of `--ops` alone
    Slice,
}

/// The arguments.
#[derive(clap::Args)]
pub struct Call {
    /// Notation
    #[arg(long, value_enum, default_value = "lark")]
    format: Notation,
    /// How much of the language
    #[arg(long, value_enum, default_value = "llm")]
    profile: Which,
    /// The ops of a slice, with commas; arithmetic, casts, loads and stores are in every one
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    ops: Vec<String>,
}

/// Does it.
pub fn main(call: &Call) -> Outcome {
    let format = match call.format {
        Notation::Lark => Format::Lark,
        Notation::Gbnf => Format::Gbnf,
        Notation::Ebnf => Format::Ebnf,
        Notation::Bnf => Format::Bnf,
    };
    let profile = match (call.profile, call.ops.is_empty()) {
        (Which::Llm, true) => Profile::Llm,
        (Which::Slice, false) => Profile::Slice(call.ops.iter().cloned().collect()),
        (Which::Llm, false) => {
            return Err(Failure::call("`--ops` without `--profile slice`", "say `--profile slice --ops exp,sum`"))
        }
        (Which::Slice, true) => {
            return Err(Failure::call("a slice of no ops", "name them: `--ops exp,amax,sum`; `jumar ops` lists all"))
        }
    };
    let grammar = grammar(&profile).map_err(|e| Failure::call(e, "`jumar ops` lists the ops"))?;
    say(&format.write(&grammar))
}
