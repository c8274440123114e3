//! Loops whose iterations are alike.
//!
//! Two iterations have the same events, except for places in GM, where all that decides about them
//! is equal: bounds, conditions, extents, strides and addresses in UB. Each of these must change
//! with the variable of the loop in one direction, or not at all. So it is equal in all iterations
//! between two in which it is equal.

use super::{Done, Frame, Walk};
use crate::cost::event::{Event as Happened, What};
use crate::ir::queue::Stmt;
use crate::ir::{
    BinOp, Extent, FuncId, Instr, Lanes, Layout, QueueStmt, Scalar, StmtKind, SyncOp, UnOp, VarId,
    View,
};
use crate::ops::contract::What as Role;
use crate::tiling::{eval, Env, Value};
use std::ops::Range;

/// Fewest iterations of a loop whose like iterations are not all written down.
const LEAST: i64 = 8;
/// Longest period of buffers that take iterations.
const MOST_PERIOD: usize = 4;
/// Iterations in which a period is looked for.
const LOOKED: usize = 3 * MOST_PERIOD;

/// The way in which a number changes from iteration to iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    /// It has one value in all iterations.
    Fixed,
    /// So it has, where a variable of the body has one value.
    Inner,
    /// It never falls.
    Up,
    /// It never rises.
    Down,
    /// It may change in any way.
    Any,
}

impl Change {
    fn turned(self) -> Change {
        match self {
            Change::Up => Change::Down,
            Change::Down => Change::Up,
            Change::Fixed | Change::Inner | Change::Any => self,
        }
    }

    /// The change of a number that never falls with either of two.
    fn with(self, other: Change) -> Change {
        match (self, other) {
            (Change::Fixed, other) | (other, Change::Fixed) => other,
            (Change::Inner, other) | (other, Change::Inner) => other,
            (Change::Up, Change::Up) | (Change::Down, Change::Down) => self,
            (Change::Any, _) | (_, Change::Any) => Change::Any,
            (Change::Up, Change::Down) | (Change::Down, Change::Up) => Change::Any,
        }
    }
}

/// The changes of the variables of a body.
struct Changes<'w, 'a> {
    walk: &'w Walk<'a>,
    /// The values of what is fixed.
    env: Env<'a>,
    vars: Vec<Change>,
}

impl Changes<'_, '_> {
    fn of(&self, s: &Scalar) -> Change {
        match s {
            Scalar::Var(var) => self.vars.get(var.index()).copied().unwrap_or(Change::Any),
            Scalar::Int(_)
            | Scalar::I32(_)
            | Scalar::Float(_)
            | Scalar::Bool(_)
            | Scalar::Axis(_)
            | Scalar::Attr(..)
            | Scalar::Chip(_)
            | Scalar::SizeOf(_)
            | Scalar::BlockIdx
            | Scalar::BlockDim => Change::Fixed,
            Scalar::Un(UnOp::Neg | UnOp::Not, a) => self.of(a).turned(),
            Scalar::Un(UnOp::Sqrt, a) | Scalar::Cast(_, a) => self.of(a),
            Scalar::Bin(op, a, b) => self.joined(*op, a, b),
            Scalar::Select(cond, a, b) => match self.of(cond) {
                Change::Fixed => self.of(a).with(self.of(b)),
                Change::Inner => Change::Inner.with(self.of(a)).with(self.of(b)),
                Change::Up | Change::Down | Change::Any => Change::Any,
            },
        }
    }

    fn joined(&self, op: BinOp, a: &Scalar, b: &Scalar) -> Change {
        let (left, right) = (self.of(a), self.of(b));
        let stays = |change: Change| matches!(change, Change::Fixed | Change::Inner);
        if stays(left) && stays(right) {
            return left.with(right);
        }
        match op {
            BinOp::Add | BinOp::Min | BinOp::Max | BinOp::And | BinOp::Or => left.with(right),
            BinOp::Sub | BinOp::Gt | BinOp::Ge => left.with(right.turned()),
            BinOp::Lt | BinOp::Le => left.turned().with(right),
            BinOp::Mul if left == Change::Fixed => self.times(right, a),
            BinOp::Mul if right == Change::Fixed => self.times(left, b),
            BinOp::Div | BinOp::CeilDiv | BinOp::AlignUp if right == Change::Fixed => {
                self.times(left, b)
            }
            BinOp::Mul | BinOp::Div | BinOp::CeilDiv | BinOp::AlignUp => Change::Any,
            BinOp::Rem | BinOp::Eq | BinOp::Ne => Change::Any,
        }
    }

    /// The change of a number times another one, which is fixed.
    fn times(&self, change: Change, by: &Scalar) -> Change {
        match eval(by, &self.env) {
            Ok(Value::Int(by)) if by >= 0 => change,
            Ok(Value::Int(_)) => change.turned(),
            Ok(Value::I32(_) | Value::F32(_) | Value::Bool(_)) | Err(_) => Change::Any,
        }
    }

    /// True where all numbers change in one direction each.
    fn are_known<'s>(&self, all: impl IntoIterator<Item = &'s Scalar>) -> bool {
        all.into_iter().all(|s| self.of(s) != Change::Any)
    }

    fn set(&mut self, var: VarId, change: Change) {
        if self.vars.len() <= var.index() {
            self.vars.resize(var.index() + 1, Change::Any);
        }
        self.vars[var.index()] = change;
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> bool {
        stmts.iter().all(|s| self.stmt(s))
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::LetScalar { var, value } => {
                let change = self.of(value);
                self.set(*var, change);
                let value = match change {
                    Change::Fixed => eval(value, &self.env).ok(),
                    Change::Inner | Change::Up | Change::Down | Change::Any => None,
                };
                if let Some(own) = self.env.vars.get_mut(var.index()) {
                    *own = value;
                }
                true
            }
            // It may carry a number from iteration to iteration.
            StmtKind::SetScalar { .. } => false,
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                self.set(*var, Change::Inner);
                if let Some(own) = self.env.vars.get_mut(var.index()) {
                    *own = None;
                }
                self.are_known([from, to]) && self.stmts(body)
            }
            StmtKind::If { cond, then, other } => {
                self.are_known([cond]) && self.stmts(then) && self.stmts(other)
            }
            StmtKind::Promise { .. } => true,
            StmtKind::Do(does) => self.does(does),
        }
    }

    fn does(&mut self, does: &QueueStmt) -> bool {
        match does {
            QueueStmt::Queue { .. } | QueueStmt::Get { .. } => true,
            QueueStmt::View { of, .. } => self.are_known([&of.offset]),
            QueueStmt::Place { at, len, .. } => self.are_known([at, len]),
            QueueStmt::Instr { instr } => self.instr(instr),
            QueueStmt::Call {
                func,
                tensors,
                scalars,
            } => self.call(*func, tensors, scalars),
            QueueStmt::Sync { what } => match what {
                SyncOp::Set { id, .. } | SyncOp::Wait { id, .. } => self.are_known([id]),
                SyncOp::Barrier { .. } | SyncOp::Order { .. } => true,
                // All cores go on together.
                SyncOp::All {} | SyncOp::CrossSet { .. } | SyncOp::CrossWait { .. } => false,
            },
            QueueStmt::Reset { .. } | QueueStmt::Host { .. } => false,
        }
    }

    fn call(&mut self, func: FuncId, tensors: &[View], scalars: &[Scalar]) -> bool {
        if !self.are_known(tensors.iter().map(|view| &view.offset)) {
            return false;
        }
        let f = &self.walk.lowered.funcs[func.index()];
        let fixed = |s: &Scalar| match self.of(s) {
            Change::Fixed => eval(s, &self.env).ok(),
            Change::Inner | Change::Up | Change::Down | Change::Any => None,
        };
        let mut vars: Vec<Option<Value>> = scalars.iter().map(fixed).collect();
        vars.resize(vars.len().max(f.body.vars.len()), None);
        let mut inner = Changes {
            walk: self.walk,
            env: Env {
                vars,
                ..self.env.clone()
            },
            vars: scalars.iter().map(|s| self.of(s)).collect(),
        };
        inner.stmts(&f.body.stmts)
    }

    fn instr(&mut self, instr: &Instr) -> bool {
        if let Some(var) = instr.result() {
            // A number of a tensor: another one each time, where a run has read it.
            if self.walk.read.is_some() {
                return false;
            }
            self.set(var, Change::Inner);
        }
        let extent = match &instr.extent {
            Extent::Fixed {} => true,
            Extent::Count { n } | Extent::Counter { n } => self.are_known([n]),
            Extent::Eights { repeat } => self.are_known([repeat]),
            Extent::Rows { rows, cols } => self.are_known([rows, cols]),
            Extent::Repeat { mask, repeat } => {
                self.are_known([repeat])
                    && match mask {
                        Lanes::First { n } => self.are_known([n]),
                        Lanes::Bits { .. } => true,
                        Lanes::Groups {
                            from, to, groups, ..
                        } => self.are_known([from, to, groups]),
                    }
            }
        };
        let placed = instr.views().all(|(_, view)| {
            let layout = match &view.layout {
                Layout::Dense {} => true,
                Layout::Rows { pitch } => self.are_known([pitch]),
                Layout::Blocks { blk, rep } => self.are_known([blk, rep]),
                Layout::Results { rep } => self.are_known([rep]),
            };
            layout && (view.global().is_some() || self.are_known([&view.offset]))
        });
        let roles = [Role::Most, Role::Length, Role::Lead];
        let lengths = roles.into_iter().flat_map(|role| instr.scalars_for(role));
        extent && placed && self.are_known(lengths)
    }
}

/// The beginning of a iteration.
struct Mark {
    /// Number of the events before.
    start: usize,
    queues: Vec<Option<super::Queue>>,
    ids: super::Ids,
}

impl<'a> Walk<'a> {
    /// True where a iteration is like all between two that are alike.
    fn is_steady(&self, frame: &Frame<'a>, var: VarId, body: &[Stmt]) -> bool {
        let mut changes = Changes {
            walk: self,
            env: frame.env.clone(),
            vars: vec![Change::Fixed; frame.env.vars.len()],
        };
        changes.set(var, Change::Up);
        changes.stmts(body)
    }

    /// Walks the iterations of a loop. Where they are alike, some are told as one event.
    pub(super) fn turns(
        &mut self,
        frame: &mut Frame<'a>,
        var: VarId,
        turns: Range<i64>,
        body: &'a [Stmt],
    ) -> Done {
        let mut looks = self.compresses
            && turns.end.saturating_sub(turns.start) >= LEAST
            && self.is_steady(frame, var, body);
        let mut marks: Vec<Mark> = Vec::new();
        let mut turn = turns.start;
        while turn < turns.end {
            if looks {
                marks.push(Mark {
                    start: self.events.len(),
                    queues: self.queues.clone(),
                    ids: self.ids.clone(),
                });
            }
            frame.set(var, Some(Value::Int(turn)));
            self.stmts(frame, body)?;
            turn += 1;
            let period = (1..=MOST_PERIOD).find(|period| looks && self.is_period(&marks, *period));
            if let Some(period) = period {
                let alike = self.alike(frame, (var, turn..turns.end), body, (&marks, period))?;
                let first = marks[marks.len() - period].start;
                if let (Ok(times @ 1..), Ok(events)) = (
                    u32::try_from(alike),
                    u32::try_from(self.events.len() - first),
                ) {
                    self.happen(What::Repeat { events, times });
                    turn += alike * period as i64;
                }
                looks = false;
            }
            looks &= marks.len() < LOOKED;
        }
        Ok(())
    }

    /// True where the last iterations are like as many before them, and queues are where they were.
    fn is_period(&self, marks: &[Mark], period: usize) -> bool {
        let Some(first) = marks.len().checked_sub(2 * period) else {
            return false;
        };
        let (first, middle) = (&marks[first], &marks[marks.len() - period]);
        let before = &self.events[first.start..middle.start];
        is_like(before, &self.events[middle.start..])
            && self.queues == middle.queues
            && self.ids == middle.ids
    }

    /// Returns how many more periods are like the last one, of the iterations that are left.
    fn alike(
        &mut self,
        frame: &mut Frame<'a>,
        (var, left): (VarId, Range<i64>),
        body: &'a [Stmt],
        (marks, period): (&[Mark], usize),
    ) -> Done<i64> {
        let first = marks[marks.len() - period].start;
        let size = period as i64;
        let (mut low, mut high) = (0, (left.end - left.start) / size);
        // Mostly all are, or all but the last one.
        let mut tries = 0;
        while low < high {
            tries += 1;
            let next = match tries {
                1 | 2 => high,
                _ => low + (high - low + 1) / 2,
            };
            let from = left.start + (next - 1) * size;
            let found = self.tried(frame, (var, from..from + size), body)?;
            match is_like(&self.events[first..], &found) {
                true => low = next,
                false => high = next - 1,
            }
        }
        Ok(low)
    }

    /// Returns the events of some iterations, which do not happen.
    fn tried(
        &mut self,
        frame: &mut Frame<'a>,
        (var, turns): (VarId, Range<i64>),
        body: &'a [Stmt],
    ) -> Done<Vec<Happened>> {
        let (queues, ids) = (self.queues.clone(), self.ids.clone());
        let (vars, begins) = (frame.env.vars.clone(), frame.begins.clone());
        let (events, weight) = (std::mem::take(&mut self.events), self.weight);
        let mut done = Ok(());
        for turn in turns {
            frame.set(var, Some(Value::Int(turn)));
            done = done.and_then(|()| self.stmts(frame, body));
        }
        let found = std::mem::replace(&mut self.events, events);
        (self.queues, self.ids, self.weight) = (queues, ids, weight);
        (frame.env.vars, frame.begins) = (vars, begins);
        done.map(|()| found)
    }
}

/// True where events differ in their places in GM alone.
fn is_like(own: &[Happened], other: &[Happened]) -> bool {
    let mut pairs = own.iter().zip(other);
    own.len() == other.len()
        && pairs.all(|(a, b)| a.line == b.line && a.what.without_place() == b.what.without_place())
}
