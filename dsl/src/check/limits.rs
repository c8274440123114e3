//! Limits of the fields that an instruction has for masks, repeats and strides.

use super::bounds::Bounds;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Extent, Instr, Lanes, Layout, Scalar, SpanId};
use crate::ops::contract::Elem;
use crate::soc::MAX_REPEATS;

impl Bounds<'_> {
    /// J0310 for masks, repeats and strides that have no room in their fields, J0602 where that is open.
    pub(super) fn limits(&mut self, instr: &Instr, span: SpanId) {
        if let Extent::Repeat { mask, repeat } = &instr.extent {
            self.mask(instr, mask, span);
            let why = "repeats are counted in 8 bits: write a loop over groups of 255";
            self.within(repeat, MAX_REPEATS, &format!("repeats of `{}`", instr.op.name()), why, span);
        }
        let (most_blk, most_rep) = instr.op.contract().largest_strides();
        for (_, view) in instr.views() {
            let why = "strides count data blocks in a field of that size";
            let stride = |which: &str| format!("{which} stride of `{}`", instr.op.name());
            match &view.layout {
                Layout::Blocks { blk, rep } => {
                    self.within(blk, most_blk, &stride("block"), why, span);
                    self.within(rep, most_rep, &stride("repeat"), why, span);
                }
                Layout::Results { rep } => {
                    self.within(rep, most_rep, &stride("repeat"), "strides of results count what a repeat gives", span);
                }
                Layout::Dense {} | Layout::Rows { .. } => {}
            }
        }
    }

    fn mask(&mut self, instr: &Instr, mask: &Lanes, span: SpanId) {
        let sizes = instr.views().filter(|(rule, _)| rule.elem != Elem::Bits).filter_map(|(_, view)| view.tensor());
        let Some(widest) = sizes.map(|t| self.size(t)).max() else { return };
        let lanes = self.chip.repeat_bytes / widest;
        let what = format!("lanes of a repeat of `{}`", instr.op.name());
        let why = format!("a repeat is {} bytes", self.chip.repeat_bytes);
        self.within(&mask.end(), lanes, &what, &why, span);
        if let Lanes::Groups { to, of, .. } = mask {
            self.within(to, *of, &format!("lanes of a group of `{}`", instr.op.name()), "groups follow one another", span);
        }
    }

    /// Holds a number to `0..=most`.
    fn within(&mut self, found: &Scalar, most: i64, what: &str, why: &str, span: SpanId) {
        let (low, high) = (self.not_negative(found), self.facts.proves_le(found, &Scalar::Int(most)));
        if low && high {
            return;
        }
        let below = !low && self.below_zero(found);
        let above = !high && self.facts.proves_le(&Scalar::Int(most + 1), found);
        if below || above {
            let text = format!("the {what}: {} at most, {}", most, self.said(found));
            let mut d = Diagnostic::new(Code::J0310, span, text).help(why);
            if let Some(n) = self.facts.as_int(found) {
                d = d.number("found", n).number("allowed", most);
            }
            self.found.push(d);
        } else {
            let text = format!("it could not be proved that the {what} stay within 0 to {most}");
            self.found.push(Diagnostic::new(Code::J0602, span, text).help("the simulator checks every run"));
        }
    }

    fn said(&self, found: &Scalar) -> String {
        match self.facts.as_int(found) {
            Some(n) => format!("found {n}"),
            None if self.below_zero(found) => "found fewer than none".to_string(),
            None => "found more".to_string(),
        }
    }
}
