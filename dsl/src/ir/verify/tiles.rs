//! Checks tile loops, accesses, axes and element types of values.

use super::body::Own;
use super::{Checked, Cx};
use crate::dtype::DType;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    is_title, walk_stmts, Access, AxFrom, AxId, AxSpec, Axes, Chosen, Ids, Index, Operand, ParamId,
    Scalar, ScalarTy, StmtKind, TensorRef, Term, TileExpr, TileLoop, TileStmt, Ty, ValueDecl,
    ValueId,
};
use crate::ops::{AxisReduceOp, LayoutOp, Op, ScanOp};
use crate::soc::MAX_BLOCKS_PER_POSITION;

type Walk<'w> = super::body::Walk<'w, TileStmt>;

impl Own for TileStmt {
    fn hold(&self, cx: &mut Cx<'_>, walk: &mut Walk<'_>) -> Checked {
        cx.tile_statement(walk, self)
    }

    fn tile_loop(&self) -> Option<&TileLoop> {
        if let TileStmt::Loop { tile } = self {
            Some(tile)
        } else {
            None
        }
    }

    fn touched(&self) -> Vec<ParamId> {
        let reads = matches!(
            self,
            TileStmt::Def {
                expr: TileExpr::Load { .. },
                ..
            }
        );
        self.access()
            .filter(|access| !(reads && access.otherwise.is_some()))
            .and_then(Access::param)
            .into_iter()
            .collect()
    }
}

impl Cx<'_> {
    fn tile_statement(&mut self, walk: &mut Walk<'_>, own: &TileStmt) -> Checked {
        let body = walk.body;
        match own {
            TileStmt::Loop { tile } => self.tile_loop(walk, tile),
            TileStmt::Def { value, expr } => {
                self.expr(walk, *value, expr)?;
                self.defines(&mut walk.scope, body, *value)
            }
            TileStmt::Set { value, from } => {
                self.uses(&walk.scope, body, *value)?;
                self.uses(&walk.scope, body, *from)?;
                let (to, from) = (&body.values[value.index()], &body.values[from.index()]);
                self.holds(to.mutable, || {
                    format!("`{}` is set again, but it is not mutable", to.name)
                })?;
                self.alike(to, from, "set to")
            }
            TileStmt::Store { to, value, how } => {
                self.uses(&walk.scope, body, *value)?;
                let plain = how.is_by_index();
                self.holds(!plain || to.ids().next().is_none(), || {
                    "a store at a tile of indices".to_string()
                })?;
                let ((ty, axes), decl) =
                    (self.access(walk, to, true)?, &body.values[value.index()]);
                self.holds(decl.axes == axes, || {
                    format!("`{}` is stored where other axes are due", decl.name)
                })?;
                // A pass lets each block leave its part behind a loop.
                let leaves = self.binding.is_some() && to.is_of_block();
                self.holds(leaves || walk.phase().is_some(), || {
                    "a store outside of all tile loops".to_string()
                })?;
                if plain && !leaves {
                    self.divided(walk, to)?;
                }
                self.typed(decl, ty, "stored to a tensor of")
            }
            TileStmt::Append {
                to,
                value,
                mask,
                counts,
            } => {
                [value, mask]
                    .into_iter()
                    .chain(counts)
                    .try_for_each(|v| self.uses(&walk.scope, body, *v))?;
                let decl = |v: ValueId| &body.values[v.index()];
                let (ty, axes) = self.access(walk, to, true)?;
                let first =
                    axes.is_empty() && to.index.iter().all(|index| index.offset == Scalar::Int(0));
                self.holds(first, || {
                    "an append that begins elsewhere than at the first element".to_string()
                })?;
                let (value, bits) = (decl(*value), decl(*mask));
                self.holds(value.axes.len() == 1, || {
                    format!(
                        "`{}` is packed and lies along other than one axis",
                        value.name
                    )
                })?;
                // The mask of a 64-bit integer may be one of 64 bits.
                let long = Ty::Is(DType::I64);
                let is_mask = bits.dtype == Ty::Mask
                    || self.same(bits.dtype, long) && self.same(value.dtype, long);
                self.holds(is_mask && bits.axes == value.axes, || {
                    format!(
                        "`{}` does not have the bits of `{}`, which is packed",
                        bits.name, value.name
                    )
                })?;
                self.holds(walk.phase().is_some(), || {
                    "an append outside of all tile loops".to_string()
                })?;
                if let Some(counts) = counts {
                    self.typed(
                        decl(*counts),
                        Ty::Is(DType::I32),
                        "the number of what is packed,",
                    )?;
                }
                // Bytes may be packed as f16.
                let is_byte = [DType::Bool, DType::I8, DType::U8]
                    .iter()
                    .any(|byte| self.same(ty, Ty::Is(*byte)));
                if is_byte && self.same(value.dtype, Ty::Is(DType::F16)) {
                    return Ok(());
                }
                self.typed(value, ty, "packed in a tensor of")
            }
            TileStmt::Read { var, value } => {
                self.uses(&walk.scope, body, *value)?;
                let decl = &body.values[value.index()];
                self.holds(decl.axes.is_empty(), || {
                    format!("`{}` becomes a scalar and has axes", decl.name)
                })?;
                self.result(walk, *var, None)?;
                let due = match var.ty() {
                    ScalarTy::I32 if self.same(decl.dtype, Ty::Is(DType::I16)) => DType::I16,
                    ScalarTy::I32 => DType::I32,
                    ScalarTy::Index => DType::I64,
                    ScalarTy::F32 => DType::F32,
                    ScalarTy::Bool => return self.fault("a bit of a tile as a scalar"),
                };
                self.typed(decl, Ty::Is(due), "read as a scalar of")
            }
            TileStmt::Dump { value, name } => {
                self.uses(&walk.scope, body, *value)?;
                self.holds(is_title(name), || {
                    "a value is shown under a name that cannot be printed".to_string()
                })?;
                let decl = &body.values[value.index()];
                self.holds(decl.dtype != Ty::Mask, || {
                    format!("`{}` is shown and holds bits", decl.name)
                })?;
                self.holds(walk.phase().is_some(), || {
                    "a value is shown outside of all tile loops".to_string()
                })
            }
        }
    }

    fn alike(&self, a: &ValueDecl, b: &ValueDecl, what: &str) -> Checked {
        self.typed(b, a.dtype, what)?;
        self.holds(a.axes == b.axes, || {
            format!("`{}` is {what} `{}`, which has other axes", a.name, b.name)
        })
    }

    fn typed(&self, decl: &ValueDecl, due: Ty, what: &str) -> Checked {
        self.holds(self.same(decl.dtype, due), || {
            format!(
                "`{}` of `{}` is {what} `{}`",
                decl.name,
                self.sig.ty_name(decl.dtype),
                self.sig.ty_name(due)
            )
        })
    }

    // ---- loops ----

    fn tile_loop(&mut self, walk: &mut Walk<'_>, tile: &TileLoop) -> Checked {
        match walk.phase() {
            None => {
                walk.outer = Some(tile.id);
                let leaves = |s: &Stmt| matches!(&s.kind, StmtKind::Do(TileStmt::Store { to, .. }) if to.is_of_block());
                walk.of_parts = tile.body.iter().any(leaves).then_some(tile.id);
                walk.divided = if walk.of_parts.is_some() {
                    Vec::new()
                } else {
                    tile.specs.clone()
                };
            }
            Some(_) => self.inner_loop(walk, tile)?,
        }
        self.holds(!tile.specs.is_empty(), || {
            "a tile loop over no axis".to_string()
        })?;
        for spec in &tile.specs {
            let own = self.ax(spec.ax, &walk.tables.axes)?.of == Some(tile.id);
            self.holds(own, || {
                format!(
                    "loop `!{}` runs over the axis `~{}`, which is not declared so",
                    tile.id.0, spec.ax.0
                )
            })?;
        }
        for size in tile
            .specs
            .iter()
            .filter_map(|spec| spec.size.given())
            .chain(&tile.block_dim)
        {
            self.host_operand(walk, size, "a size of a loop")?;
        }
        for length in tile.specs.iter().filter_map(|spec| spec.length.as_ref()) {
            self.length(walk, length)?;
        }
        if let Some(ax) = tile.split {
            let whole = self.ax(ax, &walk.tables.axes)?.of.is_none();
            let own = tile.specs.iter().any(|spec| spec.of == ax);
            self.holds(whole && !own, || {
                format!(
                    "a loop is split along `~{}`, which is no whole axis beside its own",
                    ax.0
                )
            })?;
        }
        let most = MAX_BLOCKS_PER_POSITION;
        let buffers = tile.buffer_num.is_none_or(|n| (1..=most).contains(&n));
        self.holds(buffers, || {
            format!(
                "{} buffers, possible are 1 to {most}",
                tile.buffer_num.unwrap_or(0)
            )
        })?;
        let start = walk.scope.open();
        for spec in &tile.specs {
            self.result(walk, spec.start, Some(ScalarTy::Index))?;
            // A loop over single indices has no length of a run.
            match spec.size.is_each() {
                true => self.target(walk, spec.len, Some(ScalarTy::Index))?,
                false => self.result(walk, spec.len, Some(ScalarTy::Index))?,
            }
        }
        self.inner(walk, Some(tile.id), &tile.body)?;
        walk.scope.close(start);
        Ok(())
    }

    /// Checks a loop length that only a core knows: it is constant in all iterations.
    fn length(&self, walk: &Walk<'_>, length: &Scalar) -> Checked {
        self.operand(walk, length, ScalarTy::Index)?;
        let mut steady = true;
        length.walk(&mut |s| steady &= !matches!(s, Scalar::Var(v) if walk.body.var(*v).mutable));
        self.holds(steady, || "a length of a loop that may change".to_string())
    }

    fn inner_loop(&self, walk: &mut Walk<'_>, tile: &TileLoop) -> Checked {
        if walk.frames.iter().flatten().eq(walk.of_parts.iter()) {
            walk.divided.clone_from(&tile.specs);
            return Ok(());
        }
        let own = tile.block_dim.is_none() && tile.split.is_none();
        self.holds(own, || {
            "the blocks of a loop that is not divided among them".to_string()
        })
    }

    // ---- axes ----

    /// Checks that axes exist here: whole ones, and runs of the loops around.
    fn open(&self, walk: &Walk<'_>, axes: &Axes) -> Checked {
        for ax in axes.iter() {
            let facts = self.ax(ax, &walk.tables.axes)?;
            self.holds(!facts.is_each, || {
                format!(
                    "the axis `~{}`, of which an iteration has one index, in a tile",
                    ax.0
                )
            })?;
            let open = facts.of.is_none_or(|of| walk.frames.contains(&Some(of)));
            self.holds(open, || {
                format!(
                    "the axis `~{}` of loop `!{}` is used outside of it",
                    ax.0,
                    facts.of.map_or(0, |of| of.0)
                )
            })?;
        }
        Ok(())
    }

    /// Checks that a store moves with every divided axis: else two cores would store one element.
    fn divided(&self, walk: &Walk<'_>, to: &Access) -> Checked {
        // A loop of one iteration has one core.
        let one = |spec: &AxSpec| {
            let whole = &walk.body.axes[spec.of.index()].from;
            spec.size.is_each()
                && matches!(
                    whole,
                    AxFrom::Whole {
                        extent: Scalar::Int(1)
                    }
                )
        };
        for spec in walk.divided.iter().filter(|spec| !one(spec)) {
            let moves = to.index.iter().any(|index| match &index.terms[..] {
                // The checker decides if another iteration goes elsewhere.
                [] => spec.size.is_each() && index.offset.mentions(spec.start),
                terms => {
                    terms.iter().any(|term| term.ax == spec.ax) || index.offset.mentions(spec.start)
                }
            });
            self.holds(moves, || {
                format!("a store that several cores would make: it has no index of the divided axis `~{}`", spec.ax.0)
            })?;
        }
        Ok(())
    }

    /// Returns name, element type and number of elements of the tensor of an access.
    fn tensor_of<'a>(
        &'a self,
        walk: &Walk<'a>,
        access: &Access,
        writes: bool,
    ) -> Checked<(&'a str, Ty, Scalar)> {
        match access.of {
            TensorRef::Param(p) => {
                let ty = self.touched(p, writes)?;
                Ok((&self.sig.param(p).name, ty, self.sig.elements(p)))
            }
            TensorRef::Work(w) => {
                let works = &walk.body.works;
                let work = &works
                    [self.declared(w.index(), works.len(), "workspace", || format!("w{}", w.0))?];
                Ok((&work.name, work.dtype, work.len.clone()))
            }
        }
    }

    /// Checks an access and returns its element type and axes.
    ///
    /// Each index is a scalar, a run of a loop or a whole axis, of an axis as large as the
    /// tensor's. It may also be a multiple of a run and a number, of which nothing is checked here.
    fn access(&self, walk: &Walk<'_>, access: &Access, writes: bool) -> Checked<(Ty, Axes)> {
        let (name, ty, elements) = self.tensor_of(walk, access, writes)?;
        let name = || name;
        let (dims, due) = (access.dims.len(), access.index.len());
        self.holds(dims == due, || {
            format!("{due} indices of `{}` under a view of {dims} axes", name())
        })?;
        let size = access.dims.iter().cloned().reduce(|a, b| a * b);
        let whole = size.is_some_and(|size| self.sig.is_same_size(&size, &elements));
        self.holds(whole, || {
            format!(
                "a view of `{}` that has more or fewer elements than it",
                name()
            )
        })?;
        let mut axes = Vec::with_capacity(due);
        for (dim, index) in access.dims.iter().zip(&access.index) {
            if let Some(ids) = &index.ids {
                axes.extend(self.chosen(walk, ids, index)?.iter());
                continue;
            }
            if let [Term { ax, factor }] = &index.terms[..] {
                let facts = self.ax(*ax, &walk.tables.axes)?;
                if *factor == Scalar::Int(1)
                    && index.offset == facts.first
                    && Some(dim) == facts.extent
                {
                    axes.push(*ax);
                    continue;
                }
            }
            axes.extend(self.affine(walk, index, name())?);
        }
        let set: Axes = axes.iter().copied().collect();
        self.holds(set.len() == axes.len(), || {
            format!("one axis at two indices of `{}`", name())
        })?;
        self.open(walk, &set)?;
        Ok((ty, set))
    }

    /// Returns the axis of an index that is a number, or a multiple of an axis and a number. `of`
    /// names its tensor.
    fn affine(&self, walk: &Walk<'_>, index: &Index, of: &str) -> Checked<Option<AxId>> {
        self.operand(walk, &index.offset, ScalarTy::Index)?;
        match &index.terms[..] {
            [] => Ok(None),
            [Term { ax, factor }] => {
                self.ax(*ax, &walk.tables.axes)?;
                self.holds(*factor != Scalar::Int(0), || {
                    format!("an index of `{of}` that does not move with `~{}`", ax.0)
                })?;
                self.host_operand(walk, factor, "the factor of an index")?;
                Ok(Some(*ax))
            }
            [..] => self.fault(format!(
                "an index of `{of}` that does not go along one axis"
            )),
        }
    }

    /// Returns the axes of a tile of indices.
    fn chosen<'b>(&self, walk: &Walk<'b>, ids: &Ids, index: &Index) -> Checked<&'b Axes> {
        self.uses(&walk.scope, walk.body, ids.value)?;
        let decl = &walk.body.values[ids.value.index()];
        let whole = matches!(decl.dtype, Ty::Is(DType::I32 | DType::I64));
        self.holds(whole, || {
            format!("`{}`, which holds no i32 or i64, as indices", decl.name)
        })?;
        ids.of.map_or(Ok(()), |of| self.promised(of))?;
        let as_they_are = *index == Index::chosen(ids.clone(), &decl.axes);
        self.holds(as_they_are, || {
            format!("indices that are not those of `{}` as they are", decl.name)
        })?;
        Ok(&decl.axes)
    }

    // ---- definitions ----

    fn expr(&self, walk: &Walk<'_>, id: ValueId, expr: &TileExpr) -> Checked {
        let body = walk.body;
        self.declared(id.index(), body.values.len(), "value", || {
            format!("%{}", id.0)
        })?;
        let decl = &body.values[id.index()];
        self.open(walk, &decl.axes)?;
        // A pass lets each block begin its part before a loop.
        let begins = self.binding.is_some() && matches!(expr, TileExpr::Fill { .. });
        let is_kept = begins
            || walk.phase().is_some()
            || !decl.mutable
            || matches!(expr, TileExpr::Across { .. });
        self.holds(is_kept || !is_set_in_loops(body, id), || {
            format!(
                "`{}` stands before the tile loop that changes it",
                decl.name
            )
        })?;
        let source = |value: &ValueId| -> Checked<&ValueDecl> {
            self.uses(&walk.scope, body, *value)?;
            Ok(&body.values[value.index()])
        };
        match expr {
            TileExpr::LoadOr { from, outside } => {
                self.elements(decl)?;
                self.holds(from.ids().next().is_none(), || {
                    "a number outside of a tile of indices".to_string()
                })?;
                self.number(walk, outside, decl.dtype)?;
                self.expr(walk, id, &TileExpr::Load { from: from.clone() })
            }
            TileExpr::Load { from } => {
                if let Some(otherwise) = &from.otherwise {
                    self.elements(decl)?;
                    let may = from.param().is_some_and(|p| self.sig.is_optional(p));
                    self.holds(may, || {
                        "a number in place of what is never left out".to_string()
                    })?;
                    self.number(walk, otherwise, decl.dtype)?;
                }
                let (ty, axes) = self.access(walk, from, false)?;
                self.typed(decl, ty, "loaded from a tensor of")?;
                self.axes_are(decl, &axes)
            }
            TileExpr::Reduce {
                op,
                value,
                over,
                onto,
            } => {
                let from = source(value)?;
                if let Some(onto) = onto {
                    let onto = source(onto)?;
                    self.typed(decl, onto.dtype, "the reduction onto")?;
                    self.axes_are(decl, &onto.axes)?;
                }
                self.holds(!over.is_empty() && over.is_subset(&from.axes), || {
                    format!("`{}` is reduced over axes that it has not", from.name)
                })?;
                self.reduction(body, decl, (*op, from), over)?;
                self.axes_are(decl, &from.axes.without(over))
            }
            TileExpr::Iota { first } => {
                self.elements(decl)?;
                self.holds(decl.axes.len() == 1, || {
                    format!("`{}` has indices along other than one axis", decl.name)
                })?;
                self.number(walk, first, decl.dtype)
            }
            TileExpr::Across { op, init } => {
                self.elements(decl)?;
                self.holds(op.step().is_some(), || {
                    format!("`{}` is merged by no op of two", decl.name)
                })?;
                self.holds(walk.phase().is_none() && decl.mutable, || {
                    format!(
                        "`{}`, which the cores merge, is made before a loop and changes",
                        decl.name
                    )
                })?;
                self.number(walk, init, decl.dtype)
            }
            TileExpr::Appended { of } => {
                let packed = Access::new(*of, Vec::new(), Vec::new());
                self.tensor_of(walk, &packed, true)?;
                self.typed(decl, Ty::Is(DType::I32), "the number of elements in")?;
                self.axes_are(decl, &Axes::default())
            }
            TileExpr::Fill { value } => {
                self.elements(decl)?;
                self.number(walk, value, decl.dtype)
            }
            TileExpr::Op { op, args } => self.op(walk, decl, *op, args),
            TileExpr::Cast { value, .. } => {
                let from = source(value)?;
                if from.dtype == Ty::Mask {
                    self.elements(decl)?;
                }
                self.axes_are(decl, &from.axes)
            }
            TileExpr::Truncate { value } => {
                let from = source(value)?;
                self.elements(decl)?;
                self.elements(from)?;
                self.axes_are(decl, &from.axes)
            }
            TileExpr::Round { value, .. } => {
                self.elements(decl)?;
                self.alike(decl, source(value)?, "the rounding of")
            }
            TileExpr::Pick { value, along, at } => {
                let from = source(value)?;
                self.elements(decl)?;
                self.typed(from, decl.dtype, "a choice among")?;
                let facts = self.ax(*along, &walk.tables.axes)?;
                let is_whole = facts.of.is_none() || is_window(body, *along, at);
                self.holds(from.axes.contains(*along) && is_whole, || {
                    format!(
                        "a choice along an axis that `{}` has not from end to end",
                        from.name
                    )
                })?;
                let own = from.axes.without(&Axes::from([*along]));
                match at {
                    Chosen::Index { index } => {
                        self.holds(index.ids.is_none(), || {
                            format!("an index of `{}` that is of a tensor", from.name)
                        })?;
                        let along: Axes =
                            self.affine(walk, index, &from.name)?.into_iter().collect();
                        self.open(walk, &along)?;
                        self.holds(own.without(&along) == own, || {
                            format!("an index along an axis that `{}` has", from.name)
                        })?;
                        self.axes_are(decl, &own.union(&along))
                    }
                    Chosen::Tile { value } => {
                        let ids = source(value)?;
                        self.typed(ids, Ty::Is(DType::I32), "indices of")?;
                        self.axes_are(decl, &own.union(&ids.axes))
                    }
                }
            }
            TileExpr::Scan { op, value, along } => {
                let from = source(value)?;
                self.elements(decl)?;
                self.alike(decl, from, "the scan of")?;
                self.ax(*along, &walk.tables.axes)?;
                self.holds(from.axes.contains(*along), || {
                    format!("a scan along an axis that `{}` has not", from.name)
                })?;
                self.holds(ScanOp::of(*op).is_some(), || {
                    format!("a scan by `{}`", Op::AxisReduce(*op).name())
                })
            }
            TileExpr::Top { value, along, to } => {
                let from = source(value)?;
                self.elements(from)?;
                self.typed(decl, Ty::Is(DType::I32), "the places of")?;
                for ax in [along, to] {
                    let is_whole = self.ax(*ax, &walk.tables.axes)?.of.is_none();
                    self.holds(is_whole, || {
                        format!("places along a part of an axis, of `{}`", from.name)
                    })?;
                }
                self.holds(from.axes.contains(*along), || {
                    format!("places along an axis that `{}` has not", from.name)
                })?;
                let own = from.axes.without(&Axes::from([*along]));
                self.holds(!own.contains(*to), || {
                    format!("places along an axis that `{}` has beside", from.name)
                })?;
                self.axes_are(decl, &own.union(&Axes::from([*to])))
            }
            TileExpr::Copy { value } => {
                let from = source(value)?;
                self.typed(from, decl.dtype, "a copy of")?;
                self.holds(from.axes.is_subset(&decl.axes), || {
                    format!("`{}` lacks axes of what it is a copy of", decl.name)
                })
            }
        }
    }

    /// Checks element types and axes of a reduction.
    fn reduction(
        &self,
        body: &Body,
        decl: &ValueDecl,
        (op, from): (AxisReduceOp, &ValueDecl),
        over: &Axes,
    ) -> Checked {
        if op.is_of_masks() {
            self.typed(from, Ty::Mask, "a reduction of")?;
        } else {
            self.elements(from)?;
        }
        if op.is_place() {
            self.typed(decl, Ty::Is(DType::I32), "the index of")?;
            self.holds(over.len() == 1, || {
                format!("`{}` is an index along several axes", decl.name)
            })?;
        } else {
            self.typed(decl, from.dtype, "the reduction of")?;
        }
        // The length of an iteration's run depends on the tile size.
        let is_cut = over
            .iter()
            .any(|ax| matches!(body.axes[ax.index()].from, AxFrom::Run { .. }));
        self.holds(op != AxisReduceOp::Mean || !is_cut, || {
            format!("`{}` is a mean along a run", decl.name)
        })
    }

    fn axes_are(&self, decl: &ValueDecl, due: &Axes) -> Checked {
        self.holds(decl.axes == *due, || {
            format!("`{}` has other axes than what it is made of", decl.name)
        })
    }

    fn elements(&self, decl: &ValueDecl) -> Checked {
        self.holds(decl.dtype != Ty::Mask, || {
            format!(
                "`{}` holds the bits of a compare, elements are due",
                decl.name
            )
        })
    }

    fn op(&self, walk: &Walk<'_>, decl: &ValueDecl, op: Op, args: &[Operand]) -> Checked {
        let body = walk.body;
        for a in args {
            if let Operand::Value { value } = a {
                self.uses(&walk.scope, body, *value)?;
            }
        }
        let tile = |a: &Operand| match a {
            Operand::Value { value } => Some(&body.values[value.index()]),
            Operand::Scalar { .. } => None,
        };
        let good = match (op, args) {
            (Op::Binary(_), [a, b]) => tile(a).or(tile(b)).is_some(),
            (Op::Unary(_), [a]) => tile(a).is_some(),
            (Op::Compare(_), [a, _]) => tile(a).is_some(),
            (Op::Bit(op), args) => {
                args.len() == op.def().contract.sources() && args.iter().all(|a| tile(a).is_some())
            }
            (Op::Layout(LayoutOp::LocalCopy), [a]) => tile(a).is_some(),
            (
                Op::Layout(LayoutOp::GatherMask),
                [a, Operand::Scalar {
                    value: Scalar::Int(1 | 2),
                }],
            ) => tile(a).is_some(),
            (Op::Shift(_), [a, by]) => tile(a).is_some() && tile(by).is_none(),
            (Op::Layout(LayoutOp::Select), [m, a, _]) => {
                tile(m).is_some_and(|m| m.dtype == Ty::Mask) && tile(a).is_some()
            }
            (Op::Mask(op), args) => {
                args.len() == op.def().contract.sources() && args.iter().all(|a| tile(a).is_some())
            }
            _ => false,
        };
        self.holds(good, || {
            format!(
                "`{}` does not take these {} operands",
                op.name(),
                args.len()
            )
        })?;
        if let Op::Mask(_) = op {
            let masks = args.iter().filter_map(tile);
            self.holds(masks.clone().all(|of| of.dtype == Ty::Mask), || {
                format!("`{}` of what is no mask", op.name())
            })?;
            self.typed(decl, Ty::Mask, "the result of an op on")?;
            return self.axes_are(
                decl,
                &masks.fold(Axes::default(), |all, of| all.union(&of.axes)),
            );
        }
        // A reinterpretation of bits as elements of another type.
        if let (Op::Layout(LayoutOp::LocalCopy), Some(from)) = (op, args.first().and_then(tile)) {
            self.elements(from)?;
            self.elements(decl)?;
            return self.axes_are(decl, &from.axes);
        }
        // One word of the two of an i64.
        if let (Op::Layout(LayoutOp::GatherMask), Some(from)) = (op, args.first().and_then(tile)) {
            self.typed(from, Ty::Is(DType::I64), "seen in words of")?;
            self.typed(decl, Ty::Is(DType::I32), "a word as")?;
            return self.axes_are(decl, &from.axes);
        }
        // The mask of a select has bits; all other operands have elements of one type.
        let (mask, elements) = if op == Op::Layout(LayoutOp::Select) {
            args.split_at(1)
        } else {
            args.split_at(0)
        };
        let Some(ty) = elements.iter().find_map(tile).map(|d| d.dtype) else {
            return self.fault("an op without elements");
        };
        for a in elements {
            match a {
                Operand::Value { value } => {
                    let of = &body.values[value.index()];
                    self.elements(of)?;
                    self.typed(of, ty, "an operand among those of")?;
                }
                Operand::Scalar { value } => self.number(walk, value, ty)?,
            }
        }
        let due = if matches!(op, Op::Compare(_)) {
            Ty::Mask
        } else {
            ty
        };
        self.typed(decl, due, "the result of an op on")?;
        let axes = mask
            .iter()
            .chain(elements)
            .filter_map(tile)
            .fold(Axes::default(), |all, of| all.union(&of.axes));
        self.axes_are(decl, &axes)
    }
}

/// True for a window of a hull: as many indices as its run has, in order, from one that lies in it.
fn is_window(body: &Body, along: AxId, at: &Chosen) -> bool {
    let (AxFrom::Hull { of, more }, Chosen::Index { index }) = (&body.axes[along.index()].from, at)
    else {
        return false;
    };
    let inside = index
        .offset
        .as_int()
        .is_some_and(|first| (0..=*more).contains(&first));
    inside
        && index.terms
            == [Term {
                ax: *of,
                factor: Scalar::Int(1),
            }]
}

/// True for a value that a tile loop sets.
fn is_set_in_loops(body: &Body, id: ValueId) -> bool {
    let mut found = false;
    for tile in body.outer_loops() {
        walk_stmts(
            &tile.body,
            &mut |s| found |= matches!(s.own(), Some(TileStmt::Set { value, .. }) if *value == id),
        );
    }
    found
}
