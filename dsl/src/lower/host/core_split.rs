//! Divides the work among the cores on the host, and computes a block's share on the device.
//!
//! - A unit is a GM line (512 bytes on Atlas A2) of the narrowest tensor of the loop, or one row.
//!   With less work a core would not end sooner, and copies begin where GM is fast.
//! - Where there are many contiguous rows, as many of them as fill lines are a unit ([`row_unit`]).
//! - `block_dim` is `clamp(units, 1, cores)`. The first `units % block_dim` blocks take one unit
//!   more.
//! - Without units there is one block with no iteration.
//! - Several shares of one launch have one `block_dim`, that of the work with the most units. Some
//!   blocks then get nothing of the others.
//! - Chips without DataCopyPad need whole data blocks everywhere; the host checks the shape for
//!   that.

use super::empty_axes;
use super::index_bounds::require_inside;
use super::require;
use super::tile_sizes::Sizes;
use super::Host;
use crate::ir::scalar::product;
use crate::ir::tile::Body;
use crate::ir::{
    queue, AxId, BinOp, ChipFact, HostStep, Known, Scalar, ScalarTy, SpanId, StmtKind, TensorRef,
    TileLoop, TileStmt, VarId,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::nest;
use crate::lower::nest::{Divided, Loop, Nest};
use std::collections::BTreeMap;

/// A division of work. All its variables are host variables.
#[derive(Clone, Debug)]
pub struct CoreSplit {
    /// The total of elements or rows.
    pub total: VarId,
    /// Elements or rows of a unit: a number or a host variable.
    pub unit: Scalar,
    /// The number of launched blocks.
    pub block_dim: VarId,
    /// Units of every block.
    pub base: VarId,
    /// The number of blocks that take one unit more.
    pub extra: VarId,
    /// True if there may be more blocks than units.
    pub may_be_empty: bool,
    /// True if only a core knows the total. Then `total` is an upper bound, and each core divides
    /// for itself.
    pub on_core: bool,
}

/// The division of the outermost tile loop, and facts about its tiles.
#[derive(Clone, Debug)]
pub struct TileSplit {
    /// The division of elements, rows or iterations.
    pub share: CoreSplit,
    /// The number of indices of each whole axis of tiles and iterations.
    pub extents: BTreeMap<AxId, Scalar>,
    /// In a loop that is divided by iterations, their number along each axis, from the outermost
    /// on.
    pub turns: Vec<(AxId, Scalar)>,
    /// Bytes of the smallest element type in the loop.
    pub narrow: i64,
    /// Elements of a data block of the smallest element type.
    pub lanes: i64,
}

impl TileSplit {
    /// Divides a loop. `dim` is the common number of blocks of several loops, which is computed
    /// when all of them are known ([`divide_all`]). Loops of the bodies in `beside` are divided in
    /// the same units.
    pub fn new(
        host: &mut Host<'_>,
        src: Loop<'_>,
        dim: Option<VarId>,
        beside: &[&Body],
    ) -> Made<TileSplit> {
        let Loop { body, nest } = src;
        let outer = nest::outer(body)?;
        let block = host.chip.data_block_bytes;
        // A loop without elements may have tiles of any granularity.
        let narrow = beside
            .iter()
            .flat_map(|body| element_bytes(host, body))
            .chain(element_bytes(host, body))
            .min()
            .unwrap_or(block);
        let lanes = block / narrow;
        let columns = nest.columns(outer);
        let extents = extents(host, src)?;
        let total = nest.extent(nest.whole(nest.outer))?.clone();
        let work = empty_axes::not_empty(host, src, &extents, total)?;
        let (share, turns) = match nest.divided {
            Divided::Elements => {
                let total = host.define("total_length", ScalarTy::Index, work);
                let unit = Scalar::Int(host.chip.gm_line_bytes / narrow);
                (
                    CoreSplit::of(host, total, unit, dim, outer.block_dim.as_ref()),
                    Vec::new(),
                )
            }
            Divided::Rows => {
                let total = host.define("total_rows", ScalarTy::Index, work);
                let whole_blocks = !host.chip.has_data_copy_pad && !columns.is_empty();
                let cols = nest.row().and_then(|row| extents.get(&row)).cloned();
                let unit = match cols {
                    _ if whole_blocks => Scalar::Int(lanes),
                    Some(cols) => row_unit(host, outer, nest, total, cols, lanes),
                    None => Scalar::Int(1),
                };
                (
                    CoreSplit::of(host, total, unit, dim, outer.block_dim.as_ref()),
                    Vec::new(),
                )
            }
            Divided::Turns => (
                CoreSplit::of_turns(host, dim),
                turns(host, body, outer, &extents)?,
            ),
        };
        let on_core = outer.specs.iter().any(|spec| spec.length.is_some());
        let split = TileSplit {
            share: CoreSplit { on_core, ..share },
            extents,
            turns,
            narrow,
            lanes,
        };
        split.require_whole_blocks(host, nest, outer, !columns.is_empty())?;
        require_inside(host, body);
        Ok(split)
    }

    /// Returns the division for another variant, whose sizes decide the number of iterations. `dim`
    /// is as in [`TileSplit::new`].
    pub fn again(&self, host: &mut Host<'_>, nest: &Nest, dim: Option<VarId>) -> TileSplit {
        if nest.divided != Divided::Turns {
            return self.clone();
        }
        let mut count = |(of, count): &(AxId, Scalar)| match count {
            Scalar::Var(var) if host.is_later(*var) => {
                (*of, host.later(&host.vars[var.index()].name.clone()).into())
            }
            count => (*of, count.clone()),
        };
        let turns = self.turns.iter().map(&mut count).collect();
        let share = CoreSplit {
            on_core: self.share.on_core,
            ..CoreSplit::of_turns(host, dim)
        };
        TileSplit {
            share,
            turns,
            ..self.clone()
        }
    }

    /// Adds checks on the stride of copies that take rows in pieces. Without DataCopyPad it is a
    /// `uint16_t` of data blocks (asc-devkit, DataCopyParams).
    pub fn require_short_strides(
        &self,
        host: &mut Host<'_>,
        Loop { body, nest }: Loop<'_>,
    ) -> Made<()> {
        let outer = nest::outer(body)?;
        if host.chip.has_data_copy_pad {
            return Ok(());
        }
        let widest = element_bytes(host, body).max().unwrap_or(self.narrow);
        let longest = i64::from(u16::MAX) * host.chip.data_block_bytes / widest;
        let (name, chip) = (named(host, nest, outer), host.chip.name);
        for lanes in nest
            .lanes()
            .filter(|_| nest.divided != Divided::Elements && nest.has_inner())
        {
            let text = format!(
                "rows of {name} that are copied in pieces have at most {longest} elements: {chip} has no DataCopyPad, and DataCopy's strides 16 bits"
            );
            if let Some(cols) = self.extents.get(&lanes) {
                host.steps
                    .push(require(cols.clone().bin(BinOp::Le, longest), text));
            }
        }
        Ok(())
    }

    /// Returns the largest useful number of indices of an iteration, given the `known` sizes: a
    /// quarter of the share of a core.
    pub fn of_use(&self, host: &mut Host<'_>, body: &Body, known: &[VarId]) -> Made<Scalar> {
        let outer = nest::outer(body)?;
        let extents = outer
            .specs
            .iter()
            .map(|spec| self.extent(spec.of))
            .collect::<Made<Vec<Scalar>>>()?;
        let of_core = product(extents).ceil_div(cores(outer.block_dim.as_ref()) * TURNS_A_CORE);
        let of_core = host.define("indices_a_turn", ScalarTy::Index, of_core);
        // A size is 0 if not even one index fits, which is refused once all are found.
        Ok(known.iter().fold(of_core.into(), |rest: Scalar, size| {
            rest.ceil_div(Scalar::Var(*size).max(1))
        }))
    }

    /// Returns the steps that divide iterations, once the sizes are known.
    pub fn divide_turns(
        &self,
        host: &Host<'_>,
        Loop { body, nest }: Loop<'_>,
        sizes: &Sizes,
    ) -> Made<Vec<HostStep>> {
        let outer = nest::outer(body)?;
        let CoreSplit {
            total,
            block_dim,
            base,
            extra,
            on_core,
            ..
        } = self.share;
        // If each core divides for itself, an upper bound of the total may be unused.
        let is_wanted = !on_core || !host.is_host_var(block_dim) || self.counted(nest).is_some();
        let mut steps = Vec::new();
        for spec in outer
            .specs
            .iter()
            .filter(|spec| is_wanted || spec.length.is_none())
        {
            let count = self
                .turns
                .iter()
                .find(|(of, _)| *of == spec.of)
                .map(|(_, count)| count);
            if let (Some(Scalar::Var(count)), false) = (count, spec.size.is_each()) {
                // Blocks divide by it, also those without iterations.
                steps.push(HostStep::Let {
                    var: *count,
                    value: self
                        .extent(spec.of)?
                        .ceil_div(sizes.run(spec.of)?.max(1))
                        .max(1),
                });
            }
        }
        let all = product(self.turns.iter().map(|(_, count)| count.clone()));
        let all = empty_axes::without(
            nest.sized()
                .chain(outer.specs.iter().map(|spec| spec.of))
                .collect(),
            &self.extents,
            all,
        );
        let dim = Scalar::Var(total)
            .min(cores(outer.block_dim.as_ref()))
            .max(1);
        let mut values = Vec::from_iter(is_wanted.then_some((total, all)));
        values.extend((!host.is_host_var(block_dim)).then_some((block_dim, dim)));
        if !on_core {
            values.extend([
                (base, Scalar::Var(total) / block_dim),
                (extra, Scalar::Var(total) % block_dim),
            ]);
        }
        steps.extend(values.into_iter().map(|(var, value)| HostStep::Let {
            var,
            value: host.binding.sized(&value),
        }));
        Ok(steps)
    }

    /// Returns the host's condition that a loop which each core divides for itself has iterations.
    /// `None` if no axis of its tiles can be empty.
    pub fn counted(&self, nest: &Nest) -> Option<Scalar> {
        nest.sized()
            .chain(nest.row_of_loops())
            .next()
            .map(|_| Scalar::Var(self.share.total).bin(BinOp::Gt, 0))
    }

    /// Returns the units of work, or an upper bound if sizes decide that are not known yet.
    fn work(&self, host: &mut Host<'_>, outer: &TileLoop) -> Made<Scalar> {
        if self.turns.is_empty() {
            return Ok(self.share.units(host).into());
        }
        Ok(product(
            outer
                .specs
                .iter()
                .map(|spec| self.extent(spec.of))
                .collect::<Made<Vec<Scalar>>>()?,
        ))
    }

    /// Returns the number of indices of a whole axis.
    fn extent(&self, of: AxId) -> Made<Scalar> {
        self.extents
            .get(&of)
            .cloned()
            .ok_or_else(|| Gap::of_kernel("an axis without an extent"))
    }

    /// Requires whole data blocks on chips without DataCopyPad.
    fn require_whole_blocks(
        &self,
        host: &mut Host<'_>,
        nest: &Nest,
        outer: &TileLoop,
        columns: bool,
    ) -> Made<()> {
        if host.chip.has_data_copy_pad {
            return Ok(());
        }
        let (chip, lanes, name) = (host.chip.name, self.lanes, named(host, nest, outer));
        let whole = |n: Scalar| (n % lanes).bin(BinOp::Eq, 0);
        let why = format!("{chip} has no DataCopyPad");
        let total = Scalar::Var(self.share.total);
        if nest.divided == Divided::Elements {
            host.steps.push(require(
                whole(total),
                format!("the length of {name} must be a multiple of {lanes}: {why}"),
            ));
            return Ok(());
        }
        if let Some(span) = nest.open_lanes(outer) {
            let what = format!(
                "elements of a range that only a core knows, on {chip}, which has no DataCopyPad"
            );
            return Err(Gap::not_yet(
                what,
                "such ranges are copied on Atlas A2; here one may go along rows: `x.at(r, ..)`",
                span,
            ));
        }
        for cols in nest.lanes() {
            let cols = self.extent(cols)?;
            host.steps.push(require(
                whole(cols),
                format!("the rows of {name} must be a multiple of {lanes} elements: {why}"),
            ));
        }
        match nest.divided {
            _ if !columns => Ok(()),
            Divided::Rows => {
                let text =
                    format!("the number of rows of {name} must be a multiple of {lanes}: {why}");
                host.steps.push(require(whole(total), text));
                Ok(())
            }
            Divided::Elements | Divided::Turns => {
                let what = format!("one value a row in a loop over several axes on {chip}, which has no DataCopyPad");
                Err(Gap::not_yet(
                    what,
                    "such tiles are copied on Atlas A2",
                    SpanId(0),
                ))
            }
        }
    }
}

/// Returns the extents of axes that are whole in tiles, and of axes of loops that are not divided
/// by their indices.
fn extents(host: &mut Host<'_>, Loop { body, nest }: Loop<'_>) -> Made<BTreeMap<AxId, Scalar>> {
    let outer = nest::outer(body)?;
    let inner = nest::inner_loops(outer)
        .into_iter()
        .flat_map(|tile| &tile.specs);
    let turns = outer
        .specs
        .iter()
        .filter(|_| nest.divided == Divided::Turns);
    let mut whole: Vec<AxId> = nest
        .uncut()
        .chain(inner.chain(turns).map(|spec| spec.of))
        .collect();
    whole.sort_by_key(|of| nest.rank(*of));
    whole.dedup();
    let mut extents = BTreeMap::new();
    for of in whole {
        let extent = match nest.extent(of)? {
            n @ (Scalar::Int(_) | Scalar::Var(_)) => n.clone(),
            n => {
                let name = match n {
                    _ if nest.row_of_loops() == Some(of) => "cols".to_string(),
                    // A range has at most as many indices as an axis of another name.
                    Scalar::Axis(axis) => host.sig().axes[axis.index()].name.clone(),
                    _ => body.axes[of.index()].name.clone(),
                };
                host.define(&name, ScalarTy::Index, n.clone()).into()
            }
        };
        extents.insert(of, extent);
    }
    Ok(extents)
}

/// Returns the number of iterations along each axis of a loop that is divided by iterations.
fn turns(
    host: &mut Host<'_>,
    body: &Body,
    outer: &TileLoop,
    extents: &BTreeMap<AxId, Scalar>,
) -> Made<Vec<(AxId, Scalar)>> {
    let mut turns = Vec::new();
    for spec in &outer.specs {
        let name = format!("{}_turns", body.axes[spec.of.index()].name);
        let count = match spec.size.is_each() {
            true => {
                let extent = extents
                    .get(&spec.of)
                    .ok_or_else(|| Gap::of_kernel("an axis without an extent"))?;
                host.known(&name, &extent.clone().max(1))
            }
            false => host.later(&name).into(),
        };
        turns.push((spec.of, count));
    }
    Ok(turns)
}

/// Computes the common block dim of several loops, and the shares of those whose units are known.
pub fn divide_all(host: &mut Host<'_>, splits: &[(&TileSplit, &TileLoop)], dim: VarId) -> Made<()> {
    let given = splits
        .iter()
        .find_map(|(_, outer)| outer.block_dim.as_ref());
    let work = splits
        .iter()
        .map(|(split, outer)| split.work(host, outer))
        .collect::<Made<Vec<Scalar>>>()?;
    let most = work
        .into_iter()
        .reduce(|a, b| a.max(b))
        .unwrap_or(Scalar::Int(1));
    // All blocks of a barrier need a core at once; with more blocks than cores they would wait
    // forever.
    let cores = given.map_or(cores(None), |given| given.clone().min(cores(None)));
    host.define_as(dim, most.min(cores).max(1));
    for (split, _) in splits
        .iter()
        .filter(|(split, _)| split.turns.is_empty() && !split.share.on_core)
    {
        let units = split.share.units(host);
        host.define_as(split.share.base, Scalar::Var(units) / dim);
        host.define_as(split.share.extra, Scalar::Var(units) % dim);
    }
    Ok(())
}

impl CoreSplit {
    /// Divides `total` in multiples of `unit`: now, or later among the blocks of several loops.
    fn of(
        host: &mut Host<'_>,
        total: VarId,
        unit: Scalar,
        dim: Option<VarId>,
        given: Option<&Scalar>,
    ) -> CoreSplit {
        let Some(block_dim) = dim else {
            return CoreSplit::divide(host, total, unit, given);
        };
        let [base, extra] = ["base_units", "extra_units"].map(|name| host.later(name));
        CoreSplit {
            total,
            unit,
            block_dim,
            base,
            extra,
            may_be_empty: true,
            on_core: false,
        }
    }

    /// Divides `total` in multiples of `unit`.
    pub fn divide(
        host: &mut Host<'_>,
        total: VarId,
        unit: Scalar,
        block_dim: Option<&Scalar>,
    ) -> CoreSplit {
        let units = units(host, total, &unit);
        let cores = cores(block_dim);
        let dim = host.define(
            "block_dim",
            ScalarTy::Index,
            Scalar::Var(units).min(cores).max(1),
        );
        let base = host.define("base_units", ScalarTy::Index, Scalar::Var(units) / dim);
        let extra = host.define("extra_units", ScalarTy::Index, Scalar::Var(units) % dim);
        CoreSplit {
            total,
            unit,
            block_dim: dim,
            base,
            extra,
            may_be_empty: false,
            on_core: false,
        }
    }

    /// Makes one of several parts, which [`CoreSplit::divide_all`] will divide among `block_dim`
    /// blocks.
    pub fn part(host: &mut Host<'_>, total: VarId, unit: i64, block_dim: VarId) -> CoreSplit {
        let [base, extra] =
            ["base_units", "extra_units"].map(|name| host.fresh(name, ScalarTy::Index));
        CoreSplit {
            total,
            unit: Scalar::Int(unit),
            block_dim,
            base,
            extra,
            may_be_empty: true,
            on_core: false,
        }
    }

    /// Computes the common block dim of `parts`, and the share of a block in each.
    pub fn divide_all(host: &mut Host<'_>, parts: &[CoreSplit], block_dim: Option<&Scalar>) {
        let units: Vec<VarId> = parts.iter().map(|p| p.units(host)).collect();
        let Some(most) = units
            .iter()
            .map(|v| Scalar::Var(*v))
            .reduce(|a, b| a.max(b))
        else {
            return;
        };
        let dim = parts[0].block_dim;
        host.define_as(dim, most.min(cores(block_dim)).max(1));
        for (part, units) in parts.iter().zip(units) {
            host.define_as(part.base, Scalar::Var(units) / dim);
            host.define_as(part.extra, Scalar::Var(units) % dim);
        }
    }

    /// Divides iterations, whose number depends on their sizes ([`TileSplit::divide_turns`]).
    pub fn of_turns(host: &mut Host<'_>, dim: Option<VarId>) -> CoreSplit {
        let total = host.later("turns");
        let block_dim = dim.unwrap_or_else(|| host.later("block_dim"));
        let [base, extra] = ["base_units", "extra_units"].map(|name| host.later(name));
        CoreSplit {
            total,
            unit: Scalar::Int(1),
            block_dim,
            base,
            extra,
            may_be_empty: dim.is_some(),
            on_core: false,
        }
    }

    fn units(&self, host: &mut Host<'_>) -> VarId {
        units(host, self.total, &self.unit)
    }

    /// Returns the known divisor of every unit.
    pub fn step(&self) -> i64 {
        self.unit.as_int().unwrap_or(1)
    }

    /// Returns the elements or rows of the longest share, as a host expression.
    pub fn longest(&self, host: &mut Host<'_>) -> Scalar {
        Scalar::Var(self.units(host)).ceil_div(self.block_dim) * self.unit.clone()
    }

    /// Adds the statements with which each core divides a total that only it knows.
    pub fn divided_here(
        &self,
        host: &mut Host<'_>,
        total: Scalar,
        span: SpanId,
        out: &mut Vec<queue::Stmt>,
    ) -> CoreSplit {
        let mut named = |name: &str, value: Scalar| match value {
            Scalar::Var(var) => var,
            value => {
                let var = host.fresh(name, ScalarTy::Index);
                out.push(queue::Stmt {
                    kind: StmtKind::LetScalar { var, value },
                    span,
                });
                var
            }
        };
        let total = named("total_here", total);
        let units = named("units_here", Scalar::Var(total).ceil_div(self.unit.clone()));
        let base = named("base_here", Scalar::Var(units) / self.block_dim);
        let extra = named("extra_here", Scalar::Var(units) % self.block_dim);
        CoreSplit {
            total,
            base,
            extra,
            may_be_empty: true,
            ..self.clone()
        }
    }

    /// Adds device statements that compute this block's share into two new variables.
    pub fn share(
        &self,
        host: &mut Host<'_>,
        span: SpanId,
        out: &mut Vec<queue::Stmt>,
    ) -> (VarId, VarId) {
        let start = host.fresh("block_start", ScalarTy::Index);
        let len = host.fresh("block_length", ScalarTy::Index);
        self.share_into(host, start, len, span, out);
        (start, len)
    }

    /// Adds device statements that compute this block's share into given variables.
    pub fn share_into(
        &self,
        host: &mut Host<'_>,
        start: VarId,
        len: VarId,
        span: SpanId,
        out: &mut Vec<queue::Stmt>,
    ) {
        host.known_vars.push(Known::Share {
            start,
            len,
            total: self.total.into(),
            unit: self.step(),
        });
        let idx = || Scalar::BlockIdx;
        let mut first = (idx() * self.base + idx().min(self.extra)) * self.unit.clone();
        if self.may_be_empty && self.unit != Scalar::Int(1) {
            // An empty share behind a partial unit would begin beyond the end.
            first = first.min(self.total);
        }
        let one_more = Scalar::select(
            idx().bin(BinOp::Lt, self.extra),
            Scalar::Int(1),
            Scalar::Int(0),
        );
        let units = (Scalar::Var(self.base) + one_more) * self.unit.clone();
        out.push(queue::Stmt {
            kind: StmtKind::LetScalar {
                var: start,
                value: first,
            },
            span,
        });
        // Only the last block may reach the end of the tensor, and with units of one row it ends
        // there exactly.
        let value = if self.unit == Scalar::Int(1) {
            units
        } else {
            units.min(Scalar::Var(self.total) - start)
        };
        out.push(queue::Stmt {
            kind: StmtKind::LetScalar { var: len, value },
            span,
        });
    }
}

fn units(host: &mut Host<'_>, total: VarId, unit: &Scalar) -> VarId {
    host.define(
        "units",
        ScalarTy::Index,
        Scalar::Var(total).ceil_div(unit.clone()),
    )
}

/// Returns the number of cores that share the work.
fn cores(block_dim: Option<&Scalar>) -> Scalar {
    block_dim
        .cloned()
        .unwrap_or(Scalar::Chip(ChipFact::VectorCores))
}

/// Iterations of a core from which on copies and computation overlap.
const TURNS_A_CORE: i64 = 4;

/// Units of a core from which on one unit more or less makes little difference.
const MANY_UNITS: i64 = 32;

/// Returns the rows of a unit. Rows of whole data blocks are contiguous in GM, and some of them
/// together fill lines. A copy of them then begins at a line; others take up to 1.28 times as long
/// (measured by others, unaligned rows).
fn row_unit(
    host: &mut Host<'_>,
    outer: &TileLoop,
    nest: &Nest,
    total: VarId,
    cols: Scalar,
    lanes: i64,
) -> Scalar {
    if !host.chip.has_data_copy_pad || nest.has_inner() {
        return Scalar::Int(1);
    }
    let most = host.chip.gm_line_bytes / host.chip.data_block_bytes;
    // 1, 2, 4 .. rows, up to the number of data blocks of a line.
    let counts =
        std::iter::successors(Some(1), |rows| Some(rows * 2)).take_while(|rows| *rows <= most);
    let fill_lines = |rows: i64| (cols.clone() % (lanes * most / rows)).bin(BinOp::Eq, 0);
    let chosen = |other, rows: i64| Scalar::select(fill_lines(rows), Scalar::Int(rows), other);
    let line_rows = counts
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .fold(Scalar::Int(1), chosen);
    let line_rows = host.define("line_rows", ScalarTy::Index, line_rows);
    let many = Scalar::Var(total).bin(
        BinOp::Ge,
        cores(outer.block_dim.as_ref()) * MANY_UNITS * line_rows,
    );
    let unit = Scalar::select(many, line_rows.into(), Scalar::Int(1));
    host.define("row_unit", ScalarTy::Index, unit).into()
}

/// Returns the bytes of the element types that a body uses, without masks.
fn element_bytes<'b>(host: &'b Host<'_>, body: &'b Body) -> impl Iterator<Item = i64> + 'b {
    let mut values = Vec::new();
    body.walk(&mut |s| {
        if let StmtKind::Do(TileStmt::Def { value, .. }) = &s.kind {
            values.push(body.values[value.index()].dtype);
        }
        if let StmtKind::Do(TileStmt::Store { to, .. } | TileStmt::Append { to, .. }) = &s.kind {
            values.extend(match to.of {
                TensorRef::Param(param) => host.sig().dtype(param),
                TensorRef::Work(work) => Some(body.work(work).dtype),
            });
        }
    });
    values
        .into_iter()
        .filter(|t| *t != crate::ir::Ty::Mask)
        .map(|t| host.binding.bytes(t))
}

/// Returns the name of the tensor that an outermost loop goes through, for messages.
fn named(host: &Host<'_>, nest: &Nest, outer: &TileLoop) -> String {
    nest.named(outer).map_or("the loop".to_string(), |param| {
        format!("`{}`", host.sig().param(param).name)
    })
}
