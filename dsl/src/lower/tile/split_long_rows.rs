//! Few long rows: rewrites a loop with `.split(d)` so that the cores divide `d` instead of the
//! rows.
//!
//! The result is a third form beside the resident and the streamed one. The host takes it where the
//! loop has fewer indices than a quarter of the cores and the rows along `d` are long.
//!
//! - The loop disappears: its axes stand whole in the tiles. That means the same, since no result
//!   depends on the length of a tile.
//! - `d` is cut in passes as streaming does (`stream::passes`), but the cores divide the loop of
//!   each pass.
//! - Each reduction along `d` becomes a cross-core accumulator (`cross_core`). So passes are phases
//!   (`phases`), with a barrier where one needs a result of another.
//!
//! The author asked for this form, so a loop that has none is an error. Refused are: statements
//! other than definitions and plain stores, inner loops, accesses at other places than along whole
//! axes, and tiles with other whole axes.

use super::init_accumulators::one_turn;
use super::stream;
use crate::ir::scalar::product;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    walk_stmts_mut, Access, AxFrom, AxId, Axes, BinOp, ChipFact, Index, Scalar, SpanId, StmtKind,
    StoreHow, TileExpr, TileLoop, TileStmt, VarId,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::host::Host;
use crate::lower::lowering::Note;
use crate::lower::nest;
use crate::lower::nest::Loop;
use crate::lower::type_queries::Binding;

/// Cores that there must be for each row. Each pass reads its rows again, where the streamed form
/// may have fused two passes, and memory is the bottleneck when all cores read.
const CORES_A_ROW: i64 = 4;

/// Bytes of a row from which on it is divided: about what a core copies during some barriers.
const LONG_ROW_BYTES: i64 = 64 * 1024;

/// The form for few long rows.
#[derive(Clone)]
pub struct SplitRows {
    /// Several loops over the axis, one a pass.
    pub body: Body,
    /// The axis that they divide.
    along: AxId,
}

/// Refuses `.split(d)` in a kernel of several loops: its passes would be phases among others.
pub fn in_one_loop(body: &Body) -> Made<()> {
    let mut at = None;
    body.walk(&mut |s| {
        if let StmtKind::Do(TileStmt::Loop {
            tile: TileLoop {
                split: Some(along), ..
            },
        }) = &s.kind
        {
            at.get_or_insert((*along, s.span));
        }
    });
    at.map_or(Ok(()), |(along, span)| {
        Err(not_yet(
            body,
            along,
            "in a kernel of several loops, with values over the cores or scalars that are read before it",
            span,
        ))
    })
}

fn not_yet(body: &Body, along: AxId, what: &str, span: SpanId) -> Gap {
    let name = &body.axes[along.index()].name;
    let help =
        "leave `.split(..)` out, or write what the cores merge: `across_cores` before a loop `for c in tiles(d)` for each pass";
    Gap::not_yet(
        format!("a loop that is split along `{name}`, {what}"),
        help,
        span,
    )
}

/// Returns the split form of a body of one loop; `None` if its author did not ask for it.
pub fn run(binding: &Binding<'_>, Loop { body, nest }: Loop<'_>) -> Made<Option<SplitRows>> {
    let outer = nest::outer(body)?;
    let Some(along) = outer.split else {
        return Ok(None);
    };
    let span = nest::outer_span(body)?;
    let refused = |what: &str, span: SpanId| Err(not_yet(body, along, what, span));
    if outer.specs.iter().any(|spec| spec.size.given().is_some()) {
        return refused("whose iterations have a given size", span);
    }
    if !matches!(
        body.stmts.last(),
        Some(Stmt {
            kind: StmtKind::Do(TileStmt::Loop { .. }),
            ..
        })
    ) {
        return refused("with statements behind it", span);
    }
    let (lets, mut list): (Vec<Stmt>, Vec<Stmt>) = nest::before(body)
        .iter()
        .cloned()
        .partition(|s| matches!(s.kind, StmtKind::LetScalar { .. }));
    list.extend(outer.body.iter().cloned());
    if let Some((what, span)) = list
        .iter()
        .chain(&lets)
        .find_map(|s| Some((strange(body, s)?, s.span)))
    {
        return refused(what, span);
    }
    let mut out = Body {
        stmts: Vec::new(),
        ..body.clone()
    };
    WholeLoop {
        outer,
        out: &mut out,
    }
    .list(&mut list)
    .map_err(|(what, span)| not_yet(body, along, what, span))?;
    let own = |ax: AxId| ax == along || outer.specs.iter().any(|spec| spec.of == ax);
    let other = list
        .iter()
        .find(|s| axes(&out, s).iter().any(|ax| !own(ax)));
    if let Some(s) = other {
        return refused(
            "of tiles with other axes than it and those of the loop",
            s.span,
        );
    }
    if !list.iter().any(|s| axes(&out, s).contains(along)) {
        return refused("which no tile has from end to end", span);
    }
    let Some(stmts) = stream::over_cores(binding, nest, &mut out, &list, along) else {
        return refused("which cannot be cut in passes", span);
    };
    let stmts = once(&mut out, stmts);
    out.stmts = lets
        .into_iter()
        .chain(stmts)
        .map(|s| as_written(s, outer))
        .collect();
    Ok(Some(SplitRows { body: out, along }))
}

/// Returns the reason why a statement has no place in this form.
fn strange(body: &Body, s: &Stmt) -> Option<&'static str> {
    match &s.kind {
        StmtKind::LetScalar { var, .. } if !body.var(*var).mutable => None,
        StmtKind::Do(TileStmt::Def { value, .. }) if body.values[value.index()].mutable => Some("with a tile that changes"),
        StmtKind::Do(TileStmt::Def { expr: TileExpr::Pick { .. }, .. }) => Some("with elements that are chosen by their index"),
        StmtKind::Do(TileStmt::Def { expr: TileExpr::Top { .. }, .. }) => Some("with elements in their order"),
        StmtKind::Do(TileStmt::Def { expr: TileExpr::Scan { .. }, .. }) => Some("with running sums"),
        StmtKind::Do(TileStmt::Def { .. }) if s.access().is_some_and(|from| from.ids().next().is_some()) => {
            Some("with indices that are data")
        }
        StmtKind::Do(TileStmt::Def { .. } | TileStmt::Store { how: StoreHow::Plain, .. }) => None,
        StmtKind::Do(TileStmt::Store { .. }) => {
            Some("with a store that adds, that drops what lies outside, or whose place the author answers for")
        }
        StmtKind::Do(TileStmt::Loop { .. }) => Some("with a loop inside"),
        StmtKind::LetScalar { .. }
        | StmtKind::SetScalar { .. }
        | StmtKind::For { .. }
        | StmtKind::If { .. }
        | StmtKind::Promise { .. }
        | StmtKind::Do(TileStmt::Set { .. } | TileStmt::Append { .. } | TileStmt::Read { .. } | TileStmt::Dump { .. }) => {
            Some("with statements other than definitions and stores")
        }
    }
}

/// Returns the axes of the value that a statement defines or stores.
fn axes(body: &Body, s: &Stmt) -> Axes {
    let of = if let Some(TileStmt::Def { value, .. } | TileStmt::Store { value, .. }) = s.own() {
        Some(*value)
    } else {
        None
    };
    of.map_or_else(Axes::default, |value| {
        body.values[value.index()].axes.clone()
    })
}

/// A reason against this form, and its place.
type Refused = (&'static str, SpanId);

/// Rewrites the body of a loop for all indices of its axes at once.
struct WholeLoop<'a> {
    outer: &'a TileLoop,
    out: &'a mut Body,
}

impl WholeLoop<'_> {
    fn list(&mut self, list: &mut [Stmt]) -> Result<(), Refused> {
        for spec in self.outer.specs.iter().filter(|spec| !spec.size.is_each()) {
            self.out
                .values
                .iter_mut()
                .for_each(|value| value.axes = value.axes.replaced(spec.ax, spec.of));
        }
        for s in list {
            let span = s.span;
            if let Some(access) = s.access_mut() {
                self.access(access)
                    .ok_or(("with an access at other places", span))?;
            }
            if let Some(TileStmt::Def {
                expr: TileExpr::Reduce { over, .. },
                ..
            }) = s.own_mut()
            {
                *over = self
                    .outer
                    .specs
                    .iter()
                    .fold(over.clone(), |over, spec| over.replaced(spec.ax, spec.of));
            }
            self.scalars(s).ok_or((
                "with a scalar that depends on the index of an iteration",
                span,
            ))?;
            self.moved(s).ok_or((
                "with a tile that would be repeated along the axis of an index",
                span,
            ))?;
        }
        Ok(())
    }

    /// Widens an access to all indices of the loop's axes. `None` if it is no run of whole axes, or
    /// uses an axis twice.
    fn access(&self, access: &mut Access) -> Option<()> {
        for spec in &self.outer.specs {
            let mut found = 0;
            for index in &mut access.index {
                let reads = reads(&index.offset, spec.start)
                    || index.terms.iter().any(|term| term.ax == spec.ax);
                if !reads {
                    continue;
                }
                let whole = match spec.size.is_each() {
                    true => Index::at(spec.start),
                    false => Index::along(spec.ax, spec.start),
                };
                (*index == whole).then_some(())?;
                *index = Index::along(spec.of, 0);
                found += 1;
            }
            (found < 2).then_some(())?;
        }
        Some(())
    }

    /// Replaces the start and length of a run by those of its axis. `None` if a scalar depends on a
    /// single index.
    fn scalars(&self, s: &mut Stmt) -> Option<()> {
        let mut single = false;
        for spec in &self.outer.specs {
            let AxFrom::Whole { extent } = &self.out.axes[spec.of.index()].from else {
                return None;
            };
            let by = |s: &Scalar| match s {
                Scalar::Var(var) if *var == spec.start => Some(Scalar::Int(0)),
                Scalar::Var(var) if *var == spec.len => Some(extent.clone()),
                _ => None,
            };
            s.scalars_mut(&mut |scalar| {
                single |= spec.size.is_each() && reads(scalar, spec.start);
                *scalar = scalar.replace(&by);
            });
        }
        (!single).then_some(())
    }

    /// Adds the axes of former single indices to a definition. `None` if its operands do not fit
    /// together then.
    fn moved(&mut self, s: &Stmt) -> Option<()> {
        let single = |ax: AxId| {
            self.outer
                .specs
                .iter()
                .any(|spec| spec.size.is_each() && spec.of == ax)
        };
        let axes_of = |axes: &Axes| axes.iter().filter(|ax| single(*ax)).collect::<Axes>();
        let accessed = s
            .access()
            .map(|access| axes_of(&access.axes()))
            .unwrap_or_default();
        match s.own() {
            Some(TileStmt::Def { value, expr }) => {
                let operands: Vec<&Axes> = expr
                    .operands()
                    .map(|v| &self.out.values[v.index()].axes)
                    .collect();
                let more = operands
                    .iter()
                    .fold(accessed, |all, axes| all.union(&axes_of(axes)));
                let own = self.out.values[value.index()].axes.union(&more);
                let fit = |a: &Axes, b: &Axes| a.is_subset(b) || b.is_subset(a);
                let alike = operands.iter().all(|a| operands.iter().all(|b| fit(a, b)));
                (alike || more.is_empty()).then_some(())?;
                self.out.values[value.index()].axes = own;
            }
            Some(TileStmt::Store { to, value, .. }) => {
                (to.axes() == self.out.values[value.index()].axes).then_some(())?
            }
            // `strange` has refused all other statements.
            Some(TileStmt::Loop { .. } | TileStmt::Set { .. } | TileStmt::Append { .. }) => {}
            Some(TileStmt::Read { .. } | TileStmt::Dump { .. }) | None => {}
        }
        Some(())
    }
}

fn reads(s: &Scalar, var: VarId) -> bool {
    let mut found = false;
    s.walk(&mut |n| found |= *n == Scalar::Var(var));
    found
}

/// Puts stores that stand outside of all loops into loops of one iteration, which one core runs.
fn once(out: &mut Body, stmts: Vec<Stmt>) -> Vec<Stmt> {
    let mut one = |s: Stmt| {
        let (is_store, span) = (
            matches!(s.kind, StmtKind::Do(TileStmt::Store { .. })),
            s.span,
        );
        if is_store {
            one_turn(out, "once", vec![s], span)
        } else {
            s
        }
    };
    stmts.into_iter().map(&mut one).collect()
}

/// Copies the author's settings of the loop to each new loop.
fn as_written(mut s: Stmt, outer: &TileLoop) -> Stmt {
    walk_stmts_mut(std::slice::from_mut(&mut s), &mut |s| {
        if let StmtKind::Do(TileStmt::Loop { tile }) = &mut s.kind {
            (tile.buffer_num, tile.block_dim, tile.exact) =
                (outer.buffer_num, outer.block_dim.clone(), outer.exact);
        }
    });
    s
}

impl SplitRows {
    /// Returns the condition on which the host takes this form: three quarters of the cores would
    /// have no row, and rows are long.
    pub fn when(&self, host: &mut Host<'_>, Loop { body, nest }: Loop<'_>) -> Made<Scalar> {
        let outer = nest::outer(body)?;
        let extents = outer
            .specs
            .iter()
            .map(|spec| nest.extent(spec.of).cloned())
            .collect::<Made<Vec<Scalar>>>()?;
        let rows = host.known("row_count", &product(extents));
        let cores = Scalar::Chip(ChipFact::VectorCores);
        let cores = outer
            .block_dim
            .as_ref()
            .map_or(cores.clone(), |given| given.clone().min(cores));
        let few = (rows.clone() * CORES_A_ROW)
            .bin(BinOp::Lt, cores)
            .bin(BinOp::And, rows.bin(BinOp::Gt, 0));
        let long = host
            .binding
            .sized(nest.extent(self.along)?)
            .bin(BinOp::Gt, LONG_ROW_BYTES / self.bytes(host, body));
        Ok(few.bin(BinOp::And, long))
    }

    /// Describes the form; `meets` has the phases with a barrier before them.
    pub fn note(&self, body: &Body, meets: &[bool]) -> Made<Note> {
        let name = &self.body.axes[self.along.index()].name;
        let met = meets.iter().filter(|meets| **meets).count();
        let text = format!(
            "where this loop goes over fewer indices than a quarter of the cores and `{name}` is long, the cores divide `{name}` instead, in \
             {} phases, before {met} of which all blocks meet (SyncAll)",
            meets.len()
        );
        Ok(Note {
            span: nest::outer_span(body)?,
            text,
        })
    }

    /// Returns the bytes of the widest elements that are copied along the axis.
    fn bytes(&self, host: &Host<'_>, body: &Body) -> i64 {
        let along = |access: &Access| access.axes().contains(self.along);
        let mut types = Vec::new();
        body.walk(&mut |s| {
            let Some(access) = s.access().filter(|access| along(access)) else {
                return;
            };
            types.push(match s.def() {
                Some((value, _)) => Some(body.values[value.index()].dtype),
                None => access.param().and_then(|param| host.sig().dtype(param)),
            });
        });
        // If nothing along it is copied, the threshold is that of elements of one byte.
        types
            .into_iter()
            .flatten()
            .map(|ty| host.binding.bytes(ty))
            .max()
            .unwrap_or(1)
    }
}
