//! `jumar card`: a description of the language for a prompt.

use super::{say, Failure, Outcome};
use jumar_llm::card::{card, Asked, CardError};

pub const EXAMPLES: &str = "\
Examples:
  jumar card --tokens 1000                                           the form of a kernel, and names
  jumar card --tokens 4000 --category normalization                  with what ops do, and kernels of that kind
  jumar card --tokens 2000 --ops exp,amax,sum                        these ops alone
  jumar card --tokens 16000 --without npukernelbench/swish           for a model that is to solve that task

Tokens are counted as five letters, a digit, a sign or a line each, which is about what tokenizers do and rather too many.";

#[derive(clap::Args)]
pub struct Call {
    /// The limit in tokens
    #[arg(long, value_name = "N", default_value_t = 4000)]
    tokens: usize,
    /// Only these ops, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    ops: Vec<String>,
    /// Only kernels of this category, as in book/src/models/tasks.md
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// The task to solve, as BENCH/NAME, whose answer is not shown
    #[arg(long, value_name = "TASK")]
    without: Option<String>,
}

pub fn main(call: &Call) -> Outcome {
    let Call {
        tokens,
        ops,
        category,
        without,
    } = call;
    if let Some(task) = without
        .as_ref()
        .filter(|task| jumar_llm::eval::task(task).is_none())
    {
        return Err(Failure::call(
            format!("there is no task `{task}`"),
            "tasks are in book/src/models/tasks.md: `npukernelbench/swish`",
        ));
    }
    let asked = Asked {
        tokens: *tokens,
        ops: ops.iter().cloned().collect(),
        category: category.clone(),
        without: without.clone(),
    };
    let text = card(&asked).map_err(|e| {
        let help = match &e {
            CardError::NoOp(_) => "`jumar ops` lists the ops",
            CardError::NoCategory(_) => {
                "headers of tasks name theirs: activation, loss, normalization, pooling, index, .."
            }
            CardError::TooFew { .. } => "ask for more: `--tokens 1000`",
        };
        Failure::call(e, help)
    })?;
    say(&text)
}
