//! A set of elements, stored as maximal ranges.

use std::collections::BTreeMap;
use std::ops::Range;

/// Ranges of elements that neither overlap nor touch: their starts, with their ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spans(BTreeMap<usize, usize>);

impl Spans {
    /// Adds a range, which joins those that it overlaps or touches.
    pub fn insert(&mut self, run: Range<usize>) {
        if run.is_empty() {
            return;
        }
        let (mut start, mut end) = (run.start, run.end);
        while let Some((at, until)) = self
            .0
            .range(..=end)
            .next_back()
            .map(|(at, until)| (*at, *until))
            .filter(|(_, e)| *e >= start)
        {
            self.0.remove(&at);
            (start, end) = (start.min(at), end.max(until));
        }
        self.0.insert(start, end);
    }

    /// Returns the end of the range that contains an element.
    fn end_of(&self, element: usize) -> Option<usize> {
        self.0
            .range(..=element)
            .next_back()
            .map(|(_, end)| *end)
            .filter(|end| *end > element)
    }

    /// Finds the lowest element of a range that is neither here nor in another set.
    pub fn first_missing(&self, other: &Spans, range: Range<usize>) -> Option<usize> {
        let mut at = range.start;
        while at < range.end {
            match self.end_of(at).max(other.end_of(at)) {
                Some(end) => at = end,
                None => return Some(at),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_join_where_they_meet_or_touch() {
        let mut spans = Spans::default();
        [20..25, 0..4, 10..12, 4..6, 12..12, 30..31]
            .into_iter()
            .for_each(|run| spans.insert(run));
        assert_eq!(
            spans.0,
            BTreeMap::from([(0, 6), (10, 12), (20, 25), (30, 31)])
        );
        spans.insert(5..21);
        assert_eq!(spans.0, BTreeMap::from([(0, 25), (30, 31)]));
    }

    #[test]
    fn what_is_missing_is_in_neither_set() {
        let (mut a, mut b) = (Spans::default(), Spans::default());
        [0..4, 8..12].into_iter().for_each(|run| a.insert(run));
        [3..8, 14..16].into_iter().for_each(|run| b.insert(run));
        assert_eq!(
            [
                a.first_missing(&b, 0..12),
                a.first_missing(&b, 2..13),
                a.first_missing(&a, 2..9)
            ],
            [None, Some(12), Some(4)]
        );
        assert_eq!(
            [
                a.first_missing(&b, 13..13),
                Spans::default().first_missing(&a, 12..13)
            ],
            [None, Some(12)]
        );
    }
}
