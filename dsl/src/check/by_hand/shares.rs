//! J0505 in launches with numbers: elements that copies of two blocks store between two barriers.
//!
//! `store_overlap` judges the form of an offset: one that depends on the block counts as the
//! block's own place. Here places are numbers, so the check also finds neighbours whose stores
//! overlap, as in `get_block_idx() * 4 + 0..8`. It leaves sums, maxima and minima beside stores to
//! a run.

use super::pipes::{Memory, Rows};
use super::{Execution, Launch};
use crate::diag::{Code, Diagnostic};
use crate::ir::{SpanId, TensorRef};
use crate::ops::contract::Access;
use std::collections::BTreeMap;

/// Most stores of a block that are compared.
const MOST_STORES: usize = 256;

/// Elements that a statement stores: their range, and the number of barriers before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stored {
    of: TensorRef,
    phase: u32,
    from: i64,
    to: i64,
    span: SpanId,
}

/// The stores of the blocks of a launch, in order.
#[derive(Debug, Default)]
pub(super) struct Stores(Vec<(i64, Vec<Stored>)>);

/// Stores of two blocks to one element, the one with the lower start first.
pub(super) type Met = [(Stored, i64); 2];

impl Stores {
    /// Adds the stores of a block.
    pub fn add(&mut self, block: i64, stored: Vec<Stored>) {
        self.0.push((block, stored));
    }

    /// Returns the first stores of two blocks that share an element. Stores are sorted by their
    /// start; among earlier ones, the one that ends last overlaps whatever any of them overlaps.
    /// `store_overlap` judges a statement that stores to one place in every block, so here only its
    /// first store counts.
    pub fn meeting(&self) -> Option<Met> {
        let mut by_statement: BTreeMap<(TensorRef, u32, SpanId), Stores> = BTreeMap::new();
        for (block, stored) in &self.0 {
            for one in stored {
                let Stores(blocks) = by_statement
                    .entry((one.of, one.phase, one.span))
                    .or_default();
                match blocks.last_mut().filter(|(last, _)| last == block) {
                    Some((_, own)) => own.push(*one),
                    None => blocks.push((*block, vec![*one])),
                }
            }
        }
        let mut all: Vec<(Stored, i64)> = Vec::new();
        for Stores(blocks) in by_statement.values() {
            let is_alike = blocks.windows(2).all(|two| two[0].1 == two[1].1);
            let some = blocks.iter().take(if is_alike { 1 } else { blocks.len() });
            all.extend(some.flat_map(|(block, stored)| stored.iter().map(|one| (*one, *block))));
        }
        all.sort_unstable();
        let mut last: Option<(Stored, i64)> = None;
        for (new, block) in all {
            let is_beside = |(old, _): &(Stored, i64)| {
                (old.of, old.phase) == (new.of, new.phase) && new.from < old.to
            };
            match last.filter(is_beside) {
                Some(old) if old.1 != block => return Some([old, (new, block)]),
                Some(old) if old.0.to >= new.to => {}
                Some(_) | None => last = Some((new, block)),
            }
        }
        None
    }
}

impl Launch<'_> {
    /// Reports J0505 for two blocks that store to one element.
    pub(super) fn overlapping(&self, [(old, first), (new, second)]: Met) -> Diagnostic {
        let name = self.name(old.of);
        let said = |from: i64, to: i64| match to.saturating_sub(1) {
            last if last <= from => format!("element {from}"),
            last => format!("elements {from} to {last}"),
        };
        let (own, theirs) = (said(old.from, old.to), said(new.from, new.to));
        let (both, many) = (
            said(new.from, old.to.min(new.to)),
            old.to.min(new.to).saturating_sub(new.from) > 1,
        );
        let text = format!(
            "block {first} stores {own} of `{name}`, block {second} {theirs}: nothing decides what {both} {}",
            if many { "hold" } else { "holds" }
        );
        let mut d = Diagnostic::new(Code::J0505, new.span, text).note(self.words());
        if old.span != new.span {
            d = d.label(old.span, "the other one");
        }
        d.help("let each block store elements of its own, from `share.start()` on as many as `share.len()`, or launch one block with `.block_dim(1)`")
    }
}

impl Execution<'_> {
    /// Records the elements that a copy stores in GM.
    pub(super) fn stores(&mut self, does: Access, memory: Memory, rows: Rows, span: SpanId) {
        let Memory::Gm(of) = memory else { return };
        if does != Access::Write {
            return;
        }
        let phase = self.phase;
        let room = MOST_STORES.saturating_sub(self.stored.len());
        self.stored
            .extend(rows.each().take(room).map(|(from, to)| Stored {
                of,
                phase,
                from,
                to,
                span,
            }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::ParamId;

    fn meets(all: &[(i64, i64, i64, u32)]) -> Option<(i64, i64)> {
        let mut stores = Stores::default();
        let stored = |(nth, (_, from, to, phase)): (usize, &(i64, i64, i64, u32))| {
            let of = TensorRef::Param(ParamId(0));
            Stored {
                of,
                phase: *phase,
                from: *from,
                to: *to,
                span: SpanId(nth as u32),
            }
        };
        for block in 0..3 {
            stores.add(
                block,
                all.iter()
                    .enumerate()
                    .filter(|(_, one)| one.0 == block)
                    .map(stored)
                    .collect(),
            );
        }
        stores
            .meeting()
            .map(|[(old, _), (new, _)]| (old.from, new.from))
    }

    #[test]
    fn stores_of_two_blocks_meet_where_they_share_an_element() {
        assert_eq!(meets(&[(0, 0, 8, 0), (1, 8, 16, 0), (2, 16, 17, 0)]), None);
        assert_eq!(meets(&[(0, 0, 9, 0), (1, 8, 16, 0)]), Some((0, 8)));
        assert_eq!(meets(&[(0, 0, 9, 0), (1, 8, 16, 1)]), None);
        assert_eq!(meets(&[(0, 0, 9, 0), (0, 8, 16, 0)]), None);
        // A short store of the same block lies between the two that overlap.
        assert_eq!(
            meets(&[(0, 0, 100, 0), (0, 10, 20, 0), (1, 90, 91, 0)]),
            Some((0, 90))
        );
        assert_eq!(
            meets(&[(0, 0, 10, 0), (1, 20, 30, 0), (1, 5, 6, 0)]),
            Some((0, 5))
        );
    }

    #[test]
    fn a_place_of_all_blocks_is_no_place_that_two_share() {
        let stored = |from: i64| Stored {
            of: TensorRef::Param(ParamId(0)),
            phase: 0,
            from,
            to: from + 8,
            span: SpanId(0),
        };
        let meets = |places: [i64; 3]| {
            let mut stores = Stores::default();
            places
                .into_iter()
                .enumerate()
                .for_each(|(block, from)| stores.add(block as i64, vec![stored(from)]));
            stores.meeting().is_some()
        };
        assert!(!meets([8, 8, 8]));
        assert!(meets([8, 8, 16]));
        assert!(!meets([0, 8, 16]));
    }
}
