//! Runs the IR over named axes: statement after statement, each tile whole.
//!
//! A tile loop runs its body for ranges of indices that a [`Cut`] decides. A kernel whose result
//! depends on the cut depends on the tile size, and no kernel may.

use super::add::{merged, Adding, Again, Joined, Sum};
use super::array::{Array, Lanes, Sized};
use super::elementwise::{Call, Operand};
use super::gm::{Outside, Place, Tensor};
use super::open::Openness;
use super::parts::Parts;
use super::pick::{pick, ranked, Chosen};
use super::reduce::{self, Asked};
use super::scan::scan;
use super::top::top;
use super::trace::Traced;
use super::{ideal, round, stored, Cut, Options, Trip};
use crate::error::{broken_assumption, broken_promise};
use crate::shown::{Dump, Shown};
use crate::Overflow;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::{DType, RoundMode};
use jumar_dsl::ir::tile::{Body, Stmt};
use jumar_dsl::ir::{
    self, Access, AxFrom, AxId, AxSpec, Axes, ParamId, Promised, Scalar, ScalarTy, Signature,
    SourceSpan, SpanId, StmtKind, StoreHow, TensorRef, TileExpr, TileStmt, Ty, ValueDecl, ValueId,
    VarId,
};
use jumar_dsl::ops::{AxisReduceOp, BinaryOp, CompareOp, LayoutOp, Op, UnaryOp};
use jumar_dsl::tiling::{eval, Env, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The state of a run.
pub(super) struct Walker<'a, 't> {
    sig: &'a Signature,
    body: &'a Body,
    /// Element types of the instance.
    binding: &'a [DType],
    /// The number of indices of each axis: a size that the host knows, or the length of this
    /// iteration.
    pub(super) extents: Vec<Scalar>,
    /// The first index of this iteration, for axes of loops.
    starts: Vec<Option<VarId>>,
    pub(super) env: Env<'a>,
    options: &'a Options,
    /// One entry for each parameter, `None` for attributes, followed by one for each workspace.
    pub tensors: Vec<Option<Tensor<'t>>>,
    /// Index tiles with the tensor that promises their range.
    promised: BTreeMap<ValueId, (ParamId, Scalar)>,
    /// The number of parameters.
    params: usize,
    pub(super) values: Vec<Option<Array<'t>>>,
    /// Records of cross-core sums, where bounds are wanted.
    sums: BTreeMap<ValueId, (DType, Vec<Sum>)>,
    /// Records of tiles whose elements are sums, where bounds are wanted.
    parts: BTreeMap<ValueId, Parts>,
    /// Sums and, with `true`, products of two tiles, which may be assigned to an accumulator.
    joins: BTreeMap<ValueId, (bool, [ValueId; 2])>,
    /// Tiles of places in the order of other tiles' elements, and these tiles.
    orders: BTreeMap<ValueId, Vec<ValueId>>,
    /// Loop axes of the loops around the statement.
    around: Vec<&'a AxSpec>,
    /// Results that another order of a sum may change.
    pub open: Openness,
    /// True if a scalar or an index of the statement being run is undecided.
    hangs: bool,
    /// The statement being run.
    pub span: SpanId,
    /// The source locations of statements.
    lines: &'a [SourceSpan],
    /// The dumps of the run.
    pub shown: Shown,
    /// The values that statements gave to tiles, where they are traced.
    pub traced: Vec<((ValueId, SpanId), Traced)>,
}

pub(super) type Done<T = ()> = Result<T, Trip>;

fn no_tensor() -> Trip {
    Trip::malformed("an access of something that is no tensor")
}

/// The element type of a tile, or a mask.
#[derive(Clone, Copy, PartialEq)]
enum Elem {
    Number(DType),
    /// The result of a compare.
    Mask,
}

impl<'a, 't> Walker<'a, 't> {
    pub fn new(
        (sig, body, binding, lines): (&'a Signature, &'a Body, &'a [DType], &'a [SourceSpan]),
        env: Env<'a>,
        options: &'a Options,
        tensors: Vec<Option<Tensor<'t>>>,
    ) -> Done<Self> {
        let mut extents: Vec<Scalar> = body
            .axes
            .iter()
            .map(|decl| match &decl.from {
                AxFrom::Whole { extent } => extent.clone(),
                // No loop runs over it, so no tile has it.
                AxFrom::Run { .. } | AxFrom::Hull { .. } => Scalar::Int(0),
            })
            .collect();
        let (mut starts, mut joins) = (vec![None; extents.len()], BTreeMap::new());
        body.walk(&mut |s| {
            if let StmtKind::Do(TileStmt::Def {
                value,
                expr:
                    TileExpr::Op {
                        op: Op::Binary(by @ (BinaryOp::Add | BinaryOp::Mul)),
                        args,
                    },
            }) = &s.kind
            {
                if let [Some(a), Some(b)] =
                    [args.first(), args.get(1)].map(|arg| arg.and_then(ir::Operand::value))
                {
                    joins.insert(*value, (*by == BinaryOp::Mul, [a, b]));
                }
            }
            if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
                for spec in &tile.specs {
                    extents[spec.ax.index()] = spec.len.into();
                    starts[spec.ax.index()] = Some(spec.start);
                }
            }
        });
        for (at, decl) in body.axes.iter().enumerate() {
            if let AxFrom::Hull { of, more } = &decl.from {
                extents[at] = extents[of.index()].clone() + *more;
            }
        }
        let values = vec![None; body.values.len()];
        let params = tensors.len();
        let (around, sums, open, span) =
            (Vec::new(), BTreeMap::new(), Openness::default(), SpanId(0));
        let mut walker = Walker {
            sig,
            body,
            binding,
            extents,
            starts,
            env,
            options,
            tensors,
            promised: body.promised(sig),
            params,
            values,
            sums,
            parts: BTreeMap::new(),
            joins,
            orders: orders(body),
            around,
            open,
            hangs: false,
            span,
            lines,
            shown: Shown::default(),
            traced: Vec::new(),
        };
        for work in &body.works {
            walker.span = work.span;
            let dtype = work.dtype.resolve(binding);
            let len = walker.int(&work.len)?;
            let fits = |n: &usize| Vec::<i64>::new().try_reserve_exact(*n).is_ok();
            let possible = usize::try_from(len).ok().filter(fits);
            let len = possible.ok_or_else(|| {
                Trip::new(
                    Code::J0804,
                    format!("workspace `{}` of {len} elements", work.name),
                )
            })?;
            walker.tensors.push(Some(Tensor::undefined(
                &work.name,
                dtype,
                len * dtype.bytes() as usize,
            )));
        }
        walker.begin_sums();
        walker.begin_lists();
        Ok(walker)
    }

    /// Begins an output or a workspace as zeros, if its first access in the text adds.
    fn begin_sums(&mut self) {
        let mut first = BTreeMap::new();
        self.body.walk(&mut |s| {
            let adds = matches!(
                s.kind,
                StmtKind::Do(TileStmt::Store {
                    how: StoreHow::Add,
                    ..
                })
            );
            s.access()
                .into_iter()
                .for_each(|access| _ = first.entry(access.of).or_insert(adds));
        });
        for of in first
            .into_iter()
            .filter(|(_, adds)| *adds)
            .map(|(of, _)| of)
        {
            let slot = self.slot(of);
            self.tensors[slot].iter_mut().for_each(Tensor::begin_sum);
        }
    }

    /// Keeps the elements that no iteration reaches of an appended tensor: they are no gap.
    fn begin_lists(&mut self) {
        self.body.walk(&mut |s| {
            if let StmtKind::Do(TileStmt::Append { to, .. }) = &s.kind {
                let slot = self.slot(to.of);
                self.tensors[slot].iter_mut().for_each(Tensor::begin_sum);
            }
        });
    }

    /// Returns the index of a tensor in `tensors`.
    pub(super) fn slot(&self, of: TensorRef) -> usize {
        match of {
            TensorRef::Param(p) => p.index(),
            TensorRef::Work(w) => self.params + w.index(),
        }
    }

    pub fn stmts(&mut self, stmts: &'a [Stmt]) -> Done {
        stmts.iter().try_for_each(|s| {
            self.span = s.span;
            self.hangs = self.hangs(s)?;
            self.stmt(&s.kind)
        })
    }

    /// Returns the new value of an accumulator that is set.
    fn changed(&mut self, value: ValueId, from: ValueId) -> Done<Array<'t>> {
        let new = self.tile(from)?.clone();
        let axes = &self.body.values[value.index()].axes;
        let is_part = self.is_part(axes);
        let old = self.tile(value)?.clone();
        let part = match self.joins.get(&from) {
            Some((is_product, [old, part])) if *old == value => Some((*is_product, *part)),
            Some((is_product, [part, old])) if *old == value => Some((*is_product, *part)),
            Some(_) | None => None,
        };
        self.parts.remove(&value);
        let Some((dtype, sums)) = self.sums.get_mut(&value) else {
            let Elem::Number(dtype) = self.elem(value)? else {
                return Ok(new);
            };
            let Some((is_product, part)) = part.filter(|_| is_part && self.options.bounded) else {
                return Ok(new);
            };
            let (part, indices) = (self.tile(part)?, self.indices_beside(axes)?);
            return Ok(Joined {
                is_product,
                old: &old,
                part,
                new: &new,
                indices,
                dtype,
            }
            .with_error());
        };
        let parts = part
            .filter(|(is_product, _)| !is_product)
            .and_then(|(_, part)| self.parts.get(&part));
        let adding = Adding {
            overflow: self.options.overflow,
            bounded: true,
            is_part,
            parts,
        };
        Ok(merged(sums, [&old, &new], adding, *dtype))
    }

    /// Returns the parts of a definition's elements. A tile that is no float, or is no longer made
    /// of sums, has none.
    fn parts_of(&self, value: ValueId, expr: &TileExpr) -> Done<Option<Parts>> {
        let Elem::Number(dtype) = self.elem(value)? else {
            return Ok(None);
        };
        if !dtype.is_float() {
            return Ok(None);
        }
        let axes = self.sized(&self.decl(value)?.axes)?;
        Ok(match expr {
            TileExpr::Reduce {
                op: AxisReduceOp::Sum,
                value: from,
                over,
                onto: None,
            } => {
                let over: Vec<AxId> = over.iter().collect();
                Parts::summed(self.tile(*from)?, self.parts.get(from), &over, dtype)
            }
            TileExpr::Cast { value: from, .. } => match self.elem(*from)? {
                Elem::Number(of)
                    if of.is_float()
                        && of.bytes() <= dtype.bytes()
                        && (of == dtype || dtype == DType::F32) =>
                {
                    self.parts.get(from).map(|parts| parts.cast(dtype))
                }
                Elem::Number(_) | Elem::Mask => None,
            },
            TileExpr::Copy { value: from } => self.parts.get(from).map(|parts| parts.cast(dtype)),
            TileExpr::Op {
                op: Op::Unary(UnaryOp::Neg),
                args,
            } => {
                let from = args.first().and_then(ir::Operand::value);
                from.and_then(|from| self.parts.get(&from))
                    .map(|parts| parts.cast(dtype))
            }
            TileExpr::Op {
                op: Op::Binary(op),
                args,
            } => {
                let [Some(a), Some(b)] = [args.first(), args.get(1)] else {
                    return Ok(None);
                };
                let [own, other] = [a, b].map(|arg| arg.value().and_then(|v| self.parts.get(&v)));
                let number = |arg: &ir::Operand| match arg {
                    ir::Operand::Value { value } => match self.tile(*value)?.expand(&axes).lanes {
                        Lanes::F32(v) => Ok(v.to_vec()),
                        Lanes::I32(_) | Lanes::I64(_) | Lanes::Mask(_) => {
                            Err(Trip::malformed("a factor that is no float"))
                        }
                    },
                    ir::Operand::Scalar { value } => match self.scalar(value, dtype)? {
                        Operand::Float(v) => Ok(vec![v; axes.iter().map(|(_, n)| n).product()]),
                        Operand::Int(_) | Operand::Tile(_) => {
                            Err(Trip::malformed("a factor that is no float"))
                        }
                    },
                };
                match (op, own, other) {
                    (BinaryOp::Add | BinaryOp::Sub, Some(own), Some(other)) => {
                        Some(own.added(other, &axes, dtype))
                    }
                    (BinaryOp::Mul, Some(own), None) => {
                        Some(own.scaled(&number(b)?, false, &axes, dtype))
                    }
                    (BinaryOp::Mul, None, Some(other)) => {
                        Some(other.scaled(&number(a)?, false, &axes, dtype))
                    }
                    (BinaryOp::Div, Some(own), None) => {
                        Some(own.scaled(&number(b)?, true, &axes, dtype))
                    }
                    (
                        BinaryOp::Add
                        | BinaryOp::Sub
                        | BinaryOp::Mul
                        | BinaryOp::Div
                        | BinaryOp::Max
                        | BinaryOp::Min,
                        _,
                        _,
                    ) => None,
                }
            }
            TileExpr::Load { .. }
            | TileExpr::LoadOr { .. }
            | TileExpr::Fill { .. }
            | TileExpr::Iota { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. }
            | TileExpr::Reduce { .. }
            | TileExpr::Op { .. }
            | TileExpr::Truncate { .. }
            | TileExpr::Round { .. }
            | TileExpr::Pick { .. }
            | TileExpr::Top { .. }
            | TileExpr::Scan { .. } => None,
        })
    }

    /// True in a loop along an axis that `axes` lacks.
    fn is_part(&self, axes: &Axes) -> bool {
        self.tiles_beside(axes).next().is_some()
    }

    /// Iterates over the axes of the loops around, for loops with tiles, that `axes` lacks.
    fn tiles_beside<'s>(
        &'s self,
        axes: &'s Axes,
    ) -> impl Iterator<Item = &'a AxSpec> + use<'s, 'a, 't> {
        self.around
            .iter()
            .copied()
            .filter(|spec| !spec.size.is_each() && !axes.contains(spec.ax))
    }

    /// Returns the number of indices of this iteration along those axes.
    fn indices_beside(&self, axes: &Axes) -> Done<f64> {
        self.tiles_beside(axes)
            .map(|spec| Ok(self.int(&spec.len.into())? as f64))
            .product()
    }

    fn stmt(&mut self, kind: &'a StmtKind<TileStmt>) -> Done {
        match kind {
            StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                let far = self.far(value);
                self.set(*var, eval(value, &self.env)?)?;
                self.open.set(*var, far);
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                let is_open = self.far(from) > 0.0 || self.far(to) > 0.0;
                let (from, to) = (self.int(from)?, self.int(to)?);
                self.enter(is_open);
                for i in from..to {
                    self.env.set(*var, Value::whole(var.ty(), i)?);
                    self.stmts(body)?;
                }
                self.leave(is_open, body, &[])?;
            }
            StmtKind::If { cond, then, other } => {
                let (taken, left) = if eval(cond, &self.env)?.as_bool()? {
                    (then, other)
                } else {
                    (other, then)
                };
                let is_open = self.is_undecided(cond);
                self.enter(is_open);
                self.stmts(taken)?;
                self.leave(is_open, left, taken)?;
            }
            StmtKind::Do(TileStmt::Loop { tile }) => {
                let around = self.around.len();
                if around == 0 {
                    self.tensors
                        .iter_mut()
                        .flatten()
                        .for_each(Tensor::begin_phase);
                }
                self.around.extend(&tile.specs);
                let is_open = self.is_open_loop(&tile.specs);
                self.enter(is_open);
                self.runs(&tile.specs, &tile.body)?;
                self.leave(is_open, &tile.body, &[])?;
                self.around.truncate(around);
            }
            StmtKind::Do(TileStmt::Def { value, expr }) => {
                let hangs = self.hangs && !self.carries(*value, expr)?;
                let made = self.expr(*value, expr)?;
                let made = match expr {
                    _ if !hangs => made,
                    TileExpr::Fill { value: number } if matches!(made.lanes, Lanes::F32(_)) => {
                        let Elem::Number(dtype) = self.elem(*value)? else {
                            return Err(Trip::malformed("a mask of numbers"));
                        };
                        let (len, far) = (
                            made.axes.iter().map(|(_, n)| n).product(),
                            self.far_beside(number, dtype)?,
                        );
                        Array {
                            error: Some(Arc::new(vec![far; len])),
                            ..made
                        }
                    }
                    _ => made.all_open(),
                };
                if self.open.first.is_none() && made.is_marked() {
                    self.open.note(self.span);
                }
                match (expr, self.elem(*value)?) {
                    (
                        TileExpr::Across {
                            op: AxisReduceOp::Sum,
                            ..
                        },
                        Elem::Number(dtype),
                    ) if self.options.bounded => {
                        self.sums.insert(*value, (dtype, Vec::new()));
                    }
                    _ => {}
                }
                if self.options.bounded {
                    match self.parts_of(*value, expr)? {
                        Some(parts) => _ = self.parts.insert(*value, parts),
                        None => _ = self.parts.remove(value),
                    }
                }
                self.values[value.index()] = Some(match self.elem(*value)? {
                    Elem::Number(dtype) if self.options.bounded => made.left_by(dtype, self.span),
                    Elem::Number(_) | Elem::Mask => Array {
                        ideal: None,
                        ..made
                    },
                });
                self.trace(*value)?;
            }
            StmtKind::Do(TileStmt::Set { value, from }) => {
                let new = self.changed(*value, *from)?;
                self.values[value.index()] = Some(if self.open.is_astray() {
                    new.all_open()
                } else {
                    new
                });
                self.trace(*value)?;
            }
            StmtKind::Do(TileStmt::Store { to, value, how }) => {
                let (places, axes) = self.access(to)?;
                let tile = self.tile(*value)?.clone();
                let tile = if self.open.is_astray() {
                    tile.all_open()
                } else {
                    tile
                };
                let is_part = self.is_part(&to.axes());
                let (slot, hangs) = (self.slot(to.of), self.hangs);
                if hangs {
                    self.open.note(self.span);
                }
                let Options {
                    overflow, bounded, ..
                } = *self.options;
                let tensor = self
                    .tensors
                    .get_mut(slot)
                    .and_then(Option::as_mut)
                    .ok_or_else(no_tensor)?;
                match how {
                    StoreHow::Plain => tensor.store(&places, &axes, &tile)?,
                    StoreHow::Inside => tensor.store_inside(&places, &axes, &tile)?,
                    StoreHow::Any => tensor.store_again(&places, &axes, &tile, Again::Alike)?,
                    StoreHow::Disjoint => {
                        tensor.store_again(&places, &axes, &tile, Again::Never)?
                    }
                    StoreHow::Add => {
                        let parts = self.parts.get(value);
                        tensor.add(
                            &places,
                            &axes,
                            &tile,
                            Adding {
                                overflow,
                                bounded,
                                is_part,
                                parts,
                            },
                        )?;
                    }
                }
                // In another order, the store may go anywhere else.
                if hangs {
                    tensor.open_all();
                }
            }
            StmtKind::Do(TileStmt::Append {
                to, value, mask, ..
            }) => {
                let (tile, mask) = (self.tile(*value)?.clone(), self.tile(*mask)?.clone());
                let (slot, is_open) = (self.slot(to.of), self.hangs || self.open.is_astray());
                let tensor = self
                    .tensors
                    .get_mut(slot)
                    .and_then(Option::as_mut)
                    .ok_or_else(no_tensor)?;
                tensor.undecided |= is_open;
                tensor.append(&tile, &mask)?;
            }
            StmtKind::Do(TileStmt::Read { var, value }) => {
                let (number, far) = self.tile(*value)?.number()?;
                self.set(*var, number)?;
                self.open.set(*var, far);
                if let Some((of, below)) = self.promised.get(value) {
                    let (index, below) = (
                        self.int(&Scalar::cast(ScalarTy::Index, (*var).into()))?,
                        self.int(below)?,
                    );
                    if !(0..below).contains(&index) {
                        return Err(broken_promise(
                            Some(&self.sig.param(*of).name),
                            index,
                            below,
                        ));
                    }
                }
            }
            StmtKind::Do(TileStmt::Dump { value, name }) => self.dump(*value, name)?,
            StmtKind::Promise {
                what: Promised::Fact { cond, text },
            } => {
                if !eval(cond, &self.env)?.as_bool()? {
                    return Err(broken_assumption(text));
                }
            }
            StmtKind::Promise {
                what: Promised::Index { .. },
            } => {
                return Err(Trip::malformed(
                    "a statement of the queue level in a tile kernel",
                ))
            }
        }
        Ok(())
    }

    /// Records the value of a tile, where it is traced.
    fn trace(&mut self, value: ValueId) -> Done {
        if !self.options.traced {
            return Ok(());
        }
        let key = (value, self.span);
        if let Some((_, known)) = self.traced.iter_mut().find(|(own, _)| *own == key) {
            known.times += 1;
            return Ok(());
        }
        let dtype = match self.elem(value)? {
            Elem::Number(dtype) => dtype.name(),
            Elem::Mask => "mask",
        };
        let tile = self.tile(value)?;
        let axes = tile
            .axes
            .iter()
            .map(|(ax, n)| (self.body.axes[ax.index()].name.clone(), *n))
            .collect();
        let line = self
            .lines
            .get(self.span.index())
            .map_or(0, |place| place.line);
        let traced = Traced::new(line, dtype, axes, tile);
        self.traced.push((key, traced));
        Ok(())
    }

    /// Dumps a tile, its last axis as rows.
    fn dump(&mut self, value: ValueId, name: &str) -> Done {
        let tile = self.tile(value)?.clone();
        let axes = tile
            .axes
            .iter()
            .map(|(ax, _)| self.body.axes[ax.index()].name.as_str());
        let title = format!("{name} [{}]", axes.collect::<Vec<_>>().join(", "));
        let (cols, around) = tile
            .axes
            .split_last()
            .map_or((1, &[][..]), |((_, n), around)| (*n, around));
        let rows = around.iter().map(|(_, n)| n).product();
        let line = self
            .lines
            .get(self.span.index())
            .map_or(0, |place| place.line);
        self.shown
            .keep(|| Dump::new((title, line, None), (rows, cols), |i| tile.lanes.shown(i)));
        Ok(())
    }

    /// Runs every iteration of a loop: the ranges of its first axis, and for each those of the
    /// others.
    fn runs(&mut self, specs: &'a [AxSpec], body: &'a [Stmt]) -> Done {
        let Some((spec, rest)) = specs.split_first() else {
            return self.stmts(body);
        };
        let mut whole = self.int(&self.extents[spec.of.index()])?;
        if let Some(length) = &spec.length {
            let length = self.int(length)?;
            if length > whole {
                return Err(Trip::malformed(
                    "a range of more indices than were proved to be the most",
                ));
            }
            whole = length;
        }
        let cut = if spec.size.is_each() {
            Cut::Singles
        } else {
            self.options.cut
        };
        for (from, n) in cut.runs(whole) {
            self.env.set(spec.start, Value::Int(from));
            self.env.set(spec.len, Value::Int(n));
            self.runs(rest, body)?;
        }
        Ok(())
    }

    fn set(&mut self, var: VarId, value: Value) -> Done {
        let decl = self
            .body
            .vars
            .get(var.index())
            .ok_or_else(|| Trip::malformed("a variable that is not declared"))?;
        if value.ty() != decl.ty {
            return Err(Trip::malformed("a variable takes a value of another type"));
        }
        self.env.set(var, value);
        Ok(())
    }

    fn int(&self, s: &Scalar) -> Done<i64> {
        Ok(eval(s, &self.env)?.as_int()?)
    }

    pub(super) fn tile(&self, v: ValueId) -> Done<&Array<'t>> {
        let tile = self.values.get(v.index()).and_then(Option::as_ref);
        tile.ok_or_else(|| Trip::malformed("a tile is used before it is defined"))
    }

    fn decl(&self, v: ValueId) -> Done<&'a ValueDecl> {
        self.body
            .values
            .get(v.index())
            .ok_or_else(|| Trip::malformed("a tile that is not declared"))
    }

    fn elem(&self, v: ValueId) -> Done<Elem> {
        Ok(match self.decl(v)?.dtype {
            Ty::Mask => Elem::Mask,
            ty @ (Ty::Is(_) | Ty::Param(_) | Ty::Wide(_)) => Elem::Number(ty.resolve(self.binding)),
        })
    }

    fn tensor(&self, a: &Access) -> Done<&Tensor<'t>> {
        self.tensors
            .get(self.slot(a.of))
            .and_then(Option::as_ref)
            .ok_or_else(no_tensor)
    }

    /// Returns the axes with their sizes in this iteration.
    fn sized(&self, axes: &Axes) -> Done<Vec<Sized>> {
        let size = |ax: AxId| {
            Ok((
                ax,
                usize::try_from(self.int(&self.extents[ax.index()])?).unwrap_or(0),
            ))
        };
        axes.iter().map(size).collect()
    }

    fn access(&self, a: &Access) -> Done<(Vec<Place>, Vec<Sized>)> {
        let place = |(size, index): (&Scalar, &ir::Index)| {
            let terms = index
                .terms
                .iter()
                .map(|t| Ok((t.ax, self.int(&t.factor)?)))
                .collect::<Done<_>>()?;
            let ids = index
                .ids
                .as_ref()
                .map(|ids| self.ids(ids, size))
                .transpose()?;
            let chosen = index
                .ids
                .as_ref()
                .map(|ids| self.tile(ids.value))
                .transpose()?;
            let errors = chosen.and_then(|tile| tile.error.as_ref());
            let open = errors.map_or_else(Vec::new, |e| e.iter().map(|e| *e > 0.0).collect());
            Ok(Place {
                size: self.int(size)?,
                offset: self.int(&index.offset)?,
                terms,
                ids,
                open,
            })
        };
        Ok((
            a.dims
                .iter()
                .zip(&a.index)
                .map(place)
                .collect::<Done<_>>()?,
            self.sized(&a.axes())?,
        ))
    }

    /// Returns the elements of a tile of indices. Each must be within the promise of its tensor, or
    /// within the size of the axis along which it chooses.
    fn ids(&self, ids: &ir::Ids, size: &Scalar) -> Done<Vec<i64>> {
        let tile = self.tile(ids.value)?;
        let below = match ids.of {
            Some(of) => self
                .sig
                .promise(of)
                .ok_or_else(|| Trip::malformed("a tile of indices without a promise"))?,
            None => size,
        };
        let below = self.int(below)?;
        let all: Vec<i64> = match &tile.lanes {
            Lanes::I32(v) => v.iter().map(|v| i64::from(*v)).collect(),
            Lanes::I64(v) => v.to_vec(),
            Lanes::F32(_) | Lanes::Mask(_) => {
                return Err(Trip::malformed("a tile of indices that holds no integers"))
            }
        };
        match all.iter().find(|at| !(0..below).contains(*at)) {
            Some(at) => Err(broken_promise(
                ids.of.map(|of| self.sig.param(of).name.as_str()),
                *at,
                below,
            )),
            None => Ok(all),
        }
    }

    fn expr(&self, value: ValueId, expr: &TileExpr) -> Done<Array<'t>> {
        let dtype = match self.elem(value)? {
            Elem::Number(dtype) => dtype,
            Elem::Mask => DType::Bits,
        };
        let axes = &self.decl(value)?.axes;
        match expr {
            // A load of a tensor that was left out gives the number.
            TileExpr::Load {
                from:
                    from @ Access {
                        otherwise: Some(number),
                        ..
                    },
            } if self.tensor(from).is_err() => self.expr(
                value,
                &TileExpr::Fill {
                    value: number.clone(),
                },
            ),
            TileExpr::Load { from } => {
                let (places, axes) = self.access(from)?;
                match from.ids().next() {
                    Some(_) => self.tensor(from)?.load_at(&places, axes),
                    None => self.tensor(from)?.load(&places, axes),
                }
            }
            TileExpr::LoadOr { from, outside } => {
                let (places, axes) = self.access(from)?;
                let outside = match self.scalar(outside, dtype)? {
                    Operand::Int(v) if dtype == DType::U32 => Outside::Long(i64::from(v as u32)),
                    Operand::Int(v) => Outside::Int(v),
                    Operand::Float(v) => Outside::Float(v),
                    Operand::Tile(_) => {
                        return Err(Trip::malformed("a tile for what lies outside"))
                    }
                };
                self.tensor(from)?.load_or(&places, axes, outside)
            }
            TileExpr::Fill { value } | TileExpr::Across { init: value, .. } => {
                let axes = self.sized(axes)?;
                let len = axes.iter().map(|(_, n)| n).product();
                let lanes = match self.scalar(value, dtype)? {
                    Operand::Int(v) if dtype == DType::U32 => {
                        Lanes::I64(vec![i64::from(v as u32); len].into())
                    }
                    Operand::Int(v) if dtype == DType::I64 => {
                        Lanes::I64(vec![i64::from(v); len].into())
                    }
                    Operand::Int(v) => Lanes::I32(vec![v; len].into()),
                    Operand::Float(v) => Lanes::F32(vec![v; len].into()),
                    Operand::Tile(_) => return Err(Trip::malformed("a fill with a tile")),
                };
                Ok(Array::new(axes, lanes))
            }
            TileExpr::Appended { of } => {
                let tensor = self
                    .tensors
                    .get(self.slot(*of))
                    .and_then(Option::as_ref)
                    .ok_or_else(no_tensor)?;
                Ok(Array {
                    error: tensor.appended_error(),
                    ..Array::new(Vec::new(), Lanes::I32(vec![tensor.appended as i32].into()))
                })
            }
            TileExpr::Iota { first } => {
                let axes = self.sized(axes)?;
                let len = axes.iter().map(|(_, n)| *n as i32).product::<i32>();
                let lanes = match self.scalar(first, dtype)? {
                    Operand::Int(first) => {
                        let each = (0..len).map(|i| {
                            round::to_whole(
                                dtype,
                                i64::from(first.wrapping_add(i)),
                                self.options.overflow,
                            )
                        });
                        Lanes::I32(each.collect::<Vec<i32>>().into())
                    }
                    Operand::Float(first) => {
                        let each = (0..len).map(|i| round::to_element(dtype, first + i as f32));
                        Lanes::F32(each.collect::<Vec<f32>>().into())
                    }
                    Operand::Tile(_) => return Err(Trip::malformed("indices from a tile on")),
                };
                Ok(Array::new(axes, lanes))
            }
            TileExpr::Op {
                op:
                    op @ (Op::Binary(_)
                    | Op::Unary(_)
                    | Op::Compare(_)
                    | Op::Mask(_)
                    | Op::Bit(_)
                    | Op::Shift(_)
                    | Op::Layout(LayoutOp::Select)),
                args,
            } => {
                let axes = self.sized(axes)?;
                // A scalar beside tiles has their element type; the result of a compare has none.
                let dtype = self.numbers(args).unwrap_or(dtype);
                // A number compares alike with itself in every order.
                let is_itself = matches!((op, &args[..]), (Op::Compare(_), [a, b]) if a.value().is_some() && a.value() == b.value());
                let operand = |a: &ir::Operand| match a {
                    ir::Operand::Value { value } => {
                        let tile = self.tile(*value)?.clone();
                        let error = tile
                            .error
                            .clone()
                            .filter(|_| !is_itself || tile.is_marked());
                        Ok(Operand::Tile(Array { error, ..tile }))
                    }
                    ir::Operand::Scalar { value } => Ok(
                        match (self.scalar(value, dtype)?, self.far_beside(value, dtype)?) {
                            (Operand::Float(v), far) if far > 0.0 => {
                                let lanes = Lanes::F32(vec![v].into());
                                Operand::Tile(Array {
                                    error: Some(Arc::new(vec![far])),
                                    ..Array::new(Vec::new(), lanes)
                                })
                            }
                            (operand, _) => operand,
                        },
                    ),
                };
                let args = args.iter().map(operand).collect::<Done<Vec<_>>>()?;
                Call {
                    op: *op,
                    dtype,
                    axes: &axes,
                    args,
                    overflow: self.options.overflow,
                }
                .run()
            }
            TileExpr::Op {
                op: Op::Layout(LayoutOp::LocalCopy),
                args,
            } => match &args[..] {
                [ir::Operand::Value { value }] => match self.elem(*value)? {
                    Elem::Number(from) => stored::seen(self.tile(*value)?, from, dtype),
                    Elem::Mask => Err(Trip::malformed("bits of a mask")),
                },
                _ => Err(Trip::malformed("bits of what is no tile")),
            },
            TileExpr::Op {
                op: Op::Layout(LayoutOp::GatherMask),
                args,
            } => match &args[..] {
                [ir::Operand::Value { value }, ir::Operand::Scalar { value: pattern }] => {
                    stored::word(self.tile(*value)?, self.int(pattern)?)
                }
                _ => Err(Trip::malformed("words of what is no tile")),
            },
            TileExpr::Op { op, .. } => Err(Trip::malformed(format!(
                "`{}` is no op of tiles",
                op.name()
            ))),
            TileExpr::Reduce {
                op,
                value,
                over,
                onto,
            } => {
                let over: Vec<AxId> = over.iter().collect();
                let from = match self.elem(*value)? {
                    Elem::Number(dtype) => dtype,
                    Elem::Mask => DType::Bits,
                };
                let first = over.iter().find_map(|ax| self.starts[ax.index()]);
                let first = first.map_or(Ok(0), |start| self.int(&Scalar::Var(start)))? as i32;
                let Options {
                    overflow, bounded, ..
                } = *self.options;
                let asked = Asked {
                    dtype: from,
                    overflow,
                    bounded,
                    first,
                };
                let made = reduce::reduce(*op, self.tile(*value)?, &over, asked)?;
                let Some(onto) = onto else { return Ok(made) };
                let Some(step) = op.step() else {
                    return Err(Trip::malformed(format!(
                        "`{}` onto a value",
                        Op::AxisReduce(*op).name()
                    )));
                };
                let args = vec![
                    Operand::Tile(self.tile(*onto)?.clone()),
                    Operand::Tile(made),
                ];
                let axes = self.sized(axes)?;
                Call {
                    op: Op::Binary(step),
                    dtype,
                    axes: &axes,
                    args,
                    overflow,
                }
                .run()
            }
            // The default round mode of a cast is to nearest, ties to even.
            TileExpr::Cast { value: from, mode } => {
                self.cast(*from, self.elem(value)?, mode.unwrap_or(RoundMode::Rint))
            }
            TileExpr::Truncate { value: from } => {
                let to = self.elem(value)?;
                let cuts = |from, to: DType| {
                    matches!(from, Elem::Number(from) if from.is_float()) && !to.is_float()
                };
                let mode = match to {
                    Elem::Number(number) if cuts(self.elem(*from)?, number) => RoundMode::Trunc,
                    Elem::Number(_) | Elem::Mask => RoundMode::Rint,
                };
                self.cast(*from, to, mode)
            }
            TileExpr::Round { value, mode } => {
                let (whole, tile) = (|v| round::whole(v, *mode), self.tile(*value)?);
                let made = self.rounded(tile, dtype, whole, whole)?;
                Ok(Array {
                    error: stored::to_whole_numbers(tile, dtype, whole),
                    ..made
                })
            }
            TileExpr::Pick { value, along, at } => {
                let (from, axes) = (self.tile(*value)?, self.sized(axes)?);
                match at {
                    ir::Chosen::Index { index } => {
                        let first = self.int(&index.offset)?;
                        let chosen = match &index.terms[..] {
                            [] => Chosen::One(first),
                            [term] => Chosen::Along {
                                ax: term.ax,
                                first,
                                apart: self.int(&term.factor)?,
                            },
                            [..] => return Err(Trip::malformed("an index along several axes")),
                        };
                        pick(from, *along, &chosen, axes)
                    }
                    ir::Chosen::Tile { value: places } => {
                        let is_own = self.orders.get(places).is_some_and(|of| of.contains(value))
                            && matches!(from.lanes, Lanes::F32(_));
                        let ranked = is_own.then(|| ranked(from, *along, &axes));
                        let made = pick(from, *along, &Chosen::Of(self.tile(*places)?), axes)?;
                        Ok(match ranked {
                            Some(error) => Array { error, ..made },
                            None => made,
                        })
                    }
                }
            }
            TileExpr::Scan { op, value, along } => {
                let axes = self.sized(axes)?;
                let Options {
                    overflow, bounded, ..
                } = *self.options;
                Ok(scan(self.tile(*value)?, *op, *along, (overflow, bounded))?.expand(&axes))
            }
            TileExpr::Top { value, along, to } => {
                let axes = self.sized(axes)?;
                let most = axes.iter().find(|(ax, _)| ax == to).map(|(_, most)| *most);
                let most =
                    most.ok_or_else(|| Trip::malformed("places without an axis of their own"))?;
                let Elem::Number(of) = self.elem(*value)? else {
                    return Err(Trip::malformed("the order of bits"));
                };
                top(
                    (self.tile(*value)?, of, self.options.overflow),
                    *along,
                    (*to, most),
                    &axes,
                )
            }
            TileExpr::Copy { value } => Ok(self.tile(*value)?.expand(&self.sized(axes)?)),
        }
    }

    /// True for an expression that carries the error of its undecided scalars.
    fn carries(&self, value: ValueId, expr: &TileExpr) -> Done<bool> {
        let TileExpr::Op { args, .. } = expr else {
            return Ok(false);
        };
        let own = match self.elem(value)? {
            Elem::Number(dtype) => dtype,
            Elem::Mask => DType::Bits,
        };
        Ok(self.numbers(args).unwrap_or(own).is_float())
    }

    /// Returns the element type of the tiles among operands that are numbers.
    fn numbers(&self, args: &[ir::Operand]) -> Option<DType> {
        args.iter()
            .filter_map(ir::Operand::value)
            .find_map(|v| match self.elem(v) {
                Ok(Elem::Number(dtype)) => Some(dtype),
                Ok(Elem::Mask) | Err(_) => None,
            })
    }

    fn scalar(&self, s: &Scalar, dtype: DType) -> Done<Operand<'t>> {
        let value = eval(s, &self.env)?;
        // An attribute of the kernel's own element type is an element of it.
        let value = match value {
            Value::F32(_) if !dtype.is_float() => value.cast(jumar_dsl::ir::ScalarTy::I32)?,
            Value::F32(_) | Value::Int(_) | Value::I32(_) | Value::Bool(_) => value,
        };
        Ok(match dtype {
            DType::F16 | DType::Bf16 | DType::F32 => {
                Operand::Float(round::to_element(dtype, value.as_f32()?))
            }
            DType::I32 | DType::I16 | DType::U16 | DType::U32 => {
                Operand::Int(round::to_whole(dtype, value.as_int()?, Overflow::InfNan))
            }
            // Scalars have 32 bits.
            DType::I64 => Operand::Int(round::to_whole(
                DType::I32,
                value.as_int()?,
                Overflow::InfNan,
            )),
            // A scalar beyond the range of bytes saturates.
            DType::Bool | DType::I8 | DType::U8 => {
                Operand::Int(round::to_whole(dtype, value.as_int()?, Overflow::Saturate))
            }
            DType::Bits => return Err(Trip::malformed("a scalar beside bits")),
        })
    }

    /// Returns the error of a scalar as an element, to which it is rounded.
    fn far_beside(&self, s: &Scalar, dtype: DType) -> Done<f64> {
        Ok(match self.far(s) {
            far if far > 0.0 && dtype.is_float() => {
                far + round::precision(dtype).0
                    * (f64::from(eval(s, &self.env)?.as_f32()?).abs() + far)
            }
            far => far,
        })
    }

    /// Applies the monotone function `f` to each float, so that an error follows from the ends of
    /// its interval. `means` is the function without a bound of the type.
    fn rounded(
        &self,
        tile: &Array<'t>,
        dtype: DType,
        f: impl Fn(f64) -> f64,
        means: impl Fn(f64) -> f64,
    ) -> Done<Array<'t>> {
        let Lanes::F32(values) = &tile.lanes else {
            return Err(Trip::malformed("rounding of integers"));
        };
        let mut out: Vec<f32> = values.iter().map(|v| f(f64::from(*v)) as f32).collect();
        round::to_elements(dtype, &mut out, self.options.overflow);
        let error = tile
            .error
            .as_ref()
            .map(|e| Arc::new(ends(values, &out, e, f)));
        let ideal = ideal::computed(&out, [(&values[..], &tile.ideal)], |[v]| means(v));
        Ok(Array {
            axes: tile.axes.clone(),
            lanes: Lanes::F32(out.into()),
            error,
            ideal,
        })
    }

    fn cast(&self, value: ValueId, to: Elem, mode: RoundMode) -> Done<Array<'t>> {
        let tile = self.tile(value)?;
        let overflow = self.options.overflow;
        let (from, to) = match (self.elem(value)?, to) {
            (Elem::Number(from), Elem::Number(to))
                if [from, to]
                    .iter()
                    .all(|of| of.is_float() || *of == DType::I32) =>
            {
                (from, to)
            }
            (_, Elem::Mask) => return Ok(stored::truth(tile, true)),
            (_, Elem::Number(DType::Bool)) => return Ok(stored::truth(tile, false)),
            (from, Elem::Number(to)) => {
                // Mask elements have no rounding.
                let from = if let Elem::Number(from) = from {
                    from
                } else {
                    DType::Bits
                };
                return stored::convert((tile, from), to, mode, overflow);
            }
        };
        match (&tile.lanes, to) {
            // A cast to its own type changes nothing, and wider floats hold every narrower one.
            _ if from == to => Ok(tile.clone()),
            (Lanes::F32(_), DType::F32) => Ok(tile.clone()),
            (Lanes::F32(values), DType::F16 | DType::Bf16)
                if matches!(mode, RoundMode::None | RoundMode::Rint) =>
            {
                let mut out = values.to_vec();
                round::to_elements(to, &mut out, overflow);
                let plain = |v| f64::from(round::to_float(v, to, mode, overflow));
                let error = tile
                    .error
                    .as_ref()
                    .map(|e| Arc::new(ends(values, &out, e, plain)));
                let ideal = ideal::computed(&out, [(&values[..], &tile.ideal)], |[v]| v);
                Ok(Array {
                    axes: tile.axes.clone(),
                    lanes: Lanes::F32(out.into()),
                    error,
                    ideal,
                })
            }
            (Lanes::F32(_), DType::F16 | DType::Bf16) => self.rounded(
                tile,
                to,
                |v| f64::from(round::to_float(v, to, mode, overflow)),
                |v| v,
            ),
            (Lanes::F32(values), DType::I32) => {
                let out: Vec<i32> = values.iter().map(|v| round::to_int(*v, mode)).collect();
                let whole =
                    |v: f64| round::whole(v, mode).clamp(f64::from(i32::MIN), f64::from(i32::MAX));
                let error = stored::to_whole_numbers(tile, from, whole);
                Ok(Array {
                    error,
                    ..Array::new(tile.axes.clone(), Lanes::I32(out.into()))
                })
            }
            (Lanes::I32(values), DType::F16 | DType::Bf16 | DType::F32) => {
                let out: Vec<f32> = values
                    .iter()
                    .map(|v| round::to_float(f64::from(*v), to, mode, overflow))
                    .collect();
                let float = |v: f64| f64::from(round::to_float(v, to, mode, overflow));
                let error = tile
                    .error
                    .as_ref()
                    .map(|e| Arc::new(ends(values, &out, e, float)));
                Ok(Array {
                    error,
                    ..Array::new(tile.axes.clone(), Lanes::F32(out.into()))
                })
            }
            (Lanes::F32(_) | Lanes::I32(_) | Lanes::I64(_) | Lanes::Mask(_), _) => {
                Err(Trip::malformed(format!("a cast from {from} to {to}")))
            }
        }
    }
}

/// Finds tiles of places, each with the tiles whose elements they order: the one that was ordered,
/// and those that it was made from.
fn orders(body: &Body) -> BTreeMap<ValueId, Vec<ValueId>> {
    let (mut from, mut itself, mut orders) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    body.walk(&mut |s| {
        let StmtKind::Do(TileStmt::Def { value, expr }) = &s.kind else {
            return;
        };
        match expr {
            // Casts to floats that lose nothing.
            TileExpr::Cast { value: of, .. }
                if matches!(
                    body.values[value.index()].dtype,
                    Ty::Is(DType::F32) | Ty::Wide(_)
                ) =>
            {
                from.insert(*value, *of);
            }
            TileExpr::Op { op, args } => {
                match (
                    op,
                    args.first().and_then(ir::Operand::value),
                    args.get(1).and_then(ir::Operand::value),
                ) {
                    (Op::Unary(UnaryOp::Neg), Some(of), None) => _ = from.insert(*value, of),
                    (Op::Compare(CompareOp::Eq), Some(a), Some(b)) if a == b => {
                        _ = itself.insert(*value, a)
                    }
                    // A select that replaces nan by a number.
                    (Op::Layout(LayoutOp::Select), Some(mask), Some(of))
                        if itself.get(&mask) == Some(&of) =>
                    {
                        _ = from.insert(*value, of)
                    }
                    _ => {}
                }
            }
            TileExpr::Top { value: of, .. } => _ = orders.insert(*value, *of),
            TileExpr::Reduce {
                op: AxisReduceOp::ArgMax | AxisReduceOp::ArgMin,
                value: of,
                onto: None,
                ..
            } => {
                orders.insert(*value, *of);
            }
            _ => {}
        }
    });
    // A tile that is set may have another value where it is read.
    let unset = |value: &ValueId| !body.values[value.index()].mutable;
    let chain = |of: ValueId| {
        std::iter::successors(Some(of), |of| from.get(of).copied())
            .take_while(unset)
            .collect()
    };
    orders
        .into_iter()
        .filter(|(places, _)| unset(places))
        .map(|(places, of)| (places, chain(of)))
        .collect()
}

/// Returns the error of each result of a monotone function; one that is not finite is undecided.
fn ends<V: Copy + Into<f64>>(
    values: &[V],
    out: &[f32],
    errors: &[f64],
    f: impl Fn(f64) -> f64,
) -> Vec<f64> {
    let each = values.iter().zip(out).zip(errors);
    each.map(|((v, out), e)| {
        if *e == 0.0 || e.is_infinite() {
            return *e;
        }
        let (v, out) = ((*v).into(), f64::from(*out));
        let distances = [f(v - e) - out, f(v + e) - out].map(f64::abs);
        if distances.iter().all(|d| d.is_finite()) {
            distances[0].max(distances[1])
        } else {
            f64::INFINITY
        }
    })
    .collect()
}
