//! One variant of a tile kernel: its body, and the host steps that find its sizes.
//!
//! If double-buffered loads need more than eight VECIN blocks, consecutive loads share one block.
//! If stores need more than eight VECOUT blocks, they have one buffer each.

use super::context::Site;
use super::shapes::Values;
use super::walk::Walk;
use crate::ir::uses;
use crate::ir::{
    queue, tile, walk_stmts, BinOp, Body, HostStep, Memory, QueueId, Scalar, Stmt, StmtKind,
    TPosition, TileExpr, TileStmt, ValueId, VarId, Variant,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::host::core_split::TileSplit;
use crate::lower::host::require;
use crate::lower::host::size_limits::NO_TILE_FITS;
use crate::lower::host::solver;
use crate::lower::host::tile_sizes::{Form, Needs, Sizes, Solved, Steps};
use crate::lower::host::Host;
use crate::lower::lowering::Plan;
use crate::lower::memory::banks;
use crate::lower::memory::decls::Decls;
use crate::lower::memory::homes::Places;
use crate::lower::memory::l2_hint;
use crate::lower::memory::queues::{Buffers, Stores};
use crate::lower::nest;
use crate::lower::nest::Loop;
use crate::soc::MAX_BLOCKS_PER_POSITION;
use std::collections::BTreeSet;

/// A variant whose sizes are not solved yet.
pub struct Built {
    pub variant: Variant,
    pub plan: Plan,
    solver: Vec<HostStep>,
    fits: Scalar,
    common: usize,
    /// Bytes of the smallest tiles, if they are one number.
    least: Option<i64>,
}

impl Built {
    /// Adds the solver to the steps of all variants. Returns the condition that a tile fits.
    pub fn solve_into(&self, host: &mut Host<'_>) -> Scalar {
        for step in &self.solver {
            push(host, step.clone());
        }
        self.fits.clone()
    }
    /// Adds the solver to the variant's own steps, and requires that a tile fits.
    pub fn finish(mut self, host: &mut Host<'_>) -> (Variant, Plan) {
        for step in &self.solver {
            push(host, step.clone());
        }
        host.steps.push(require(self.fits, NO_TILE_FITS));
        self.variant.steps = host.steps.split_off(self.common);
        (self.variant, self.plan)
    }
}

fn push(host: &mut Host<'_>, step: HostStep) {
    match step {
        HostStep::Solve { var, .. } => host.solved(var, step),
        HostStep::Let { var, value } => host.define_as(var, value),
        HostStep::Fits { .. } | HostStep::Require { .. } => host.steps.push(step),
    }
}

/// Builds one variant. Solver steps are made but not yet placed (see [`Built`]). Its declarations
/// follow those of the earlier phases in `before`.
pub fn build(
    form: Form,
    host: &mut Host<'_>,
    split: &TileSplit,
    src: Loop<'_>,
    before: &queue::Body,
) -> Made<Built> {
    let untouched = host.clone();
    let built = build_in_steps(Steps::Repeats, form, host, split, src, before)?;
    // Lanes of whole data blocks waste part of a repeat, but fit where whole repeats do not.
    if built
        .least
        .is_some_and(|least| least > host.chip.ub_usable())
    {
        let mut other = untouched;
        let small = build_in_steps(Steps::Blocks, form, &mut other, split, src, before)?;
        if small.least.is_some_and(|small| Some(small) < built.least) {
            *host = other;
            return Ok(small);
        }
    }
    Ok(built)
}

fn build_in_steps(
    steps: Steps,
    form: Form,
    host: &mut Host<'_>,
    split: &TileSplit,
    src: Loop<'_>,
    before: &queue::Body,
) -> Made<Built> {
    let common = host.steps.len();
    split.require_short_strides(host, src)?;
    let sizes = Sizes::new(host, split, src, form, steps)?;
    let earlier = Decls::behind(before);
    let mut made = plan_buffers(form, host, split, src, &sizes, before)?;
    let memory = banks::spread(host, &mut made.body, &earlier, &sizes.lengths());
    let Solved {
        bytes,
        least,
        steps: solver,
        fits,
        sizes: plan_sizes,
        several,
    } = sizes.solve(
        host,
        split,
        src,
        &own_memory(&made.body, &earlier),
        made.needs,
        form,
    )?;
    for (position, cond) in several {
        let queues = (0..).map(QueueId).zip(&mut made.body.queues);
        let queues = queues
            .filter(|(queue, _)| earlier.is_own(Memory::Queue { queue: *queue }))
            .map(|(_, q)| q);
        solver::several_only_where(queues, position, cond);
    }
    let once = l2_hint::read_once(host, &made.body.stmts);
    let mut fields = fields(host, &made.body);
    fields.extend(once.iter().map(|o| o.exceeds_l2).collect::<BTreeSet<_>>());
    let variant = Variant {
        name: form.word().to_string(),
        case: 0,
        when: Scalar::Bool(true),
        steps: Vec::new(),
        block_dim: split.share.block_dim.into(),
        workspace: Scalar::Int(0),
        fields,
        known: std::mem::take(&mut host.known_vars),
        memory,
        once,
        body: Body {
            vars: host.vars.clone(),
            ..made.body
        },
    };
    let row_pitch = sizes.row_pitch().filter(|_| form == Form::WholeRows);
    Ok(Built {
        variant,
        plan: Plan {
            bytes,
            sizes: plan_sizes,
            row_pitch,
        },
        solver,
        fits,
        common,
        least,
    })
}

/// Returns a body with the queues and buffers of its own phase alone, for its footprint.
fn own_memory(body: &queue::Body, earlier: &Decls) -> queue::Body {
    let (mut queues, mut bufs) = (Vec::new(), Vec::new());
    for memory in body
        .memory()
        .into_iter()
        .filter(|memory| earlier.is_own(*memory))
    {
        match memory {
            Memory::Queue { queue } => queues.push(body.queues[queue.index()].clone()),
            Memory::Buf { buf } | Memory::Skew { buf } => bufs.push(body.bufs[buf.index()].clone()),
        }
    }
    queue::Body {
        queues,
        bufs,
        ..Default::default()
    }
}

/// A body with its queues and buffers.
struct Planned {
    body: queue::Body,
    needs: Needs,
}

/// Builds the body with as many buffers as there are blocks for.
fn plan_buffers(
    form: Form,
    host: &mut Host<'_>,
    split: &TileSplit,
    src: Loop<'_>,
    sizes: &Sizes,
    before: &queue::Body,
) -> Made<Planned> {
    let authors = nest::outer(src.body)?.buffer_num;
    let given = authors.unwrap_or(2);
    let mut buffers = Buffers {
        group_loads: false,
        of_loads: given,
        of_passing: given,
        of_stores: given,
        stores: Stores::Alone,
    };
    loop {
        let mut trial = host.clone();
        let (places, reduces, stmts) = walk(
            &mut trial,
            split,
            src,
            sizes,
            buffers,
            Decls::behind(before),
        )?;
        let is_free = matches!(form, Form::Streamed | Form::Split) || authors.is_none();
        let next = fewer(is_free, given, buffers, &places.decls);
        if next == buffers {
            *host = trial;
            let needs = Needs {
                expands: places.columns.any,
                reduces,
            };
            return Ok(Planned {
                needs,
                body: body(places, stmts),
            });
        }
        buffers = next;
    }
}

/// Lowers the statements of a variant, with queues of so many buffers.
fn walk<'a>(
    host: &mut Host<'a>,
    split: &TileSplit,
    src: Loop<'_>,
    sizes: &Sizes,
    buffers: Buffers,
    decls: Decls,
) -> Made<(Places<'a>, bool, Vec<queue::Stmt>)> {
    let (values, places) = (
        Values::new(src, host, sizes),
        Places::new(host.binding, buffers, decls),
    );
    let Loop { body, nest } = src;
    let mut site = Site::new(host, values, places);
    let mut stmts = Vec::new();
    let mut walk = Walk {
        site: &mut site,
        split,
        share: None,
    };
    // Nothing can be reduced along an empty axis. If such a loop has no iteration, the host allows
    // the launch. Then only the statements behind the loop run, and those that they need. The host
    // refuses empty axes where scalars are read from such a reduction.
    if reduces(nest::before(body))
        && nest.sized().next().is_some()
        && !nest::reads_scalars(nest::before(body))
    {
        let (always, turns, behind) = apart(body)?;
        let parts = [always.len(), always.len() + turns.len()];
        let ends = walk.parts(
            &[&always[..], &turns[..], behind].concat(),
            &parts,
            &mut stmts,
        )?;
        let [from, to] = parts.map(|n| n.checked_sub(1).map_or(0, |at| ends[at]));
        let rest = if behind.is_empty() {
            Vec::new()
        } else {
            stmts.split_off(to)
        };
        let then = stmts.split_off(from);
        let cond = Scalar::Var(split.share.total).bin(BinOp::Gt, 0);
        stmts.push(Stmt {
            kind: StmtKind::If {
                cond,
                then,
                other: Vec::new(),
            },
            span: nest::outer_span(body)?,
        });
        stmts.extend(rest);
    } else {
        walk.list(&body.stmts, &mut stmts)?;
    }
    Ok((site.places, site.reduces, stmts))
}

/// Splits the statements before the loop into those that statements behind it need, and the others
/// with the loop. Also returns the statements behind.
fn apart(src: &tile::Body) -> Made<(Vec<tile::Stmt>, Vec<tile::Stmt>, &[tile::Stmt])> {
    let before = nest::before(src);
    let behind = src.stmts.get(before.len() + 1..).unwrap_or(&[]);
    let mut needed = BTreeSet::new();
    walk_stmts(behind, &mut |s| uses(s, &mut needed));
    // Goes backwards, since needs propagate from uses to definitions.
    let (mut always, mut turns): (Vec<tile::Stmt>, Vec<tile::Stmt>) = before
        .iter()
        .rev()
        .cloned()
        .partition(|s| needs(s, &mut needed));
    always.reverse();
    turns.reverse();
    turns.extend(src.stmts.get(before.len()).cloned());
    if reduces(&always) {
        return Err(Gap::of_kernel(
            "what stands behind a loop that may have no iteration, made of a reduction before it",
        ));
    }
    Ok((always, turns, behind))
}

/// True if a statement gives a needed value. Its own operands are needed then.
fn needs(s: &tile::Stmt, needed: &mut BTreeSet<ValueId>) -> bool {
    let is_needed = matches!(&s.kind, StmtKind::Do(TileStmt::Def { value, .. } | TileStmt::Set { value, .. }) if needed.contains(value));
    if is_needed {
        uses(s, needed);
    }
    is_needed
}

fn reduces(stmts: &[tile::Stmt]) -> bool {
    let mut found = false;
    walk_stmts(stmts, &mut |s| {
        found |= matches!(
            &s.kind,
            StmtKind::Do(TileStmt::Def {
                expr: TileExpr::Reduce { .. },
                ..
            })
        )
    });
    found
}

/// Returns fewer buffers if queues need more blocks than there are. A number that the author gives
/// for a loop is kept. If one block for each store is too many, stores share queues, with the
/// former number of buffers, so that a copy runs while the next value is computed.
fn fewer(is_free: bool, given: i64, buffers: Buffers, decls: &Decls) -> Buffers {
    let too_many = |position| decls.blocks(position) > MAX_BLOCKS_PER_POSITION;
    let loads = too_many(TPosition::VecIn);
    let grouped = loads && buffers.group_loads;
    let (of_stores, stores) = match (buffers.of_stores, buffers.stores) {
        now if !too_many(TPosition::VecOut) => now,
        (1, Stores::Alone) => (given, Stores::InTurns),
        (1, Stores::InTurns) => (given, Stores::Copied),
        (_, stores) => (1, stores),
    };
    Buffers {
        group_loads: buffers.group_loads || loads,
        of_passing: if grouped { 1 } else { buffers.of_passing },
        of_loads: buffers.of_loads - i64::from(grouped && is_free && buffers.of_loads > 1),
        of_stores,
        stores,
    }
}

fn body(places: Places<'_>, stmts: Vec<queue::Stmt>) -> queue::Body {
    let Places {
        mut decls,
        mut pool,
        ..
    } = places;
    pool.name_bufs(&mut decls);
    pool.gets.extend(pool.fills.into_iter().chain(stmts));
    Body {
        tensors: decls.tensors,
        queues: decls.queues,
        bufs: decls.bufs,
        stmts: pool.gets,
        ..Default::default()
    }
}

/// Returns the host variables that a body reads: the members of its tiling data.
pub fn fields(host: &Host<'_>, body: &queue::Body) -> Vec<VarId> {
    let mut read = BTreeSet::new();
    let mut note = |s: &Scalar| s.walk(&mut |n| read.extend(as_var(n)));
    body.walk(&mut |s| s.scalars(&mut |e| note(e)));
    body.queues
        .iter()
        .for_each(|q| [&q.buffer_num, &q.bytes].into_iter().for_each(&mut note));
    body.bufs.iter().for_each(|b| note(&b.bytes));
    body.works.iter().for_each(|w| note(&w.at));
    read.into_iter().filter(|v| host.is_field(*v)).collect()
}

fn as_var(s: &Scalar) -> Option<VarId> {
    if let Scalar::Var(v) = s {
        return Some(*v);
    }
    None
}
