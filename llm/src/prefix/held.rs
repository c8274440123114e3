//! Obligations of a queue-level kernel: to free tensors, to give memory to queues, and to copy to
//! each output.

use super::blocks::{blocks_of, close, kernels_of};
use super::owed::{inserted, outputs};
use super::{is_word, word_at_end};
use jumar::dsl::diag::{Code, Diagnostic};
use jumar::dsl::ir::SourceSpan;
use std::ops::Range;

/// Returns the text with the obligations of its kernels met, or `None` if these findings require
/// nothing.
pub(super) fn given_back(
    text: &str,
    errors: &[(&Diagnostic, Option<SourceSpan>)],
) -> Option<String> {
    let file: syn::File = syn::parse_str(text).ok()?;
    let mut added = Vec::new();
    for kernel in kernels_of(&file) {
        let body = kernel.block.brace_token.span.open().byte_range().start..close(&kernel.block);
        let blocks: Vec<Range<usize>> = blocks_of(&kernel.block)
            .iter()
            .map(|block| block.open..block.close)
            .collect();
        for (d, span) in errors {
            let Some(at) = span
                .and_then(|span| byte_at(text, span))
                .filter(|at| body.contains(at))
            else {
                continue;
            };
            // A tensor is freed in the block that took it.
            let inner = blocks
                .iter()
                .filter(|block| block.contains(&at))
                .min_by_key(|block| block.len());
            let end = inner.map_or(body.end, |block| block.end);
            added.extend(returned(text, d, at).map(|more| (end, more)));
            added.extend(waited(d).map(|more| (end, more)));
            added.extend(memory(&text[body.clone()], d).map(|more| (body.end, more)));
        }
        let unwritten = outputs(kernel).into_iter().filter(|output| {
            errors.iter().any(|(d, _)| {
                d.code == Code::J0210 && d.message.contains(&format!("`{}`", output.name))
            })
        });
        added.extend(unwritten.map(|output| (body.end, copied(&output.name, &output.element))));
    }
    (!added.is_empty()).then(|| inserted(text, added))
}

/// True for a text of the queue level.
pub(super) fn is_of_queues(text: &str) -> bool {
    ["TPipe::", "TQue::", "fit_tile(", "split(", "data_copy"]
        .iter()
        .any(|word| text.contains(word))
}

/// Returns the byte at which a span begins.
pub(super) fn byte_at(text: &str, span: SourceSpan) -> Option<usize> {
    let line = text
        .split_inclusive('\n')
        .take((span.line as usize).checked_sub(1)?)
        .map(str::len)
        .sum::<usize>();
    let column = text
        .get(line..)?
        .chars()
        .take((span.column as usize).checked_sub(1)?)
        .map(char::len_utf8)
        .sum::<usize>();
    Some(line + column)
}

/// Returns the statement that frees a tensor taken at a place.
fn returned(text: &str, d: &Diagnostic, at: usize) -> Option<String> {
    let quoted = d.message.split('`').nth(1)?;
    let queue = text[at..].split('.').next().map(word_at_end)?;
    if d.code != Code::J0405 {
        return None;
    }
    if d.message
        .ends_with("is never given back with `free_tensor`")
    {
        // The checker numbers names that are defined twice.
        let name = quoted
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .trim_end_matches('_');
        let name = if text.contains(&format!("let {quoted} ")) {
            quoted
        } else {
            name
        };
        return Some(format!("    {queue}.free_tensor({name});\n"));
    }
    d.message
        .ends_with("is never dequeued and given back")
        .then(|| {
            let element = text
                .split(&format!("{quoted}.alloc_tensor::<"))
                .nth(1)
                .and_then(|rest| rest.split('>').next());
            let name = format!("q_of_{quoted}_{at}");
            format!(
                "    let {name} = {quoted}.deque::<{}>();\n    {quoted}.free_tensor({name});\n",
                element.unwrap_or("f32")
            )
        })
}

/// Returns the wait for a flag that is set.
fn waited(d: &Diagnostic) -> Option<String> {
    let (number, rest) = d
        .message
        .strip_prefix("flag ")
        .filter(|_| d.code == Code::J0413)?
        .split_once(" of `")?;
    let (event, said) = rest.split_once('`')?;
    said.contains("nobody waits for it")
        .then(|| format!("    wait_flag::<{event}>({number});\n"))
}

/// Returns the statement that initialises a queue or buffer without memory.
fn memory(body: &str, d: &Diagnostic) -> Option<String> {
    let is_none = d.code == Code::J0410
        && (d.message.ends_with("has no buffer") || d.message.ends_with("has no memory"));
    let name = d.message.split('`').nth(1).filter(|_| is_none)?;
    Some(match pipe(body) {
        Some(pipe) => format!("    {pipe}.init_buffer(&mut {name}, 1, 32);\n"),
        None => format!(
            "    let mut q_pipe = TPipe::new();\n    q_pipe.init_buffer(&mut {name}, 1, 32);\n"
        ),
    })
}

/// Returns the name of the pipe of a body.
fn pipe(body: &str) -> Option<&str> {
    let before = &body[..body.find("TPipe::new()")?];
    let name = before.trim_end().strip_suffix('=')?.trim_end();
    let name = name.strip_suffix(": TPipe").unwrap_or(name);
    Some(word_at_end(name)).filter(|name| name.starts_with(is_word))
}

/// Returns statements that copy zeros to all of an output, element by element.
fn copied(name: &str, element: &str) -> String {
    let [share, pipe, queue, turn, zeros, done] =
        ["share", "pipe_of", "queue", "turn", "zeros", "done"]
            .map(|word| format!("q_{word}_{name}"));
    format!(
        "    let {share} = split({name}.len());
    let mut {pipe} = TPipe::new();
    let mut {queue} = TQue::<VecOut, 1>::new();
    {pipe}.init_buffer(&mut {queue}, 1, 32);
    for {turn} in 0..{share}.len() {{
        let {zeros} = {queue}.alloc_tensor::<{element}>();
        vec::duplicate(&{zeros}, 0.0, 1);
        {queue}.enque({zeros});
        let {done} = {queue}.deque::<{element}>();
        data_copy_pad({name}.slice({share}.start() + {turn}, 1), &{done});
        {queue}.free_tensor({done});
    }}\n"
    )
}
