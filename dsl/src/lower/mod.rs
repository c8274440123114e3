//! Tile level to queue level, for one dtype instance on one chip.
//!
//! A kernel whose tiles have whole axes becomes up to two variants: *resident*, where these are whole in UB, and *streamed*, where they
//! are cut by loops inside and the body is cut into passes (`stream`, `levels`); of several outermost loops each for itself (`phases`).
//! Everything else has one variant; a loop with `.split(d)` has one more, for few long rows (`few`).
//! The way of one variant: `simplify` (casts to the own type vanish) → `fill` (zeros where something is added first) → `derived` (reductions that are made of others) → `same` (what is made twice is made once) → `fewer` (fewer ops with the same bits) → `stream` (streamed only, and after it `online` and `chan`, which make two of its passes one) → `order` (hoisting, loads first)
//! → `unroll` and `hull` (windows that share rows are one load) → `variant` (queues and buffers by liveness) → `banks` (their order in UB) → `footprint` (the UB formula) → host steps (`split` and the solver step of
//! `sizes`). Queue-level kernels only need their host part (`queue`). Up to `hull` a kernel
//! is one of the tile dialect; [`tile_passes`] shows it after each.
//!
//! A variant is made in parts, each of which knows those before it only: `values` (extents and bytes by shape), `decls` (what the body
//! declares), `tbuf`, `tque` and `column` (memory, queues and expanded columns at one point), `place` (where each value lives),
//! `copy`, `ops` and `loads` (instructions), `scope` (a list of statements: what dies and leaves where), `tile` (the walk), `once` (inputs
//! that L2 need not keep), `variant`.
//!
//! The rules (split, pitch, padding, streaming) are in `docs/language.md`.

mod across;
mod append;
mod banks;
mod binding;
mod chan;
mod clip;
mod column;
mod composed;
mod copy;
mod course;
mod decls;
mod derived;
mod empty;
mod few;
mod fewer;
mod fill;
mod footprint;
mod func;
mod host;
mod hull;
mod inside;
mod joined;
mod levels;
#[doc(hidden)]
pub mod library;
mod life;
mod loads;
mod mapper;
mod meet;
mod meetings;
mod nest;
mod once;
mod online;
mod onto;
mod ops;
mod order;
mod packed;
mod padding;
mod pairs;
mod passes;
mod phases;
mod pick;
mod pitch;
mod place;
mod queue;
mod reads;
mod reductions;
mod same;
mod scan;
mod scope;
mod simplify;
mod site;
mod sizes;
mod solver;
mod sorted;
mod split;
mod spread;
mod stream;
mod sync;
mod tbuf;
#[cfg(test)]
mod tests;
mod tile;
mod tque;
mod unroll;
mod unsigned;
mod values;
mod variant;
mod whole;
mod workspace;

pub use binding::Asked;
pub use footprint::capacity_table;
pub(crate) use host::gcd;
pub use passes::tile_passes;
pub use simplify::uses;
pub use whole::WholeAxis;
pub(crate) use whole::{least_dims, said as said_whole};

use crate::diag::{Code, Diagnostic};
use crate::dtype::DType;
use crate::ir::verify::verify_pass;
use crate::ir::{
    verify_lowered, Body, Fault, HostStep, Kernel, Level, LoopId, Lowered, Scalar, Signature, SpanId, Stmt, StmtKind, TensorRef,
    TileExpr, VarId, Variant,
};
use crate::soc::Chip;
use binding::Binding;
use few::Few;
use host::Host;
use nest::Nest;
use passes::{streamed, Joins};
use sizes::Form;

/// A lowered kernel and what the checker needs to judge its memory.
#[derive(Clone, Debug)]
pub struct Lowering {
    /// The kernel.
    pub lowered: Lowered,
    /// One entry a variant.
    pub plans: Vec<Plan>,
    /// What it depends on of the element types.
    pub asked: Asked,
    /// Of a kernel of several phases, what stands before each and why.
    pub notes: Vec<Note>,
    /// Where elements are copied one by one, which is slow.
    pub slow: Vec<Note>,
    /// Where two passes of a streamed form are one.
    pub joined: Vec<Note>,
    /// What becomes of a loop that is split along an axis.
    pub split: Vec<Note>,
    /// The axes that tiles have from end to end where no variant cuts them.
    pub whole: Vec<WholeAxis>,
}

/// What the lowering did at a place, and why.
#[derive(Clone, Debug)]
pub struct Note {
    /// The place.
    pub span: SpanId,
    /// In a sentence.
    pub text: String,
}

impl Lowering {
    /// The same for another instance, where all that was asked of the element types has the same answers there.
    pub fn for_instance(&self, instance: usize, chip: &Chip) -> Option<Lowering> {
        let instances = &self.lowered.sig.instances;
        let (own, other) = (instances.get(self.lowered.instance)?, instances.get(instance)?);
        let alike = self.asked.is_answered_alike(own, other, chip);
        alike.then(|| Lowering { lowered: Lowered { instance, ..self.lowered.clone() }, ..self.clone() })
    }
}

/// How one variant's sizes are found.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The footprint in bytes, a formula over host variables.
    pub bytes: Scalar,
    /// Sizes that were solved for or given, outermost first.
    pub sizes: Vec<Size>,
    /// Elements from row to row, where a row must be whole in UB and no streamed variant exists.
    pub row_pitch: Option<VarId>,
}

/// A size that decides the footprint.
#[derive(Clone, Debug)]
pub struct Size {
    /// The variable.
    pub var: VarId,
    /// What it counts.
    pub kind: SizeKind,
    /// Granularity of what is solved for.
    pub step: i64,
    /// What a given one must be a multiple of.
    pub unit: i64,
    /// What the author gave; `None` where it is solved for.
    pub given: Option<Scalar>,
}

/// What a size counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeKind {
    /// Elements of a tile.
    TileLength,
    /// Rows of a tile.
    Rows,
}

/// Lowers `kernel` for its `instance`-th dtype instance on `chip`.
///
/// # Errors
/// The kernel must have passed the checks on types and host stages; what does not lower then is a gap in the rules.
pub fn lower(kernel: &Kernel, instance: usize, chip: &'static Chip) -> Result<Lowering, Gap> {
    let lowering = lowered(kernel, instance, chip, Verify::DEFAULT)?;
    match verify_lowered(&lowering.lowered) {
        Ok(()) => Ok(lowering),
        // Some pass made it, and only here it is asked which.
        Err(fault) => lowered(kernel, instance, chip, Verify::EachPass).and(Err(Gap::fault("the pass `waits`", &fault))),
    }
}

/// When the passes are held to what a kernel is.
#[derive(Clone, Copy, PartialEq)]
enum Verify {
    /// After the last one.
    Result,
    /// After each one: a fault names the pass, and none goes unseen because a later one repairs it.
    EachPass,
}

impl Verify {
    /// Builds with debug assertions hold each pass to it, and so do all tests.
    const DEFAULT: Verify = if cfg!(debug_assertions) { Verify::EachPass } else { Verify::Result };
}

fn lowered(kernel: &Kernel, instance: usize, chip: &'static Chip, verify: Verify) -> Made<Lowering> {
    let types = kernel.sig.instances.get(instance).ok_or_else(|| Gap::new("an instance that there is not", SpanId(0)))?;
    let binding = Binding::new(types, chip);
    let mut body = simplify::simplify(kernel, &binding);
    let own = Own { kernel, types, binding: &binding, verify };
    own.verified("simplify", &body)?;
    let mut inserted = Inserted::default();
    if kernel.level == Level::Tile {
        inserted.fills = fill::filled(&mut body, &kernel.sig, &binding)?;
        own.verified("fill", &body)?;
        inserted.twins = append::counted(&mut body, &kernel.sig)?;
        own.verified("append", &body)?;
        derived::derived(&mut body, &binding)?;
        own.verified("derived", &body)?;
        if same::same(&mut body) {
            own.verified("same", &body)?;
        }
        fewer::fewer(&mut body, &binding, chip);
        own.verified("fewer", &body)?;
        if reads::apart(&mut body) {
            own.verified("reads", &body)?;
        }
    }
    let mut lowering = match kernel.level {
        Level::Queue => queue::lower(kernel, instance, &binding, body, chip),
        Level::Tile => lower_tiles(own, instance, (body, &inserted), chip),
    }?;
    if verify == Verify::EachPass {
        let pass = |fault| Gap::fault(&format!("the pass `{}`", kernel.level.word()), &fault);
        verify_lowered(&lowering.lowered).map_err(pass)?;
    }
    // An author who orders pipes by hand orders all of them; what is missing the checker says.
    let by_jumar = lowering.lowered.variants.iter_mut().filter(|v| !v.body.orders_by_hand());
    by_jumar.for_each(|v| sync::insert_waits(&mut v.body, kernel.level));
    lowering.asked = binding.asked();
    if kernel.level == Level::Tile {
        lowering.name_whole(&[], chip);
    }
    Ok(lowering)
}

/// What a phase knows of a scalar that one before it has read: that the core knows it.
fn without_tile(s: &Stmt) -> Stmt {
    let kind = match &s.kind {
        StmtKind::Read { var, .. } => StmtKind::LetScalar { var: *var, value: Scalar::cast(var.ty(), Scalar::BlockIdx) },
        kind => kind.clone(),
    };
    Stmt { kind, span: s.span }
}

/// Loops that passes have put in.
#[derive(Default)]
struct Inserted {
    /// Those that store zeros, with their tensors.
    fills: Vec<(LoopId, TensorRef)>,
    /// Those that count, each with the one that packs what it counts.
    twins: Vec<[LoopId; 2]>,
}

/// A kernel with the element types of one instance.
#[derive(Clone, Copy)]
struct Own<'a> {
    kernel: &'a Kernel,
    types: &'a [DType],
    binding: &'a Binding<'a>,
    verify: Verify,
}

impl Own<'_> {
    /// Holds what a pass made to be a body of the kernel.
    fn verified(self, pass: &str, body: &Body) -> Made<()> {
        self.verified_behind(pass, &[], body)
    }

    /// The same of a body that stands behind statements.
    fn verified_behind(self, pass: &str, before: &[Stmt], body: &Body) -> Made<()> {
        if self.verify == Verify::Result {
            return Ok(());
        }
        let all = Body { stmts: before.iter().map(without_tile).chain(body.stmts.iter().cloned()).collect(), ..body.clone() };
        verify_pass(self.kernel, &all, self.types).map_err(|fault| Gap::fault(&format!("the pass `{pass}`"), &fault))
    }

    /// The body as it becomes queues and buffers.
    fn arranged(self, (body, nest): (&Body, &Nest), before: &[Stmt]) -> Made<(Body, Nest)> {
        let joined = onto::onto(body, nest);
        self.verified_behind("onto", before, &joined)?;
        let mut body = Body { stmts: order::hoist(&joined), ..joined };
        self.verified_behind("hoist", before, &body)?;
        order::loads_first(&mut body.stmts);
        self.verified_behind("loads-first", before, &body)?;
        if unroll::unroll(&mut body, nest) {
            self.verified_behind("unroll", before, &body)?;
        }
        if hull::hull(&mut body, nest) {
            self.verified_behind("hull", before, &body)?;
        }
        let nest = nest.with_hulls(&body);
        Ok((body, nest))
    }
}

fn lower_tiles(own: Own<'_>, instance: usize, (mut body, inserted): (Body, &Inserted), chip: &'static Chip) -> Made<Lowering> {
    if !is_one_phase(&body) {
        few::in_one_loop(&body)?;
        return phases::lower(own, instance, (&body, inserted), chip);
    }
    let nest = Nest::of(&body)?;
    let few = few::few(own.binding, &body, &nest)?;
    if let Some(few) = &few {
        own.verified("split", &few.body)?;
        // Each rewrite numbers its variables behind those before.
        body.vars.clone_from(&few.body.vars);
    }
    let few = few.as_ref();
    for joins in [Joins::All, Joins::None] {
        let Some((streamed, notes)) = streamed(own.binding, (&body, &nest), &[], joins)? else { break };
        own.verified(if notes.is_empty() { "stream" } else { "stream, online or chan" }, &streamed)?;
        match lower_nest(own, instance, (&body, &nest), (Some(&streamed), few), chip) {
            // The author did not write these loops: what they ask for and there is not he need not care for.
            Err(gap) if gap.is_not_yet() && notes.is_empty() => break,
            Err(gap) if gap.is_not_yet() => {}
            made => return made.map(|lowering| Lowering { joined: notes, ..lowering }),
        }
    }
    lower_nest(own, instance, (&body, &nest), (None, few), chip)
}

/// Lowers a body of one outermost loop, with its streamed form where there is one, and that of few long rows.
fn lower_nest(
    own: Own<'_>,
    instance: usize,
    (body, nest): (&Body, &Nest),
    (streamed, few): (Option<&Body>, Option<&Few>),
    chip: &'static Chip,
) -> Made<Lowering> {
    let Own { kernel, binding, .. } = own;
    // The rewrite comes first: its variables are numbered right behind the author's.
    let vars = streamed.map_or(&body.vars, |s| &s.vars).clone();
    let authors = vars.len();
    let mut host = Host::new(kernel, binding, chip, vars);
    host.take_lets(nest::before(body));
    let split = split::TileSplit::new(&mut host, (body, nest), None, &[])?;
    let (resident, arranged) = own.arranged((body, nest), &[])?;
    let few = few.map(|few| Ok((few, few.when(&mut host, (body, nest))?))).transpose()?;
    let (mut variants, mut notes) = (Vec::new(), Vec::new());
    match streamed.map(|s| own.arranged((s, &Nest::of(s)?), &[])).transpose()? {
        None => {
            let mut own = host.clone();
            let built = variant::build(Form::alone(nest), &mut own, &split, (&resident, &arranged), &Body::default())?;
            variants.push(built.finish(&mut own));
            host.funcs = own.funcs;
        }
        Some((streamed, cut)) => {
            let resident = variant::build(Form::Resident, &mut host, &split, (&resident, &arranged), &Body::default())?;
            // Whether a tile fits chooses the variant, so its solver step belongs to the common ones.
            let fits = resident.solve_into(&mut host);
            let mut own = host.clone();
            own.forget_names(authors);
            let split = split.again(&mut own, nest, None);
            let second = variant::build(Form::Streamed, &mut own, &split, (&streamed, &cut), &Body::default())?;
            variants.push((Variant { when: fits, ..resident.variant }, resident.plan));
            variants.push(second.finish(&mut own));
            // Those of the first variant are among them.
            host.funcs = own.funcs;
        }
    }
    if let Some((few, when)) = few {
        let mut second = host.clone();
        second.forget_names(authors);
        let (made, meets) = phases::lower_split(own, &mut second, &few.body, when)?;
        variants.insert(0, made);
        host.funcs = second.funcs;
        notes.push(few.note(body, &meets)?);
    }
    let (variants, plans): (Vec<_>, Vec<_>) = variants.into_iter().unzip();
    let lowered = Lowered {
        sig: kernel.sig.clone(),
        instance,
        chip: chip.name.to_string(),
        steps: host.steps.clone(),
        vars: host.vars.clone(),
        funcs: host.funcs.all.clone(),
        variants,
        spans: kernel.spans.clone(),
    };
    Ok(Lowering {
        lowered,
        plans,
        asked: Asked::default(),
        notes: Vec::new(),
        slow: single_elements(&kernel.sig, body),
        joined: Vec::new(),
        split: notes,
        whole: Vec::new(),
    })
}

/// Where elements are copied one by one, which is slow.
fn single_elements(sig: &Signature, body: &Body) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    body.walk(&mut |s| {
        let Some(access) = s.access().filter(|access| nest::copies_elements(access, s)) else { return };
        let name = body.gm_name(sig, access.of);
        let text = format!(
            "each element of `{name}` is copied alone, to or from 32 bytes of UB of its own, which takes as long as 512 bytes that follow one \
             another: where a tile has most of a row of `{name}`, load whole rows and take its elements by `pick`"
        );
        if notes.iter().all(|note| note.span != s.span || note.text != text) {
            notes.push(Note { span: s.span, text });
        }
    });
    notes
}

/// True for one tile loop at the top, without anything that blocks hand one another.
fn is_one_phase(body: &Body) -> bool {
    let mut merges = false;
    body.walk(&mut |s| merges |= matches!(&s.kind, StmtKind::Def { expr: TileExpr::Across { .. }, .. }));
    let at_top = body.stmts.iter().any(|s| matches!(s.kind, StmtKind::Loop { .. }));
    body.outer_loops().len() == 1 && at_top && !merges && body.works.is_empty()
}

/// What does not lower: a form that no rule is for, an error of this crate and never a kernel that means something else; or
/// what only the lowering finds out.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// What there is no rule for, what a pass made wrong, or what the author did.
    what: String,
    /// Where it stands.
    span: SpanId,
    /// J0109 for errors of this crate.
    code: Code,
    help: Option<&'static str>,
}

impl Gap {
    fn new(what: impl std::fmt::Display, span: SpanId) -> Gap {
        Gap { what: format!("there is no rule for {what}; this is an error of jumar"), span, code: Code::J0109, help: None }
    }

    /// What no place in the source stands for.
    pub(crate) fn of_kernel(what: impl std::fmt::Display) -> Gap {
        Gap::new(what, SpanId(0))
    }

    /// What the language says and no rule lowers so far.
    fn not_yet(what: impl std::fmt::Display, help: &'static str, span: SpanId) -> Gap {
        Gap { what: format!("{what}: not offered yet"), span, code: Code::J0109, help: Some(help) }
    }

    /// What the chip does not have.
    fn lacks(what: String, help: &'static str, span: SpanId) -> Gap {
        Gap { what, span, code: Code::J0502, help: Some(help) }
    }

    /// True for what no rule lowers so far.
    fn is_not_yet(&self) -> bool {
        self.code == Code::J0109 && self.help.is_some()
    }

    /// A size that hangs from the tile through a name whose meaning is too long to be written out.
    fn too_long(name: &str, span: SpanId) -> Gap {
        let what = format!("the bytes of the queues depend on the tile through `{name}`, a formula too long to solve");
        let help = Some("give `init_buffer` sizes that are a few operations away from `fit_tile`");
        Gap { what, span, code: Code::J0601, help }
    }

    /// What a pass made is no kernel.
    pub(crate) fn fault(pass: &str, fault: &Fault) -> Gap {
        let what = format!("after {pass}, {fault}; this is an error of jumar");
        Gap { what, span: fault.span.unwrap_or(SpanId(0)), code: Code::J0109, help: None }
    }

    /// As the checker reports it.
    pub(crate) fn into_diagnostic(self) -> Diagnostic {
        let d = Diagnostic::new(self.code, self.span, self.what);
        self.help.into_iter().fold(d, Diagnostic::help)
    }
}

type Made<T> = Result<T, Gap>;

/// A requirement as a host step.
fn require(cond: Scalar, message: impl Into<String>) -> HostStep {
    HostStep::Require { cond, message: message.into(), of_field: false }
}
