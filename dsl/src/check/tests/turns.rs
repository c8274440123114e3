//! Random stores in nested loops, compared with every store that they execute.
//!
//! Two stores to one element without a wait between are never taken for disjoint. Where no two
//! stores share an element, no error is reported. For the checker, a wait in a loop has no effect
//! behind it, since the loop may have no iteration.

use super::proofs::Dice;
use super::waits::ordered;
use super::*;
use crate::ir::queue::Stmt;
use crate::ir::{Extent, QueueStmt, StmtKind, SyncOp, VarId};
use crate::ops::contract::{Access, Pipe};
use std::collections::BTreeMap;
use std::fmt::Write;

const KERNELS: u64 = 1000;
/// Nesting depth of loops.
const DEPTH: usize = 4;
/// Base of all offsets, so that none is negative.
const BASE: i64 = 1536;

/// A statement of a random body.
enum Node {
    /// A store of `len` elements at `BASE + first + Σ step * iteration`, with a step for each loop
    /// around.
    Store {
        steps: Vec<i64>,
        first: i64,
        len: i64,
    },
    Loop {
        turns: i64,
        body: Vec<Node>,
    },
}

/// Returns statements inside of loops whose iteration counts are `around`, the outermost one first.
fn body(dice: &mut Dice, around: &mut Vec<i64>, stores: &mut usize) -> Vec<Node> {
    let mut nodes = Vec::new();
    for _ in 0..1 + dice.roll(2) {
        if around.len() < DEPTH && dice.roll(4) > 0 {
            let turns = dice.roll(4) as i64;
            around.push(turns);
            let body = body(dice, around, stores);
            around.pop();
            nodes.push(Node::Loop { turns, body });
        } else if *stores > 0 {
            *stores -= 1;
            nodes.push(store(dice, around));
        }
    }
    nodes
}

/// Returns a store. Mostly it is as dense as possible without an overlap. Sometimes it is a little
/// denser, or at the place of another iteration.
fn store(dice: &mut Dice, around: &[i64]) -> Node {
    let len = [8, 8, 4, 16][dice.roll(4) as usize];
    let mut next = len;
    let mut steps: Vec<i64> = around
        .iter()
        .rev()
        .map(|turns| (next, next *= turns.max(&1)).0)
        .collect();
    steps.reverse();
    for step in &mut steps {
        *step = match dice.roll(24) {
            0 => *step - 1,
            1 => 0,
            2 => *step / 2,
            3 => -*step,
            4 => *step + 8,
            _ => *step,
        };
    }
    let first = if dice.roll(2) == 0 {
        0
    } else {
        [next, next - 1, -next, 64, 256][dice.roll(5) as usize]
    };
    Node::Store { steps, first, len }
}

fn write(nodes: &[Node], depth: usize, out: &mut String) {
    for node in nodes {
        match node {
            Node::Loop { turns, body } => {
                writeln!(out, "for i{depth} in 0..{turns} {{").expect("a text");
                write(body, depth + 1, out);
                writeln!(out, "}}").expect("a text");
            }
            Node::Store { steps, first, len } => {
                let terms: String = steps
                    .iter()
                    .enumerate()
                    .map(|(i, by)| {
                        format!(" {} i{i} * {}", if *by < 0 { '-' } else { '+' }, by.abs())
                    })
                    .collect();
                writeln!(
                    out,
                    "data_copy_pad(y.slice({}{terms}, {len}), &q);",
                    BASE + first
                )
                .expect("a text");
            }
        }
    }
}

/// Removes most waits that the lowering inserted.
fn take_some(stmts: &mut Vec<Stmt>, dice: &mut Dice) {
    stmts.retain(|s| s.waits().is_none() || dice.roll(4) == 0);
    stmts
        .iter_mut()
        .flat_map(|s| s.children_mut().into_iter().flatten())
        .for_each(|list| take_some(list, dice));
}

/// Executes the stores of a lowered body, and finds overlaps that no wait orders.
#[derive(Default)]
struct Walk {
    numbers: BTreeMap<VarId, i64>,
    /// Start and length of stores that may be under way.
    under_way: Vec<(i64, i64)>,
    /// Start and length of all stores.
    all: Vec<(i64, i64)>,
    meets: bool,
    /// True if two stores overlap, waits aside.
    overlap: bool,
}

impl Walk {
    fn number(&self, s: &Scalar) -> Option<i64> {
        let known = |s: &Scalar| match s {
            Scalar::Var(v) => self.numbers.get(v).map(|n| Scalar::Int(*n)),
            Scalar::BlockIdx => Some(Scalar::Int(0)),
            _ => None,
        };
        match s.replace(&known) {
            Scalar::Int(n) => Some(n),
            Scalar::Bool(b) => Some(b.into()),
            _ => None,
        }
    }

    fn list(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                let ends = self
                    .number(from)
                    .zip(self.number(to))
                    .expect("known iterations");
                for turn in ends.0..ends.1 {
                    self.numbers.insert(*var, turn);
                    self.list(body);
                }
            }
            StmtKind::If { cond, then, other } => {
                match self.number(cond).expect("a known condition") {
                    0 => self.list(other),
                    _ => self.list(then),
                }
            }
            StmtKind::Do(QueueStmt::Sync {
                what:
                    SyncOp::Order {
                        from: Pipe::Mte3,
                        to: Pipe::Mte3,
                    },
            }) => self.under_way.clear(),
            StmtKind::Do(QueueStmt::Instr { instr }) => {
                for (_, view) in instr
                    .views()
                    .filter(|(rule, view)| rule.access == Access::Write && view.global().is_some())
                {
                    let Extent::Rows {
                        rows: Scalar::Int(1),
                        cols: n,
                    } = &instr.extent
                    else {
                        panic!("a copy of {:?}", instr.extent)
                    };
                    let (first, n) = self
                        .number(&view.offset)
                        .zip(self.number(n))
                        .expect("a known place");
                    let meets = |(at, len): &(i64, i64)| first < at + len && *at < first + n;
                    self.meets |= self.under_way.iter().any(meets);
                    self.overlap |= self.all.iter().any(meets);
                    self.under_way.push((first, n));
                    self.all.push((first, n));
                }
            }
            // The queues and tensors of the frame store nothing.
            StmtKind::LetScalar { .. }
            | StmtKind::Do(QueueStmt::Queue { .. } | QueueStmt::Get { .. }) => {}
            other => panic!("nothing is known of {other:?}"),
        }
    }
}

#[test]
fn stores_of_one_element_are_never_taken_for_apart() {
    let (mut dice, chip) = (Dice(23), Chip::by_name("ascend910b1").expect("a chip"));
    let (mut apart, mut passed, mut meeting, mut errors, mut waited) = (0, 0, 0, 0, 0);
    for _ in 0..KERNELS {
        let nodes = body(&mut dice, &mut Vec::new(), &mut 3);
        let mut text = String::new();
        write(&nodes, 0, &mut text);
        let text = frames::with_sums(&format!("if get_block_idx() == 0 {{\n{text}}}"));
        let parsed = parse_file(&text).expect("a kernel").remove(0);
        let kernel = parsed
            .kernel
            .unwrap_or_else(|| panic!("{text}\n{:?}", parsed.diagnostics));
        let mut lowered = lower(&kernel, 0, chip).expect("it lowers").lowered;
        take_some(&mut lowered.variants[0].body.stmts, &mut dice);
        let mut walk = Walk::default();
        walk.list(&lowered.variants[0].body.stmts);
        let found = ordered(&lowered, Level::Queue);
        let said = found
            .iter()
            .map(|d| format!("{} {}", d.code, d.message))
            .collect::<Vec<_>>()
            .join("\n");
        let error = found.iter().any(Diagnostic::is_error);
        waited += i32::from(!walk.meets && walk.overlap);
        match walk.meets {
            true => {
                assert!(!found.is_empty(), "{text}");
                meeting += 1;
                errors += i32::from(error);
            }
            false => {
                assert!(!error || walk.overlap, "{text}\n{said}");
                apart += 1;
                passed += i32::from(found.is_empty());
            }
        }
    }
    // Guards against a vacuous test, and against a checker that decides little.
    assert!(
        apart > 300 && meeting > 100 && waited > 50,
        "{apart} apart, {waited} of them by waits, {meeting} barrier"
    );
    assert!(
        passed * 10 > apart * 8 && errors * 10 > meeting * 3,
        "{passed} of {apart} passed, {errors} of {meeting} errors"
    );
}
