//! J0416 in the run of a block: its accesses change lines that the scalar unit holds. The rules
//! are in `check/by_hand/cache_lines.rs`.

use super::cache_lines::{Elements, Found, Shared, Wrong};
use super::pipes::{Memory, Rows};
use super::{Execution, Launch};
use crate::diag::{Code, Diagnostic, Spot, Told};
use crate::ir::{Instr, SpanId, TensorRef, View};
use crate::ops::contract::{Access, Pipe, ViewRule};
use crate::soc::CACHE_LINE_BYTES;
use std::ops::Range;

impl Launch<'_> {
    /// Reports J0416 for a line of the cache that two blocks change, or that one changes and
    /// another stores to.
    pub(super) fn one_line(&self, before: &[(i64, Shared)], own: &Shared) -> Option<Diagnostic> {
        let meets = |(block, other): &(i64, Shared)| {
            Some((*block, own.meets(other).or_else(|| other.meets(own))?))
        };
        let (block, (of, line, at, theirs)) = before.iter().find_map(meets)?;
        let size = self.size(of);
        let first = line.saturating_mul(CACHE_LINE_BYTES / size);
        let last = first.saturating_add(CACHE_LINE_BYTES / size - 1);
        let text = format!(
            "block {block} and block {} write elements {first} to {last} of `{}`, a line of {CACHE_LINE_BYTES} bytes of the scalar unit's cache: whoever writes it back last writes over what the other one wrote",
            self.block,
            self.name(of),
        );
        let mut d = Diagnostic::new(Code::J0416, at, text).note(self.words());
        if theirs != at {
            d = d.label(theirs, "the other one");
        }
        Some(d.help(
            "keep what different blocks write a whole line apart, or copy it with `data_copy_pad`",
        ))
    }
}

impl Execution<'_> {
    /// Handles the effect of an instruction on the lines that the scalar unit holds.
    pub(super) fn in_lines(&mut self, instr: &Instr, pipe: Pipe, span: SpanId) {
        for (rule, view) in instr.views().filter(|(_, view)| view.global().is_some()) {
            let Some(of) = view.global() else { continue };
            match pipe {
                Pipe::S => self.on_scalar(rule.access, of, view, span),
                Pipe::V | Pipe::Mte2 | Pipe::Mte3 => self.by_copy(instr, rule, view, span),
            }
        }
    }

    fn on_scalar(&mut self, does: Access, of: TensorRef, view: &View, span: SpanId) {
        let Some(at) = self.number(&view.offset) else {
            if does == Access::Line {
                self.lines.clean_some(of);
            }
            return;
        };
        let part = Elements::one(of, at, self.launch.size(of));
        match does {
            Access::Read => {
                let wrong = self.lines.read(&part);
                self.wrong_line(wrong, span);
            }
            Access::Line => {
                let changed = self.lines.changed(&part);
                self.lines.clean(&part);
                if !changed.is_empty() {
                    self.writes_back(&part, &changed, span);
                }
            }
            Access::Write
            | Access::Add
            | Access::Max
            | Access::Min
            | Access::Any
            | Access::Disjoint
            | Access::Scratch => {
                let wrong = self.lines.change(&part, span);
                self.wrong_line(wrong, span);
                self.pipes.give(Pipe::S);
                self.on_line(&part, Access::Line, part.line(), span);
            }
        }
    }

    /// Handles a write-back: the changed elements, and the line around them.
    fn writes_back(&mut self, part: &Elements, changed: &[i64], span: SpanId) {
        self.pipes.give(Pipe::S);
        for element in changed {
            self.on_line(
                part,
                Access::Write,
                *element..element.saturating_add(1),
                span,
            );
        }
        self.on_line(part, Access::Line, part.line(), span);
    }

    fn on_line(&mut self, part: &Elements, does: Access, elements: Range<i64>, span: SpanId) {
        let memory = Memory::Gm(part.of);
        let rows = Rows {
            at: elements.start,
            len: elements.end.saturating_sub(elements.start),
            rows: 1,
            pitch: 0,
        };
        if let Some(old) = self
            .pipes
            .touch(Pipe::S, does, memory, None, rows, span)
            .filter(|_| self.found.is_empty())
        {
            self.unordered(old, Pipe::S, does, memory, span);
        }
    }

    fn by_copy(&mut self, instr: &Instr, rule: &ViewRule, view: &View, span: SpanId) {
        let Some((Memory::Gm(of), all)) = self.rows(instr, rule, view) else {
            return;
        };
        for (from, to) in all.into_iter().flat_map(Rows::each) {
            let part = Elements {
                of,
                elements: from..to,
                size: self.launch.size(of),
            };
            let wrong = if rule.access.stores() {
                self.lines.copy_out(&part, span)
            } else {
                self.lines.copy_in(&part)
            };
            self.wrong_line(wrong, span);
        }
    }

    fn wrong_line(&mut self, wrong: Option<Found>, span: SpanId) {
        let Some((wrong, of, element, earlier)) = wrong.filter(|_| self.found.is_empty()) else {
            return;
        };
        let what = format!("element {element} of `{}`", self.launch.name(of));
        let text = match wrong {
            Wrong::Unseen => format!(
                "this copy reads {what}, which `set_value` has changed in the cache of the scalar unit and nobody has written back: it gets what GM held before"
            ),
            Wrong::Lost => format!(
                "this copy stores {what}, of whose line `set_value` has changed something in the cache of the scalar unit: what is written back later takes the whole line"
            ),
            Wrong::Old => {
                format!("this reads {what} from the cache of the scalar unit, which has held it since before a copy stored it")
            }
            Wrong::OldLine => format!(
                "this changes a line of the scalar unit's cache that has held {what} since before a copy stored it: the write-back takes the whole line, and brings the old value back"
            ),
            Wrong::Left | Wrong::LeftLine => format!("{what} is changed in the cache of the scalar unit alone: nobody writes its line back before the block ends"),
        };
        let mut d = Diagnostic::new(Code::J0416, span, text).note(self.launch.words());
        if earlier != span {
            d = d.label(
                earlier,
                if matches!(wrong, Wrong::Unseen | Wrong::Lost) {
                    "changed here"
                } else {
                    "stored here"
                },
            );
        }
        let back = format!("{}.data_cache_clean_and_invalid", self.launch.name(of));
        // A write-back begins with its element. For several elements of a line it begins with the
        // line.
        let (index, line) = (
            Told::Argument(span),
            Told::Line(span, CACHE_LINE_BYTES / self.launch.size(of)),
        );
        let call = format!("{back}(@);");
        let d = match wrong {
            Wrong::Old => d.edit_told(span, Spot::StatementBefore, index, call),
            Wrong::OldLine => d.edit_told(span, Spot::StatementBefore, line, call),
            Wrong::Left => d.edit_told(span, Spot::StatementAfter, index, call),
            Wrong::LeftLine => d.edit_told(span, Spot::StatementAfter, line, call),
            // The copy must wait for the write-back, too.
            Wrong::Unseen | Wrong::Lost => d,
        };
        let d = d.maybe();
        self.found.push(d.help(match wrong {
            Wrong::Unseen | Wrong::Lost => format!("write `{back}(i)` between the two, with the index of the element"),
            Wrong::Old | Wrong::OldLine => format!("write `{back}(i)` behind the copy, with the index of the element"),
            Wrong::Left | Wrong::LeftLine => {
                format!("write `{back}(i)` behind it, with the index of the element, once for all of its line")
            }
        }));
    }

    pub(super) fn left_changed(&mut self) {
        if let Some(left @ (_, _, _, span)) = self.lines.left() {
            self.wrong_line(Some(left), span);
        }
    }
}
