//! What loops merge: J0214 where parts of tiles are joined otherwise than they were made.
//!
//! `s = s + p` comes to the same whatever the tile size where `p` is a sum along the tile, times what is the same in all turns; `s.max(p)` where `p` is no sum. What hangs
//! from no tile is merged once a turn, and how many turns there are the tile size says. So is `s * e + p`, as often as `s` is multiplied.
//!
//! Nothing is said of what hangs from a value that a loop changes, as in an online softmax, from numbers of the core (`t.len()`, by which a mean is
//! merged rightly, too), and of merges under `if` and `for`, which may be made for some turns alone.

use super::cx::Cx;
use crate::diag::{Code, Diagnostic};
use crate::ir::{walk_stmts, AxId, Index, Operand, Scalar, SpanId, Stmt, StmtKind, TileExpr, TileLoop, ValueId, VarId};
use crate::ops::{AxisReduceOp, BinaryOp, LayoutOp, Op, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

/// What a value is from turn to turn of a loop along an axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The same in each turn.
    Same,
    /// A sum along the axis, times what is the same.
    Sum,
    /// Something else of the tile.
    Other,
    /// Not known.
    Open,
}

/// How values are computed.
pub(super) struct Parts<'a> {
    exprs: BTreeMap<ValueId, &'a TileExpr>,
    /// Values that are assigned to.
    changing: BTreeSet<ValueId>,
    /// Where the runs of loops begin, and variables that are one number as long as a tile is.
    starts: BTreeMap<AxId, VarId>,
    steady: BTreeSet<VarId>,
    known: BTreeMap<(ValueId, AxId), Part>,
}

impl<'a> Parts<'a> {
    pub fn of(stmts: &'a [Stmt]) -> Parts<'a> {
        let (mut exprs, mut changing) = (BTreeMap::new(), BTreeSet::new());
        let (mut starts, mut steady) = (BTreeMap::new(), BTreeSet::new());
        walk_stmts(stmts, &mut |s| match &s.kind {
            StmtKind::Def { value, expr } => _ = exprs.insert(*value, expr),
            StmtKind::Set { value, .. } => _ = changing.insert(*value),
            StmtKind::Loop { tile } => {
                for spec in &tile.specs {
                    match spec.size.is_each() {
                        true => _ = steady.insert(spec.start),
                        false => _ = starts.insert(spec.ax, spec.start),
                    }
                }
            }
            StmtKind::For { var, .. } => _ = steady.insert(*var),
            _ => {}
        });
        Parts { exprs, changing, starts, steady, known: BTreeMap::new() }
    }

    /// What `v` is along the tile `ax`.
    pub fn part(&mut self, v: ValueId, ax: AxId) -> Part {
        if let Some(part) = self.known.get(&(v, ax)) {
            return *part;
        }
        let part = match self.exprs.get(&v) {
            Some(expr) if !self.changing.contains(&v) => self.computed(expr, ax),
            Some(_) | None => Part::Open,
        };
        self.known.insert((v, ax), part);
        part
    }

    fn computed(&mut self, expr: &TileExpr, ax: AxId) -> Part {
        match expr {
            TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => {
                let ids: Vec<_> = from.ids().map(|ids| self.part(ids.value, ax)).collect();
                if !from.index.iter().all(|index| self.is_of_elements(index)) || ids.iter().any(|part| *part != Part::Same) {
                    Part::Open
                } else {
                    Part::Same
                }
            }
            TileExpr::Fill { value } => scalar(value),
            TileExpr::Iota { .. } => Part::Same,
            TileExpr::Across { .. } | TileExpr::Appended { .. } => Part::Open,
            TileExpr::Reduce { op, value, over, .. } => match (self.part(*value, ax), over.contains(ax), *op) {
                (Part::Open, ..) => Part::Open,
                (Part::Same, false, _) => Part::Same,
                (Part::Same, true, AxisReduceOp::Sum) | (Part::Sum, false, AxisReduceOp::Sum) => Part::Sum,
                _ => Part::Other,
            },
            TileExpr::Cast { value, .. } | TileExpr::Copy { value } => self.part(*value, ax),
            TileExpr::Op { op, args } => self.op(*op, args, ax),
            TileExpr::Truncate { .. }
            | TileExpr::Round { .. }
            | TileExpr::Pick { .. }
            | TileExpr::Top { .. }
            | TileExpr::Scan { .. } => {
                let parts: Vec<_> = expr.operands().map(|v| self.part(v, ax)).collect();
                if parts.iter().all(|part| *part == Part::Same) {
                    Part::Same
                } else {
                    Part::Open
                }
            }
        }
    }

    /// True for an index of the elements of tiles: it names where a run begins for what goes along it alone.
    fn is_of_elements(&self, index: &Index) -> bool {
        let begins = |var: &VarId| index.terms.iter().any(|term| self.starts.get(&term.ax) == Some(var));
        let mut is = true;
        index.offset.walk(&mut |part| {
            is &= match part {
                Scalar::Var(var) => begins(var) || self.steady.contains(var),
                Scalar::BlockIdx => false,
                _ => true,
            }
        });
        is
    }

    fn op(&mut self, op: Op, args: &[Operand], ax: AxId) -> Part {
        let parts: Vec<Part> = args.iter().map(|a| self.operand(a, ax)).collect();
        let is_zero = |a: &Operand| matches!(a, Operand::Scalar { value: Scalar::Float(0.0) | Scalar::I32(0) });
        let sums = |of: &[Part], args: &[Operand]| of.iter().zip(args).all(|(part, a)| *part == Part::Sum || is_zero(a));
        match (op, &parts[..]) {
            (_, all) if all.contains(&Part::Open) => Part::Open,
            (_, all) if all.iter().all(|part| *part == Part::Same) => Part::Same,
            (Op::Binary(BinaryOp::Add | BinaryOp::Sub), all) if sums(all, args) => Part::Sum,
            (Op::Binary(BinaryOp::Mul), [Part::Sum, Part::Same] | [Part::Same, Part::Sum]) => Part::Sum,
            (Op::Binary(BinaryOp::Div), [Part::Sum, Part::Same]) => Part::Sum,
            (Op::Unary(UnaryOp::Neg), [Part::Sum]) => Part::Sum,
            (Op::Layout(LayoutOp::Select), [Part::Same, chosen @ ..]) if sums(chosen, &args[1..]) => Part::Sum,
            _ => Part::Other,
        }
    }

    fn operand(&mut self, a: &Operand, ax: AxId) -> Part {
        match a {
            Operand::Value { value } => self.part(*value, ax),
            Operand::Scalar { value } => scalar(value),
        }
    }

    /// Whether something in `v` adds or multiplies along `ax`, or takes a place there; none where that is not known.
    fn counts(&mut self, v: ValueId, ax: AxId) -> Option<bool> {
        if self.part(v, ax) == Part::Open {
            return None;
        }
        let expr = self.exprs.get(&v).copied()?;
        let own = match expr {
            TileExpr::Reduce { op, over, .. } => {
                let orders = [AxisReduceOp::Max, AxisReduceOp::Min, AxisReduceOp::Any, AxisReduceOp::All];
                over.contains(ax) && !orders.contains(op)
            }
            // That the sum of a tile is above 0 may be true of the whole one just then.
            TileExpr::Op { op: Op::Compare(_), .. } => return None,
            _ => false,
        };
        expr.operands().try_fold(own, |all, v| Some(all | self.counts(v, ax)?))
    }
}

fn scalar(s: &Scalar) -> Part {
    if is_of_host(s) {
        Part::Same
    } else {
        Part::Open
    }
}

/// True for what is written in numbers, sizes and attributes alone.
fn is_of_host(s: &Scalar) -> bool {
    let mut is = true;
    s.walk(&mut |part| is &= !matches!(part, Scalar::Var(_) | Scalar::BlockIdx));
    is
}

/// Why a merge depends on the tile size.
enum Why {
    /// It is made once a turn.
    Turns,
    /// What was there is multiplied once a turn.
    Scaled,
    /// What is added is no sum.
    NoSum,
    /// What is compared is one.
    Sums,
}

impl Cx<'_> {
    /// Judges how parts are merged.
    pub fn judge_merges(&mut self) {
        let mut judge =
            Judge { parts: Parts::of(&self.out), loops: Vec::new(), from: 0, declared: BTreeMap::new(), found: Vec::new() };
        judge.list(&self.out);
        let found: Vec<_> = judge.found;
        for (at, value, ax, why) in found {
            let d = self.wrong_merge(at, value, ax, &why);
            self.report(d);
        }
    }

    fn wrong_merge(&self, at: SpanId, value: ValueId, ax: AxId, why: &Why) -> Diagnostic {
        let (name, run) = (&self.body.values[value.index()].name, &self.body.axes[ax.index()].name);
        let (text, help) = match why {
            Why::Turns => (
                format!("each turn of the loop `{run}` adds to `{name}` what does not hang from its tile: the result counts turns"),
                format!("add what is summed along it, `v.sum({run})`; what counts once is added behind the loop"),
            ),
            Why::Scaled => (
                format!("each turn of the loop `{run}` multiplies `{name}`: the result depends on the tile size"),
                "multiply behind the loop; a factor of each element is part of what is summed".to_string(),
            ),
            Why::NoSum => (
                format!("what is added to `{name}` is computed of the tile `{run}` and is no sum along it: the result depends on the tile size"),
                format!("add `v.sum({run})`, times what is the same in all turns, and compute the rest behind the loop; the largest is `{name}.max(v.amax({run}))`"),
            ),
            Why::Sums => (
                format!("`{name}` is compared with a sum, a product or a place along the tile `{run}`: the result depends on the tile size"),
                format!("compare elements, `v.amax({run})`, or reduce along a whole axis"),
            ),
        };
        Diagnostic::new(Code::J0214, at, text).help(help)
    }
}

struct Judge<'a> {
    parts: Parts<'a>,
    loops: Vec<&'a TileLoop>,
    /// The first loop of which it is known that each of its turns comes here once.
    from: usize,
    /// How many loops are around the declaration of each value.
    declared: BTreeMap<ValueId, usize>,
    found: Vec<(SpanId, ValueId, AxId, Why)>,
}

impl<'a> Judge<'a> {
    fn list(&mut self, stmts: &'a [Stmt]) {
        for s in stmts {
            let (from, depth) = (self.from, self.loops.len());
            match &s.kind {
                StmtKind::Def { value, .. } => _ = self.declared.insert(*value, depth),
                StmtKind::Set { value, from } => self.set(*value, *from, s.span),
                StmtKind::Loop { tile } => {
                    // A range of the core may be that of the tile around.
                    if tile.specs.iter().any(|spec| spec.length.is_some()) {
                        self.from = depth;
                    }
                    self.loops.push(tile);
                }
                StmtKind::For { .. } | StmtKind::If { .. } => self.from = depth,
                _ => {}
            }
            s.children().into_iter().flatten().for_each(|inner| self.list(inner));
            self.loops.truncate(depth);
            self.from = from;
        }
    }

    fn set(&mut self, value: ValueId, from: ValueId, at: SpanId) {
        let Some(TileExpr::Op { op: Op::Binary(op), args }) = self.parts.exprs.get(&from).copied() else { return };
        let outer = self.declared.get(&value).copied().unwrap_or(0).max(self.from);
        let axes: Vec<AxId> = { self.loops.iter().skip(outer) }
            .flat_map(|tile| tile.specs.iter().filter(|spec| !spec.size.is_each()).map(|spec| spec.ax))
            .collect();
        let wrong = axes.into_iter().find_map(|ax| Some((at, value, ax, self.wrong(value, *op, args, ax)?)));
        self.found.extend(wrong);
    }

    /// What is wrong with `value = a op b` in a loop along `ax`.
    fn wrong(&mut self, value: ValueId, op: BinaryOp, args: &[Operand], ax: AxId) -> Option<Why> {
        let [a, b] = args else { return None };
        let is_own = |a: &Operand| a.value() == Some(value);
        let other = match (is_own(a), is_own(b)) {
            (true, false) => b,
            (false, true) => a,
            (true, true) => return None,
            (false, false) => {
                let scaled = op == BinaryOp::Add && [a, b].into_iter().any(|a| self.is_scaled(a, value, ax));
                return scaled.then_some(Why::Scaled);
            }
        };
        match op {
            BinaryOp::Add | BinaryOp::Sub => match self.parts.operand(other, ax) {
                Part::Same => Some(Why::Turns),
                Part::Other => Some(Why::NoSum),
                Part::Sum | Part::Open => None,
            },
            BinaryOp::Max | BinaryOp::Min => (self.parts.counts(other.value()?, ax)?).then_some(Why::Sums),
            BinaryOp::Mul | BinaryOp::Div => (self.parts.operand(other, ax) == Part::Same).then_some(Why::Scaled),
        }
    }

    /// True for `value * e` with an `e` that is the same in each turn.
    fn is_scaled(&mut self, a: &Operand, value: ValueId, ax: AxId) -> bool {
        let Some(TileExpr::Op { op: Op::Binary(BinaryOp::Mul | BinaryOp::Div), args }) =
            a.value().and_then(|v| self.parts.exprs.get(&v).copied())
        else {
            return false;
        };
        let (own, others): (Vec<_>, Vec<_>) = args.iter().partition(|a| a.value() == Some(value));
        own.len() == 1 && others.into_iter().all(|a| self.parts.operand(a, ax) == Part::Same)
    }
}
