//! Barriers of all blocks before phases: which accesses need them, whether the chip has them, and
//! the notes about them.

use super::control::DividedPhase;
use crate::ir::tile::Body;
use crate::ir::{Access, Index, Kernel, TensorRef};
use crate::lower::gap::{Gap, Made};
use crate::lower::lowering::Note;
use crate::lower::nest;
use crate::lower::nest::Divided;
use crate::lower::pipeline::{Inserted, Instance};
use crate::ops::contract::Access as Does;
use std::collections::BTreeMap;

/// A tensor that two phases access in different blocks.
#[derive(Clone, Copy)]
pub(super) struct Clash {
    of: TensorRef,
    /// The effects of the earlier and the later phase.
    does: [Does; 2],
}

/// Refuses a barrier on a chip whose cores cannot wait for one another.
pub(super) fn no_meeting_without_cores(
    of: &Instance<'_>,
    inserted: &Inserted,
    phases: &[DividedPhase<'_>],
    meets: &[bool],
) -> Made<()> {
    let Instance { kernel, chip, .. } = *of;
    let Some(at) = meets
        .iter()
        .position(|meets| *meets)
        .filter(|_| !chip.has_cross_core_sync)
    else {
        return Ok(());
    };
    let fills = &inserted.fills;
    // An optional tensor cannot be in place.
    let optional = fills
        .iter()
        .any(|(_, of)| matches!(of, TensorRef::Param(of) if kernel.sig.is_optional(*of)));
    let help = match (fills.is_empty(), optional) {
        (true, _) => "let two launches do what stands before and behind it",
        (false, false) => "what is added to begins as zeros, which all cores store first: declare it `#[inplace]` and hand zeros in",
        (false, true) => {
            "what is added to begins as zeros, which all cores store first: declare it without `Option` and `#[inplace]`, and hand zeros in"
        }
    };
    Err(Gap::lacks(
        format!(
            "{} has no SyncAll in hardware, and all blocks meet before this loop",
            chip.name
        ),
        help,
        phases[at].phase.span,
    ))
}

/// Describes each phase, with the reason of its barrier.
pub(super) fn notes(
    kernel: &Kernel,
    inserted: &Inserted,
    body: &Body,
    phases: &[DividedPhase<'_>],
    meets: &[bool],
    why: &BTreeMap<usize, (usize, Clash)>,
) -> Vec<Note> {
    let fill = |at: usize| {
        let filled = inserted
            .fills
            .iter()
            .find(|(id, _)| *id == phases[at].outer.id);
        filled.map(|(_, of)| body.gm_name(&kernel.sig, *of))
    };
    let counts = |at: usize| {
        inserted
            .twins
            .iter()
            .any(|[counting, _]| *counting == phases[at].outer.id)
    };
    let line = |at: usize| {
        kernel
            .spans
            .get(phases[at].phase.span.index())
            .map_or(0, |place| place.line)
    };
    let note = |at: usize| {
        let text = match why.get(&at).filter(|_| meets[at]) {
            Some((earlier, Clash { of, does })) => {
                let name = body.gm_name(&kernel.sig, *of);
                let by = match (*earlier == at, fill(*earlier)) {
                    (true, _) => "an iteration before".to_string(),
                    (false, Some(_)) => "the loop that fills it with zeros".to_string(),
                    (false, None) => format!("the loop of line {}", line(*earlier)),
                };
                let verb = |does: Does| if does == Does::Add { "adds" } else { "stores" };
                let what = match does.map(Does::stores) {
                    [true, false] => format!("it loads `{name}`, to which {by} {}", verb(does[0])),
                    [false, true] => format!("it {} to `{name}`, which {by} loads", verb(does[1])),
                    [true, true] | [false, false] if does[0] == does[1] => format!("it stores to `{name}`, and so does {by}"),
                    [true, true] | [false, false] => {
                        format!("it {} to `{name}`, to which {by} {}", verb(does[1]), verb(does[0]))
                    }
                };
                format!("all blocks meet (SyncAll): {what}, on other cores")
            }
            None if at == 0 && !phases[at].phase.repeats => "the kernel begins".to_string(),
            None => {
                "no barrier: a block finds what it stored itself, and touches nothing else that was written since".to_string()
            }
        };
        let text = match fill(at) {
            Some(name) => {
                format!("`{name}` is filled with zeros, since what comes first adds to it; {text}")
            }
            None if counts(at) => format!("this loop counts first what it appends; {text}"),
            None => text,
        };
        Note {
            span: phases[at].phase.span,
            text,
        }
    };
    (0..phases.len()).map(note).collect()
}

/// Finds an access of the later phase that may touch an element which another block touched in the
/// earlier one, where one of the two writes.
pub(super) fn conflict(phases: [&DividedPhase<'_>; 2]) -> Option<Clash> {
    let [first, second] = phases.map(|of| nest::accesses(&of.phase.body.stmts));
    let alike = shares_alike(phases);
    // Places of a block in a workspace are its own.
    let is_own = Access::is_of_block;
    first.iter().find_map(|(a, does)| {
        let mut others = second.iter().filter(|(b, also)| {
            a.of == b.of && !does.commutes_over_loops(*also) && !(is_own(a) && is_own(b))
        });
        let met = others.find(|(b, _)| !(alike && same_place(a, b, phases)));
        met.map(|(_, also)| Clash {
            of: a.of,
            does: [*does, *also],
        })
    })
}

/// True if both loops divide the indices of one axis in the same way.
pub(super) fn shares_alike(phases: [&DividedPhase<'_>; 2]) -> bool {
    let [a, b] = phases.map(|of| &of.split.share);
    let [kind, other] = phases.map(|of| of.nest.divided);
    let axes = phases.map(|of| of.outer.specs.first().map(|spec| spec.of));
    kind == other
        && kind != Divided::Turns
        // A length that only a core knows may differ each time.
        && !a.on_core
        && !b.on_core
        && axes[0] == axes[1]
        && a.total == b.total
        && a.unit == b.unit
}

/// True if both accesses go along the axis that their loops divide, at the same index of the
/// tensor.
fn same_place(a: &Access, b: &Access, phases: [&DividedPhase<'_>; 2]) -> bool {
    let along = |access: &Access, of: &DividedPhase<'_>| {
        let spec = of.outer.specs.first()?;
        let run = Index::along(spec.ax, spec.start);
        access.index.iter().position(|index| *index == run)
    };
    let places = (along(a, phases[0]), along(b, phases[1]));
    a.dims == b.dims && places.0.is_some() && places.0 == places.1
}
