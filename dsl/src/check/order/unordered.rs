//! Diagnostics for two accesses without an order.

use super::flight::{Live, Spot};
use super::Order;
use crate::check::lowered::homes::Home;
use crate::check::prove::window::{Lie, Window};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Level, TensorRef};
use crate::lower::of_the_lowering;

/// Advises how iterations get separate elements.
fn own_elements(name: &str, step: Option<(i64, i64)>) -> String {
    match step {
        Some((_, length)) => format!(
            "let each iteration begin where the one before ends: `{name}.slice(i * {length}, {length})`"
        ),
        None => {
            format!("let each iteration of a loop have its own elements: `{name}.slice(start + i * tile, tile.min(len - i * tile))`")
        }
    }
}

impl Order<'_> {
    /// Builds J0411, or J0602 where it is open if the two touch the same elements.
    pub(super) fn unordered(&self, old: &Live<'_>, new: &Live<'_>, lie: Lie) -> Diagnostic {
        match (&new.spot, &old.spot) {
            (Spot::Gm(of, after), Spot::Gm(_, before)) => {
                self.in_gm(old, before, new, after, *of, lie)
            }
            // Waits of the scalar unit come from the lowering at either level.
            (Spot::Ub(home), _) | (Spot::Gm(..), Spot::Ub(home)) => {
                of_the_lowering(&self.in_ub(old, new, *home))
            }
        }
    }

    fn in_ub(&self, old: &Live<'_>, new: &Live<'_>, home: Home) -> Diagnostic {
        let name = match home {
            Home::Tensor(t) => self.variant.body.tensors[t.index()].name.as_str(),
            Home::Buf(b) => self.variant.body.bufs[b.index()].name.as_str(),
            Home::Ub => "UB",
        };
        let (pipe, other) = (new.pipe.name(), old.pipe.name());
        let text = format!("pipe {pipe} touches `{name}`, which pipe {other} may still be at, and nothing orders the two");
        Diagnostic::new(Code::J0411, new.stmt.span, text)
    }

    fn in_gm(
        &self,
        old: &Live<'_>,
        before: &Window,
        new: &Live<'_>,
        after: &Window,
        of: TensorRef,
        lie: Lie,
    ) -> Diagnostic {
        let name = self.variant.body.gm_name(&self.lowered.sig, of);
        let does = if new.writes() { "stores" } else { "loads" };
        let did = if old.writes() { "stored" } else { "loaded" };
        let earlier = |d: Diagnostic| match old.stmt.span == new.stmt.span {
            true => d,
            false => d.label(old.stmt.span, "the earlier one"),
        };
        let step = before
            .step_and_length(after, self.facts)
            .filter(|(step, length)| step < length);
        if lie == Lie::Open {
            let text = format!(
                "it could not be proved that no element of `{name}` that this copy {does} is one that an earlier copy {did}"
            );
            // Code of an author may be correct for reasons that no proof finds. Generated code has
            // a proof.
            let d = match self.level {
                Level::Queue => Diagnostic::new(Code::J0602, new.stmt.span, text)
                    .help(own_elements(name, step))
                    .note("the simulator finds it where `Launch::pipes(true)` asks it to"),
                Level::Tile => Diagnostic::new(Code::J0109, new.stmt.span, format!("{text}: not offered yet")).help(
                    "`require` what makes it so, as a least size of an axis, or let an iteration have one index of an axis, `each(n)`",
                ),
            };
            return earlier(d);
        }
        let text = match step {
            None => format!("this copy {does} elements of `{name}` that an earlier one {did}, and nothing orders the two"),
            Some((step, length)) => format!(
                "this copy {does} {length} elements of `{name}` from {step} behind the first that the iteration before {did}, and nothing \
                 orders the two"
            ),
        };
        let d = earlier(
            Diagnostic::new(Code::J0411, new.stmt.span, text).help(own_elements(name, step)),
        );
        match step {
            Some((step, length)) => d.number("found", length).number("allowed", step),
            None => d,
        }
    }
}
