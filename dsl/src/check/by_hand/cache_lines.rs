//! J0416: the cache of the scalar unit for GM, followed through one block with numbers.
//!
//! `set_value` changes a line of 64 bytes in the cache of the core and nothing else. Copies and
//! other cores see the change only after `data_cache_clean_and_invalid` has written it back, from
//! an element to the end of the line. A line in the cache does not show what is stored in GM
//! afterwards. A write-back takes the whole line, and the chip may do it at any time (asc-devkit,
//! pages of SetValue, GetValue, DataCacheCleanAndInvalid and of its caches). Tensors begin with a
//! line.

use crate::ir::{SpanId, TensorRef};
use crate::soc::CACHE_LINE_BYTES;
use std::collections::BTreeMap;
use std::ops::Range;

/// Most copies of a block that are recorded.
const MOST_COPIES: usize = 64;

/// Elements of a tensor in GM, with `size` bytes each.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    pub of: TensorRef,
    pub elements: Range<i64>,
    pub size: i64,
}

impl Elements {
    /// Returns the range of one element.
    pub fn one(of: TensorRef, at: i64, size: i64) -> Elements {
        Elements {
            of,
            elements: at..at.saturating_add(1),
            size,
        }
    }

    fn in_a_line(&self) -> i64 {
        CACHE_LINE_BYTES / self.size
    }

    fn line_of(&self, element: i64) -> i64 {
        element.div_euclid(self.in_a_line())
    }

    /// Returns the numbers of its lines.
    fn lines(&self) -> Range<i64> {
        match self.elements.is_empty() {
            true => 0..0,
            false => {
                self.line_of(self.elements.start)
                    ..self
                        .line_of(self.elements.end.saturating_sub(1))
                        .saturating_add(1)
            }
        }
    }

    /// Returns the elements of a line, limited to 64-bit numbers.
    fn all_of(&self, line: i64) -> Range<i64> {
        let first = line.saturating_mul(self.in_a_line());
        first..first.saturating_add(self.in_a_line())
    }

    /// Returns the elements of the line of the first one.
    pub fn line(&self) -> Range<i64> {
        self.all_of(self.line_of(self.elements.start))
    }

    /// Returns its elements in a line, as bits.
    fn bits(&self, line: i64) -> u64 {
        let all = self.all_of(line);
        let inside = self.elements.start.max(all.start)..self.elements.end.min(all.end);
        inside.fold(0, |bits, element| bits | 1 << (element - all.start))
    }
}

/// The state of a line, with elements as bits.
#[derive(Clone, Copy, Debug)]
struct Line {
    held: u64,
    changed: u64,
    /// Elements of the last change.
    last: u64,
    /// Elements that are held and that a copy has since stored in GM.
    old: u64,
    span: SpanId,
}

/// A mistake with a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wrong {
    /// A copy reads a change that is not written back.
    Unseen,
    /// A copy stores to a line that is changed.
    Lost,
    /// The scalar unit reads an element that a copy has stored since the line was brought in.
    Old,
    /// The scalar unit changes a line of which a copy has since stored elements.
    OldLine,
    /// The block ends with a line whose only changes are the last ones.
    Left,
    /// The block ends with a line that has other changes, too.
    LeftLine,
}

/// A mistake, the element that it concerns, and the place of its cause.
pub(super) type Found = (Wrong, TensorRef, i64, SpanId);

/// A line, and the number of barriers before.
type Key = (TensorRef, u32, i64);

/// The accesses of a block to lines, as far as they concern other blocks.
#[derive(Debug, Default)]
pub(super) struct Shared {
    changed: BTreeMap<Key, SpanId>,
    copied: Vec<(TensorRef, u32, Range<i64>, SpanId)>,
}

impl Shared {
    /// Returns a line that this block changes and another one stores or changes, without a barrier
    /// between. The places are those of the change and of the other access.
    pub fn meets(&self, other: &Shared) -> Option<(TensorRef, i64, SpanId, SpanId)> {
        self.changed.iter().find_map(|(key, span)| {
            let (of, phase, line) = *key;
            let copied = || {
                let same = |(o, p, lines, _): &&(TensorRef, u32, Range<i64>, SpanId)| {
                    *o == of && *p == phase && lines.contains(&line)
                };
                other.copied.iter().find(same).map(|(_, _, _, span)| span)
            };
            let theirs = other.changed.get(key).or_else(copied)?;
            Some((of, line, *span, *theirs))
        })
    }
}

/// The cache of one block.
#[derive(Debug, Default)]
pub(super) struct Lines {
    lines: BTreeMap<(TensorRef, i64), (Line, i64)>,
    /// Number of barriers so far.
    phase: u32,
    pub shared: Shared,
}

impl Lines {
    fn line(&mut self, part: &Elements, number: i64) -> &mut Line {
        &mut self
            .lines
            .entry((part.of, number))
            .or_insert_with(|| {
                (
                    Line {
                        held: 0,
                        changed: 0,
                        last: 0,
                        old: 0,
                        span: SpanId(u32::MAX),
                    },
                    part.in_a_line(),
                )
            })
            .0
    }

    /// Reads an element by the scalar unit.
    pub fn read(&mut self, part: &Elements) -> Option<Found> {
        let number = part.lines().start;
        let bits = part.bits(number);
        let line = self.bring_in(part, number);
        (line.old & bits != 0).then_some((Wrong::Old, part.of, part.elements.start, line.span))
    }

    /// Changes an element by the scalar unit.
    pub fn change(&mut self, part: &Elements, span: SpanId) -> Option<Found> {
        let (number, phase) = (part.lines().start, self.phase);
        let bits = part.bits(number);
        let first = part.line().start;
        let line = self.bring_in(part, number);
        let old = line.old & !bits;
        if old != 0 {
            return Some((
                Wrong::OldLine,
                part.of,
                first + i64::from(old.trailing_zeros()),
                line.span,
            ));
        }
        (line.changed, line.last, line.old, line.span) = (line.changed | bits, bits, 0, span);
        self.shared
            .changed
            .entry((part.of, phase, number))
            .or_insert(span);
        None
    }

    fn bring_in(&mut self, part: &Elements, number: i64) -> &mut Line {
        let bits = part.bits(number);
        let line = self.line(part, number);
        if line.held & bits != bits {
            line.held = !0;
        }
        line
    }

    /// Returns the changes that `data_cache_clean_and_invalid` of an element would write back.
    pub fn changed(&self, part: &Elements) -> Vec<i64> {
        let (number, first) = (part.lines().start, part.line().start);
        let changed = self
            .lines
            .get(&(part.of, number))
            .map_or(0, |(line, _)| line.changed & behind(part));
        (0..64)
            .filter(|bit| changed >> bit & 1 == 1)
            .map(|bit| first + bit)
            .collect()
    }

    /// Executes `data_cache_clean_and_invalid` of an element.
    pub fn clean(&mut self, part: &Elements) {
        let (number, behind) = (part.lines().start, behind(part));
        let Some((line, _)) = self.lines.get_mut(&(part.of, number)) else {
            return;
        };
        (line.held, line.changed, line.old) = (
            line.held & !behind,
            line.changed & !behind,
            line.old & !behind,
        );
        if line.held == 0 {
            self.lines.remove(&(part.of, number));
        }
    }

    /// Executes it for an unknown element: any line of the tensor may be gone.
    pub fn clean_some(&mut self, of: TensorRef) {
        self.lines.retain(|(tensor, _), _| *tensor != of);
    }

    /// Reads elements by a copy.
    pub fn copy_in(&self, part: &Elements) -> Option<Found> {
        self.held(part).find_map(|(number, line)| {
            let unseen = line.changed & part.bits(number);
            let element = || part.all_of(number).start + i64::from(unseen.trailing_zeros());
            (unseen != 0).then(|| (Wrong::Unseen, part.of, element(), line.span))
        })
    }

    /// Stores elements by a copy.
    pub fn copy_out(&mut self, part: &Elements, span: SpanId) -> Option<Found> {
        if self.shared.copied.len() < MOST_COPIES {
            self.shared
                .copied
                .push((part.of, self.phase, part.lines(), span));
        }
        let changed = self.held(part).find(|(_, line)| line.changed != 0);
        if let Some((number, line)) = changed {
            let element = part.elements.start.max(part.all_of(number).start);
            return Some((Wrong::Lost, part.of, element, line.span));
        }
        for number in self
            .held(part)
            .map(|(number, _)| number)
            .collect::<Vec<_>>()
        {
            let bits = part.bits(number);
            let line = self.line(part, number);
            line.old |= line.held & bits;
            line.span = span;
        }
        None
    }

    fn held<'a>(&'a self, part: &'a Elements) -> impl Iterator<Item = (i64, &'a Line)> + 'a {
        let lines = part.lines();
        self.lines
            .range((part.of, lines.start)..(part.of, lines.end))
            .map(|((_, number), (line, _))| (*number, line))
    }

    /// Passes a barrier of all blocks: changed lines stay changed.
    pub fn meet(&mut self) {
        self.phase += 1;
        for ((of, number), (line, _)) in
            self.lines.iter().filter(|(_, (line, _))| line.changed != 0)
        {
            self.shared
                .changed
                .insert((*of, self.phase, *number), line.span);
        }
    }

    /// Returns a line that is changed at the end of the block.
    pub fn left(&self) -> Option<Found> {
        let ((of, number), (line, per)) =
            self.lines.iter().find(|(_, (line, _))| line.changed != 0)?;
        let wrong = if line.changed == line.last {
            Wrong::Left
        } else {
            Wrong::LeftLine
        };
        Some((
            wrong,
            *of,
            number.saturating_mul(*per) + i64::from(line.changed.trailing_zeros()),
            line.span,
        ))
    }
}

/// Returns the elements of a line from the start of a part on, as bits.
fn behind(part: &Elements) -> u64 {
    !0 << (part.elements.start - part.line().start)
}
