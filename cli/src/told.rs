//! The options of `jumar eval` for asking a model: the description of the language, and the
//! constraint of replies.

use super::Failure;
use clap::ValueEnum;
use jumar_llm::client::Api;
use jumar_llm::eval::all_tasks;
use jumar_llm::eval::drive::Model;
use jumar_llm::eval::told::{Card, Mask};
use jumar_llm::grammar::Format;
use jumar_llm::tasks::corpus::tokens;
use serde_json::{json, Value};
use std::path::Path;

/// The kind of interface of a server.
#[derive(Clone, Copy, ValueEnum)]
pub enum Interface {
    /// vLLM, in the field `structured_outputs.grammar`
    Vllm,
    /// llama.cpp, in the field `grammar`, in GBNF
    Llamacpp,
    /// SGLang, in the field `ebnf`
    Sglang,
    /// OpenAI: a custom tool with a grammar in Lark
    Openai,
}

impl Interface {
    pub fn api(self) -> Api {
        match self {
            Interface::Vllm => Api::Vllm,
            Interface::Llamacpp => Api::LlamaCpp,
            Interface::Sglang => Api::Sglang,
            Interface::Openai => Api::OpenAi,
        }
    }
}

/// How a model is asked.
#[derive(clap::Args)]
pub struct Asking {
    /// The model's name at the server
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// The kind of interface of the server, which decides the field of the grammar
    #[arg(long)]
    pub api: Option<Interface>,
    /// Samples of each task
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub samples: u32,
    /// Temperature of sampling
    #[arg(long, value_name = "T", default_value_t = 0.8)]
    pub temperature: f64,
    /// The limit of a reply in tokens
    #[arg(long, value_name = "N", default_value_t = 4096)]
    pub max_tokens: u32,
    /// The time limit of a request, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0)]
    pub timeout: f64,
    /// How often a failed request is retried
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub retries: u32,
    /// The environment variable that holds the server's key
    #[arg(long, value_name = "VARIABLE")]
    pub key_env: Option<String>,
    /// The constraint of replies: `llm`, the language with the head of the task; `semantic`, also
    /// with names only where they are defined; `axes`, also with sets of axes as types; a file in
    /// the server's dialect; or `none`. The default is `none` for a server and `llm` for the random
    /// model
    #[arg(long, value_name = "llm|semantic|axes|none|FILE")]
    pub grammar: Option<String>,
    /// A file with a description of the language for the model, or `none`
    #[arg(long, value_name = "FILE", default_value = "none")]
    pub card: String,
    /// Give the model the card of this many tokens, with kernels of the task's category
    /// (`jumar card`)
    #[arg(long, value_name = "N", conflicts_with = "card")]
    pub card_tokens: Option<usize>,
    /// How often findings are sent back to the model
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub repair: u32,
    /// Send suggested fixes with the findings
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub fixes: bool,
}

/// The author of replies under a grammar.
#[derive(Clone, Copy)]
pub enum Who {
    /// A model server.
    Server(Api),
    /// The random model.
    Random,
    /// Nobody: the replies exist already.
    Nobody,
}

/// Reads the card of `--card` or `--card-tokens`; `text_of` reads a file, and returns `None` for
/// `none`.
pub fn card(
    file: &str,
    made: Option<usize>,
    text_of: impl Fn(&str) -> Result<Option<String>, Failure>,
) -> Result<Card, Failure> {
    let card = match made {
        Some(tokens) => Card::Tokens(tokens),
        None => text_of(file)?.map_or(Card::None, Card::Text),
    };
    // The minimum of tokens does not depend on the task, so one task is enough.
    if let Some(first) = all_tasks().values().next() {
        card.of(first)
            .map_err(|e| Failure::call(e, "ask for more: `--card-tokens 1000`"))?;
    }
    Ok(card)
}

/// Reads the mask of `--grammar`.
pub fn mask(
    said: &str,
    who: Who,
    text_of: impl Fn(&str) -> Result<Option<String>, Failure>,
) -> Result<Mask, Failure> {
    Ok(match (said, who) {
        ("llm", Who::Server(api)) => Mask::llm_of(api),
        ("llm", Who::Random) => Mask::Llm(Format::Lark),
        ("semantic" | "axes", who) => {
            let mask = if said == "axes" {
                Mask::Axes
            } else {
                Mask::Semantic
            };
            match who {
                Who::Server(api) => mask.read_by(api).map_err(|why| {
                    let help = "`--api vllm` takes it, where its backend is guidance; `--grammar llm` is for every server";
                    Failure::call(format!("`--grammar {said}` goes to no such server: {why}"), help)
                })?,
                Who::Random => mask,
                Who::Nobody => Mask::None,
            }
        }
        ("none", Who::Random) => {
            return Err(Failure::call(
                "`--random` without a grammar",
                "say `--grammar llm` or `--grammar semantic`",
            ))
        }
        ("llm", Who::Nobody) => Mask::None,
        (file, _) => text_of(file)?.map_or(Mask::None, Mask::Text),
    })
}

/// Returns the name of `--grammar` or `--card` in results; a file has its file name.
pub fn named(said: &str) -> String {
    Path::new(said).file_name().map_or_else(
        || said.to_string(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// Returns the fields of a result about the card: its source and its length.
pub fn of_card(card: &Card, file: &str) -> [(&'static str, Value); 2] {
    let (from, length) = match card {
        Card::None => ("none".to_string(), 0),
        Card::Text(text) => (named(file), tokens(text)),
        Card::Tokens(tokens) => ("made".to_string(), *tokens),
    };
    [("card", json!(from)), ("card_tokens", json!(length))]
}

/// Makes random walks under a mask.
#[cfg(feature = "mask")]
pub fn random_model(mask: Mask, seed: u64) -> Result<Box<dyn Model>, Failure> {
    let model = jumar_llm::eval::random::Random::new(mask, seed);
    model
        .map(|model| Box::new(model) as Box<dyn Model>)
        .map_err(|e| Failure::call(e, "please report it"))
}

#[cfg(not(feature = "mask"))]
pub fn random_model(_: Mask, _: u64) -> Result<Box<dyn Model>, Failure> {
    Err(Failure::call(
        "this build of jumar has no engine for grammars",
        "build it with the feature `mask`, which is on by default",
    ))
}
