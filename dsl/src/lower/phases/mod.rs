//! Lowers kernels of several outermost loops, one phase each.
//!
//! - Every phase has its own buffers: TPipe hands out memory anew (`QueueStmt::Reset`), so each
//!   phase has all of UB.
//! - A tile between loops is computed again in each phase that uses it.
//! - A barrier of all blocks (`SyncAll`) stands before a phase that may touch an element which
//!   another block touched in an earlier one, where one of the two wrote.
//! - If both loops divide one axis alike and go along it, a block finds only its own elements. The
//!   barrier of the reset orders those.
//!
//! A kernel has at most two variants. In the *resident* one all phases are as written; it is taken
//! if the tiles of all fit. In the *streamed* one each phase has its streamed form (`stream`), if
//! it has one. The phases of both are divided alike and have the same barriers: elements of a block
//! along a divided axis do not depend on the cuts of other axes.

pub mod barriers;
pub mod control;
pub mod queue_level;

use super::body::variant;
use super::body::variant::fields;
use super::host::core_split::{divide_all, TileSplit};
use super::host::tile_sizes::Form;
use super::nest;
use super::nest::{Divided, Loop, Nest};
use super::tile::{count_then_pack, cross_core};
use crate::ir::{
    queue, tile, BinOp, Body, Case, HostStep, Known, LoopId, Memory, Promised, QueueStmt, Scalar,
    Stmt, StmtKind, SyncOp, VarId, Variant, WorkDecl,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::host::Host;
use crate::lower::lowering::{single_elements, Lowering, Note, Plan};
use crate::lower::pipeline::{Inserted, Instance, Stage, State, Within};
use barriers::{conflict, no_meeting_without_cores, notes, shares_alike};
use control::{Course, DividedPhase, Node, Phase};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Lowers a body of several outermost loops.
pub(super) fn lower(of: &Instance<'_>, body: &tile::Body, inserted: &Inserted) -> Made<Lowering> {
    for fuses in [true, false] {
        match lowered(of, body, inserted, Some(fuses)) {
            // The author did not write the loops of streamed phases, so a gap in them is no error.
            Err(gap) if gap.is_not_yet() => {}
            made => return made,
        }
    }
    lowered(of, body, inserted, None)
}

/// Lowers it with streamed forms, with or without fused passes, or without such forms.
fn lowered(
    of: &Instance<'_>,
    body: &tile::Body,
    inserted: &Inserted,
    streamed: Option<bool>,
) -> Made<Lowering> {
    let Instance {
        kernel,
        binding,
        chip,
        index,
        ..
    } = *of;
    let Inserted { twins, .. } = inserted;
    let mut host = Host::new(kernel, binding, chip, body.vars.clone());
    let Laid {
        body,
        course,
        nests,
    } = laid_out(of, &mut host, State::of_kernel(body.clone()))?;
    let dim = course.dim;
    let (streams, joined) = match streamed {
        Some(fuses) => streams(of, &mut host, &course, &nests, twins, fuses)?,
        None => (vec![None; nests.len()], Vec::new()),
    };
    let authors = host.vars.len();
    let phases = divided(&mut host, &course, &nests, twins)?;
    let (meets, notes) = meet(of, inserted, &body, &course, &phases)?;
    let slow = single_elements(&kernel.sig, &body);
    let mut works = body.works.clone();
    let plan = Planned {
        of,
        course: &course,
        phases: &phases,
        meets: &meets,
    };
    let mut variants = Vec::new();
    if streams.iter().all(Option::is_none) {
        // Its sizes are steps of all variants, which know nothing of those of one variant.
        let workspace = super::host::workspace::place(&mut host, &mut works, &dim.into());
        let made = plan.alone(&mut host, Form::alone)?;
        variants.push(made.finish(&host, "phases", Scalar::Bool(true), dim, works, workspace));
    } else {
        let (made, fits) = plan.resident(&mut host)?;
        let workspace = super::host::workspace::place(&mut host, &mut works, &dim.into());
        variants.push(made.finish(
            &host,
            Form::Resident.word(),
            fits,
            dim,
            works.clone(),
            workspace.clone(),
        ));
        let mut second = host.clone();
        second.forget_names(authors);
        let mut made = plan.streamed(&mut second, &streams)?;
        made.steps.extend(second.steps.split_off(host.steps.len()));
        variants.push(made.finish(
            &second,
            Form::Streamed.word(),
            Scalar::Bool(true),
            dim,
            works,
            workspace,
        ));
        // The second variant began with a copy of the host, so its functions include those of the
        // first.
        host.funcs = second.funcs;
    }
    let (case, funcs) = (
        Case::only(host.steps.clone(), host.vars.clone()),
        host.funcs.all.clone(),
    );
    Ok(Lowering {
        notes,
        slow,
        joined,
        ..Lowering::of_case(kernel, index, chip, case, funcs, variants)
    })
}

/// A kernel as phases whose work is not divided yet.
struct Laid {
    /// The kernel, with the parts that blocks store for one another.
    body: tile::Body,
    course: Course,
    /// The axes of each phase.
    nests: Vec<Nest>,
}

/// Splits a kernel into phases.
fn laid_out(of: &Instance<'_>, host: &mut Host<'_>, mut state: State<'_>) -> Made<Laid> {
    let dim = host.later("block_dim");
    state.body.vars.clone_from(&host.vars);
    of.run(Stage::Phases, &mut state)?;
    let State { mut body, .. } = state;
    cross_core::exchange(&mut body, &Scalar::BlockDim, &dim.into());
    host.vars.clone_from(&body.vars);
    host.works = body.works.iter().map(|work| work.name.clone()).collect();
    let course = Course::of(&body, dim)?;
    // Scalars under control flow stay on the core: the host may not be able to compute them.
    let top = course.parts.iter().filter_map(|part| match part {
        Node::Phase(at) => Some(nest::before(&course.phases[*at].body)),
        Node::Scalar(s) => Some(std::slice::from_ref(s)),
        Node::For { .. } | Node::If { .. } => None,
    });
    top.for_each(|stmts| host.take_lets(stmts));
    let nests = course
        .phases
        .iter()
        .map(|phase| Nest::of(&phase.body))
        .collect::<Made<Vec<Nest>>>()?;
    Ok(Laid {
        body,
        course,
        nests,
    })
}

/// Divides the loops of all phases among equal numbers of blocks; twins have equal units.
fn divided<'c>(
    host: &mut Host<'_>,
    course: &'c Course,
    nests: &'c [Nest],
    twins: &[[LoopId; 2]],
) -> Made<Vec<DividedPhase<'c>>> {
    let mut phases = Vec::new();
    for (phase, nest) in course.phases.iter().zip(nests) {
        let outer = nest::outer(&phase.body)?;
        let twin = twins.iter().find(|twins| twins.contains(&outer.id));
        let is_twin = |body: &tile::Body| {
            nest::outer(body).is_ok_and(|o| twin.is_some_and(|twin| twin.contains(&o.id)))
        };
        let beside: Vec<&tile::Body> = course
            .phases
            .iter()
            .map(|phase| &phase.body)
            .filter(|body| is_twin(body))
            .collect();
        let split = TileSplit::new(
            host,
            Loop {
                body: &phase.body,
                nest,
            },
            Some(course.dim),
            &beside,
        )?;
        phases.push(DividedPhase {
            phase,
            nest,
            outer,
            split,
        });
    }
    require_twins_alike(host, twins, &phases)?;
    let splits: Vec<_> = phases.iter().map(|of| (&of.split, of.outer)).collect();
    divide_all(host, &splits, course.dim)?;
    Ok(phases)
}

/// Finds the phases that need a barrier before them, and the reasons.
fn meet(
    of: &Instance<'_>,
    inserted: &Inserted,
    body: &tile::Body,
    course: &Course,
    phases: &[DividedPhase<'_>],
) -> Made<(Vec<bool>, Vec<Note>)> {
    let why = RefCell::new(BTreeMap::new());
    let meets = course.meetings(&|earlier, later| {
        let found = conflict([&phases[earlier], &phases[later]]);
        found
            .inspect(|clash| _ = why.borrow_mut().entry(later).or_insert((earlier, *clash)))
            .is_some()
    });
    no_meeting_without_cores(of, inserted, phases, &meets)?;
    let notes = notes(of.kernel, inserted, body, phases, &meets, &why.into_inner());
    Ok((meets, notes))
}

/// Lowers the form of few long rows (`split_long_rows`) as a variant that the host takes under a
/// condition. `host` has the steps of all variants.
pub(super) fn lower_split(
    of: &Instance<'_>,
    host: &mut Host<'_>,
    body: &tile::Body,
    when: Scalar,
) -> Made<(Variant, Plan, Vec<bool>)> {
    let common = host.steps.len();
    let Laid {
        body,
        course,
        nests,
    } = laid_out(of, host, State::of_kernel(body.clone()).to(Form::Split))?;
    let dim = course.dim;
    let phases = divided(host, &course, &nests, &[])?;
    let (meets, _) = meet(of, &Inserted::default(), &body, &course, &phases)?;
    let mut works = body.works.clone();
    let workspace = super::host::workspace::place(host, &mut works, &dim.into());
    let plan = Planned {
        of,
        course: &course,
        phases: &phases,
        meets: &meets,
    };
    let mut made = plan.alone(host, |_| Form::Split)?;
    made.steps.splice(0..0, host.steps.split_off(common));
    let (variant, plan) = made.finish(host, Form::Split.word(), when, dim, works, workspace);
    Ok((variant, plan, meets))
}

/// The parts that all variants of a kernel of phases share.
struct Planned<'p> {
    of: &'p Instance<'p>,
    course: &'p Course,
    phases: &'p [DividedPhase<'p>],
    meets: &'p [bool],
}

impl Planned<'_> {
    /// Lowers all phases as written, where none has a streamed form.
    fn alone(&self, host: &mut Host<'_>, form: fn(&Nest) -> Form) -> Made<Phases> {
        self.each(host, |host, at, before| {
            let (body, nest) = self.arranged(at, form(self.phases[at].nest), None)?;
            let built = variant::build(
                form(&nest),
                host,
                &self.phases[at].split,
                Loop {
                    body: &body,
                    nest: &nest,
                },
                before,
            )?;
            Ok(built.finish(host))
        })
    }

    /// Lowers all phases as written. Also returns the condition that the tiles of all fit.
    fn resident(&self, host: &mut Host<'_>) -> Made<(Phases, Scalar)> {
        let mut all = Scalar::Bool(true);
        let made = self.each(host, |host, at, before| {
            let (body, nest) = self.arranged(at, Form::Resident, None)?;
            let src = Loop {
                body: &body,
                nest: &nest,
            };
            let built = variant::build(Form::Resident, host, &self.phases[at].split, src, before)?;
            // The condition chooses the variant, so its solver steps belong to the steps of all
            // variants.
            let fits = built.solve_into(host);
            all = if at == 0 {
                fits
            } else {
                all.clone().bin(BinOp::And, fits)
            };
            Ok((built.variant, built.plan))
        })?;
        Ok((made, all))
    }

    /// Lowers the phases, each in its streamed form if it has one.
    fn streamed(&self, host: &mut Host<'_>, streams: &[Option<tile::Body>]) -> Made<Phases> {
        self.each(host, |host, at, before| {
            let form = if streams[at].is_some() {
                Form::Streamed
            } else {
                Form::alone(self.phases[at].nest)
            };
            let (body, nest) = self.arranged(at, Form::Streamed, streams[at].as_ref())?;
            let split = self.phases[at]
                .split
                .again(host, &nest, Some(self.course.dim));
            Ok(variant::build(
                form,
                host,
                &split,
                Loop {
                    body: &body,
                    nest: &nest,
                },
                before,
            )?
            .finish(host))
        })
    }

    /// Returns a phase, or its streamed form, as it becomes queues and buffers.
    fn arranged(
        &self,
        at: usize,
        form: Form,
        streamed: Option<&tile::Body>,
    ) -> Made<(tile::Body, Nest)> {
        let whole = |phase: &tile::Body| self.course.with(at, phase);
        let DividedPhase { phase, nest, .. } = &self.phases[at];
        let within = Within {
            at,
            before: &phase.before,
            whole: &whole,
        };
        let (body, nest) = match streamed {
            Some(body) => (body, &Nest::of(body)?),
            None => (&phase.body, *nest),
        };
        self.of
            .arranged(State::of_loop(body.clone(), nest, Some(within)).to(form))
    }

    /// Lowers all phases in order. `build` gets the declarations of those before.
    fn each<'h>(
        &self,
        host: &mut Host<'h>,
        mut build: impl FnMut(&mut Host<'h>, usize, &queue::Body) -> Made<(Variant, Plan)>,
    ) -> Made<Phases> {
        let mut made = Phases::default();
        for (at, phase) in self.course.phases.iter().enumerate() {
            let (variant, plan) = build(host, at, &made.body)?;
            made.add(variant, plan, self.meets[at], phase);
        }
        made.body.stmts = made.course(&self.course.parts, host)?;
        Ok(made)
    }
}

/// Returns the streamed form of each phase that has one, and notes about fused passes.
fn streams(
    of: &Instance<'_>,
    host: &mut Host<'_>,
    course: &Course,
    nests: &[Nest],
    twins: &[[LoopId; 2]],
    fuses: bool,
) -> Made<(Vec<Option<tile::Body>>, Vec<Note>)> {
    let (mut all, mut joined) = (Vec::new(), Vec::new());
    for (at, (phase, nest)) in course.phases.iter().zip(nests).enumerate() {
        let outer = nest::outer(&phase.body)?;
        let body = Body {
            vars: host.vars.clone(),
            ..phase.body.clone()
        };
        let whole = |phase: &tile::Body| course.with(at, phase);
        let within = Within {
            at,
            before: &phase.before,
            whole: &whole,
        };
        // The counting loop and the packing loop must be divided alike.
        let is_twin = twins.iter().flatten().any(|id| *id == outer.id);
        let streamed = if is_twin {
            None
        } else {
            of.streamed(State::of_loop(body, nest, Some(within)), fuses)?
        };
        all.push(streamed.map(|(streamed, notes)| {
            joined.extend(notes);
            host.vars.clone_from(&streamed.vars);
            streamed
        }));
    }
    Ok((all, joined))
}

/// The phases that are lowered so far.
#[derive(Default)]
struct Phases {
    /// Their declarations; all statements in the end.
    body: queue::Body,
    /// The statements of each phase.
    stmts: Vec<Vec<queue::Stmt>>,
    steps: Vec<HostStep>,
    known: Vec<Known>,
    /// The memory of the first phase, unless that one repeats.
    memory: Vec<Memory>,
    plan: Option<Plan>,
}

impl Phases {
    fn add(&mut self, variant: Variant, plan: Plan, meets: bool, phase: &Phase) {
        let Phase { repeats, span, .. } = *phase;
        let Body { stmts: own, .. } = &variant.body;
        let mut stmts = Vec::with_capacity(own.len() + 2);
        stmts.extend(meets.then_some(Stmt {
            kind: StmtKind::Do(QueueStmt::Sync {
                what: SyncOp::All {},
            }),
            span,
        }));
        match self.stmts.is_empty() && !repeats {
            true => self.memory = variant.memory,
            false => stmts.push(Stmt {
                kind: StmtKind::Do(QueueStmt::Reset {
                    memory: variant.memory,
                }),
                span,
            }),
        }
        stmts.extend(own.iter().cloned());
        self.stmts.push(stmts);
        self.body = Body {
            stmts: Vec::new(),
            ..variant.body
        };
        self.steps.extend(variant.steps);
        self.known.extend(variant.known);
        self.plan = Some(match self.plan.take() {
            None => Plan {
                row_pitch: None,
                ..plan
            },
            Some(mut before) => {
                before.bytes = before.bytes.max(plan.bytes);
                before.sizes.extend(plan.sizes);
                before
            }
        });
    }

    /// Joins the statements of all phases with the control flow around them.
    fn course(&mut self, parts: &[Node], host: &mut Host<'_>) -> Made<Vec<queue::Stmt>> {
        let mut stmts = Vec::new();
        for part in parts {
            match part {
                Node::Phase(at) => stmts.append(&mut self.stmts[*at]),
                Node::Scalar(s) => on_device(s, host, &mut stmts)?,
                Node::For {
                    var,
                    from,
                    to,
                    body,
                    span,
                } => {
                    let (from, to) = (host.on_device(from, "from"), host.on_device(to, "to"));
                    let body = self.course(body, host)?;
                    stmts.push(Stmt {
                        kind: StmtKind::For {
                            var: *var,
                            from,
                            to,
                            body,
                        },
                        span: *span,
                    });
                }
                Node::If {
                    cond,
                    then,
                    other,
                    span,
                } => {
                    let cond = host.on_device(cond, "condition");
                    let (then, other) = (self.course(then, host)?, self.course(other, host)?);
                    stmts.push(Stmt {
                        kind: StmtKind::If { cond, then, other },
                        span: *span,
                    });
                }
            }
        }
        Ok(stmts)
    }

    /// Makes the variant, taken under the condition `when`, with the bytes of its workspaces.
    fn finish(
        self,
        host: &Host<'_>,
        name: &str,
        when: Scalar,
        dim: VarId,
        works: Vec<WorkDecl>,
        workspace: Scalar,
    ) -> (Variant, Plan) {
        let Phases {
            body,
            steps,
            known,
            memory,
            plan,
            ..
        } = self;
        let body = Body {
            vars: host.vars.clone(),
            works,
            ..body
        };
        let variant = Variant {
            name: name.to_string(),
            case: 0,
            when,
            steps,
            block_dim: dim.into(),
            workspace,
            fields: fields(host, &body),
            known,
            memory,
            // Another phase may read again what one phase reads once.
            once: Vec::new(),
            body,
        };
        (
            variant,
            plan.unwrap_or(Plan {
                bytes: Scalar::Int(0),
                sizes: Vec::new(),
                row_pitch: None,
            }),
        )
    }
}

/// Lowers a statement of scalars for the core.
fn on_device(s: &tile::Stmt, host: &mut Host<'_>, out: &mut Vec<queue::Stmt>) -> Made<()> {
    let list = |stmts: &[tile::Stmt], host: &mut Host<'_>| {
        let mut out = Vec::new();
        stmts
            .iter()
            .try_for_each(|s| on_device(s, host, &mut out))?;
        Ok(out)
    };
    let kind = match &s.kind {
        StmtKind::LetScalar { var, value } => {
            super::body::walk::let_scalar(host, *var, value, s.span, out);
            return Ok(());
        }
        StmtKind::SetScalar { var, value } => StmtKind::SetScalar {
            var: *var,
            value: host.on_device(value, "scalar"),
        },
        StmtKind::Promise {
            what: Promised::Fact { cond, text },
        } => StmtKind::Promise {
            what: Promised::Fact {
                cond: host.on_device(cond, "fact"),
                text: text.clone(),
            },
        },
        StmtKind::For {
            var,
            from,
            to,
            body,
        } => {
            let (from, to) = (host.on_device(from, "from"), host.on_device(to, "to"));
            StmtKind::For {
                var: *var,
                from,
                to,
                body: list(body, host)?,
            }
        }
        StmtKind::If { cond, then, other } => {
            let cond = host.on_device(cond, "condition");
            StmtKind::If {
                cond,
                then: list(then, host)?,
                other: list(other, host)?,
            }
        }
        StmtKind::Promise {
            what: Promised::Index { .. },
        }
        | StmtKind::Do(_) => {
            return Err(Gap::new(
                "a statement between phases that is no scalar's",
                s.span,
            ));
        }
    };
    out.push(Stmt { kind, span: s.span });
    Ok(())
}

/// Requires that a counting loop and its packing loop are divided alike.
fn require_twins_alike(
    host: &mut Host<'_>,
    twins: &[[LoopId; 2]],
    phases: &[DividedPhase<'_>],
) -> Made<()> {
    for twin in twins {
        let of = twin.map(|id| phases.iter().find(|phase| phase.outer.id == id));
        let [Some(a), Some(b)] = of else {
            return Err(Gap::of_kernel("a loop that packs without one that counts"));
        };
        let turns = |of: &DividedPhase<'_>| {
            of.outer
                .specs
                .iter()
                .map(|spec| spec.of)
                .collect::<Vec<_>>()
        };
        let by_turns = a.nest.divided == Divided::Turns && turns(a) == turns(b);
        if a.nest.divided != b.nest.divided || !(by_turns || shares_alike([a, b])) {
            let help = "let a loop before store the value to a workspace, and load it here as the mask is loaded";
            return Err(Gap::not_yet(
                "an append whose mask needs other rows than its value",
                help,
                b.phase.span,
            ));
        }
        count_then_pack::require_countable(host, b.outer, b.nest)?;
    }
    Ok(())
}
