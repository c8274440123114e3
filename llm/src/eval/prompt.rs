//! The messages to a model, made of a task's header alone, and the kernel in its reply.

use super::ascendc::Language;
use super::record::Candidate;
use super::stages::Failure;
use crate::tasks::corpus::{Attr, Is, Task, Tensor, Tolerance};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// A message of a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// One of `system`, `user` and `assistant`.
    pub role: String,
    pub content: String,
}

impl Message {
    fn new(role: &str, content: String) -> Self {
        Message {
            role: role.to_string(),
            content,
        }
    }
}

/// The limit in bytes of findings that are sent back to a model.
const MOST_FINDINGS: usize = 8000;

const RULES: &str = "\
You write kernels for Ascend NPUs in jumar, a language inside Rust. Answer with one kernel and nothing else: a `#[kernels] \
pub mod answer` with `use jumar::prelude::*;` and one function under `#[kernel]`. It has the name and the parameters that the task gives, in its order. It is right for every size of its axes, 0 among \
them. Floats of 16 bits are computed in f32 and rounded once where the task does not say otherwise.";

/// Returns the first messages: the rules with a card of the language, and the task.
pub fn first(task: &Task, card: Option<&str>) -> Vec<Message> {
    let rules = card.map_or(RULES.to_string(), |card| format!("{RULES}\n\n{card}"));
    vec![
        Message::new("system", rules),
        Message::new("user", asked(task)),
    ]
}

/// Adds the messages of the next attempt: the last reply, and its mistakes.
pub fn next(messages: &mut Vec<Message>, reply: &str, failure: &Failure) {
    messages.push(Message::new("assistant", reply.to_string()));
    let case = failure
        .case
        .as_ref()
        .map_or(String::new(), |case| format!(" in the run {case}"));
    let why = shortened(&failure.why, MOST_FINDINGS);
    let text =
        format!("That does not pass the stage `{}`{case}:\n\n{why}\n\nAnswer with the whole kernel, corrected.", failure.stage);
    messages.push(Message::new("user", text));
}

/// Returns the beginning of a text, cut between characters.
pub fn shortened(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    &text[..end]
}

/// Describes the task in words.
pub fn asked(task: &Task) -> String {
    let mut text = format!(
        "Write the kernel `{}`.\n\n{}\n\nParameters, in this order:\n",
        task.stem, task.does
    );
    for tensor in &task.tensors {
        let _ = writeln!(
            text,
            "- `{}`: {}",
            declared(task, tensor),
            of_tensor(tensor)
        );
    }
    for attr in &task.attrs {
        let _ = writeln!(text, "- {}", of_attr(attr));
    }
    text.push_str("\nA shape names axes; `n..` is any number of axes, `m @ dim` the one that the attribute `dim` counts.\n");
    match task.elements.as_slice() {
        [] | [_] => {}
        several if several.iter().any(|e| e.contains(' ')) => {
            let _ = writeln!(
                text,
                "The kernel is generic in `T` and `U`, which are {}.",
                several.join(", or ")
            );
        }
        several => {
            let _ = writeln!(
                text,
                "The kernel is generic in `T`, which is {}.",
                several.join(" or ")
            );
        }
    }
    let Tolerance { units, why } = &task.tolerance;
    let _ = writeln!(
        text,
        "A result may be off by {units} units of 2^-23 of the magnitudes that it is computed of ({why}), and by half a unit of its own element type."
    );
    text
}

/// Writes the parameter of a tensor as a signature has it. If there is one element type, it
/// replaces `T`.
pub fn declared(task: &Task, tensor: &Tensor) -> String {
    let only = task.elements.first().filter(|_| task.elements.len() == 1);
    let own = ["T", "U"].iter().position(|p| *p == tensor.of);
    let of = own
        .and_then(|at| only?.split_whitespace().nth(at))
        .unwrap_or(&tensor.of);
    let place = if tensor.is == Is::Inplace {
        "#[inplace] "
    } else {
        ""
    };
    let lent = if tensor.is.written() { "&mut " } else { "&" };
    let ty = format!("GlobalTensor<{of}>");
    let ty = if tensor.list {
        format!("{lent}[{ty}]")
    } else {
        format!("{lent}{ty}")
    };
    let ty = if tensor.is.optional() {
        format!("Option<{ty}>")
    } else {
        ty
    };
    format!("{place}{}: {ty}", tensor.name)
}

fn of_tensor(tensor: &Tensor) -> String {
    let what = match tensor.is {
        Is::Input => "input",
        Is::Optional => "input that may be left out",
        Is::Output => "output",
        Is::Asked => "output that may be left out",
        Is::Inplace => "read and written in place",
    };
    let shape = if tensor.shape.is_empty() {
        "one element".to_string()
    } else {
        format!("shape ({})", tensor.shape)
    };
    let list = if tensor.list {
        ", each item with sizes of its own"
    } else {
        ""
    };
    let data = tensor
        .data
        .as_ref()
        .map_or(String::new(), |data| format!(", holds for example: {data}"));
    format!("{what}, {shape}{list}{data}")
}

fn of_attr(attr: &Attr) -> String {
    let Attr {
        name, of, value, ..
    } = attr;
    let choices = attr.choices();
    match (choices.is_empty(), attr.list) {
        (true, false) => format!("`{name}: {of}`: attribute, for example {value}"),
        (true, true) => {
            format!("`{name}: &[{of}]`: attribute, a number for each item, for example {value}")
        }
        (false, _) => {
            let names = choices.join(", ");
            format!("`{name}`: attribute, an enum of the module whose variants are in snake case {names}; for example {value}")
        }
    }
}

/// Extracts the kernel of a reply: the first fenced block with a function of that name, else the
/// first fenced block, else the whole reply.
pub fn kernel_in<'r>(reply: &'r str, name: &str) -> &'r str {
    let mut blocks = fenced(reply);
    let named = format!("fn {name}");
    let own = blocks
        .iter()
        .position(|block| block.contains(&named))
        .unwrap_or(0);
    if blocks.is_empty() {
        reply
    } else {
        blocks.swap_remove(own)
    }
}

/// The markers around a kernel of AscendC, as NPUKernelBench looks for them.
const MARKERS: (&str, &str) = ("<kernel_impl>", "</kernel_impl>");

/// Returns the language of a candidate: the declared one, or what its reply looks like. A C++
/// kernel function has the word `__global__`.
pub fn language_of(candidate: &Candidate, name: &str) -> Language {
    let is_ascendc = || {
        let reply = &candidate.text;
        let is_kernel = |text: &str| text.contains("__global__") && !text.contains("#[kernel]");
        reply.contains(MARKERS.0)
            || is_kernel(kernel_in(reply, name))
            || fenced(reply).into_iter().any(is_kernel)
    };
    candidate.language.unwrap_or_else(|| {
        if is_ascendc() {
            Language::Ascendc
        } else {
            Language::Jumar
        }
    })
}

/// Extracts the AscendC of a reply: the part between the first markers, if any, and of that the
/// fenced block with a kernel function, if any.
pub fn ascendc_in(reply: &str) -> &str {
    let inside = reply.split_once(MARKERS.0).map_or(reply, |(_, rest)| {
        rest.split_once(MARKERS.1)
            .map_or(rest, |(inside, _)| inside)
    });
    fenced(inside)
        .into_iter()
        .find(|block| block.contains("__global__"))
        .unwrap_or(inside)
}

/// Returns the fenced blocks. The last one may be open, in a text that was cut.
fn fenced(reply: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in reply.split_inclusive('\n') {
        let end = at + line.len();
        if line.trim_start().starts_with("```") {
            match open.take() {
                Some(start) => blocks.push(&reply[start..at]),
                None => open = Some(end),
            }
        }
        at = end;
    }
    blocks.extend(open.map(|start| &reply[start..]));
    blocks
}
