//! Barriers of emitted texts, read from the text alone. The emitter decides by the IR which vector
//! calls wait; this test judges it by the names of tensors in C++.

use crate::common;
use jumar_codegen::{emit, EmitOptions};
use std::collections::BTreeSet;

/// Statements of C++ with the blocks inside them.
enum Node<'t> {
    Plain(&'t str),
    Block(&'t str, Vec<Node<'t>>),
}

/// Parses the statements to the end of the block or of the text, and returns the rest of the text.
fn nodes(mut text: &str) -> (Vec<Node<'_>>, &str) {
    let mut found = Vec::new();
    loop {
        let mut depth = 0;
        let end = text.char_indices().find(|(_, c)| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0 && matches!(c, ';' | '{' | '}')
        });
        let Some((at, c)) = end else {
            return (found, "");
        };
        let (own, rest) = (text[..at].trim(), &text[at + 1..]);
        text = rest;
        match c {
            '}' => return (found, rest),
            ';' => found.push(Node::Plain(own)),
            _ => {
                let (inside, rest) = nodes(text);
                found.push(Node::Block(own, inside));
                text = rest;
            }
        }
    }
}

/// Parses a statement that is a call: the function's name and the arguments.
fn call(text: &str) -> Option<(&str, Vec<&str>)> {
    let (head, rest) = text.split_once('(')?;
    let name = head.split('<').next()?.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
    let (mut depth, mut args, mut from) = (0, Vec::new(), 0);
    let inside = rest.strip_suffix(')')?;
    for (at, c) in inside.char_indices() {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        if c == ',' && depth == 0 {
            args.push(inside[from..at].trim());
            from = at + 1;
        }
    }
    args.push(inside[from..].trim());
    is_name.then_some((name, args))
}

/// Returns the local tensor of an argument.
fn tensor(arg: &str) -> Option<&str> {
    let name = arg.split('[').next()?;
    (name.ends_with("Local") && name.chars().all(|c| c.is_ascii_alphanumeric())).then_some(name)
}

/// Reads and writes since the last barrier.
#[derive(Clone, Default)]
struct Pending<'t> {
    read: BTreeSet<&'t str>,
    written: BTreeSet<&'t str>,
}

/// A function of a text.
struct Function<'t, 'n> {
    name: &'t str,
    nodes: &'n [Node<'t>],
    /// Indices of the tensors that are work space.
    work: Vec<usize>,
}

struct Reader<'t, 'n> {
    /// Functions whose calls are read as single calls.
    functions: &'n [Function<'t, 'n>],
    /// Methods that are read at their calls.
    methods: &'n [Function<'t, 'n>],
    wrong: Vec<String>,
}

impl<'t> Reader<'t, '_> {
    fn list(&mut self, nodes: &[Node<'t>], pending: &mut Pending<'t>) {
        let mut before = Pending::default();
        for node in nodes {
            match node {
                // A `SyncAll` begins with a barrier of all pipes.
                Node::Plain("PipeBarrier<PIPE_V>()" | "SyncAll<true>()") => {
                    *pending = Pending::default()
                }
                Node::Plain(text) => self.plain(text, pending),
                Node::Block(head, inside) if head.starts_with("for ") => {
                    // A second iteration follows the first one, and there may be none.
                    let skipped = pending.clone();
                    self.list(inside, pending);
                    self.list(inside, pending);
                    join(pending, &skipped);
                }
                Node::Block(head, inside) if head.starts_with("if ") => {
                    before = pending.clone();
                    self.list(inside, pending);
                    join(pending, &before);
                }
                Node::Block(head, inside) if head.starts_with("else") => {
                    // The `else` arm follows the statements before the `if`.
                    let mut other = before.clone();
                    self.list(inside, &mut other);
                    join(pending, &other);
                }
                // The initial contents of an array.
                Node::Block(head, _) if head.ends_with('=') => {}
                Node::Block(head, _) => panic!("a block of `{head}`"),
            }
        }
    }

    fn plain(&mut self, text: &'t str, pending: &mut Pending<'t>) {
        let Some((name, args)) = call(text) else {
            return;
        };
        if let Some(method) = self.methods.iter().find(|m| m.name == name) {
            return self.list(method.nodes, pending);
        }
        // The scalar unit reads dumped elements, after a wait for the vector unit.
        if name == "DumpTensor" {
            return;
        }
        // Other pipes copy between GM and UB.
        if args
            .iter()
            .any(|a| a.split('[').next().is_some_and(|a| a.ends_with("Gm_")))
        {
            return;
        }
        let tensors: Vec<(usize, &str)> = args
            .iter()
            .enumerate()
            .filter_map(|(i, a)| Some((i, tensor(a)?)))
            .collect();
        let work = self
            .functions
            .iter()
            .find(|f| f.name == name)
            .map_or(&[][..], |f| &f.work);
        let (written, read): (Vec<_>, Vec<_>) = tensors
            .into_iter()
            .partition(|(i, _)| *i == 0 || work.contains(i));
        let follows = |(_, t): &&(usize, &str)| pending.written.contains(t);
        let late = written
            .iter()
            .find(|w| pending.read.contains(w.1) || follows(w))
            .or(read.iter().find(follows));
        if let Some((_, tensor)) = late {
            self.wrong
                .push(format!("no barrier for `{tensor}` before {text}"));
        }
        pending.written.extend(written.iter().map(|(_, t)| *t));
        pending.read.extend(read.iter().map(|(_, t)| *t));
    }
}

fn join<'t>(to: &mut Pending<'t>, other: &Pending<'t>) {
    to.read.extend(&other.read);
    to.written.extend(&other.written);
}

/// Returns the functions among some nodes.
fn functions<'t, 'n>(nodes: &'n [Node<'t>]) -> Vec<Function<'t, 'n>> {
    let of = |node: &'n Node<'t>| {
        let Node::Block(head, nodes) = node else {
            return None;
        };
        let (name, params) = head.split_once("inline void ")?.1.split_once('(')?;
        let is_work = |p: &str| {
            p.rsplit(['&', ' '])
                .next()
                .is_some_and(|name| name.starts_with("work"))
        };
        let work = params
            .split(',')
            .enumerate()
            .filter(|(_, p)| is_work(p))
            .map(|(i, _)| i)
            .collect();
        Some(Function { name, nodes, work })
    };
    nodes.iter().filter_map(of).collect()
}

/// Returns the accesses of a text that do not wait for what they need.
fn wrong(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter(|l| !l.starts_with('#'))
        .map(|l| l.split("//").next().unwrap_or(l));
    let code = lines.collect::<Vec<_>>().join("\n");
    let (all, _) = nodes(&code);
    let space = all.iter().find_map(|node| match node {
        Node::Block(head, inside) if head.starts_with("namespace") => Some(inside),
        Node::Block(..) | Node::Plain(_) => None,
    });
    let space = space.expect("a namespace");
    let functions_of_all = functions(space);
    let mut wrong = Vec::new();
    let mut read = |methods: &[Function<'_, '_>], nodes: &[Node<'_>]| {
        let mut reader = Reader {
            functions: &functions_of_all,
            methods,
            wrong: Vec::new(),
        };
        reader.list(nodes, &mut Pending::default());
        wrong.append(&mut reader.wrong);
    };
    // The caller of a function waits for what it touches.
    functions_of_all.iter().for_each(|f| read(&[], f.nodes));
    for node in space {
        let Node::Block(head, inside) = node else {
            continue;
        };
        let methods = functions(inside);
        if head.contains("class ") {
            read(
                &methods,
                methods
                    .iter()
                    .find(|m| m.name == "Process")
                    .expect("what a class does")
                    .nodes,
            );
        }
    }
    wrong
}

fn text(kernel: &str, barriers: bool) -> String {
    let project = emit(
        &common::checked(kernel),
        &EmitOptions {
            barriers,
            ..EmitOptions::default()
        },
    );
    project
        .text(&format!("{kernel}.cpp"))
        .expect("the kernel")
        .to_string()
}

#[test]
fn vector_calls_wait_for_what_they_touch() {
    for (kernel, _) in common::KERNELS {
        assert_eq!(wrong(&text(kernel, true)), Vec::<String>::new(), "{kernel}");
    }
}

#[test]
fn a_barrier_that_is_missing_is_seen() {
    for kernel in ["softmax", "layer_norm", "weigh", "swish", "totals"] {
        assert!(!wrong(&text(kernel, false)).is_empty(), "{kernel}");
        let text = text(kernel, true);
        let at: Vec<usize> = text
            .match_indices("PipeBarrier<PIPE_V>();")
            .map(|(at, _)| at)
            .collect();
        let unseen = at
            .iter()
            .filter(|at| wrong(&format!("{}{}", &text[..**at], &text[**at + 22..])).is_empty())
            .count();
        assert!(
            unseen * 4 <= at.len(),
            "{unseen} of {} barriers of {kernel} may be left out unseen",
            at.len()
        );
    }
}
