//! The elements of GM that a block touches, by statement, in little memory.
//!
//! A block that stores tile after tile leaves one [`Strip`], and so does one that stores columns of
//! rows: accesses that follow evenly join the strip before them. Strips that do not join are sorted
//! and joined again whenever their number has doubled.

use jumar_dsl::ir::SpanId;
use jumar_dsl::ops::contract::Access;
use std::collections::BTreeMap;
use std::ops::Range;

/// Ranges of `len` elements, `stride` from start to start; a single range has no stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Strip {
    start: usize,
    len: usize,
    count: usize,
    stride: usize,
}

impl Strip {
    /// Makes `count` ranges of `len` elements that do not overlap; neither number is zero.
    pub fn new(start: usize, len: usize, count: usize, stride: usize) -> Self {
        if count == 1 || stride == len {
            Strip {
                start,
                len: len * count,
                count: 1,
                stride: 0,
            }
        } else {
            Strip {
                start,
                len,
                count,
                stride,
            }
        }
    }
    fn run(range: Range<usize>) -> Self {
        Strip::new(range.start, range.len(), 1, 0)
    }
    /// Iterates over the ranges, lowest first.
    pub fn runs(self) -> impl Iterator<Item = Range<usize>> {
        (0..self.count)
            .map(move |i| self.start + i * self.stride)
            .map(move |at| at..at + self.len)
    }
    /// True if it contains this element.
    pub fn holds(self, element: usize) -> bool {
        match element.checked_sub(self.start) {
            None => false,
            Some(behind) if self.count == 1 => behind < self.len,
            Some(behind) => behind / self.stride < self.count && behind % self.stride < self.len,
        }
    }
    /// Finds the lowest common element.
    pub fn meets(self, other: Strip) -> Option<usize> {
        if self.end() <= other.start || other.end() <= self.start {
            return None;
        }
        self.runs().find_map(|run| other.first_in(run))
    }
    /// Finds its lowest element in a range.
    fn first_in(self, range: Range<usize>) -> Option<usize> {
        let behind = range.start.saturating_sub(self.start);
        let run = if self.count == 1 {
            0
        } else {
            behind / self.stride
        };
        (run..self.count.min(run + 2)).find_map(|i| {
            let at = (self.start + i * self.stride).max(range.start);
            (at < range.end && at < self.start + i * self.stride + self.len).then_some(at)
        })
    }
    /// Returns the end of its last range.
    fn end(self) -> usize {
        self.start + (self.count - 1) * self.stride + self.len
    }
    /// Joins both, if the result is a strip again.
    fn joined(self, next: Strip) -> Option<Strip> {
        let single = self.count == 1 && next.count == 1;
        if self == next {
            Some(self)
        } else if single && (self.start..=self.end()).contains(&next.start) {
            Some(Strip::run(self.start..self.end().max(next.end())))
        } else if single {
            let behind = self.len == next.len && next.start > self.start;
            behind.then(|| Strip::new(self.start, self.len, 2, next.start - self.start))
        } else {
            self.longer(next).or_else(|| self.wider(next))
        }
    }
    /// Appends ranges that continue in even steps.
    fn longer(self, next: Strip) -> Option<Strip> {
        let stride = self.stride.max(next.stride);
        let even = [self, next]
            .iter()
            .all(|s| s.count == 1 || s.stride == stride);
        let follows = self.len == next.len && next.start == self.start + self.count * stride;
        (even && follows).then(|| Strip::new(self.start, self.len, self.count + next.count, stride))
    }
    /// Widens ranges that each continue where the others end.
    fn wider(self, next: Strip) -> Option<Strip> {
        let alike = self.count == next.count && self.stride == next.stride;
        let follows = next.start == self.start + self.len && self.len + next.len <= self.stride;
        (alike && follows)
            .then(|| Strip::new(self.start, self.len + next.len, self.count, self.stride))
    }
}

/// The accesses of one statement to one tensor.
#[derive(Debug)]
pub(super) struct Site {
    /// The tensor's index among parameters and workspaces.
    pub gm: usize,
    pub span: SpanId,
    /// The kind of access.
    pub does: Access,
    pub strips: Vec<Strip>,
    /// The number of strips at which they are sorted and joined next.
    limit: usize,
}

impl Site {
    /// Iterates over the ranges of its strips.
    pub fn runs(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.strips.iter().flat_map(|s| s.runs())
    }
    fn push(&mut self, strip: Strip) {
        self.strips.push(strip);
        self.join_last();
        if self.strips.len() >= self.limit {
            let mut strips = std::mem::take(&mut self.strips);
            strips.sort_unstable();
            for strip in strips {
                self.strips.push(strip);
                self.join_last();
            }
            self.limit = self.limit.max(2 * self.strips.len());
        }
    }
    /// Joins the last strip with the one before it, which it may fit after it has grown.
    fn join_last(&mut self) {
        while let [.., before, last] = &mut self.strips[..] {
            let Some(joined) = before.joined(*last) else {
                return;
            };
            *before = joined;
            self.strips.pop();
        }
    }
}

/// The accesses of a block to the tensors that the kernel writes.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// Sites by statement, in the order of their first access.
    pub sites: Vec<Site>,
    /// By tensor and element, the bits that `store_any` stored there last, and the statement.
    pub alike: BTreeMap<(usize, usize), (u64, SpanId)>,
    /// The site of the last access; loops visit their sites in a fixed order.
    last: usize,
}

impl Touched {
    /// Adds an access.
    pub fn note(&mut self, gm: usize, span: SpanId, does: Access, strip: Strip) {
        let num = self.sites.len();
        let is_it = |s: &Site| s.gm == gm && s.span == span && s.does == does;
        let found = (1..=num)
            .map(|i| (self.last + i) % num)
            .find(|i| is_it(&self.sites[*i]));
        self.last = found.unwrap_or(num);
        if found.is_none() {
            self.sites.push(Site {
                gm,
                span,
                does,
                strips: Vec::new(),
                limit: 64,
            });
        }
        self.sites[self.last].push(strip);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Returns the number of strips after some accesses, and checks that they have exactly the
    /// accessed elements.
    fn strips(accesses: impl Iterator<Item = Strip>) -> usize {
        let (mut touched, mut all) = (Touched::default(), BTreeSet::new());
        for strip in accesses {
            all.extend(strip.runs().flatten());
            touched.note(0, SpanId(0), Access::Write, strip);
        }
        let strips = &touched.sites[0].strips;
        assert_eq!(
            strips
                .iter()
                .flat_map(|s| s.runs())
                .flatten()
                .collect::<BTreeSet<_>>(),
            all
        );
        for element in 0..all.last().map_or(0, |last| last + 2) {
            assert_eq!(
                strips.iter().any(|s| s.holds(element)),
                all.contains(&element),
                "element {element}"
            );
        }
        strips.len()
    }

    #[test]
    fn what_follows_evenly_is_one_strip() {
        let rows = |r: usize, c: usize| Strip::new(r * 100 + c, 10, 8, 100);
        assert_eq!(strips((0..1000).map(|t| Strip::new(t * 16, 16, 1, 16))), 1);
        assert_eq!(strips((0..50).map(|t| Strip::new(t * 64, 8, 1, 8))), 1);
        assert_eq!(strips((0..50).map(|t| Strip::new(t * 32, 8, 4, 8))), 1);
        assert_eq!(
            strips((0..5).flat_map(|r| (0..10).map(move |c| rows(8 * r, 10 * c)))),
            1
        );
        assert_eq!(
            strips((0..10).flat_map(|c| (0..5).map(move |r| rows(8 * r, 10 * c)))),
            1
        );
        assert_eq!(
            strips((0..5).flat_map(|r| (0..9).map(move |c| rows(8 * r, 10 * c)))),
            1
        );
        assert_eq!(strips((0..50).map(|_| rows(3, 10))), 1);
        assert_eq!(
            strips((0..4000).map(|t| Strip::new(t % 40 * 8, 8, 1, 8))),
            1
        );
    }

    #[test]
    fn strips_meet_where_their_elements_do() {
        let strips = [
            (0, 9, 1, 0),
            (3, 4, 5, 9),
            (0, 1, 30, 2),
            (1, 1, 30, 2),
            (8, 2, 2, 30),
            (17, 3, 4, 7),
            (40, 20, 1, 0),
        ];
        let strips =
            strips.map(|(start, len, count, stride)| Strip::new(start, len, count, stride));
        for a in strips {
            for b in strips {
                let common = a.runs().flatten().find(|e| b.holds(*e));
                assert_eq!(a.meets(b), common, "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn what_does_not_follow_is_kept_and_joined_when_it_does() {
        assert_eq!(
            strips([0, 16, 40].map(|at| Strip::new(at, 8, 1, 8)).into_iter()),
            2
        );
        assert!(strips((0..1000).map(|t| Strip::new(t * 37 % 1000 * 8, 8, 1, 8))) < 64);
        strips((0..500).map(|t| Strip::new(t * t % 997, 1 + t % 5, 1, 9)));
    }
}
