//! Dividing the work among the cores, on the host; and this block's share, on the device.
//!
//! The unit is a line of GM (512 bytes on Atlas A2) of the narrowest tensor the loop touches (flat loops) or one row: cores with
//! less work than that would not end sooner, and copies begin where GM is fast; of many rows that touch it is so many that they fill
//! lines ([`row_unit`]). `block_dim` is
//! `clamp(units, 1, cores)`; the first `units % block_dim` blocks take one unit more. No unit: one block, zero turns.
//! Several shares of one launch have one `block_dim`, that of the work with most units; of the others some blocks get nothing.
//! Chips without DataCopyPad need whole data blocks everywhere; what the shape must fulfil for that is a host check.

use super::host::Host;
use super::nest::{self, Nest};
use super::{require, Made};
use crate::ir::{BinOp, Body, ChipFact, Known, Scalar, ScalarTy, SpanId, Stmt, StmtKind, TileLoop, VarId};

/// How work is divided. All variables are host variables.
#[derive(Clone, Debug)]
pub(super) struct Split {
    /// Elements or rows in all.
    pub total: VarId,
    /// Elements or rows of a unit: a number or a host variable.
    pub unit: Scalar,
    /// Blocks launched.
    pub block_dim: VarId,
    /// Units of every block.
    pub base: VarId,
    /// Blocks that take one more.
    pub extra: VarId,
    /// True where there may be more blocks than units.
    pub may_be_empty: bool,
}

/// How the outermost tile loop is divided, and what its tiles are made of.
#[derive(Clone, Debug)]
pub(super) struct TileSplit {
    /// The elements or rows.
    pub share: Split,
    /// Columns of a row loop.
    pub cols: Option<VarId>,
    /// Bytes of the smallest element type in the loop.
    pub narrow: i64,
    /// Elements of a data block of the smallest element type.
    pub lanes: i64,
}

impl TileSplit {
    pub fn new(host: &mut Host<'_>, body: &Body, nest: &Nest) -> Made<TileSplit> {
        let outer = nest::outer(body)?;
        let block = host.chip.data_block_bytes;
        // A loop that touches nothing has tiles of any granularity.
        let narrow = element_bytes(host, body).min().unwrap_or(block);
        let lanes = block / narrow;
        let rows = nest.total.clone();
        let columns = nest.columns(outer);
        let (total, cols, unit) = match &nest.row {
            None => {
                let total = host.define("total_length", ScalarTy::Index, rows);
                (total, None, Scalar::Int(host.chip.gm_line_bytes / narrow))
            }
            Some((_, row_len)) => {
                let cols = host.define("cols", ScalarTy::Index, row_len.clone());
                if columns.iter().any(|(_, stores)| *stores) {
                    let cond = Scalar::Var(cols).bin(BinOp::Gt, 0).bin(BinOp::Or, rows.clone().bin(BinOp::Eq, 0));
                    host.steps.push(require(cond, "rows without elements have no row results"));
                }
                // Rows without elements are no work: a turn would make calls whose count is 0.
                let none = Scalar::Var(cols).bin(BinOp::Eq, 0);
                let rows = Scalar::select(none, Scalar::Int(0), rows);
                let total = host.define("total_rows", ScalarTy::Index, rows);
                let whole_blocks = !host.chip.has_data_copy_pad && !columns.is_empty();
                let unit = if whole_blocks { Scalar::Int(lanes) } else { row_unit(host, outer, (total, cols), lanes) };
                (total, Some(cols), unit)
            }
        };
        require_whole_blocks(host, (&named(host, (nest, outer)), !columns.is_empty()), total, cols, lanes);
        let share = Split::divide(host, total, unit, outer.block_dim.as_ref());
        Ok(TileSplit { share, cols, narrow, lanes })
    }

    /// Where rows are copied in pieces, the distance from piece to piece must be one that a copy can say: without DataCopyPad
    /// it is a `uint16_t` of data blocks (asc-devkit, DataCopyParams).
    pub fn require_short_strides(&self, host: &mut Host<'_>, body: &Body, nest: &Nest) -> Made<()> {
        let outer = nest::outer(body)?;
        let cut = !nest::inner_loops(outer).is_empty();
        let Some(cols) = self.cols.filter(|_| !host.chip.has_data_copy_pad && cut) else { return Ok(()) };
        let widest = element_bytes(host, body).max().unwrap_or(self.narrow);
        let longest = i64::from(u16::MAX) * host.chip.data_block_bytes / widest;
        let (name, chip) = (named(host, (nest, outer)), host.chip.name);
        let text = format!(
            "rows of {name} that are copied in pieces have at most {longest} elements: {chip} has no DataCopyPad, and DataCopy's strides 16 bits"
        );
        host.steps.push(require(Scalar::Var(cols).bin(BinOp::Le, longest), text));
        Ok(())
    }
}

impl Split {
    /// Divides `total` in multiples of `unit`.
    pub fn divide(host: &mut Host<'_>, total: VarId, unit: Scalar, block_dim: Option<&Scalar>) -> Split {
        let units = units(host, total, &unit);
        let cores = cores(block_dim);
        let dim = host.define("block_dim", ScalarTy::Index, Scalar::Var(units).min(cores).max(1));
        let base = host.define("base_units", ScalarTy::Index, Scalar::Var(units) / dim);
        let extra = host.define("extra_units", ScalarTy::Index, Scalar::Var(units) % dim);
        Split { total, unit, block_dim: dim, base, extra, may_be_empty: false }
    }

    /// A part of several, which [`Split::divide_all`] will divide among `block_dim` blocks.
    pub fn part(host: &mut Host<'_>, total: VarId, unit: i64, block_dim: VarId) -> Split {
        let [base, extra] = ["base_units", "extra_units"].map(|name| host.fresh(name, ScalarTy::Index));
        Split { total, unit: Scalar::Int(unit), block_dim, base, extra, may_be_empty: true }
    }

    /// Computes the common block dim of `parts`, and what a block takes of each.
    pub fn divide_all(host: &mut Host<'_>, parts: &[Split], block_dim: Option<&Scalar>) {
        let units: Vec<VarId> = parts.iter().map(|p| p.units(host)).collect();
        let Some(most) = units.iter().map(|v| Scalar::Var(*v)).reduce(|a, b| a.max(b)) else { return };
        let dim = parts[0].block_dim;
        host.define_as(dim, most.min(cores(block_dim)).max(1));
        for (part, units) in parts.iter().zip(units) {
            host.define_as(part.base, Scalar::Var(units) / dim);
            host.define_as(part.extra, Scalar::Var(units) % dim);
        }
    }

    fn units(&self, host: &mut Host<'_>) -> VarId {
        units(host, self.total, &self.unit)
    }

    /// What every unit is known to be a multiple of.
    pub fn step(&self) -> i64 {
        self.unit.as_int().unwrap_or(1)
    }

    /// Elements or rows of the longest share, as a host expression.
    pub fn longest(&self, host: &mut Host<'_>) -> Scalar {
        Scalar::Var(self.units(host)).ceil_div(self.block_dim) * self.unit.clone()
    }

    /// Device statements that compute this block's share into two new variables.
    pub fn share(&self, host: &mut Host<'_>, span: SpanId, out: &mut Vec<Stmt>) -> (VarId, VarId) {
        let start = host.fresh("block_start", ScalarTy::Index);
        let len = host.fresh("block_length", ScalarTy::Index);
        self.share_into(host, start, len, span, out);
        (start, len)
    }

    /// The same into given variables.
    pub fn share_into(&self, host: &mut Host<'_>, start: VarId, len: VarId, span: SpanId, out: &mut Vec<Stmt>) {
        host.known_vars.push(Known::Share { start, len, total: self.total.into(), unit: self.step() });
        let idx = || Scalar::BlockIdx;
        let mut first = (idx() * self.base + idx().min(self.extra)) * self.unit.clone();
        if self.may_be_empty && self.unit != Scalar::Int(1) {
            // An empty share behind a ragged end would begin beyond it.
            first = first.min(self.total);
        }
        let one_more = Scalar::select(idx().bin(BinOp::Lt, self.extra), Scalar::Int(1), Scalar::Int(0));
        let units = (Scalar::Var(self.base) + one_more) * self.unit.clone();
        out.push(Stmt { kind: StmtKind::LetScalar { var: start, value: first }, span });
        // Only the last block can meet the end of the tensor; with one row a unit none does.
        let value = if self.unit == Scalar::Int(1) { units } else { units.min(Scalar::Var(self.total) - start) };
        out.push(Stmt { kind: StmtKind::LetScalar { var: len, value }, span });
    }
}

fn units(host: &mut Host<'_>, total: VarId, unit: &Scalar) -> VarId {
    host.define("units", ScalarTy::Index, Scalar::Var(total).ceil_div(unit.clone()))
}

/// The cores that work is divided among.
fn cores(block_dim: Option<&Scalar>) -> Scalar {
    block_dim.cloned().unwrap_or(Scalar::Chip(ChipFact::VectorCores))
}

/// Units from which on a core takes them at no loss: one more or less than others have is little then.
const MANY_UNITS: i64 = 32;

/// Rows of a unit. Rows of whole data blocks touch one another in GM, and some of them together fill lines: then a copy of them
/// begins at a line, and one that does not takes up to 1.28 times as long (measured by others, unaligned rows).
fn row_unit(host: &mut Host<'_>, outer: &TileLoop, (total, cols): (VarId, VarId), lanes: i64) -> Scalar {
    if !host.chip.has_data_copy_pad || !nest::inner_loops(outer).is_empty() {
        return Scalar::Int(1);
    }
    let most = host.chip.gm_line_bytes / host.chip.data_block_bytes;
    // 1, 2, 4 .. rows, up to as many as a line has data blocks.
    let counts = std::iter::successors(Some(1), |rows| Some(rows * 2)).take_while(|rows| *rows <= most);
    let fill_lines = |rows: i64| (Scalar::Var(cols) % (lanes * most / rows)).bin(BinOp::Eq, 0);
    let chosen = |other, rows: i64| Scalar::select(fill_lines(rows), Scalar::Int(rows), other);
    let line_rows = counts.collect::<Vec<_>>().into_iter().rev().fold(Scalar::Int(1), chosen);
    let line_rows = host.define("line_rows", ScalarTy::Index, line_rows);
    let many = Scalar::Var(total).bin(BinOp::Ge, cores(outer.block_dim.as_ref()) * MANY_UNITS * line_rows);
    let unit = Scalar::select(many, line_rows.into(), Scalar::Int(1));
    host.define("row_unit", ScalarTy::Index, unit).into()
}

/// Sizes of the element types that a body touches, masks excepted.
fn element_bytes<'b>(host: &'b Host<'_>, body: &'b Body) -> impl Iterator<Item = i64> + 'b {
    let mut values = Vec::new();
    body.walk(&mut |s| {
        if let StmtKind::Def { value, .. } = &s.kind {
            values.push(body.values[value.index()].dtype);
        }
        if let StmtKind::Store { to, .. } = &s.kind {
            values.extend(host.sig().dtype(to.param));
        }
    });
    values.into_iter().filter(|t| *t != crate::ir::Ty::Mask).map(|t| host.binding.bytes(t))
}

/// The tensor that an outermost loop goes through.
fn named(host: &Host<'_>, (nest, outer): (&Nest, &TileLoop)) -> String {
    nest.named(outer).map_or("the loop".to_string(), |param| format!("`{}`", host.sig().param(param).name))
}

fn require_whole_blocks(host: &mut Host<'_>, (name, columns): (&str, bool), total: VarId, cols: Option<VarId>, lanes: i64) {
    if host.chip.has_data_copy_pad {
        return;
    }
    let chip = host.chip.name;
    let whole = |v: VarId| (Scalar::Var(v) % lanes).bin(BinOp::Eq, 0);
    let why = format!("{chip} has no DataCopyPad");
    match cols {
        None => host.steps.push(require(whole(total), format!("the length of {name} must be a multiple of {lanes}: {why}"))),
        Some(cols) => {
            host.steps.push(require(whole(cols), format!("the rows of {name} must be a multiple of {lanes} elements: {why}")));
            if columns {
                let text = format!("the number of rows of {name} must be a multiple of {lanes}: {why}");
                host.steps.push(require(whole(total), text));
            }
        }
    }
}
