//! Few long rows: the same kernel with an axis of its rows divided among the cores, as a rewrite inside the tile dialect.
//!
//! A loop with `.split(d)` has a third form beside the resident and the streamed one, which the host takes where the loop has fewer indices than
//! a quarter of the cores and what lies along `d` is long. In it there is no such loop: its axes stand in tiles from end to end, which means the
//! same, since no result depends on how long a tile is. `d` is cut in passes as streaming does (`stream::passes`), but each pass is a loop that the
//! cores divide, and each reduction along `d` a value over them (`cross_core`): so passes are phases (`phases`), which meet where one needs
//! what another one found.
//!
//! What has no such form is an error, since the author asked for it: statements other than definitions and plain stores, loops inside,
//! accesses at other places than along whole axes, tiles that have other axes from end to end.

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

/// How much fewer rows than cores there are: each pass reads its rows again, where the streamed form has joined two passes, and all cores together
/// find the memory the narrower the more of them read.
const CORES_A_ROW: i64 = 4;

/// Bytes of a row from which on it is divided: what a core copies in the time of some meetings.
const LONG_ROW_BYTES: i64 = 64 * 1024;

/// The form of few long rows.
#[derive(Clone)]
pub struct SplitRows {
    /// Several loops over the axis, one a pass.
    pub body: Body,
    /// The axis that they divide.
    along: AxId,
}

/// An error for each `.split(d)` of a kernel of several loops, whose passes would be phases among others.
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

/// The form of few long rows of a body of one loop; `None` where its author did not ask for it.
pub fn run(binding: &Binding<'_>, Loop { body, nest }: Loop<'_>) -> Made<Option<SplitRows>> {
    let outer = nest::outer(body)?;
    let Some(along) = outer.split else {
        return Ok(None);
    };
    let span = nest::outer_span(body)?;
    let refused = |what: &str, span: SpanId| Err(not_yet(body, along, what, span));
    if outer.specs.iter().any(|spec| spec.size.given().is_some()) {
        return refused("whose turns have a given size", span);
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

/// Why a statement has no place in this form.
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

/// The axes of what a statement defines or stores.
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

/// Why something has no place in this form, and where it stands.
type Refused = (&'static str, SpanId);

/// The turns of a loop as one that has all indices of its axes.
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
            self.scalars(s)
                .ok_or(("with a scalar that hangs from the index of a turn", span))?;
            self.moved(s).ok_or((
                "with a tile that would be repeated along the axis of an index",
                span,
            ))?;
        }
        Ok(())
    }

    /// All that the turns access, each index of the loop's axes once; `None` where that is no run of whole axes.
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

    /// Where an axis begins and how long it is, in place of the turn's; `None` where that says nothing of a single index.
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

    /// Gives what a statement defines the axes along which single indices moved; `None` where its operands do not go together then.
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
            // Others have no place in this form.
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

/// The statements with stores that stand outside of all loops in loops of one turn, which one core makes.
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

/// A loop with what the author says of his.
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
    /// Whether the host takes this form: more than three quarters of the cores would have no row, and rows are long.
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

    /// What the form is, of which blocks meet before some phases.
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

    /// Bytes of the widest elements along the axis that are copied.
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
        // What is computed along it and never copied has the longest rows that there are.
        types
            .into_iter()
            .flatten()
            .map(|ty| host.binding.bytes(ty))
            .max()
            .unwrap_or(1)
    }
}
