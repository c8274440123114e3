//! Lowering: from the tile dialect to the queue dialect, for one dtype instance on one chip.
//!
//! A case of a kernel has up to two variants, of which the host takes one at each launch: *resident*, where whole axes are whole in UB, and *streamed*, where
//! they are cut into passes over their parts. A loop with `.split(d)` has a third one, for few long rows. A kernel of several outermost loops is
//! lowered loop by loop, a *phase* each.
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
//! Where the host decides conditions, each of their outcomes, a *case*, is lowered alone (`specialize`), and all become one kernel (`join`).
//!
//! Beside them stand `nest` (the axes of a loop, which everything asks), `type_queries` (what is asked of the element types), `gap` (what does not lower),
//! and `lowering` (what comes out). A folder knows those below it: `tile` → `nest`; `host` → `tile`; `func` and `memory` → `host`; `body` → all of
//! these; `phases` → `body`. A kernel of the queue dialect needs its host part alone (`phases::queue_level`).
//!
//! The rules (division, pitch, padding, streaming) are in `docs/language.md`.

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
/// The kernel must have passed the checks on types and host stages; what does not lower then is a gap in the rules.
pub fn lower(kernel: &Kernel, instance: usize, chip: &'static Chip) -> Result<Lowering, Gap> {
    let lowering = lowered(kernel, instance, chip, Verify::DEFAULT, None)?;
    match verify_lowered(&lowering.lowered) {
        Ok(()) => Ok(lowering),
        // Some pass made it, and only here it is asked which.
        Err(fault) => lowered(kernel, instance, chip, Verify::EachPass, None)
            .and(Err(Gap::fault("the pass `waits`", &fault))),
    }
}

/// Lowers a kernel as [`lower`] does, and tells `observer` what each pass makes of it, as far as it lowers.
pub fn observe(kernel: &Kernel, instance: usize, chip: &'static Chip, observer: &dyn Observer) {
    // What does not lower has no passes behind that.
    let _ = lowered(kernel, instance, chip, Verify::Result, Some(observer));
}

/// A tile kernel after each pass that may have changed it, by the pass with the form and the phase that it ran on: `hoist`, `stream-hoist`,
/// `2:split-hoist`. None at queue level.
pub fn tile_passes(kernel: &Kernel, instance: usize, chip: &'static Chip) -> Vec<(String, Kernel)> {
    /// A form that does not lower is tried again with fewer passes: the last kernel of each name stays.
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
    // An author who orders pipes by hand orders all of them; what is missing the checker says.
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

/// Lowers a tile kernel in each of its cases; a case that only copies another way refuses nothing.
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
        // Each rewrite numbers its variables behind those before.
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
            // The author did not write these loops: what they ask for and there is not he need not care for.
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

/// Lowers a body of one outermost loop, with its streamed form where there is one, and that of few long rows.
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
    // The rewrite comes first: its variables are numbered right behind the author's.
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
            // Whether a tile fits chooses the variant, so its solver step belongs to the common ones.
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
            // Those of the first variant are among them.
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
