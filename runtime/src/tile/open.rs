//! Marks of undecided results: another legal order of a sum may change them, and no bound says by
//! how much.
//!
//! An element is marked by an infinite error, a mask element by the bit [`OPEN`], a scalar by an
//! entry in [`Openness`]. Ops carry the mark on ([`super::elementwise`], [`super::reduce`]). This
//! module carries it through control flow and places. It marks what a branch changes that may not
//! be taken, what an undecided index chooses, and where a store may go.

use super::array::{is_open, Array, Lanes, OPEN};
use super::walk::{Done, Walker};
use jumar_dsl::ir::tile::Stmt;
use jumar_dsl::ir::{
    walk_stmts, AxSpec, BinOp, Scalar, ScalarTy, SpanId, StmtKind, TileStmt, UnOp, ValueId, VarId,
};
use jumar_dsl::scalar::{binary, unary};
use jumar_dsl::tiling::{eval, EvalError, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The undecided scalars and control flow at a statement.
#[derive(Default)]
pub(super) struct Openness {
    /// Scalars that another order of a sum may change, with their errors.
    scalars: BTreeMap<VarId, f64>,
    /// The number of enclosing branches and loops that another order may not take, or not as often.
    astray: usize,
    /// The first statement with an undecided result.
    pub first: Option<SpanId>,
}

impl Openness {
    /// True if another order may not reach this statement.
    pub fn is_astray(&self) -> bool {
        self.astray > 0
    }

    /// True for a scalar that is computed from undecided ones.
    pub fn mentions(&self, s: &Scalar) -> bool {
        self.scalars.keys().any(|var| s.mentions(*var))
    }

    /// Records the error of a variable's new value.
    pub fn set(&mut self, var: VarId, far: f64) {
        let far = if self.is_astray() { f64::INFINITY } else { far };
        match far > 0.0 {
            true => _ = self.scalars.insert(var, far),
            false => _ = self.scalars.remove(&var),
        }
    }

    /// Records a statement with an undecided result.
    pub fn note(&mut self, span: SpanId) {
        self.first = self.first.or(Some(span));
    }
}

impl<'t> Array<'t> {
    /// Marks all elements.
    pub fn all_open(self) -> Array<'t> {
        let len: usize = self.axes.iter().map(|(_, n)| n).product();
        match &self.lanes {
            Lanes::Mask(v) => {
                let lanes = Lanes::Mask(v.iter().map(|of| of | OPEN).collect::<Vec<u8>>().into());
                Array { lanes, ..self }
            }
            Lanes::F32(_) | Lanes::I32(_) | Lanes::I64(_) => Array {
                error: Some(Arc::new(vec![f64::INFINITY; len])),
                ..self
            },
        }
    }

    /// True if an element is marked.
    pub fn is_marked(&self) -> bool {
        match &self.lanes {
            Lanes::Mask(v) => v.iter().any(|of| is_open(*of)),
            Lanes::F32(_) | Lanes::I32(_) | Lanes::I64(_) => self
                .error
                .as_ref()
                .is_some_and(|e| e.iter().any(|e| e.is_infinite())),
        }
    }
}

impl<'a> Walker<'a, '_> {
    /// True if a scalar of the statement itself, or an index of its store, is undecided.
    pub(super) fn hangs(&self, s: &Stmt) -> Done<bool> {
        let mut found = false;
        if !self.open.scalars.is_empty() {
            s.scalars(&mut |scalar| found |= self.far(scalar) > 0.0);
        }
        if let StmtKind::Do(TileStmt::Store { to, .. }) = &s.kind {
            for ids in to.ids() {
                found |= self.tile(ids.value)?.is_open();
            }
        }
        Ok(found)
    }

    /// Returns the error of a scalar; infinite where nothing bounds it.
    pub(super) fn far(&self, s: &Scalar) -> f64 {
        match self.open.mentions(s) {
            true => self.bound(s).unwrap_or(f64::INFINITY),
            false => 0.0,
        }
    }

    /// Returns the bound of a scalar that is computed from undecided ones. Float arithmetic, `min`,
    /// `max` and roots have their extremes at the ends of their operands, roundings included.
    /// Results of undecided integers have no bound.
    fn bound(&self, s: &Scalar) -> Option<f64> {
        match s {
            Scalar::Var(var) => self.open.scalars.get(var).copied(),
            Scalar::Un(UnOp::Not, _) => (!self.is_undecided(s)).then_some(0.0),
            Scalar::Bin(op, _, _) if op.is_predicate() => (!self.is_undecided(s)).then_some(0.0),
            Scalar::Select(cond, a, b) => {
                let taken = if self.answer(cond)? { a } else { b };
                (!self.is_undecided(cond)).then(|| self.far(taken))
            }
            Scalar::Un(op, a) => {
                let Some(ends) = self.ends(a)? else {
                    return Some(0.0);
                };
                // A root of a number that is negative in every order is nan in every order.
                if *op == UnOp::Sqrt && ends.iter().all(|end| *end < 0.0) {
                    return Some(0.0);
                }
                self.reach(s, ends.map(|end| unary(*op, Value::F32(end))))
            }
            Scalar::Bin(op, a, b) => {
                let (a, b) = match (self.ends(a)?, self.ends(b)?) {
                    (None, None) => return Some(0.0),
                    (Some(a), Some(b)) => (a, b),
                    (Some(ends), None) => (ends, self.exact(b)?),
                    (None, Some(ends)) => (self.exact(a)?, ends),
                };
                if *op == BinOp::Div && b[0] <= 0.0 && b[1] >= 0.0 {
                    return None;
                }
                let corners = [(a[0], b[0]), (a[0], b[1]), (a[1], b[0]), (a[1], b[1])];
                self.reach(
                    s,
                    corners.map(|(a, b)| binary(*op, Value::F32(a), Value::F32(b))),
                )
            }
            Scalar::Cast(ty, a) => {
                let Some([low, high]) = self.ends(a)? else {
                    return Some(0.0);
                };
                match ty {
                    // Truncation jumps at integers.
                    ScalarTy::I32 | ScalarTy::Index => (low.trunc() == high.trunc()).then_some(0.0),
                    ScalarTy::F32 => self.reach(s, [low, high].map(|end| Ok(Value::F32(end)))),
                    ScalarTy::Bool => None,
                }
            }
            // These leaves depend on no sum.
            Scalar::Int(_)
            | Scalar::I32(_)
            | Scalar::Float(_)
            | Scalar::Bool(_)
            | Scalar::Axis(_)
            | Scalar::Attr(..)
            | Scalar::Chip(_)
            | Scalar::SizeOf(_)
            | Scalar::BlockIdx
            | Scalar::BlockDim => Some(0.0),
        }
    }

    /// Returns the interval of a float in other orders, `Some(None)` where it is exact. Returns
    /// `None` for other undecided scalars, or without a bound.
    fn ends(&self, s: &Scalar) -> Option<Option<[f32; 2]>> {
        match (self.far(s), eval(s, &self.env).ok()?) {
            (0.0, _) => Some(None),
            (far, Value::F32(v)) if far.is_finite() && v.is_finite() => Some(Some(
                [f64::from(v) - far, f64::from(v) + far].map(|end| end as f32),
            )),
            (_, Value::F32(_) | Value::Int(_) | Value::I32(_) | Value::Bool(_)) => None,
        }
    }

    /// Returns an exact float as both ends of an interval.
    fn exact(&self, s: &Scalar) -> Option<[f32; 2]> {
        match eval(s, &self.env).ok()? {
            Value::F32(v) => Some([v, v]),
            Value::Int(_) | Value::I32(_) | Value::Bool(_) => None,
        }
    }

    /// Returns the largest distance of these values from the scalar's value.
    fn reach<const N: usize>(
        &self,
        s: &Scalar,
        others: [Result<Value, EvalError>; N],
    ) -> Option<f64> {
        let now = f64::from(eval(s, &self.env).ok()?.as_f32().ok()?);
        others.into_iter().try_fold(0f64, |far, other| {
            let distance = (f64::from(other.ok()?.as_f32().ok()?) - now).abs();
            distance.is_finite().then_some(far.max(distance))
        })
    }

    /// Evaluates a condition with the numbers at hand.
    fn answer(&self, cond: &Scalar) -> Option<bool> {
        eval(cond, &self.env).ok()?.as_bool().ok()
    }

    /// True if both results of a condition are possible.
    pub(super) fn is_undecided(&self, cond: &Scalar) -> bool {
        match cond {
            _ if !self.open.mentions(cond) => false,
            Scalar::Bin(op @ (BinOp::And | BinOp::Or), a, b) => {
                let sides = [a, b].map(|s| (self.is_undecided(s), self.answer(s)));
                // One decided side that fixes the result alone is enough.
                let decides = (false, Some(*op == BinOp::Or));
                sides.iter().any(|(is_open, _)| *is_open) && !sides.contains(&decides)
            }
            Scalar::Un(UnOp::Not, a) => self.is_undecided(a),
            Scalar::Bin(op, a, b) if op.is_predicate() => match [self.far(a), self.far(b)] {
                [0.0, 0.0] => false,
                // Intervals that do not overlap compare alike in every order.
                far => {
                    !matches!([self.range(a, far[0]), self.range(b, far[1])], [Some(a), Some(b)] if a[1] < b[0] || b[1] < a[0])
                }
            },
            cond => self.far(cond) > 0.0,
        }
    }

    /// Returns the interval of a scalar with this error.
    fn range(&self, s: &Scalar, far: f64) -> Option<[f64; 2]> {
        let v = match eval(s, &self.env).ok()? {
            Value::F32(v) => f64::from(v),
            Value::I32(v) => f64::from(v),
            Value::Int(v) => v as f64,
            Value::Bool(_) => return None,
        };
        far.is_finite().then_some([v - far, v + far])
    }

    /// True if a loop over these axes may have more, fewer or other iterations in another order.
    pub(super) fn is_open_loop(&self, specs: &[AxSpec]) -> bool {
        let open = |s: &Scalar| self.far(s) > 0.0;
        specs.iter().any(|spec| {
            spec.length.as_ref().is_some_and(open) || open(&self.extents[spec.of.index()])
        })
    }

    /// Enters a branch or loop, which another order may not take if it is undecided.
    pub(super) fn enter(&mut self, is_open: bool) {
        if is_open {
            self.open.note(self.span);
            self.open.astray += 1;
        }
    }

    /// Leaves a branch or loop, and marks what these statements may change: another order may run
    /// them when this one did not, or at other iterations. `taken` are the statements that were run
    /// instead. A store that they make to an identical place has marked it already.
    pub(super) fn leave(&mut self, is_open: bool, stmts: &'a [Stmt], taken: &'a [Stmt]) -> Done {
        if !is_open {
            return Ok(());
        }
        self.open.astray -= 1;
        let (mut moves, mut places) = (false, Vec::new());
        walk_stmts(taken, &mut |s| {
            moves |= matches!(
                s.kind,
                StmtKind::LetScalar { .. }
                    | StmtKind::SetScalar { .. }
                    | StmtKind::Do(TileStmt::Read { .. })
            )
        });
        // Places inside of nested loops and branches belong to their own iterations.
        for s in taken.iter().filter(|_| !moves) {
            if let StmtKind::Do(TileStmt::Store { to, .. }) = &s.kind {
                places.push(to);
            }
        }
        let mut changed: Vec<ValueId> = Vec::new();
        let mut stored = Vec::new();
        walk_stmts(stmts, &mut |s| match &s.kind {
            StmtKind::SetScalar { var, .. } | StmtKind::Do(TileStmt::Read { var, .. }) => {
                _ = self.open.scalars.insert(*var, f64::INFINITY)
            }
            StmtKind::Do(TileStmt::Set { value, .. }) => changed.push(*value),
            StmtKind::Do(TileStmt::Store { to, .. }) if places.contains(&to) => {}
            StmtKind::Do(TileStmt::Store { to, .. } | TileStmt::Append { to, .. }) => {
                stored.push(to.of)
            }
            // A definition inside is not read outside, and a dump changes nothing.
            StmtKind::LetScalar { .. }
            | StmtKind::Do(TileStmt::Def { .. } | TileStmt::Dump { .. }) => {}
            StmtKind::For { .. }
            | StmtKind::If { .. }
            | StmtKind::Promise { .. }
            | StmtKind::Do(TileStmt::Loop { .. }) => {}
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
