//! Copies between GM and UB: the elements of an access, and the instruction.
//!
//! - One copy takes rows at equal distances. Axes whose indices follow one another in GM, a whole
//!   axis inside another one, are one axis of rows. Further axes of rows are loops around the copy,
//!   and so are rows in backward order.
//! - The innermost axis of an access is a run of elements in GM. If a step along it moves the index
//!   by more than one, the run has all elements from the first to the last, and `strided` takes the
//!   wanted ones.
//! - There is no run if that axis is not the last index or data choose along it. Then each element
//!   is a row with a data block of UB, and `strided` converts between these and a tile.

use super::boundary::{has_pad, where_inside, Inside};
use super::context::{instr, Site};
use crate::ir::queue::Stmt;
use crate::ir::scalar::product;
use crate::ir::{
    Access, Arg, AxId, Axes, BinOp, Extent, HostStep, Ids, Promised, Scalar, ScalarTy, SpanId,
    StmtKind, StoreHow, TensorId, Ty, VarId, View,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::host::require;
use crate::ops::{CopyOp, ScalarOp};
use crate::soc::MAX_COPY_BLOCKS;

/// The direction of a copy.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    In,
    Out(StoreHow),
}

/// Copies part of a tensor in GM into UB.
pub(super) fn copy_in(
    site: &mut Site<'_, '_>,
    access: &Access,
    tensor: TensorId,
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Made<()> {
    copy(site, Way::In, access, tensor, span, out)
}

/// Copies a tensor in UB to its place in GM.
pub(super) fn copy_out(
    site: &mut Site<'_, '_>,
    access: &Access,
    how: StoreHow,
    tensor: TensorId,
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Made<()> {
    if site
        .values
        .spread(access)
        .is_some_and(|step| step.as_int().is_some_and(|by| by < 0))
    {
        let help = "store along the last axis at `t` itself; to reverse an axis, load it so: `x.at(n - 1 - t)`";
        return Err(Gap::not_yet(
            "a store that goes through the last axis of a tensor from its end",
            help,
            span,
        ));
    }
    if site.values.nest.turned(access).is_some() {
        let help = "store it in a loop of its own, or to a workspace that another loop loads: in each loop one order of axes is that of its stores";
        return Err(Gap::not_yet(
            "two stores of one loop whose tensors have their axes in another order",
            help,
            span,
        ));
    }
    if how == StoreHow::Inside {
        has_pad(site, "store_in", span)?;
        let single = single_store(site, access, how, site.places.decls.ty(tensor));
        let part = Inside::of(site, access, single, span, out)?;
        let cond = part.cond.clone();
        let copied = part.copied_out(site, access, tensor, span);
        out.extend(where_inside(cond, vec![copied], span));
        return Ok(());
    }
    copy(site, Way::Out(how), access, tensor, span, out)
}

/// An axis of an access, or several that are one in GM.
pub(super) struct Level {
    pub(super) ax: AxId,
    /// Indices in this iteration.
    pub(super) count: Scalar,
    /// Elements from one index to the next in GM.
    pub(super) stride: Scalar,
    /// The position of its first index in the access.
    pub(super) nth: usize,
    /// The step of its index.
    pub(super) factor: Scalar,
    /// Elements from one index to the next in UB.
    pub(super) ub: Scalar,
}

impl Level {
    /// True for an axis that its index goes through from the end.
    fn is_backwards(&self) -> bool {
        self.factor.as_int().is_some_and(|f| f < 0)
    }
}

/// The layout of an access in GM and in UB.
pub(super) struct Levels {
    /// Its first element in GM.
    pub(super) at: Scalar,
    /// Its rows, from the outermost level on.
    pub(super) rows: Vec<Level>,
    /// The run of elements that each row is; `None` for single elements.
    pub(super) run: Option<Level>,
    /// The tiles of indices.
    chosen: Chosen,
}

/// Loop variables with their numbers of iterations, from the outermost loop on.
type Loops = Vec<(VarId, Scalar)>;

/// The tiles of indices of an access, and the axes along which they choose.
#[derive(Default)]
struct Chosen {
    /// Each tile with the size of the dimension that it indexes, and the stride in GM.
    ids: Vec<(Ids, Scalar, Scalar)>,
    /// Their axes, with the indices in this iteration and the distance in UB.
    axes: Vec<(AxId, Scalar, Scalar)>,
}

impl Levels {
    /// Returns the levels of an access. With `apart`, levels that may leave the tensor are not
    /// merged. With `single`, each element takes so many elements of UB.
    pub(super) fn of(
        site: &mut Site<'_, '_>,
        access: &Access,
        apart: bool,
        single: Option<i64>,
        span: SpanId,
    ) -> Made<Levels> {
        let mut place = Address::of(site, access)?;
        let by_ids = place.by_ids.clone();
        let mut chosen = Chosen {
            ids: std::mem::take(&mut place.ids),
            axes: Vec::new(),
        };
        let tile = site.values.layout(access)?;
        let by = single.map_or_else(|| spread_by(site, access), Scalar::Int);
        let pitch = product([
            tile.row().map_or(Scalar::Int(1), |(_, pitch)| pitch),
            by.clone(),
        ]);
        let level = |ax: AxId, ub: Scalar| {
            let (nth, stride, factor) = place.stride(ax)?;
            Ok(Level {
                ax,
                count: site.values.count(ax)?,
                stride,
                nth,
                factor,
                ub,
            })
        };
        let mut rows: Vec<Level> = Vec::new();
        // True if the row before is the next outer one in UB.
        let mut next_to = false;
        for (at, axis) in tile.rows.iter().enumerate() {
            let behind = product(tile.rows[at + 1..].iter().map(|axis| axis.live.clone()));
            let ub = product([behind, pitch.clone()]);
            if by_ids.contains(axis.ax) {
                chosen.axes.push((axis.ax, site.values.count(axis.ax)?, ub));
                next_to = false;
                continue;
            }
            let next = level(axis.ax, ub)?;
            match rows.last_mut().filter(|_| next_to) {
                Some(last) if site.values.are_one(access, last.nth, next.nth, apart) => {
                    last.count = product([last.count.clone(), next.count]);
                    (last.nth, last.stride, last.ub) = (next.nth, next.stride, next.ub);
                }
                _ => rows.push(next),
            }
            next_to = true;
        }
        let run = match &tile.lanes {
            Some(axis) if single.is_some() && by_ids.contains(axis.ax) => {
                chosen
                    .axes
                    .push((axis.ax, site.values.count(axis.ax)?, by.clone()));
                None
            }
            Some(axis) if single.is_some() => {
                rows.push(level(axis.ax, by.clone())?);
                None
            }
            None if single.is_some() => None,
            Some(axis) => Some(level(axis.ax, Scalar::Int(1))?),
            // Values of one a row are dense in UB, so they must be contiguous in GM.
            None => rows.pop().filter(|_| rows.is_empty()).map_or_else(
                || {
                    if tile.rows.is_empty() {
                        Ok(None)
                    } else {
                        Err(scattered(span))
                    }
                },
                |all| {
                    Ok(Some(Level {
                        ub: Scalar::Int(1),
                        ..all
                    }))
                },
            )?,
        };
        let mut levels = Levels {
            at: place.at,
            rows,
            run,
            chosen,
        };
        levels.spread(by, span)?;
        Ok(levels)
    }

    /// Widens the run to all elements from the first to the last.
    fn spread(&mut self, by: Scalar, span: SpanId) -> Made<()> {
        let Some(run) = &mut self.run else {
            return Ok(());
        };
        if run.stride != run.factor {
            return Err(scattered(span));
        }
        if run.factor != Scalar::Int(1) {
            let last = run.count.clone() - 1;
            if run.is_backwards() {
                self.at = self.at.clone() - product([last.clone(), by.clone()]);
            }
            run.count = product([last, by]) + 1;
            run.stride = Scalar::Int(1);
        }
        Ok(())
    }
}

/// Returns the absolute step of the index of the innermost axis.
pub(super) fn spread_by(site: &mut Site<'_, '_>, access: &Access) -> Scalar {
    match site.values.spread(access).cloned() {
        None => Scalar::Int(1),
        Some(Scalar::Int(f)) => Scalar::Int(f.checked_abs().unwrap_or(i64::MAX)),
        Some(factor) => site.host.known("step", &factor),
    }
}

/// Returns the elements of a data block if a store writes each element from its own data block.
pub(super) fn single_store(
    site: &Site<'_, '_>,
    access: &Access,
    how: StoreHow,
    ty: Ty,
) -> Option<i64> {
    let apart = how == StoreHow::Inside;
    (site.values.is_single(access, apart) || site.values.spread(access).is_some())
        .then(|| site.lanes(ty))
}

fn copy(
    site: &mut Site<'_, '_>,
    way: Way,
    access: &Access,
    tensor: TensorId,
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Made<()> {
    let ty = site.places.decls.ty(tensor);
    let single = match way {
        Way::In => site.values.is_single(access, false).then(|| site.lanes(ty)),
        Way::Out(how) => single_store(site, access, how, ty),
    };
    let Levels {
        at,
        rows,
        run,
        chosen,
    } = Levels::of(site, access, false, single, span)?;
    let cols = run.map_or(Scalar::Int(1), |run| run.count);
    let [whole, padded] = match way {
        Way::In => [CopyOp::In, CopyOp::InPad],
        Way::Out(StoreHow::Plain) => [CopyOp::Out, CopyOp::OutPad],
        Way::Out(StoreHow::Inside) => {
            return Err(Gap::new("a store of what is inside alone", span))
        }
        Way::Out(StoreHow::Add) => [CopyOp::Add, CopyOp::AddPad],
        Way::Out(StoreHow::Any) => [CopyOp::Any, CopyOp::AnyPad],
        Way::Out(StoreHow::Disjoint) => [CopyOp::Disjoint, CopyOp::DisjointPad],
    };
    let op = if site.host.chip.has_data_copy_pad {
        padded
    } else {
        whole
    };
    let mut moved = Moved {
        op,
        gm: View::gm(access.of, at),
        ub: View::local(tensor, 0),
        cols,
        number: Vec::new(),
    };
    let (loops, mut each) = chosen.read(site, &mut moved, span)?;
    each.push(in_rows(site, rows, moved, span));
    out.extend(around(loops, each, span));
    Ok(())
}

impl Chosen {
    /// Returns the loops over the axes of all tiles of indices, and the reads of indices in them.
    /// The copy is moved to the indexed place.
    fn read(
        self,
        site: &mut Site<'_, '_>,
        moved: &mut Moved,
        span: SpanId,
    ) -> Made<(Loops, Vec<Stmt>)> {
        let (mut loops, mut vars) = (Vec::new(), Vec::new());
        for (ax, count, ub) in self.axes {
            let var = site.host.fresh(
                &format!("{}_index", site.values.name_of(ax)),
                ScalarTy::Index,
            );
            moved.ub.offset = plus(moved.ub.offset.clone(), product([Scalar::Var(var), ub]));
            loops.push((var, count));
            vars.push((ax, var));
        }
        let mut reads = Vec::new();
        for (Ids { value, of }, dim, stride) in self.ids {
            let tile = site.values.tile(value)?;
            let mut at = Scalar::Int(0);
            for axis in tile.rows.iter().chain(&tile.lanes) {
                let var = vars
                    .iter()
                    .find(|(ax, _)| *ax == axis.ax)
                    .map(|(_, var)| Scalar::Var(*var));
                let (Some(var), Some(apart)) = (var, tile.apart(axis.ax)) else {
                    return Err(Gap::new(
                        "a tile of indices along an axis that is not its access's",
                        span,
                    ));
                };
                at = plus(at, product([var, apart]));
            }
            let (name, below) = match of {
                Some(of) => {
                    let promise = site.host.sig().promise(of).cloned();
                    let below = promise
                        .ok_or_else(|| Gap::new("a tile of indices without a promise", span))?;
                    (site.host.sig().param(of).name.clone(), below)
                }
                None => (site.values.name(value).to_string(), dim),
            };
            let below = site.host.known(&format!("{name}_end"), &below);
            let var = site.host.fresh(&format!("{name}_value"), ScalarTy::Index);
            let args = [Arg::Var { var }, View::local(site.home(value)?, at).into()];
            reads.push(instr(ScalarOp::GetIndex, Extent::Fixed {}, args, span));
            reads.push(Stmt {
                kind: StmtKind::Promise {
                    what: Promised::Index {
                        value: var.into(),
                        below,
                        of,
                    },
                },
                span,
            });
            moved.gm.offset = plus(moved.gm.offset.clone(), product([Scalar::Var(var), stride]));
        }
        Ok((loops, reads))
    }
}

/// A copy of one row.
pub(super) struct Moved {
    pub(super) op: CopyOp,
    pub(super) gm: View,
    pub(super) ub: View,
    pub(super) cols: Scalar,
    /// Additional arguments of the instruction.
    pub(super) number: Vec<Arg>,
}

/// Copies all rows. One copy takes those of the innermost level, if they go forward and are no more
/// than a copy takes; the other levels are loops.
pub(super) fn in_rows(
    site: &mut Site<'_, '_>,
    mut rows: Vec<Level>,
    moved: Moved,
    span: SpanId,
) -> Stmt {
    let Moved {
        op,
        mut gm,
        mut ub,
        cols,
        number,
    } = moved;
    let inner = match rows.last() {
        Some(level) if !level.is_backwards() => rows.pop(),
        Some(_) | None => None,
    };
    let mut loops = Vec::new();
    for level in rows {
        let name = format!("{}_index", site.values.name_of(level.ax));
        let var = site.host.fresh(&name, ScalarTy::Index);
        gm.offset = plus(gm.offset, Scalar::Var(var) * level.stride);
        ub.offset = plus(ub.offset, Scalar::Var(var) * level.ub);
        loops.push((var, level.count));
    }
    let rows = match inner {
        Some(level) => {
            require_short_gap(site, op, &gm, &ub, &level.stride, &cols);
            (gm, ub) = (gm.rows(level.stride.clone()), ub.rows(level.ub.clone()));
            let is_short = match &level.count {
                Scalar::Int(n) => *n <= MAX_COPY_BLOCKS,
                n => site.values.is_count_of_run(n),
            };
            if cols == Scalar::Int(1) && !is_short {
                let var = site.host.fresh(
                    &format!("{}_part", site.values.name_of(level.ax)),
                    ScalarTy::Index,
                );
                let first = || Scalar::Var(var) * MAX_COPY_BLOCKS;
                gm.offset = plus(gm.offset, product([first(), level.stride]));
                ub.offset = plus(ub.offset, product([first(), level.ub]));
                loops.push((var, level.count.clone().ceil_div(MAX_COPY_BLOCKS)));
                (level.count - first()).min(MAX_COPY_BLOCKS)
            } else {
                level.count
            }
        }
        None => Scalar::Int(1),
    };
    let views = op.in_order(ub, gm);
    let copied = instr(
        op,
        Extent::Rows { rows, cols },
        views.map(Arg::from).into_iter().chain(number),
        span,
    );
    in_loops(loops, copied, span)
}

/// Requires that the gap between rows in GM fits in the copy's field. DataCopyExtParams has 32 bits
/// for its bytes, DataCopyParams 16 bits for its data blocks (asc-devkit, pages of both structs).
/// Contiguous rows have no gap.
fn require_short_gap(
    site: &mut Site<'_, '_>,
    op: CopyOp,
    gm: &View,
    ub: &View,
    stride: &Scalar,
    cols: &Scalar,
) {
    let (Some(of), Some(tensor)) = (gm.global(), ub.tensor()) else {
        return;
    };
    let size = site.values.size(site.places.decls.ty(tensor));
    let (most, field) = match op.pads() {
        true => (
            i64::from(u32::MAX) / size,
            "DataCopyPad has 32 bits for the bytes",
        ),
        false => (
            i64::from(u16::MAX) * (site.host.chip.data_block_bytes / size),
            "DataCopy has 16 bits for the data blocks",
        ),
    };
    let (name, lanes) = (site.tensor_name(of), site.host.chip.data_block_bytes / size);
    if !op.pads() && !is_whole(site, stride, lanes) {
        let chip = site.host.chip.name;
        let text = format!(
            "rows of `{name}` lie a multiple of {lanes} elements apart: {chip} has no DataCopyPad"
        );
        site.host
            .steps
            .push(require((stride.clone() % lanes).bin(BinOp::Eq, 0), text));
    }
    if stride == cols || stride.as_int().is_some_and(|n| n <= most) {
        return;
    }
    let cond = stride.clone().bin(BinOp::Le, most);
    let is_known =
        |step: &HostStep| matches!(step, HostStep::Require { cond: known, .. } if *known == cond);
    if !site.host.steps.iter().any(is_known) {
        let text = format!("rows of `{name}` that one copy takes lie at most {most} elements apart: {field} between them");
        site.host.steps.push(HostStep::Require {
            cond,
            message: text,
            of_field: true,
        });
    }
}

/// True if a number of elements is a multiple of a data block, or a launch requires that.
fn is_whole(site: &Site<'_, '_>, n: &Scalar, lanes: i64) -> bool {
    if let Scalar::Bin(BinOp::Mul, a, b) = n {
        return is_whole(site, a, lanes) || is_whole(site, b, lanes);
    }
    let demands = |step: &HostStep| match step {
        HostStep::Require {
            cond: Scalar::Bin(BinOp::Eq, rest, zero),
            ..
        } if zero.as_int() == Some(0) => match &**rest {
            Scalar::Bin(BinOp::Rem, of, by) => {
                **of == *n && by.as_int().is_some_and(|by| by > 0 && by % lanes == 0)
            }
            _ => false,
        },
        HostStep::Require { .. }
        | HostStep::Let { .. }
        | HostStep::Solve { .. }
        | HostStep::Fits { .. } => false,
    };
    site.host.multiple_of(n) % lanes == 0 || site.host.steps.iter().any(demands)
}

/// Puts a statement into loops, the first of which is the outermost.
pub(super) fn in_loops(loops: Loops, body: Stmt, span: SpanId) -> Stmt {
    loops
        .into_iter()
        .rev()
        .fold(body, |body, (var, to)| one_loop(var, to, vec![body], span))
}

/// Puts statements into loops, the first of which is the outermost.
fn around(loops: Loops, body: Vec<Stmt>, span: SpanId) -> Vec<Stmt> {
    loops
        .into_iter()
        .rev()
        .fold(body, |body, (var, to)| vec![one_loop(var, to, body, span)])
}

fn one_loop(var: VarId, to: Scalar, body: Vec<Stmt>, span: SpanId) -> Stmt {
    Stmt {
        kind: StmtKind::For {
            var,
            from: Scalar::Int(0),
            to,
            body,
        },
        span,
    }
}

/// The first element of an access in its tensor, and the strides of its axes.
struct Address {
    at: Scalar,
    /// Each axis with its index in the access, its stride, and the step of the index.
    strides: Vec<(AxId, usize, Scalar, Scalar)>,
    /// The tiles of indices, each with the size and stride of its dimension, and their axes.
    ids: Vec<(Ids, Scalar, Scalar)>,
    by_ids: Axes,
}

impl Address {
    fn of(site: &mut Site<'_, '_>, access: &Access) -> Made<Address> {
        let (mut at, mut strides, mut ids) = (Vec::new(), Vec::new(), Vec::new());
        let mut by_ids = Axes::default();
        let mut stride = Scalar::Int(1);
        for (nth, (dim, index)) in access.dims.iter().zip(&access.index).enumerate().rev() {
            let times = |s: &Scalar| product([s.clone(), stride.clone()]);
            let offset = site.host.on_device(&index.offset, "offset");
            at.extend((offset != Scalar::Int(0)).then(|| times(&offset)));
            if let Some(own) = &index.ids {
                ids.push((own.clone(), dim.clone(), stride.clone()));
                by_ids = by_ids.union(&index.terms.iter().map(|term| term.ax).collect());
            }
            for term in index.terms.iter().filter(|_| index.ids.is_none()) {
                let factor = match term.factor.as_int() {
                    Some(_) => term.factor.clone(),
                    None => site.host.known("step", &term.factor),
                };
                strides.push((term.ax, nth, times(&factor), factor));
            }
            // No dimension lies outside of the outermost index.
            if nth > 0 {
                let dim = site.host.known("dim", dim);
                stride = product([dim, stride]);
            }
        }
        let at = at
            .into_iter()
            .rev()
            .reduce(|a, b| a + b)
            .unwrap_or(Scalar::Int(0));
        Ok(Address {
            at,
            strides,
            ids,
            by_ids,
        })
    }

    fn stride(&self, ax: AxId) -> Made<(usize, Scalar, Scalar)> {
        let found = self.strides.iter().find(|(of, ..)| *of == ax);
        let own = found.map(|(_, nth, stride, factor)| (*nth, stride.clone(), factor.clone()));
        own.ok_or_else(|| Gap::of_kernel("an axis that no index has"))
    }
}

pub(super) fn plus(a: Scalar, b: Scalar) -> Scalar {
    match a {
        Scalar::Int(0) => b,
        a => a + b,
    }
}

/// Reports an access without contiguous elements that `is_single` did not find.
fn scattered(span: SpanId) -> Gap {
    Gap::new(
        "a part of a tensor whose elements do not follow one another in GM",
        span,
    )
}
