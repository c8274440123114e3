//! Kernels of several outermost loops, one phase each.
//!
//! Every phase has its own buffers, for which TPipe hands out the memory anew (`StmtKind::Reset`), so that each has all of UB. What
//! stands between loops and is a tile is computed again in each phase that uses it. Before a phase all blocks meet (`SyncAll`) where
//! it touches in GM what another block may have touched in an earlier one and one of the two wrote; where both loops divide one axis
//! alike and go along it, a block finds only what it touched itself, which the barrier of the reset orders.
//!
//! A kernel has two variants at most: the *resident* one, whose phases are all as they are written, taken where the tiles of all fit; and
//! the *streamed* one, in which each phase that has a streamed form (`stream`) has that one. The phases of both are divided alike and meet
//! at the same places: what a block touches of an axis that is divided does not hang from how other axes are cut.

pub mod barriers;
pub mod control;
pub mod queue_level;

use super::body::variant;
use super::body::variant::fields;
use super::host::core_split::{divide_all, TileSplit};
use super::host::tile_sizes::Form;
use super::nest;
use super::nest::{Divided, Nest};
use super::tile::{count_then_pack, cross_core};
use crate::ir::{
    BinOp, Body, HostStep, Kernel, Known, LoopId, Lowered, Memory, Promised, Scalar, SpanId, Stmt, StmtKind, TileLoop, Variant,
    WorkDecl,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::host::Host;
use crate::lower::lowering::{single_elements, Lowering, Note, Plan};
use crate::lower::pipeline::{Inserted, Instance, Stage, State, Within};
use crate::lower::type_queries::Asked;
use crate::soc::Chip;
use barriers::{conflict, no_meeting_without_cores, notes, shares_alike};
use control::{Course, Part, Phase};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Lowers a body of several outermost loops.
pub(super) fn lower(of: &Instance<'_>, body: &Body, inserted: &Inserted) -> Made<Lowering> {
    for fuses in [true, false] {
        match lowered(of, (body, inserted), Some(fuses)) {
            // The author did not write the loops of streamed phases: what they ask for and there is not he need not care for.
            Err(gap) if gap.is_not_yet() => {}
            made => return made,
        }
    }
    lowered(of, (body, inserted), None)
}

/// Lowers it with streamed forms, in which passes are fused or not, or without.
fn lowered(of: &Instance<'_>, (body, inserted): (&Body, &Inserted), streamed: Option<bool>) -> Made<Lowering> {
    let Instance { kernel, binding, chip, index, .. } = *of;
    let Inserted { twins, .. } = inserted;
    let mut host = Host::new(kernel, binding, chip, body.vars.clone());
    let Laid { body, course } = laid_out(of, &mut host, State::of_kernel(body.clone()))?;
    let Course { phases, dim, .. } = &course;
    let dim = *dim;
    let nests = phases.iter().map(|phase| Nest::of(&phase.body)).collect::<Made<Vec<Nest>>>()?;
    let (streams, joined) = match streamed {
        Some(fuses) => streams(of, &mut host, (&course, &nests), (twins, fuses))?,
        None => (vec![None; phases.len()], Vec::new()),
    };
    let authors = host.vars.len();
    let mut splits = Vec::new();
    for (phase, nest) in phases.iter().zip(&nests) {
        let outer = nest::outer(&phase.body)?;
        let twin = twins.iter().find(|twins| twins.contains(&outer.id));
        let beside = phases.iter().filter(|p| nest::outer(&p.body).is_ok_and(|o| twin.is_some_and(|twin| twin.contains(&o.id))));
        let beside: Vec<&Body> = beside.map(|phase| &phase.body).collect();
        splits.push((TileSplit::new(&mut host, (&phase.body, nest), Some(dim), &beside)?, outer));
    }
    divided_alike(&mut host, twins, &nests, (&splits, phases))?;
    divide_all(&mut host, &splits, dim)?;
    let (meets, spans, notes) = meet((kernel, inserted), &body, (&course, &nests, &splits), chip)?;
    let slow = single_elements(&kernel.sig, &body);
    let mut works = body.works.clone();
    let plan = Planned { of, course: &course, nests: &nests, splits: &splits, meets: &meets, spans: &spans };
    let mut variants = Vec::new();
    if streams.iter().all(Option::is_none) {
        // Its sizes are common steps, which know nothing of those of the variant.
        let workspace = super::host::workspace::place(&mut host, &mut works, &dim.into());
        let made = plan.alone(&mut host, Form::alone)?;
        variants.push(made.finish(&host, "phases", Scalar::Bool(true), (dim.into(), works, workspace)));
    } else {
        let (made, fits) = plan.resident(&mut host)?;
        let workspace = super::host::workspace::place(&mut host, &mut works, &dim.into());
        let launch = (Scalar::from(dim), works, workspace);
        variants.push(made.finish(&host, Form::Resident.word(), fits, launch.clone()));
        let mut second = host.clone();
        second.forget_names(authors);
        let mut made = plan.streamed(&mut second, &streams)?;
        made.steps.extend(second.steps.split_off(host.steps.len()));
        variants.push(made.finish(&second, Form::Streamed.word(), Scalar::Bool(true), launch));
        // Those of the first variant are among them.
        host.funcs = second.funcs;
    }
    let (variants, plans): (Vec<_>, Vec<_>) = variants.into_iter().unzip();
    let lowered = Lowered {
        sig: kernel.sig.clone(),
        instance: index,
        chip: chip.name.to_string(),
        steps: host.steps.clone(),
        vars: host.vars.clone(),
        funcs: host.funcs.all.clone(),
        variants,
        spans: kernel.spans.clone(),
    };
    Ok(Lowering { lowered, plans, asked: Asked::default(), notes, slow, joined, split: Vec::new(), whole: Vec::new() })
}

/// A kernel as phases, of which no block knows yet what it has to do.
struct Laid {
    /// The kernel, with the parts that blocks leave one another.
    body: Body,
    course: Course,
}

/// Lays out a kernel as phases.
fn laid_out(of: &Instance<'_>, host: &mut Host<'_>, mut state: State<'_>) -> Made<Laid> {
    let dim = host.later("block_dim");
    state.body.vars.clone_from(&host.vars);
    of.run(Stage::Phases, &mut state)?;
    let State { mut body, .. } = state;
    cross_core::exchange(&mut body, &Scalar::BlockDim, &dim.into());
    host.vars.clone_from(&body.vars);
    host.works = body.works.iter().map(|work| work.name.clone()).collect();
    let course = Course::of(&body, dim)?;
    // What is under scalar control the host need not know, and may not be able to compute.
    let top = course.parts.iter().filter_map(|part| match part {
        Part::Phase(at) => Some(nest::before(&course.phases[*at].body)),
        Part::Scalar(s) => Some(std::slice::from_ref(s)),
        Part::For { .. } | Part::If { .. } => None,
    });
    top.for_each(|stmts| host.take_lets(stmts));
    Ok(Laid { body, course })
}

/// Before which phases all blocks meet, where each stands, and what is said of it.
fn meet(
    of: (&Kernel, &Inserted),
    body: &Body,
    (course, nests, splits): (&Course, &[Nest], &[(TileSplit, &TileLoop)]),
    chip: &Chip,
) -> Made<(Vec<bool>, Vec<SpanId>, Vec<Note>)> {
    let phases = &course.phases;
    let why = RefCell::new(BTreeMap::new());
    let meets = course.meetings(&|earlier, later| {
        let found = conflict([earlier, later], phases, nests, splits);
        found.inspect(|clash| _ = why.borrow_mut().entry(later).or_insert((earlier, *clash))).is_some()
    });
    let spans = phases.iter().map(|phase| nest::outer_span(&phase.body)).collect::<Made<Vec<_>>>()?;
    no_meeting_without_cores(&meets, (&spans, &of.1.fills), (&of.0.sig, chip))?;
    let notes = notes(of, body, (phases, &spans, &meets), &why.into_inner());
    Ok((meets, spans, notes))
}

/// A variant, how its sizes are found, and before which of its phases all blocks meet.
type Split = ((Variant, Plan), Vec<bool>);

/// The form of few long rows (`split_long_rows`), as a variant that the host takes under a condition; `host` knows what all variants have in common.
pub(super) fn lower_split(of: &Instance<'_>, host: &mut Host<'_>, body: &Body, when: Scalar) -> Made<Split> {
    let common = host.steps.len();
    let Laid { body, course } = laid_out(of, host, State::of_kernel(body.clone()).to(Form::Split))?;
    let dim = course.dim;
    let nests = course.phases.iter().map(|phase| Nest::of(&phase.body)).collect::<Made<Vec<Nest>>>()?;
    let mut splits = Vec::new();
    for (phase, nest) in course.phases.iter().zip(&nests) {
        splits.push((TileSplit::new(host, (&phase.body, nest), Some(dim), &[])?, nest::outer(&phase.body)?));
    }
    divide_all(host, &splits, dim)?;
    let none = Inserted::default();
    let (meets, spans, _) = meet((of.kernel, &none), &body, (&course, &nests, &splits), host.chip)?;
    let mut works = body.works.clone();
    let workspace = super::host::workspace::place(host, &mut works, &dim.into());
    let plan = Planned { of, course: &course, nests: &nests, splits: &splits, meets: &meets, spans: &spans };
    let mut made = plan.alone(host, |_| Form::Split)?;
    made.steps.splice(0..0, host.steps.split_off(common));
    Ok((made.finish(host, Form::Split.word(), when, (dim.into(), works, workspace)), meets))
}

/// What all variants of a kernel of phases have in common.
struct Planned<'p> {
    of: &'p Instance<'p>,
    course: &'p Course,
    nests: &'p [Nest],
    splits: &'p [(TileSplit, &'p TileLoop)],
    meets: &'p [bool],
    spans: &'p [SpanId],
}

impl Planned<'_> {
    /// The phases where none has a streamed form.
    fn alone(&self, host: &mut Host<'_>, form: fn(&Nest) -> Form) -> Made<Phases> {
        self.each(host, |host, at, before| {
            let (arranged, nest) = self.arranged(at, form(&self.nests[at]), None)?;
            let built = variant::build(form(&nest), host, &self.splits[at].0, (&arranged, &nest), before)?;
            Ok(built.finish(host))
        })
    }

    /// The phases as they are written, and the condition that the tiles of all fit.
    fn resident(&self, host: &mut Host<'_>) -> Made<(Phases, Scalar)> {
        let mut all = Scalar::Bool(true);
        let made = self.each(host, |host, at, before| {
            let (arranged, nest) = self.arranged(at, Form::Resident, None)?;
            let built = variant::build(Form::Resident, host, &self.splits[at].0, (&arranged, &nest), before)?;
            // That chooses the variant, so the solver steps belong to the common ones.
            let fits = built.solve_into(host);
            all = if at == 0 { fits } else { all.clone().bin(BinOp::And, fits) };
            Ok((built.variant, built.plan))
        })?;
        Ok((made, all))
    }

    /// Those phases streamed that have such a form.
    fn streamed(&self, host: &mut Host<'_>, streams: &[Option<Body>]) -> Made<Phases> {
        self.each(host, |host, at, before| {
            let form = if streams[at].is_some() { Form::Streamed } else { Form::alone(&self.nests[at]) };
            let (arranged, nest) = self.arranged(at, Form::Streamed, streams[at].as_ref())?;
            let split = self.splits[at].0.again(host, &nest, Some(self.course.dim));
            Ok(variant::build(form, host, &split, (&arranged, &nest), before)?.finish(host))
        })
    }

    /// A phase, or its streamed form, as it becomes queues and buffers.
    fn arranged(&self, at: usize, form: Form, streamed: Option<&Body>) -> Made<(Body, Nest)> {
        let whole = |phase: &Body| self.course.with(at, phase);
        let within = Within { at, before: &self.course.phases[at].before, whole: &whole };
        let (body, nest) = match streamed {
            Some(body) => (body, &Nest::of(body)?),
            None => (&self.course.phases[at].body, &self.nests[at]),
        };
        self.of.arranged(State::of_loop(body.clone(), nest, Some(within)).to(form))
    }

    /// All phases, each as `build` makes it behind what those before declare.
    fn each<'h>(
        &self,
        host: &mut Host<'h>,
        mut build: impl FnMut(&mut Host<'h>, usize, &Body) -> Made<(Variant, Plan)>,
    ) -> Made<Phases> {
        let mut made = Phases::default();
        for (at, phase) in self.course.phases.iter().enumerate() {
            let built = build(host, at, &made.body)?;
            made.add(built, self.meets[at], phase.repeats, self.spans[at]);
        }
        made.body.stmts = made.course(&self.course.parts, host)?;
        Ok(made)
    }
}

/// The streamed form of each phase that has one, and where two passes of these are one.
fn streams(
    of: &Instance<'_>,
    host: &mut Host<'_>,
    (course, nests): (&Course, &[Nest]),
    (twins, fuses): (&[[LoopId; 2]], bool),
) -> Made<(Vec<Option<Body>>, Vec<Note>)> {
    let (mut all, mut joined) = (Vec::new(), Vec::new());
    for (at, (phase, nest)) in course.phases.iter().zip(nests).enumerate() {
        let outer = nest::outer(&phase.body)?;
        let body = Body { vars: host.vars.clone(), ..phase.body.clone() };
        let whole = |phase: &Body| course.with(at, phase);
        let within = Within { at, before: &phase.before, whole: &whole };
        // What is counted is divided as it is packed.
        let is_twin = twins.iter().flatten().any(|id| *id == outer.id);
        let streamed = if is_twin { None } else { of.streamed(State::of_loop(body, nest, Some(within)), fuses)? };
        all.push(streamed.map(|(streamed, notes)| {
            joined.extend(notes);
            host.vars.clone_from(&streamed.vars);
            streamed
        }));
    }
    Ok((all, joined))
}

/// The phases so far.
#[derive(Default)]
struct Phases {
    /// What they declare; in the end all statements.
    body: Body,
    /// The statements of each.
    stmts: Vec<Vec<Stmt>>,
    steps: Vec<HostStep>,
    known: Vec<Known>,
    /// What the kernel begins with, where the first one is met once.
    memory: Vec<Memory>,
    plan: Option<Plan>,
}

impl Phases {
    fn add(&mut self, (variant, plan): (Variant, Plan), meets: bool, repeats: bool, span: SpanId) {
        let Body { stmts: own, .. } = &variant.body;
        let mut stmts = Vec::with_capacity(own.len() + 2);
        stmts.extend(meets.then_some(Stmt { kind: StmtKind::SyncAll {}, span }));
        match self.stmts.is_empty() && !repeats {
            true => self.memory = variant.memory,
            false => stmts.push(Stmt { kind: StmtKind::Reset { memory: variant.memory }, span }),
        }
        stmts.extend(own.iter().cloned());
        self.stmts.push(stmts);
        self.body = Body { stmts: Vec::new(), ..variant.body };
        self.steps.extend(variant.steps);
        self.known.extend(variant.known);
        self.plan = Some(match self.plan.take() {
            None => Plan { row_pitch: None, ..plan },
            Some(mut before) => {
                before.bytes = before.bytes.max(plan.bytes);
                before.sizes.extend(plan.sizes);
                before
            }
        });
    }

    /// The statements of all, with the control around them.
    fn course(&mut self, parts: &[Part], host: &mut Host<'_>) -> Made<Vec<Stmt>> {
        let mut stmts = Vec::new();
        for part in parts {
            match part {
                Part::Phase(at) => stmts.append(&mut self.stmts[*at]),
                Part::Scalar(s) => on_device(s, host, &mut stmts)?,
                Part::For { var, from, to, body, span } => {
                    let (from, to) = (host.on_device(from, "from"), host.on_device(to, "to"));
                    let body = self.course(body, host)?;
                    stmts.push(Stmt { kind: StmtKind::For { var: *var, from, to, body }, span: *span });
                }
                Part::If { cond, then, other, span } => {
                    let cond = host.on_device(cond, "condition");
                    let (then, other) = (self.course(then, host)?, self.course(other, host)?);
                    stmts.push(Stmt { kind: StmtKind::If { cond, then, other }, span: *span });
                }
            }
        }
        Ok(stmts)
    }

    /// The variant of this name, taken under a condition; `launch` is the number of blocks, the workspaces and the bytes of these.
    fn finish(self, host: &Host<'_>, name: &str, when: Scalar, launch: (Scalar, Vec<WorkDecl>, Scalar)) -> (Variant, Plan) {
        let (block_dim, works, workspace) = launch;
        let Phases { body, steps, known, memory, plan, .. } = self;
        let body = Body { vars: host.vars.clone(), works, ..body };
        let variant = Variant {
            name: name.to_string(),
            when,
            steps,
            block_dim,
            workspace,
            fields: fields(host, &body),
            known,
            memory,
            // What one phase reads once another may read again.
            once: Vec::new(),
            body,
        };
        (variant, plan.unwrap_or(Plan { bytes: Scalar::Int(0), sizes: Vec::new(), row_pitch: None }))
    }
}

/// A statement of scalars as a core makes it.
fn on_device(s: &Stmt, host: &mut Host<'_>, out: &mut Vec<Stmt>) -> Made<()> {
    let list = |stmts: &[Stmt], host: &mut Host<'_>| {
        let mut out = Vec::new();
        stmts.iter().try_for_each(|s| on_device(s, host, &mut out))?;
        Ok(out)
    };
    let kind = match &s.kind {
        StmtKind::LetScalar { var, value } => {
            super::body::walk::let_scalar(host, *var, value, s.span, out);
            return Ok(());
        }
        StmtKind::SetScalar { var, value } => StmtKind::SetScalar { var: *var, value: host.on_device(value, "scalar") },
        StmtKind::Promise { what: Promised::Fact { cond, text } } => {
            StmtKind::Promise { what: Promised::Fact { cond: host.on_device(cond, "fact"), text: text.clone() } }
        }
        StmtKind::For { var, from, to, body } => {
            let (from, to) = (host.on_device(from, "from"), host.on_device(to, "to"));
            StmtKind::For { var: *var, from, to, body: list(body, host)? }
        }
        StmtKind::If { cond, then, other } => {
            let cond = host.on_device(cond, "condition");
            StmtKind::If { cond, then: list(then, host)?, other: list(other, host)? }
        }
        _ => return Err(Gap::new("a statement between phases that is no scalar's", s.span)),
    };
    out.push(Stmt { kind, span: s.span });
    Ok(())
}

/// A loop that counts what another one packs is divided as that one is.
fn divided_alike(
    host: &mut Host<'_>,
    twins: &[[LoopId; 2]],
    nests: &[Nest],
    (splits, phases): (&[(TileSplit, &TileLoop)], &[Phase]),
) -> Made<()> {
    for twin in twins {
        let of = twin.map(|id| splits.iter().position(|(_, outer)| outer.id == id));
        let [Some(a), Some(b)] = of else { return Err(Gap::of_kernel("a loop that packs without one that counts")) };
        let turns = |at: usize| splits[at].1.specs.iter().map(|spec| spec.of).collect::<Vec<_>>();
        let by_turns = nests[a].divided == Divided::Turns && turns(a) == turns(b);
        if nests[a].divided != nests[b].divided || !(by_turns || shares_alike([a, b], nests, splits)) {
            let help = "let a loop before store the value to a workspace, and load it here as the mask is loaded";
            let span = nest::outer_span(&phases[b].body)?;
            return Err(Gap::not_yet("an append whose mask needs other rows than its value", help, span));
        }
        count_then_pack::require_countable(host, &phases[b].body, &nests[b])?;
    }
    Ok(())
}
