//! Lowers a kernel from the tile dialect to the queue dialect, for one dtype instance on one chip.
//!
//! - **Input**: a checked `Kernel`, the index of an instance, a `Chip`.
//! - **Output**: a `Lowering`: the lowered kernel, a plan for each variant, and notes.
//! - **Invariant**: each pass keeps the meaning. A form without a rule is a `Gap`, never another
//!   meaning.
//! - **Start at**: `lower`, `lower_tiles` and `lower_loop` below, then `nest` and `pipeline`.
//!
//! A tile kernel becomes *cases*: one for each outcome of the conditions that the host decides.
//! `specialize` makes them, each is lowered alone, and `join` makes one kernel of them. A case has
//! up to three variants, of which the host takes one at each launch:
//!
//! - *resident*: whole axes are kept whole in UB;
//! - *streamed*: whole axes are cut into passes over their parts;
//! - *split*: the cores divide few long rows, in a loop with `.split(d)`.
//!
//! A kernel of several outermost loops is lowered loop by loop; each loop is a *phase*.
//!
//! | folder | from | to |
//! |---|---|---|
//! | `tile` | a body of the tile dialect | the same after one pass; their list is `pipeline::PASSES` |
//! | `phases` | a body of several loops | its phases, barriers, and what crosses the cores |
//! | `host` | a body and its loop | what the host computes: division over the cores, tile sizes, checks |
//! | `body` | a body of one loop | statements of the queue dialect |
//! | `memory` | values | queues and buffers in UB |
//! | `func` | layout and extent | device functions: reductions, broadcasts, fills |
//! | `sync` | a lowered body | waits between pipes |
//!
//! Four files are shared by all folders:
//!
//! - `nest`: the axes of a loop;
//! - `type_queries`: the questions that the lowering asks about element types;
//! - `gap`: the errors of forms that do not lower;
//! - `lowering`: the result.
//!
//! A folder uses only those below it: `tile` → `nest`; `host` → `tile`; `func` and `memory` →
//! `host`; `body` → all of these; `phases` → `body`. A kernel of the queue dialect needs its host
//! part alone (`phases::queue_level`).
//!
//! The rules for authors (division, pitch, padding, streaming) are in
//! `book/src/reference/language/lowering.md`.

mod body;
mod func;
mod gap;
mod host;
mod join;
mod lowering;
mod memory;
mod nest;
mod phases;
mod pipeline;
mod specialize;
mod sync;
#[cfg(test)]
mod tests;
mod tile;
mod type_queries;

#[doc(hidden)]
pub use func::library;
pub(crate) use gap::of_the_lowering;
pub use gap::Gap;
pub use host::footprint::capacity_table;
pub use host::size_limits::advice;
pub(crate) use host::size_limits::{least_dims, said as said_whole};
pub use lowering::{Lowering, Note, Plan, Size, SizeKind, WholeAxis};
pub use pipeline::{Observer, Pass, Stage, PASSES};
pub use type_queries::Asked;

use crate::ir::tile::Body;
use crate::ir::{queue, verify_lowered, Case, Kernel, Source, SpanId, Variant};
use crate::soc::Chip;
use gap::Made;
use host::tile_sizes::Form;
use host::Host;
use lowering::single_elements;
use nest::{is_one_phase, Loop, Nest};
use pipeline::{Instance, State, Verify};
use specialize::Told;
use std::cell::RefCell;
use tile::split_long_rows::SplitRows;
use type_queries::Binding;

/// Lowers `kernel` for its `instance`-th dtype instance on `chip`.
///
/// # Errors
/// The kernel must have passed the checks on types and host stages. An error is then a gap in the
/// rules.
pub fn lower(kernel: &Kernel, instance: usize, chip: &'static Chip) -> Result<Lowering, Gap> {
    let lowering = lowered(kernel, instance, chip, Verify::DEFAULT, None)?;
    match verify_lowered(&lowering.lowered) {
        Ok(()) => Ok(lowering),
        // Lowers again with a check behind each pass, to name the pass that is at fault.
        Err(fault) => lowered(kernel, instance, chip, Verify::EachPass, None)
            .and(Err(Gap::fault("the pass `waits`", &fault))),
    }
}

/// Lowers a kernel as [`lower`] does, and tells `observer` the result of each pass up to the first
/// gap.
pub fn observe(kernel: &Kernel, instance: usize, chip: &'static Chip, observer: &dyn Observer) {
    // A gap is no error here: the observer has seen all passes before it.
    let _ = lowered(kernel, instance, chip, Verify::Result, Some(observer));
}

/// Returns a tile kernel after each pass that may have changed it. Each has the name of the pass,
/// prefixed with the form and the phase that it ran on: `hoist`, `stream-hoist`, `2:split-hoist`. A
/// kernel of the queue level has none.
pub fn tile_passes(kernel: &Kernel, instance: usize, chip: &'static Chip) -> Vec<(String, Kernel)> {
    /// Keeps the last kernel of each name: a form that does not lower is tried again with fewer
    /// passes.
    #[derive(Default)]
    struct Recorder(RefCell<Vec<(String, Kernel)>>);
    impl Observer for Recorder {
        fn after(&self, name: &str, kernel: &dyn Fn() -> Kernel) {
            let mut seen = self.0.borrow_mut();
            match seen.iter_mut().find(|(other, _)| other == name) {
                Some((_, last)) => *last = kernel(),
                None => seen.push((name.to_owned(), kernel())),
            }
        }
    }
    let recorder = Recorder::default();
    observe(kernel, instance, chip, &recorder);
    recorder.0.into_inner()
}

fn lowered(
    kernel: &Kernel,
    instance: usize,
    chip: &'static Chip,
    verify: Verify,
    observer: Option<&dyn Observer>,
) -> Made<Lowering> {
    let types = kernel
        .sig
        .instances
        .get(instance)
        .ok_or_else(|| Gap::new("an instance that there is not", SpanId(0)))?;
    let binding = Binding::new(types, chip);
    let of = Instance {
        kernel,
        index: instance,
        case: None,
        types,
        binding: &binding,
        chip,
        verify,
        observer,
    };
    let mut lowering = match &kernel.body {
        Source::Queue(body) => phases::queue_level::lower(kernel, instance, &binding, body, chip),
        Source::Tile(body) => lower_cases(&of, body),
    }?;
    if verify == Verify::EachPass {
        let pass = |fault| Gap::fault(&format!("the pass `{}`", kernel.level().word()), &fault);
        verify_lowered(&lowering.lowered).map_err(pass)?;
    }
    // An author who orders pipes by hand orders all of them; the checker reports missing waits.
    let by_jumar = lowering
        .lowered
        .variants
        .iter_mut()
        .filter(|v| !v.body.orders_by_hand());
    by_jumar.for_each(|v| sync::insert_waits(&mut v.body, kernel.level()));
    lowering.asked = binding.asked();
    if kernel.tiles().is_some() {
        lowering.name_whole(&[], chip);
    }
    Ok(lowering)
}

/// Lowers a tile kernel in each of its cases. Cases that only choose another copy are given up
/// where one of them does not lower.
fn lower_cases(of: &Instance<'_>, body: &Body) -> Made<Lowering> {
    match lower_told(of, body, Told::All) {
        Err(gap) if gap.is_not_yet() => lower_told(of, body, Told::NoCopies),
        made => made,
    }
}

fn lower_told(of: &Instance<'_>, body: &Body, told: Told) -> Made<Lowering> {
    let (specials, left) = specialize::cases(of.kernel, body, told);
    if specials.is_empty() {
        return lower_tiles(of, body).map(|lowering| Lowering {
            branches: left,
            ..lowering
        });
    }
    let mut all = Vec::with_capacity(specials.len());
    for (at, special) in specials.iter().enumerate() {
        let body = special
            .kernel
            .tiles()
            .ok_or_else(|| Gap::of_kernel("a case without tiles"))?;
        let own = Instance {
            kernel: &special.kernel,
            case: Some(at),
            ..*of
        };
        if body.outer_loops().is_empty() {
            all.push((special, join::nothing(&own)));
            continue;
        }
        own.after(
            &|| "specialize".to_string(),
            &State::of_kernel(body.clone()),
        )?;
        all.push((special, lower_tiles(&own, body)?));
    }
    join::cases(of.kernel, all).map(|lowering| Lowering {
        branches: left,
        ..lowering
    })
}

fn lower_tiles(of: &Instance<'_>, body: &Body) -> Made<Lowering> {
    let mut state = State::of_kernel(body.clone());
    of.run(Stage::Kernel, &mut state)?;
    let State {
        mut body, inserted, ..
    } = state;
    if !is_one_phase(&body) {
        tile::split_long_rows::in_one_loop(&body)?;
        return phases::lower(of, &body, &inserted);
    }
    let nest = Nest::of(&body)?;
    let mut few = None;
    if nest::outer(&body)?.split.is_some() {
        let mut split = State::of_loop(body.clone(), &nest, None);
        of.run(Stage::Split, &mut split)?;
        // Each rewrite numbers its new variables behind all earlier ones.
        body.vars.clone_from(&split.body.vars);
        few = split.few;
    }
    let (src, few) = (
        Loop {
            body: &body,
            nest: &nest,
        },
        few.as_ref(),
    );
    let forms: &[bool] = if tile::stream::has_cuts(src)? {
        &[true, false]
    } else {
        &[]
    };
    for fuses in forms.iter().copied() {
        let Some((streamed, notes)) =
            of.streamed(State::of_loop(body.clone(), &nest, None), fuses)?
        else {
            break;
        };
        match lower_loop(of, src, Some(&streamed), few) {
            // The author did not write the loops of the streamed form, so a gap in them is no
            // error.
            Err(gap) if gap.is_not_yet() && notes.is_empty() => break,
            Err(gap) if gap.is_not_yet() => {}
            made => {
                return made.map(|lowering| Lowering {
                    joined: notes,
                    ..lowering
                })
            }
        }
    }
    lower_loop(of, src, None, few)
}

/// Lowers a body of one outermost loop, together with its streamed and its split form where they
/// exist.
fn lower_loop(
    of: &Instance<'_>,
    src: Loop<'_>,
    streamed: Option<&Body>,
    few: Option<&SplitRows>,
) -> Made<Lowering> {
    let Loop { body, nest } = src;
    let Instance {
        kernel,
        binding,
        chip,
        index,
        ..
    } = *of;
    // The streamed form comes first: its variables are numbered right behind the author's.
    let vars = streamed.map_or(&body.vars, |s| &s.vars).clone();
    let authors = vars.len();
    let mut host = Host::new(kernel, binding, chip, vars);
    host.take_lets(nest::before(body));
    let split = host::core_split::TileSplit::new(&mut host, src, None, &[])?;
    let (resident, arranged) = of.arranged(State::of_loop(body.clone(), nest, None))?;
    let resident = Loop {
        body: &resident,
        nest: &arranged,
    };
    let few = few
        .map(|few| Ok((few, few.when(&mut host, src)?)))
        .transpose()?;
    let (mut variants, mut notes) = (Vec::new(), Vec::new());
    let cut = |body: &Body| {
        of.arranged(State::of_loop(body.clone(), &Nest::of(body)?, None).to(Form::Streamed))
    };
    match streamed.map(cut).transpose()? {
        None => {
            let mut own = host.clone();
            let built = body::variant::build(
                Form::alone(nest),
                &mut own,
                &split,
                resident,
                &queue::Body::default(),
            )?;
            variants.push(built.finish(&mut own));
            host.funcs = own.funcs;
        }
        Some((streamed, cut)) => {
            let resident = body::variant::build(
                Form::Resident,
                &mut host,
                &split,
                resident,
                &queue::Body::default(),
            )?;
            // The host chooses the variant by this solver step, so it belongs to the steps of both.
            let fits = resident.solve_into(&mut host);
            let mut own = host.clone();
            own.forget_names(authors);
            let split = split.again(&mut own, nest, None);
            let second = body::variant::build(
                Form::Streamed,
                &mut own,
                &split,
                Loop {
                    body: &streamed,
                    nest: &cut,
                },
                &queue::Body::default(),
            )?;
            variants.push((
                Variant {
                    when: fits,
                    ..resident.variant
                },
                resident.plan,
            ));
            variants.push(second.finish(&mut own));
            // The second variant began with a copy of the host, so its functions include those of
            // the first.
            host.funcs = own.funcs;
        }
    }
    if let Some((few, when)) = few {
        let mut second = host.clone();
        second.forget_names(authors);
        let (variant, plan, meets) = phases::lower_split(of, &mut second, &few.body, when)?;
        variants.insert(0, (variant, plan));
        host.funcs = second.funcs;
        notes.push(few.note(body, &meets)?);
    }
    let (case, funcs) = (
        Case::only(host.steps.clone(), host.vars.clone()),
        host.funcs.all.clone(),
    );
    let lowering = Lowering::of_case(kernel, index, chip, case, funcs, variants);
    Ok(Lowering {
        slow: single_elements(&kernel.sig, body),
        split: notes,
        ..lowering
    })
}
