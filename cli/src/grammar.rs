//! `jumar grammar`: the language as a grammar for engines that constrain the output of a model.

use super::{say, source, Failure, Outcome};
use clap::ValueEnum;
use jumar::dsl::front::parse_file;
use jumar::load::check_text;
use jumar_llm::canon::{self, Head, Names};
use jumar_llm::grammar::{
    grammar, of_head, semantic, semantic_axes, Format, GrammarError, Profile,
};
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  jumar grammar --format lark > jumar.lark                          for llguidance, vLLM, XGrammar, OpenAI's custom tools
  jumar grammar --format gbnf > jumar.gbnf                          for llama.cpp
  jumar grammar --format ebnf > jumar.ebnf                          for SGLang and XGrammar
  jumar grammar --format lark --profile full                        any names, nesting and layout, also at queue level
  jumar grammar --format bnf --profile slice --ops exp,amax,sum     for a prompt: what softmax needs
  jumar grammar --format gbnf --signature softmax.rs                for llama.cpp: bodies of this kernel's head
  jumar grammar --format lark-semantic --signature softmax.rs       for llguidance: the same, with names where they are defined
  jumar grammar --format lark-axes --signature softmax.rs           the same, with sets of axes as types (`jumar fmt --names axes`)

It describes the canonical form of tile kernels, which `jumar fmt` prints: names from pools, one op a `let`, eight levels of blocks.
With --signature it is that of one task: the head is that of the kernel of a file, whose body may be missing, with its names. In the semantic grammar a name of
the body is offered where it is defined, as what it is.";

/// The notation of a grammar.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Notation {
    /// Lark as llguidance reads it
    Lark,
    /// Lark with parameters, which only llguidance reads, for the kernel of `--signature`
    LarkSemantic,
    /// Lark with parameters and sets of axes as types, for tensors of four axes at most
    LarkAxes,
    /// GBNF of llama.cpp
    Gbnf,
    /// EBNF of XGrammar and SGLang
    Ebnf,
    /// BNF for prompts
    Bnf,
}

/// The part of the language.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Which {
    /// All that the front end reads, with any names, nesting and layout
    Full,
    /// All tile kernels in canonical form
    Llm,
    /// Tile kernels in canonical form with only the ops of `--ops`
    Slice,
}

#[derive(clap::Args)]
pub struct Call {
    /// Notation of the grammar
    #[arg(long, value_enum, default_value = "lark")]
    format: Notation,
    /// The part of the language
    #[arg(long, value_enum, default_value = "llm")]
    profile: Which,
    /// The ops of a slice, separated by commas; arithmetic, casts, loads and stores are in every
    /// one
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    ops: Vec<String>,
    /// A file with the head of the kernel that the grammar is for; a semantic one needs it
    #[arg(long, value_name = "FILE")]
    signature: Option<PathBuf>,
    /// The kernel of that file
    #[arg(long, value_name = "NAME", requires = "signature")]
    kernel: Option<String>,
}

pub fn main(call: &Call) -> Outcome {
    let profile = match (call.profile, call.ops.is_empty()) {
        (Which::Full, true) => Profile::Full,
        (Which::Llm, true) => Profile::Llm,
        (Which::Slice, false) => Profile::Slice(call.ops.iter().cloned().collect()),
        (Which::Llm | Which::Full, false) => {
            return Err(Failure::call(
                "`--ops` without `--profile slice`",
                "say `--profile slice --ops exp,sum`",
            ))
        }
        (Which::Slice, true) => {
            return Err(Failure::call(
                "a slice of no ops",
                "name them: `--ops exp,amax,sum`; `jumar ops` lists all",
            ))
        }
    };
    let no_such = |e: GrammarError| {
        let help = match &e {
            GrammarError::NoOp(_) => "`jumar ops` lists the ops",
            GrammarError::Axes { .. } => "`--format lark-semantic` takes any number of axes",
            GrammarError::Classes(_) => "`--format lark-semantic` says no axes in names",
        };
        Failure::call(e, help)
    };
    if let (Notation::LarkSemantic | Notation::LarkAxes, Which::Full) = (call.format, call.profile)
    {
        return Err(Failure::call(
            "a semantic grammar of the profile `full`",
            "it is of the canonical form: say `--profile llm`",
        ));
    }
    let format = match call.format {
        Notation::LarkSemantic => return say(&semantic(&head(call)?, &profile).map_err(no_such)?),
        Notation::LarkAxes => return say(&semantic_axes(&head(call)?, &profile).map_err(no_such)?),
        Notation::Lark => Format::Lark,
        Notation::Gbnf => Format::Gbnf,
        Notation::Ebnf => Format::Ebnf,
        Notation::Bnf => Format::Bnf,
    };
    let productions = if call.signature.is_some() {
        of_head(&head(call)?, &profile)
    } else {
        grammar(&profile)
    };
    say(&format.write(&productions.map_err(no_such)?))
}

/// Returns the head of the kernel of `--signature`.
fn head(call: &Call) -> Result<Head, Failure> {
    let Some(path) = &call.signature else {
        return Err(Failure::call(
            "a semantic grammar of no kernel",
            "name a file with its head: `--signature softmax.rs`",
        ));
    };
    let text = source::read(path)?;
    let shown = path.display().to_string();
    let rejected = || source::rejected(&check_text(&shown, &text, None));
    let parsed = parse_file(&text).map_err(|_| rejected())?;
    let asked = |name: &str| call.kernel.as_deref().is_none_or(|asked| asked == name);
    let Some(kernel) = parsed.into_iter().find(|kernel| asked(&kernel.name)) else {
        return Err(Failure::call(
            format!("`{shown}` has no such kernel"),
            "a head is a function under `#[kernel]`; its body may be empty",
        ));
    };
    let signature = kernel.signature.ok_or_else(rejected)?;
    canon::head(&signature, Names::Author)
        .map_err(|e| Failure::call(e, "see book/src/models/README.md"))
}
