//! Runs the source of a tile kernel on [`Number`]s, with any cut of its loops and any number of
//! blocks.
//!
//! It shares nothing with the tile interpreter but the IR. Its arithmetic is another one, in which
//! two right cuts give one number.
//!
//! - A block has its own variables and tiles; GM is common.
//! - Each block runs a part of the iterations of an outermost loop, one block after the other.
//! - A cross-core accumulator starts neutral in all blocks but the first, and is merged after the
//!   loop.
//! - Outside of loops all blocks run every statement, and only the first one stores.
//!
//! Element types are numbers without limits: nothing wraps, and only ops that round do so. A cast
//! to a float by a mode other than to nearest rounds to a multiple of 1/2. This is coarser than any
//! type, so that the rounding shows.

mod values;

use super::number::Number;
use super::Subject;
use crate::tile::Cut;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::tile::{Body, Stmt};
use jumar_dsl::ir::{
    walk_stmts, AxFrom, AxId, AxSpec, Kernel, Promised, Scalar, ScalarTy, StmtKind, StoreHow,
    TensorRef, TileExpr, TileLoop, TileStmt, ValueId, VarId,
};
use jumar_dsl::ops::AxisReduceOp;
use jumar_dsl::scalar::Value;
use jumar_dsl::soc::Chip;
use std::collections::BTreeSet;
use std::rc::Rc;
use values::{neutral, step};

/// The cut of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct How {
    pub cut: Cut,
    pub blocks: usize,
}

/// The reason why a run has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A mistake of the kernel: an access outside of a tensor, or a broken promise.
    Fault(String),
    /// Something the judge does not support, or a run that takes too long.
    Unknown(String),
}

/// The arguments of a drawn launch.
#[derive(Clone, Debug)]
pub(super) struct Draw {
    pub dims: Vec<i64>,
    pub attrs: Vec<Option<Value>>,
    /// One entry for each parameter; `None` for attributes and tensors that are left out. An
    /// element without a value is `None`.
    pub tensors: Vec<Option<Vec<Option<Number>>>>,
}

type Done<T = ()> = Result<T, Stop>;
/// An axis with its size in this iteration.
type Sized = (AxId, usize);

fn unknown<T>(what: impl Into<String>) -> Done<T> {
    Err(Stop::Unknown(what.into()))
}

fn fault<T>(what: impl Into<String>) -> Done<T> {
    Err(Stop::Fault(what.into()))
}

/// A tile, row-major over its axes. Truth values are 0 and 1.
#[derive(Clone, Debug)]
struct Array {
    axes: Vec<Sized>,
    all: Rc<Vec<Number>>,
}

impl Array {
    fn stride(&self, axis: AxId) -> usize {
        match self.axes.iter().position(|(ax, _)| *ax == axis) {
            Some(at) => self.axes[at + 1..].iter().map(|(_, n)| n).product(),
            None => 0,
        }
    }

    /// Broadcasts along the axes that it lacks.
    fn expand(&self, axes: &[Sized]) -> Array {
        if self.axes == axes {
            return self.clone();
        }
        let strides: Vec<usize> = axes.iter().map(|(ax, _)| self.stride(*ax)).collect();
        let mut all = Vec::new();
        each(axes, |at| {
            all.push(self.all[at.iter().zip(&strides).map(|(i, s)| i * s).sum::<usize>()])
        });
        Array {
            axes: axes.to_vec(),
            all: Rc::new(all),
        }
    }

    /// Returns rows of the elements along some axes, and the remaining axes.
    fn rows(&self, over: &[AxId]) -> (Vec<Vec<Number>>, Vec<Sized>) {
        let (inner, outer): (Vec<Sized>, Vec<Sized>) =
            self.axes.iter().partition(|(ax, _)| over.contains(ax));
        let order: Vec<Sized> = outer.iter().chain(&inner).copied().collect();
        let all = self.expand(&order).all;
        let count: usize = outer.iter().map(|(_, n)| n).product();
        let cols: usize = inner.iter().map(|(_, n)| n).product();
        (
            (0..count)
                .map(|row| all[row * cols..(row + 1) * cols].to_vec())
                .collect(),
            outer,
        )
    }
}

/// Calls `f` with every place of axes, the last axis fastest.
fn each(axes: &[Sized], mut f: impl FnMut(&[usize])) {
    let len: usize = axes.iter().map(|(_, n)| n).product();
    let mut at = vec![0; axes.len()];
    for _ in 0..len {
        f(&at);
        for (i, (_, n)) in at.iter_mut().zip(axes).rev() {
            *i += 1;
            if *i < *n {
                break;
            }
            *i = 0;
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Single {
    Whole(i64),
    Number(Number),
    Truth(bool),
}

/// The private state of a block.
#[derive(Clone)]
struct Own {
    vars: Vec<Option<Single>>,
    values: Vec<Option<Array>>,
}

struct Tensor {
    name: String,
    all: Vec<Option<Number>>,
    appended: usize,
}

pub(super) struct Runner<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    binding: &'a [DType],
    chip: &'a Chip,
    draw: &'a Draw,
    how: How,
    extents: Vec<Scalar>,
    starts: Vec<Option<VarId>>,
    own: Vec<Own>,
    /// The block that runs.
    block: usize,
    tensors: Vec<Option<Tensor>>,
    /// Cross-core accumulators, with the op that merges them.
    across: Vec<(ValueId, AxisReduceOp)>,
    /// True in an outermost loop.
    is_divided: bool,
    /// Elements stored to with `store_disjoint`, as tensor number and element.
    once: BTreeSet<(usize, usize)>,
    /// Elements that may still be computed.
    left: u64,
}

impl<'a> Runner<'a> {
    pub fn run(
        of: Subject<'a>,
        draw: &'a Draw,
        how: How,
        left: u64,
    ) -> Done<Vec<Option<Vec<Option<Number>>>>> {
        let Subject {
            kernel,
            body,
            instance,
            chip,
        } = of;
        let mut extents: Vec<Scalar> = { body.axes.iter() }
            .map(|decl| match &decl.from {
                AxFrom::Whole { extent } => extent.clone(),
                AxFrom::Run { .. } | AxFrom::Hull { .. } => Scalar::Int(0),
            })
            .collect();
        let mut starts = vec![None; extents.len()];
        let mut across = Vec::new();
        body.walk(&mut |s| match &s.kind {
            StmtKind::Do(TileStmt::Loop { tile }) => {
                for spec in &tile.specs {
                    extents[spec.ax.index()] = spec.len.into();
                    starts[spec.ax.index()] = Some(spec.start);
                }
            }
            StmtKind::Do(TileStmt::Def { value, expr }) => {
                if let TileExpr::Across { op, .. } = expr {
                    across.push((*value, *op));
                }
            }
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::For { .. }
            | StmtKind::If { .. }
            | StmtKind::Promise { .. } => {}
            StmtKind::Do(
                TileStmt::Set { .. }
                | TileStmt::Store { .. }
                | TileStmt::Append { .. }
                | TileStmt::Read { .. }
                | TileStmt::Dump { .. },
            ) => {}
        });
        for (at, decl) in body.axes.iter().enumerate() {
            if let AxFrom::Hull { of, more } = &decl.from {
                extents[at] = extents[of.index()].clone() + *more;
            }
        }
        let tensors = kernel
            .sig
            .params
            .iter()
            .zip(&draw.tensors)
            .map(|(param, all)| {
                all.as_ref().map(|all| Tensor {
                    name: param.name.clone(),
                    all: all.clone(),
                    appended: 0,
                })
            });
        let own = Own {
            vars: vec![None; body.vars.len()],
            values: vec![None; body.values.len()],
        };
        let mut runner = Runner {
            kernel,
            body,
            binding: &kernel.sig.instances[instance],
            chip,
            draw,
            how,
            extents,
            starts,
            own: vec![own; how.blocks],
            block: 0,
            tensors: tensors.collect(),
            across,
            is_divided: false,
            once: BTreeSet::new(),
            left,
        };
        for work in &body.works {
            let len = usize::try_from(runner.whole(&work.len)?).unwrap_or(0);
            if len > 1 << 20 {
                return unknown("a large workspace");
            }
            runner.tensors.push(Some(Tensor {
                name: work.name.clone(),
                all: vec![None; len],
                appended: 0,
            }));
        }
        runner.begin_sums(body)?;
        runner.top(&body.stmts)?;
        Ok(runner
            .tensors
            .into_iter()
            .take(kernel.sig.params.len())
            .map(|t| t.map(|t| t.all))
            .collect())
    }

    /// Fills an output whose first access adds with zeros.
    fn begin_sums(&mut self, body: &Body) -> Done {
        let mut seen = Vec::new();
        body.walk(&mut |s| {
            if let Some(access) = s.access() {
                let adds = matches!(
                    s.kind,
                    StmtKind::Do(TileStmt::Store {
                        how: StoreHow::Add,
                        ..
                    })
                );
                if !seen.iter().any(|(of, _)| *of == access.of) {
                    seen.push((access.of, adds));
                }
            }
        });
        for (of, _) in seen.into_iter().filter(|(_, adds)| *adds) {
            let tensor = self.tensor_mut(of)?;
            tensor
                .all
                .iter_mut()
                .filter(|v| v.is_none())
                .for_each(|v| *v = Some(Number::ZERO));
        }
        Ok(())
    }

    fn slot(&self, of: TensorRef) -> usize {
        match of {
            TensorRef::Param(p) => p.index(),
            TensorRef::Work(w) => self.kernel.sig.params.len() + w.index(),
        }
    }

    fn tensor(&self, of: TensorRef) -> Done<&Tensor> {
        match self.tensors.get(self.slot(of)) {
            Some(Some(tensor)) => Ok(tensor),
            Some(None) | None => fault("a tensor that was left out"),
        }
    }

    fn tensor_mut(&mut self, of: TensorRef) -> Done<&mut Tensor> {
        let slot = self.slot(of);
        match self.tensors.get_mut(slot) {
            Some(Some(tensor)) => Ok(tensor),
            Some(None) | None => fault("a tensor that was left out"),
        }
    }

    fn spend(&mut self, elements: usize) -> Done {
        match self.left.checked_sub(elements as u64 + 1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => unknown("takes too long"),
        }
    }

    /// Runs statements outside of loops: every block runs them, the first one alone stores.
    fn top(&mut self, stmts: &'a [Stmt]) -> Done {
        for s in stmts {
            match &s.kind {
                StmtKind::Do(TileStmt::Loop { tile }) => self.divided(tile)?,
                StmtKind::For {
                    var,
                    from,
                    to,
                    body,
                } => {
                    let (from, to) = (self.whole(from)?, self.whole(to)?);
                    for i in from..to {
                        self.spend(1)?;
                        for block in 0..self.how.blocks {
                            self.own[block].vars[var.index()] = Some(Single::Whole(i));
                        }
                        self.top(body)?;
                    }
                }
                StmtKind::If { cond, then, other } => {
                    let mut taken = Vec::new();
                    for block in 0..self.how.blocks {
                        self.block = block;
                        taken.push(self.truth(cond)?);
                    }
                    self.block = 0;
                    if taken.iter().any(|own| *own != taken[0]) {
                        return fault("a branch outside of loops that blocks take differently");
                    }
                    self.top(if taken[0] { then } else { other })?;
                }
                StmtKind::LetScalar { .. }
                | StmtKind::SetScalar { .. }
                | StmtKind::Promise { .. }
                | StmtKind::Do(
                    TileStmt::Def { .. }
                    | TileStmt::Set { .. }
                    | TileStmt::Store { .. }
                    | TileStmt::Append { .. }
                    | TileStmt::Read { .. }
                    | TileStmt::Dump { .. },
                ) => {
                    for block in 0..self.how.blocks {
                        self.block = block;
                        self.stmt(s)?;
                    }
                    self.block = 0;
                }
            }
        }
        Ok(())
    }

    /// Returns the iterations of a loop, in order.
    fn turns(&self, specs: &[AxSpec]) -> Done<Vec<Vec<(i64, i64)>>> {
        let mut all: Vec<Vec<(i64, i64)>> = vec![Vec::new()];
        for (nth, spec) in specs.iter().enumerate() {
            let mut whole = self.whole(&self.extents[spec.of.index()])?;
            if let Some(length) = &spec.length {
                if specs[..nth]
                    .iter()
                    .any(|outer| length.mentions(outer.start) || length.mentions(outer.len))
                {
                    return unknown("a range that an axis of its own loop says");
                }
                whole = self.whole(length)?.min(whole);
            }
            let cut = if spec.size.is_each() {
                Cut::Singles
            } else {
                self.how.cut
            };
            let runs = cut.runs(whole);
            all = all
                .iter()
                .flat_map(|outer| runs.iter().map(move |run| [&outer[..], &[*run]].concat()))
                .collect();
        }
        Ok(all)
    }

    fn turn(&mut self, tile: &'a TileLoop, runs: &[(i64, i64)]) -> Done {
        self.spend(1)?;
        for (spec, (from, n)) in tile.specs.iter().zip(runs) {
            self.set(spec.start, Single::Whole(*from));
            self.set(spec.len, Single::Whole(*n));
        }
        self.stmts(&tile.body)
    }

    fn divided(&mut self, tile: &'a TileLoop) -> Done {
        let turns = self.turns(&tile.specs)?;
        let mut merged = Vec::new();
        walk_stmts(&tile.body, &mut |s| {
            if let StmtKind::Do(TileStmt::Set { value, .. }) = &s.kind {
                merged.extend(self.across.iter().find(|(own, _)| own == value).copied());
            }
        });
        merged.sort_unstable_by_key(|(value, _)| *value);
        merged.dedup();
        for block in 1..self.how.blocks {
            for (value, op) in merged.iter().copied() {
                if let Some(held) = &mut self.own[block].values[value.index()] {
                    *held = Array {
                        axes: held.axes.clone(),
                        all: Rc::new(vec![neutral(op)?; held.all.len()]),
                    };
                }
            }
        }
        self.is_divided = true;
        self.once.clear();
        let (blocks, count) = (self.how.blocks, turns.len());
        let mut rest = &turns[..];
        for block in 0..blocks {
            // The first blocks have one iteration more where the division leaves a rest.
            let share = count / blocks + usize::from(block < count % blocks);
            let (mine, others) = rest.split_at(share);
            rest = others;
            self.block = block;
            for runs in mine {
                self.turn(tile, runs)?;
            }
        }
        self.block = 0;
        self.is_divided = false;
        for (value, op) in merged {
            let parts: Vec<Array> = self
                .own
                .iter()
                .filter_map(|own| own.values[value.index()].clone())
                .collect();
            let Some((first, others)) = parts.split_first() else {
                continue;
            };
            let mut all = first.all.to_vec();
            for other in others {
                for (a, b) in all.iter_mut().zip(other.all.iter()) {
                    *a = step(op, *a, *b)?;
                }
            }
            let total = Array {
                axes: first.axes.clone(),
                all: Rc::new(all),
            };
            self.own
                .iter_mut()
                .for_each(|own| own.values[value.index()] = Some(total.clone()));
        }
        Ok(())
    }

    fn stmts(&mut self, stmts: &'a [Stmt]) -> Done {
        stmts.iter().try_for_each(|s| self.stmt(s))
    }

    fn set(&mut self, var: VarId, value: Single) {
        self.own[self.block].vars[var.index()] = Some(value);
    }

    fn stmt(&mut self, s: &'a Stmt) -> Done {
        match &s.kind {
            StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                let value = self.scalar(value)?;
                self.set(*var, value);
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                let (from, to) = (self.whole(from)?, self.whole(to)?);
                for i in from..to {
                    self.spend(1)?;
                    self.set(*var, Single::Whole(i));
                    self.stmts(body)?;
                }
            }
            StmtKind::If { cond, then, other } => {
                let taken = if self.truth(cond)? { then } else { other };
                self.stmts(taken)?;
            }
            StmtKind::Do(TileStmt::Loop { tile }) => {
                for runs in self.turns(&tile.specs)? {
                    self.turn(tile, &runs)?;
                }
            }
            StmtKind::Do(TileStmt::Def { value, expr }) => {
                let made = self.expr(*value, expr)?;
                self.spend(made.all.len())?;
                self.own[self.block].values[value.index()] = Some(made);
            }
            StmtKind::Do(TileStmt::Set { value, from }) => {
                let axes = self.tile(*value)?.axes.clone();
                let made = self.tile(*from)?.expand(&axes);
                self.own[self.block].values[value.index()] = Some(made);
            }
            StmtKind::Do(TileStmt::Store { to, value, how }) => {
                if !self.is_divided && self.block > 0 {
                    return Ok(());
                }
                let axes = self.sized(&to.axes())?;
                let tile = self.tile(*value)?.expand(&axes);
                let places = self.places(to, &axes)?;
                self.spend(places.len())?;
                if *how == StoreHow::Disjoint {
                    let slot = self.slot(to.of);
                    if !places
                        .iter()
                        .flatten()
                        .all(|at| self.once.insert((slot, *at)))
                    {
                        return unknown("the draw breaks the promise of `store_disjoint`");
                    }
                }
                let tensor = self.tensor_mut(to.of)?;
                for (place, new) in places.into_iter().zip(tile.all.iter()) {
                    match (place, how) {
                        (Some(at), StoreHow::Add) => {
                            let Some(old) = tensor.all[at] else {
                                return fault("a sum onto what has no value");
                            };
                            tensor.all[at] = Some(old.plus(*new));
                        }
                        (
                            Some(at),
                            StoreHow::Plain | StoreHow::Any | StoreHow::Disjoint | StoreHow::Inside,
                        ) => tensor.all[at] = Some(*new),
                        (None, StoreHow::Inside) => {}
                        (
                            None,
                            StoreHow::Plain | StoreHow::Add | StoreHow::Any | StoreHow::Disjoint,
                        ) => {
                            return fault(format!("a store outside of `{}`", tensor.name));
                        }
                    }
                }
            }
            StmtKind::Do(TileStmt::Append {
                to, value, mask, ..
            }) => {
                let (tile, mask) = (self.tile(*value)?.clone(), self.tile(*mask)?.clone());
                let mask = mask.expand(&tile.axes);
                let tensor = self.tensor_mut(to.of)?;
                for (new, kept) in tile.all.iter().zip(mask.all.iter()) {
                    if kept.is_true() {
                        if let Some(old) = tensor.all.get_mut(tensor.appended) {
                            *old = Some(*new);
                        }
                        tensor.appended += 1;
                    }
                }
            }
            StmtKind::Do(TileStmt::Read { var, value }) => {
                let tile = self.tile(*value)?;
                let Some(number) = tile.all.first().copied() else {
                    return fault("a scalar of no element");
                };
                let read = match var.ty() {
                    ScalarTy::F32 => Single::Number(number),
                    ScalarTy::Index | ScalarTy::I32 => Single::Whole(number.as_whole()),
                    ScalarTy::Bool => Single::Truth(number.is_true()),
                };
                self.set(*var, read);
            }
            StmtKind::Do(TileStmt::Dump { .. }) => {}
            StmtKind::Promise {
                what: Promised::Fact { cond, text },
            } => {
                if !self.truth(cond)? {
                    return unknown(format!("the draw breaks `assume({text})`"));
                }
            }
            StmtKind::Promise {
                what: Promised::Index { .. },
            } => return unknown("a statement of the queue level"),
        }
        Ok(())
    }
}
