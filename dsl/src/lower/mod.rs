//! Tile level to queue level, for one dtype instance on one chip.
//!
//! A row kernel becomes up to two variants: *resident*, where whole rows stand in UB, and *streamed*, where the row is
//! cut into column tiles and the body into passes (`stream`). Everything else has one variant.
//! The way of one variant: `simplify` (casts to the own type vanish) → `stream` (streamed only) → `order` (hoisting, loads first)
//! → `tile` (statements, queues and buffers by liveness; `ops` for the vector calls) → [`footprint`] (the UB formula)
//! → host steps (`split` and the solver step). Queue-level kernels only need their host part (`queue`). Up to `order` a kernel
//! is one of the tile dialect; [`tile_passes`] shows it after each.
//!
//! The rules (split, pitch, padding, streaming) are in `docs/language.md`.

mod buffers;
mod footprint;
mod host;
mod life;
mod loads;
mod meet;
mod ops;
mod order;
mod place;
mod queue;
mod simplify;
mod sizes;
mod split;
mod stream;
mod sync;
#[cfg(test)]
mod tests;
mod tile;

pub use footprint::{capacity_table, footprint};
pub(crate) use host::gcd;
pub(crate) use simplify::size_of;

use crate::dtype::DType;
use crate::ir::{Body, HostStep, Kernel, Level, LoopKind, Lowered, Scalar, SpanId, TileLoop, VarId, Variant};
use crate::soc::Chip;
use host::Host;
use tile::Loops;

/// A lowered kernel and what the checker needs to judge its memory.
#[derive(Clone, Debug)]
pub struct Lowering {
    /// The kernel.
    pub lowered: Lowered,
    /// One entry a variant.
    pub plans: Vec<Plan>,
}

/// How one variant's sizes are found.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The footprint in bytes, a formula over host variables.
    pub bytes: Scalar,
    /// Sizes that were solved for or given, outermost first.
    pub sizes: Vec<Size>,
    /// True where a row must be whole in UB and no streamed variant exists.
    pub whole_rows: bool,
}

/// A size that decides the footprint.
#[derive(Clone, Debug)]
pub struct Size {
    /// The variable.
    pub var: VarId,
    /// What an author calls it: `tile_length`, `rows`.
    pub name: &'static str,
    /// Granularity.
    pub step: i64,
    /// Given by the author, with the place; `None` where solved.
    pub given: Option<(Scalar, crate::ir::SpanId)>,
}

/// Lowers `kernel` for its `instance`-th dtype instance on `chip`.
///
/// # Errors
/// The kernel must have passed the checks on types and host stages; what does not lower then is a gap in the rules.
pub fn lower(kernel: &Kernel, instance: usize, chip: &'static Chip) -> Result<Lowering, Gap> {
    let binding = kernel.sig.instances.get(instance).ok_or_else(|| Gap::new("an instance that there is not", SpanId(0)))?.clone();
    let body = simplify::simplify(kernel, &binding);
    match kernel.level {
        Level::Queue => queue::lower(kernel, instance, &binding, body, chip),
        Level::Tile => lower_tiles(kernel, instance, &binding, body, chip),
    }
}

/// A kernel after each pass that leaves it in the tile dialect, with the pass's name; none at queue level.
pub fn tile_passes(kernel: &Kernel, instance: usize) -> Vec<(&'static str, Kernel)> {
    let (Level::Tile, Some(binding)) = (kernel.level, kernel.sig.instances.get(instance)) else { return Vec::new() };
    let simple = simplify::simplify(kernel, binding);
    let streamed = streamed(kernel, &simple);
    let mut passes = Vec::new();
    let mut arranged = |names: [&'static str; 3], body: Body| {
        let hoisted = Body { stmts: order::hoist(&body), ..body.clone() };
        let ordered = Body { stmts: order::loads_first(&hoisted.stmts), ..body.clone() };
        passes.extend(names.into_iter().zip([body, hoisted, ordered]));
    };
    arranged(["simplify", "hoist", "loads-first"], simple);
    if let Some(streamed) = streamed {
        arranged(["stream", "stream-hoist", "stream-loads-first"], streamed);
    }
    passes.into_iter().map(|(name, body)| (name, Kernel { body, ..kernel.clone() })).collect()
}

/// The body as it becomes queues and buffers.
fn arranged(body: &Body) -> Body {
    Body { stmts: order::loads_first(&order::hoist(body)), ..body.clone() }
}

/// The streamed form of a row kernel; `None` where there is none.
fn streamed(kernel: &Kernel, body: &Body) -> Option<Body> {
    let (_, outer) = split::outer_loop(body)?;
    let whole = outer.kind == LoopKind::Rows && !has_column_loops(outer);
    // As many rows as the author gives are whole in UB, or the launch is refused: a streamed form would never be chosen.
    if whole && outer.rows.is_none() {
        stream::stream(&kernel.sig, body, outer)
    } else {
        None
    }
}

fn lower_tiles(kernel: &Kernel, instance: usize, binding: &[DType], body: Body, chip: &'static Chip) -> Made<Lowering> {
    let (prelude, outer) = split::outer_loop(&body).ok_or_else(|| Gap::new("no tile loop", SpanId(0)))?;
    let whole = outer.kind == LoopKind::Rows && !has_column_loops(outer);
    // The rewrite comes first: its variables are numbered right behind the author's.
    let streamed = streamed(kernel, &body);
    let vars = streamed.as_ref().map_or(&body.vars, |s| &s.vars).clone();
    let authors = vars.len();
    let mut host = Host::new(kernel, binding, chip, vars);
    host.take_lets(prelude);
    let split = split::Split::new(&mut host, &body, outer);
    let resident = arranged(&body);
    let mut variants = Vec::new();
    match streamed.as_ref().map(arranged) {
        None => {
            let mut own = host.clone();
            let (name, loops) = if whole { ("resident", Loops::WholeRows) } else { ("tiles", Loops::Written) };
            let built = tile::build(name, &mut own, &split, &resident, loops)?;
            variants.push(built.finish(&mut own));
        }
        Some(streamed) => {
            let resident = tile::build("resident", &mut host, &split, &resident, Loops::Written)?;
            // Whether one row fits chooses the variant, so its solver step belongs to the common ones.
            let fits = resident.solve_into(&mut host);
            let mut own = host.clone();
            own.forget_names(authors);
            let second = tile::build("streamed", &mut own, &split, &streamed, Loops::Planned)?;
            variants.push((Variant { when: fits, ..resident.variant }, resident.plan));
            variants.push(second.finish(&mut own));
        }
    }
    let lowered = |variants: Vec<Variant>| Lowered {
        sig: kernel.sig.clone(),
        instance,
        chip: chip.name.to_string(),
        steps: host.steps.clone(),
        vars: host.vars.clone(),
        variants,
        spans: kernel.spans.clone(),
    };
    let (mut variants, plans): (Vec<_>, Vec<_>) = variants.into_iter().unzip();
    variants.iter_mut().for_each(|v| sync::insert_waits(&mut v.body));
    Ok(Lowering { lowered: lowered(variants), plans })
}

fn has_column_loops(outer: &TileLoop) -> bool {
    let mut found = false;
    crate::ir::walk_stmts(&outer.body, &mut |s| found |= matches!(s.kind, crate::ir::StmtKind::Loop { .. }));
    found
}

/// A form that no rule of the lowering is for: an error of this crate, never a kernel that means something else.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// What there is no rule for.
    pub what: String,
    /// Where it stands.
    pub span: SpanId,
}

impl Gap {
    fn new(what: impl Into<String>, span: SpanId) -> Gap {
        Gap { what: what.into(), span }
    }
}

type Made<T> = Result<T, Gap>;

/// A requirement as a host step.
fn require(cond: Scalar, message: impl Into<String>) -> HostStep {
    HostStep::Require { cond, message: message.into() }
}
