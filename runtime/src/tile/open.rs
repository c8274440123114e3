//! Marks: what another legal order of a sum may make something else, where no bound says how far away.
//!
//! An element is marked by an error without an end, an answer of a compare by a bit ([`OPEN`]), a scalar by its entry among the open ones. The
//! mark travels with what is computed of them ([`super::elementwise`], [`super::reduce`]), and here through control and places: what a branch
//! changes that may not be taken, what an index chooses that may be another one, where something is stored.

use super::array::{is_open, Array, Lanes, OPEN};
use super::walk::{Done, Walker};
use jumar_dsl::ir::{walk_stmts, AxSpec, BinOp, Scalar, SpanId, Stmt, StmtKind, UnOp, ValueId, VarId};
use jumar_dsl::tiling::{eval, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is open where a statement stands.
#[derive(Default)]
pub(super) struct Openness {
    /// Scalars that another order of a sum may make others, and how far away.
    scalars: BTreeMap<VarId, f64>,
    /// How many branches and loops stand around that another order may not take, or not as often.
    astray: usize,
    /// The first statement that leaves something open.
    pub first: Option<SpanId>,
}

impl Openness {
    /// True where another order may not come here.
    pub fn is_astray(&self) -> bool {
        self.astray > 0
    }

    /// How far a scalar may lie away; infinitely far where it is computed of open ones.
    pub fn far(&self, s: &Scalar) -> f64 {
        match s {
            Scalar::Var(v) => self.scalars.get(v).copied().unwrap_or(0.0),
            _ if self.mentions(s) => f64::INFINITY,
            _ => 0.0,
        }
    }

    /// True for a scalar that is computed of open ones.
    pub fn mentions(&self, s: &Scalar) -> bool {
        self.scalars.keys().any(|var| s.mentions(*var))
    }

    /// A variable gets a value that may lie so far away.
    pub fn set(&mut self, var: VarId, far: f64) {
        let far = if self.is_astray() { f64::INFINITY } else { far };
        match far > 0.0 {
            true => _ = self.scalars.insert(var, far),
            false => _ = self.scalars.remove(&var),
        }
    }

    /// Something is left open at a statement.
    pub fn note(&mut self, span: SpanId) {
        self.first = self.first.or(Some(span));
    }
}

impl<'t> Array<'t> {
    /// The same elements, all of them marked.
    pub fn all_open(self) -> Array<'t> {
        let len: usize = self.axes.iter().map(|(_, n)| n).product();
        match &self.lanes {
            Lanes::Mask(v) => {
                let lanes = Lanes::Mask(v.iter().map(|of| of | OPEN).collect::<Vec<u8>>().into());
                Array { lanes, ..self }
            }
            Lanes::F32(_) | Lanes::I32(_) | Lanes::I64(_) => Array { error: Some(Arc::new(vec![f64::INFINITY; len])), ..self },
        }
    }

    /// True where an element is marked.
    pub fn is_marked(&self) -> bool {
        match &self.lanes {
            Lanes::Mask(v) => v.iter().any(|of| is_open(*of)),
            Lanes::F32(_) | Lanes::I32(_) | Lanes::I64(_) => {
                self.error.as_ref().is_some_and(|e| e.iter().any(|e| e.is_infinite()))
            }
        }
    }
}

impl<'a> Walker<'a, '_> {
    /// True where a scalar of a statement's own is open, or an index of where it stores.
    pub(super) fn hangs(&self, s: &Stmt) -> Done<bool> {
        let mut found = false;
        if !self.open.scalars.is_empty() {
            s.scalars(&mut |scalar| found |= self.open.mentions(scalar));
        }
        if let StmtKind::Store { to, .. } = &s.kind {
            for ids in to.ids() {
                found |= self.tile(ids.value)?.is_open();
            }
        }
        Ok(found)
    }

    /// True where both answers of a condition are possible.
    pub(super) fn is_undecided(&mut self, cond: &Scalar) -> bool {
        match cond {
            _ if !self.open.mentions(cond) => false,
            Scalar::Bin(BinOp::And | BinOp::Or, a, b) => self.is_undecided(a) || self.is_undecided(b),
            Scalar::Un(UnOp::Not, a) => self.is_undecided(a),
            // What is above or below a number is one interval, and so is the rest: the ends of a scalar decide for all between.
            Scalar::Bin(BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge, a, b) => match (&**a, &**b) {
                (Scalar::Var(var), other) | (other, Scalar::Var(var)) if !self.open.mentions(other) => {
                    let answers = self.at_the_ends(*var, cond);
                    answers.is_none_or(|[low, high]| low != high)
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// The answers of a condition at the ends of an open scalar.
    fn at_the_ends(&mut self, var: VarId, cond: &Scalar) -> Option<[bool; 2]> {
        let far = self.open.far(&Scalar::Var(var));
        let now = eval(&Scalar::Var(var), &self.env).ok()?;
        let ends = match now {
            Value::F32(v) if far.is_finite() => [f64::from(v) - far, f64::from(v) + far].map(|end| Value::F32(end as f32)),
            Value::I32(v) if far.is_finite() => {
                [f64::from(v) - far.ceil(), f64::from(v) + far.ceil()].map(|end| Value::I32(end as i32))
            }
            Value::F32(_) | Value::I32(_) | Value::Int(_) | Value::Bool(_) => return None,
        };
        let mut answers = ends.map(|end| {
            self.env.set(var, end);
            eval(cond, &self.env).ok().and_then(|answer| answer.as_bool().ok())
        });
        self.env.set(var, now);
        Some([answers[0].take()?, answers[1].take()?])
    }

    /// True where a turn of a loop over these axes may be one more, or one less, or another one.
    pub(super) fn is_open_loop(&self, specs: &[AxSpec]) -> bool {
        let open = |s: &Scalar| self.open.mentions(s);
        specs.iter().any(|spec| spec.length.as_ref().is_some_and(open) || open(&self.extents[spec.of.index()]))
    }

    /// Goes into a branch or loop; where it is open another order may not.
    pub(super) fn enter(&mut self, is_open: bool) {
        if is_open {
            self.open.note(self.span);
            self.open.astray += 1;
        }
    }

    /// Comes out of it, and marks what these statements may change: they were not run, or not as often as another order runs them.
    /// `taken` is what was run instead: where both store to one place, that is marked already.
    pub(super) fn leave(&mut self, is_open: bool, stmts: &'a [Stmt], taken: &'a [Stmt]) -> Done {
        if !is_open {
            return Ok(());
        }
        self.open.astray -= 1;
        let (mut moves, mut places) = (false, Vec::new());
        walk_stmts(taken, &mut |s| {
            moves |= matches!(s.kind, StmtKind::LetScalar { .. } | StmtKind::SetScalar { .. } | StmtKind::Read { .. })
        });
        // Places of loops and branches inside are those of their turns.
        places.extend(taken.iter().filter(|_| !moves).filter_map(|s| match &s.kind {
            StmtKind::Store { to, .. } => Some(to),
            _ => None,
        }));
        let mut changed: Vec<ValueId> = Vec::new();
        let mut stored = Vec::new();
        walk_stmts(stmts, &mut |s| match &s.kind {
            StmtKind::SetScalar { var, .. } | StmtKind::Read { var, .. } => _ = self.open.scalars.insert(*var, f64::INFINITY),
            StmtKind::Set { value, .. } => changed.push(*value),
            StmtKind::Store { to, .. } if places.contains(&to) => {}
            StmtKind::Store { to, .. } | StmtKind::Append { to, .. } => stored.push(to.of),
            _ => {}
        });
        for value in changed {
            if let Some(tile) = self.values[value.index()].take() {
                self.values[value.index()] = Some(tile.all_open());
            }
        }
        for of in stored {
            let slot = self.slot(of);
            self.tensors[slot].iter_mut().for_each(|tensor| {
                tensor.open_all();
                tensor.undecided = true;
            });
        }
        Ok(())
    }
}
