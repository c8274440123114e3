//! The description of the language in a prompt, and the constraint of its replies: texts of a file,
//! or made for each task.

use super::head::head;
use crate::canon::Names;
use crate::card::{card, Asked, CardError};
use crate::client::Api;
use crate::grammar::{names_in_words, of_head, semantic, semantic_axes, Format, Profile};
use crate::tasks::corpus::Task;
use std::borrow::Cow;

/// The description of the language in a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Card {
    /// No description at all.
    None,
    /// One text for every task.
    Text(String),
    /// A card of this many tokens, with kernels of the task's category, but not of the task.
    Tokens(usize),
}

impl Card {
    /// Returns the text for a task.
    ///
    /// # Errors
    /// [`CardError`] if the tokens are too few.
    pub fn of(&self, task: &Task) -> Result<Option<Cow<'_, str>>, CardError> {
        Ok(match self {
            Card::None => None,
            Card::Text(text) => Some(Cow::Borrowed(text)),
            Card::Tokens(tokens) => {
                let (category, without) = (
                    Some(task.category.clone()),
                    Some(format!("{}/{}", task.bench, task.stem)),
                );
                Some(Cow::Owned(card(&Asked {
                    tokens: *tokens,
                    category,
                    without,
                    ..Asked::default()
                })?))
            }
        })
    }
}

/// The constraint on replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mask {
    /// No constraint at all.
    None,
    /// A grammar of the caller, for every task.
    Text(String),
    /// The canonical form with the head of the task.
    Llm(Format),
    /// The semantic grammar of the task.
    Semantic,
    /// The semantic grammar with sets of axes as types.
    Axes,
}

impl Mask {
    /// Returns the canonical form in the notation that a server takes.
    pub fn llm_of(api: Api) -> Mask {
        Mask::Llm(match api {
            Api::Vllm | Api::OpenAi => Format::Lark,
            Api::LlamaCpp => Format::Gbnf,
            Api::Sglang => Format::Ebnf,
        })
    }

    /// Returns the semantic grammar, if an engine behind the server may read it.
    ///
    /// # Errors
    /// Says why it cannot.
    pub fn read_by(self, api: Api) -> Result<Mask, &'static str> {
        match api {
            Api::Vllm => Ok(self),
            Api::LlamaCpp => Err("GBNF has no parameters, and the semantic grammar is made of rules with one"),
            Api::Sglang => Err("the field `ebnf` has no parameters, and the semantic grammar is made of rules with one"),
            Api::OpenAi => Err("Lark of custom tools has no parameters, and the semantic grammar is made of rules with one"),
        }
    }

    /// Returns the part of a prompt that describes the constraint.
    ///
    /// # Errors
    /// Says what part of the task a head cannot express.
    pub fn says(&self, task: &Task) -> Result<Option<String>, String> {
        Ok(match self {
            Mask::None | Mask::Text(_) => None,
            Mask::Llm(_) | Mask::Semantic | Mask::Axes => {
                let how = if *self == Mask::Axes {
                    Names::Axes
                } else {
                    Names::Author
                };
                let head = head(task, how)?;
                let names = names_in_words(&head, how);
                let axes = match how {
                    Names::Axes => {
                        " Letters of tiles are followed by their axes in the order of the alphabet: the name of one of which the tile has all, and `t_n` where it has the \
                         run of a loop over `n`; one without axes has none. What is needed no longer gives its name to the next tile."
                    }
                    Names::Author | Names::Pools => "",
                };
                Some(format!(
                    "\nThe kernel stands in no module of its own and begins so:\n\n```rust\n{}```\n\nIts body has one op a `let`. What it defines is named by a number \
                     in the order of definition behind letters that say what it is: {names}.{axes}\n",
                    head.text
                ))
            }
        })
    }

    /// Returns the grammar for a task.
    ///
    /// # Errors
    /// Says what part of the task a grammar cannot express.
    pub fn of(&self, task: &Task) -> Result<Option<Cow<'_, str>>, String> {
        let said = |e: crate::grammar::GrammarError| e.to_string();
        Ok(match self {
            Mask::None => None,
            Mask::Text(text) => Some(Cow::Borrowed(text)),
            Mask::Llm(format) => Some(Cow::Owned(
                format.write(&of_head(&head(task, Names::Author)?, &Profile::Llm).map_err(said)?),
            )),
            Mask::Axes => Some(Cow::Owned(
                semantic_axes(&head(task, Names::Axes)?, &Profile::Llm).map_err(said)?,
            )),
            Mask::Semantic => Some(Cow::Owned(
                semantic(&head(task, Names::Author)?, &Profile::Llm).map_err(said)?,
            )),
        })
    }
}
