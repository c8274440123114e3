//! What is said of two accesses that nothing orders.

use super::flight::{Live, Spot};
use super::home::Home;
use super::order::Order;
use super::window::{Lie, Window};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Level, TensorRef};

impl Order<'_> {
    /// J0411, or J0602 where it is open whether the two touch the same elements.
    pub(super) fn unordered(&self, old: &Live<'_>, new: &Live<'_>, lie: Lie) -> Diagnostic {
        match (&new.spot, &old.spot) {
            (Spot::Gm(of, after), Spot::Gm(_, before)) => self.in_gm((old, before), (new, after), *of, lie),
            // Waits of the scalar unit are the lowering's at either level.
            (Spot::Ub(home), _) | (Spot::Gm(..), Spot::Ub(home)) => super::of_the_lowering(&self.in_ub(old, new, *home)),
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
        (old, before): (&Live<'_>, &Window),
        (new, after): (&Live<'_>, &Window),
        of: TensorRef,
        lie: Lie,
    ) -> Diagnostic {
        let name = self.variant.body.gm_name(&self.lowered.sig, of);
        let does = if new.writes() { "stores" } else { "loads" };
        let did = if old.writes() { "stored" } else { "loaded" };
        let step = before.step_and_length(after, self.facts).filter(|(step, length)| lie == Lie::Meet && step < length);
        let text = match (lie, step) {
            (Lie::Open, _) => {
                format!("it could not be proved that no element of `{name}` that this copy {does} is one that an earlier copy {did}")
            }
            (Lie::Apart | Lie::Meet, None) => {
                format!("this copy {does} elements of `{name}` that an earlier one {did}, and nothing orders the two")
            }
            (Lie::Apart | Lie::Meet, Some((step, length))) => format!(
                "this copy {does} {length} elements of `{name}` from {step} behind the first that the turn before {did}, and nothing \
                 orders the two"
            ),
        };
        // What an author writes may be right for reasons that no proof finds; what the lowering makes has one.
        let code = if lie == Lie::Open && self.level == Level::Queue { Code::J0602 } else { Code::J0411 };
        let mut d = Diagnostic::new(code, new.stmt.span, text)
            .help("let each turn of a loop have its own elements: `y.slice(start + i * tile, tile.min(len - i * tile))`");
        if old.stmt.span != new.stmt.span {
            d = d.label(old.stmt.span, "the earlier one");
        }
        if let Some((step, length)) = step {
            d = d.number("found", length).number("allowed", step);
        }
        if lie == Lie::Open {
            d = d.note("the simulator finds it where `Launch::pipes(true)` asks it to");
        }
        d
    }
}
