//! A prover for `a <= b` on sizes. It replaces terms that make the difference large by their
//! bounds.
//!
//! It is small on purpose: enough for `at = start + i * tile`, `n = tile.min(len - i * tile)` and
//! similar code of authors. A missing proof is not a refutation; the check that asked decides what
//! it means. The search takes the shortest form first: a proof makes terms vanish, and a wrong way
//! adds terms.
//!
//! | file | holds |
//! |---|---|
//! | `facts` | what is known at one point of a kernel; start reading here |
//! | `forms` | the normal form of sizes |
//! | `query` | consequences in one step: forms, divisors, bounds |
//! | this file | the search over several steps |
//! | `witness` | numbers that refute a question |
//! | `names`, `choices` | facts about assigned variables, and about minima and maxima |
//! | `window`, `slabs` | disjointness of copies in GM |

pub mod choices;
pub mod facts;
pub mod forms;
mod names;
pub mod query;
pub mod slabs;
pub mod window;
pub mod witness;

use crate::ir::BinOp;
use forms::{Atom, Linear, Node, Product, Terms, ONE};
use query::{Query, NESTED};
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::{smallvec, SmallVec};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher;

/// Most forms that one search visits, so that no kernel makes a check slow. Each fact is one more
/// way to go, so a proof must not be found with the last of them: one more true condition of the
/// author would lose it.
const STEPS: usize = 600;
/// Forms that are visited before witnesses are tried. Most true questions are proved by then, and
/// finding witnesses has a cost, too.
const FIRST_STEPS: usize = 8;

/// The effort of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    /// Only the first steps, which prove most true questions.
    Short,
    Long,
}

/// The cached result of a question.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    Proved,
    /// A search of this effort found no proof.
    Open(Look),
}

/// Forms that must all be proved to be at most 0.
type Goals = SmallVec<[Linear; 1]>;

impl Query<'_> {
    /// True if `l <= 0` is proved for all values that the facts allow.
    ///
    /// Answers are cached: a body repeats questions for each operand of a call, and for each call
    /// of a tile.
    pub fn never_positive(&mut self, l: Linear) -> bool {
        self.never_positive_by(l, Look::Long)
    }

    /// True if a search of this effort proves `l <= 0`.
    pub fn never_positive_by(&mut self, l: Linear, look: Look) -> bool {
        match self.work.answer(&l) {
            Some(Answer::Proved) => return true,
            Some(Answer::Open(before)) if look <= before => return false,
            Some(Answer::Open(_)) | None => {}
        }
        // Where the facts contradict each other, this loses a proof. No finding there is reported.
        let refuted = !l.terms.is_empty() && self.least_of(&l) >= Some(1);
        let proved = self.is_bounded(&l) || !refuted && self.is_found(&l, look);
        self.work.found(
            l,
            if proved {
                Answer::Proved
            } else {
                Answer::Open(look)
            },
        );
        proved
    }

    /// True if `l > 0` has no proof, as a witness or an earlier search showed.
    pub fn may_hold(&mut self, l: &Linear) -> bool {
        let Some(opposite) = Linear::constant(1).plus(l, -1) else {
            return true;
        };
        if matches!(self.work.answer(&opposite), Some(Answer::Open(Look::Long))) {
            return true;
        }
        let refuted = self.work.is_refuted(&opposite);
        if refuted {
            self.work.found(opposite, Answer::Open(Look::Long));
        }
        refuted
    }

    /// True if a search finds a proof. Beyond its first steps it goes on only if no witness refutes
    /// the question.
    fn is_found(&mut self, l: &Linear, look: Look) -> bool {
        let mut search = Search::of(l.clone());
        let goes_on = |q: &mut Self, search| {
            !q.work.is_refuted(l) && q.goes_on(search, STEPS - FIRST_STEPS) == Some(true)
        };
        let early = self.goes_on(&mut search, FIRST_STEPS);
        early.unwrap_or_else(|| look == Look::Long && goes_on(self, &mut search))
    }

    /// Runs so many steps of a search. Returns `None` if they do not decide the question.
    pub(super) fn goes_on(&mut self, search: &mut Search, steps: usize) -> Option<bool> {
        for _ in 0..steps {
            let Some((mut rest, depth)) = search.next() else {
                return Some(false);
            };
            let Some(goal) = rest.pop() else {
                return Some(true);
            };
            // Cheapest first: most proofs replace one term by an upper bound.
            for kind in [Query::replaced, Query::by_cases, Query::by_order] {
                for next in kind(self, &goal) {
                    let open = next
                        .into_iter()
                        .map(Linear::reduced)
                        .filter(|l| !self.is_bounded(l));
                    let goals: Goals = rest.iter().cloned().chain(open).collect();
                    if goals.is_empty() {
                        return Some(true);
                    }
                    search.add(goals, depth + 1);
                }
            }
        }
        None
    }

    /// True if constant bounds of the terms add up to at most 0.
    pub fn is_bounded(&mut self, l: &Linear) -> bool {
        let mut most = l.constant;
        for (product, f) in &l.terms {
            let end = if *f < 0 {
                self.least_of_product(*product)
            } else {
                self.most_of_product(*product)
            };
            match end.and_then(|end| most.checked_add(end.checked_mul(*f)?)) {
                Some(sum) => most = sum,
                None => return false,
            }
        }
        most <= 0
    }

    /// True if `l` is bounded so, or `l` minus one known excess is.
    pub(super) fn is_shown(&mut self, l: &Linear) -> bool {
        let facts = self.facts;
        self.is_bounded(l)
            || facts.ordered.iter().any(|o| {
                l.plus(&o.excess, -1)
                    .is_some_and(|rest| self.is_bounded(&rest))
            })
    }

    /// Replaces terms by upper bounds. Like `by_cases` and `by_order`, it returns sets of goals:
    /// `l <= 0` holds if all goals of one set hold.
    fn replaced(&mut self, l: &Linear) -> Vec<Goals> {
        self.bounds_of(l, true, NESTED)
            .into_iter()
            .map(|l| smallvec![l])
            .collect()
    }

    fn by_cases(&mut self, l: &Linear) -> Vec<Goals> {
        let mut found = Vec::new();
        (0..l.terms.len()).for_each(|index| self.cases(l, index, &mut found));
        found
    }

    /// Replaces a minimum, maximum or choice by both of its values, and a quotient by a form near
    /// it.
    fn cases(&mut self, l: &Linear, index: usize, found: &mut Vec<Goals>) {
        let (product, factor) = l.terms[index];
        let rest = l.without_term(index);
        for i in 0..self.work.forms.factors(product).len() {
            let atom = self.work.forms.factors(product)[i];
            let node = self.work.forms.node(atom).clone();
            if matches!(*node, Node::Leaf(_)) {
                continue;
            }
            let others = self.work.forms.without_factor(product, i);
            if self.least_of_product(others).is_none() {
                continue;
            }
            if let Some((a, b)) = self.either(&node, factor) {
                let mut swap =
                    |by: &Linear| rest.plus(&self.work.forms.times_product(by, others)?, factor);
                found.extend(swap(a).zip(swap(b)).map(|(a, b)| smallvec![a, b]));
            }
            found.extend(
                self.undivided(&rest, atom, &node, others, factor)
                    .map(|l| smallvec![l]),
            );
        }
    }

    /// Returns the two values of an atom that has one of them; a proof must hold for both. A
    /// decided choice returns its value twice.
    fn either<'n>(&mut self, node: &'n Node, factor: i64) -> Option<(&'n Linear, &'n Linear)> {
        match node {
            Node::Op(BinOp::Max, a, b) if factor > 0 => Some((a, b)),
            Node::Op(BinOp::Min, a, b) if factor < 0 => Some((a, b)),
            Node::Select(cond, a, b) => Some(match self.decided(cond) {
                Some(true) => (a, a),
                Some(false) => (b, b),
                None => (a, b),
            }),
            Node::Op(..) | Node::Leaf(_) => None,
        }
    }

    /// Bounds a quotient: `by * ceil(x / by)` lies in `x ..= x + by - 1`, `by * floor(x / by)` in
    /// `x - by + 1 ..= x`. A constant divisor that is missing in the term is introduced by scaling
    /// the whole form.
    fn undivided(
        &mut self,
        rest: &Linear,
        atom: Atom,
        node: &Node,
        others: Product,
        factor: i64,
    ) -> Option<Linear> {
        let Node::Op(op @ (BinOp::Div | BinOp::CeilDiv | BinOp::AlignUp), x, by) = node else {
            return None;
        };
        if !self.is_near(atom, x, by) {
            return None;
        }
        if others == ONE && factor.abs() == 1 && matches!(op, BinOp::Div | BinOp::CeilDiv) {
            return self.by_quotient(rest, *op, x, by, factor > 0);
        }
        let exact = by
            .as_int()
            .is_some_and(|d| d > 0 && self.multiple_of(x) % d == 0);
        let slack = if exact {
            Linear::default()
        } else {
            by.plus(&Linear::constant(1), -1)?
        };
        let near = match (op, factor > 0) {
            (BinOp::CeilDiv | BinOp::AlignUp, true) => x.plus(&slack, 1)?,
            (BinOp::CeilDiv | BinOp::AlignUp, false) | (BinOp::Div, true) => x.clone(),
            _ => x.plus(&slack, -1)?,
        };
        let forms = &mut self.work.forms;
        match (op, by.as_int()) {
            (BinOp::AlignUp, _) => rest.plus(&forms.times_product(&near, others)?, factor),
            (_, Some(d)) => rest
                .scaled(d)?
                .plus(&forms.times_product(&near, others)?, factor),
            (_, None) => {
                let others = forms.without(others, by.as_product()?)?;
                rest.plus(&forms.times_product(&near, others)?, factor)
            }
        }
    }

    /// Rewrites a bound of a quotient that stands alone to an equivalent one. `floor(x / by) <= m`
    /// is `x <= by * m + by - 1`, and `m <= floor(x / by)` is `by * m <= x`. `ceil` is the mirror
    /// image.
    fn by_quotient(
        &mut self,
        rest: &Linear,
        op: BinOp,
        x: &Linear,
        by: &Linear,
        is_above: bool,
    ) -> Option<Linear> {
        let times = self.work.forms.times(rest, by)?;
        let whole = times.plus(x, if is_above { 1 } else { -1 })?;
        match (op, is_above) {
            (BinOp::Div, true) | (BinOp::CeilDiv, false) => {
                whole.plus(&by.plus(&Linear::constant(1), -1)?, -1)
            }
            (BinOp::Div, false) | (BinOp::CeilDiv, true) => Some(whole),
            _ => None,
        }
    }

    /// True if a quotient divides a nonnegative size by at least 1. Then it lies near the exact
    /// value.
    fn is_near(&mut self, atom: Atom, x: &Linear, by: &Linear) -> bool {
        let key = (self.work.place(), atom);
        if let Some(known) = self.work.near.get(&key) {
            return *known;
        }
        let near = self.least_of(by) >= Some(1)
            && (self.is_natural(x) || x.scaled(-1).is_some_and(|below| self.is_shown(&below)));
        self.work.near.insert(key, near);
        near
    }

    /// Subtracts known excesses, as often as makes a growing term, an unbounded falling term, or
    /// the constant vanish.
    fn by_order(&mut self, l: &Linear) -> Vec<Goals> {
        let facts = self.facts;
        let mut found = Vec::new();
        let times = |have: i64, f: i64| {
            have.checked_div(f)?
                .checked_add((have % f != 0).into())?
                .checked_neg()
        };
        let (grow, fall): (Terms, Terms) = l.terms.iter().copied().partition(|(_, have)| *have > 0);
        let open: Terms = fall
            .iter()
            .copied()
            .filter(|(product, _)| self.least_of_product(*product).is_none())
            .collect();
        for known in facts.ordered.iter().map(|o| &o.excess) {
            for (factor, f) in &known.terms {
                for (product, have) in if *f > 0 { &grow } else { &open } {
                    let Some(rest) = self.work.forms.without(*product, *factor) else {
                        continue;
                    };
                    if self.least_of_product(rest).is_some() {
                        let known = self.work.forms.times_product(known, rest);
                        found.extend(
                            known
                                .and_then(|known| l.plus(&known, times(*have, *f)?))
                                .map(|l| smallvec![l]),
                        );
                    }
                }
            }
            if known.constant <= 0 {
                continue;
            }
            // `c >= 1` implies `d <= c * d`.
            for (product, have) in &grow {
                let forms = &self.work.forms;
                let falls = |p| {
                    fall.iter()
                        .any(|(q, _)| forms.is_product_of(*q, p, *product))
                };
                let meets = known.terms.iter().any(|(p, f)| *f < 0 && falls(*p));
                if meets && self.least_of_product(*product).is_some() {
                    let times_known = self.work.forms.times_product(known, *product);
                    let next =
                        times_known.and_then(|more| l.plus(&more, times(*have, known.constant)?));
                    found.extend(next.map(|l| smallvec![l]));
                }
            }
            if l.constant > 0 {
                found.extend(
                    times(l.constant, known.constant)
                        .and_then(|times| l.plus(known, times))
                        .map(|l| smallvec![l]),
                );
            }
        }
        found
    }
}

/// The open goals of a search, those of least cost first.
#[derive(Default)]
pub(super) struct Search {
    states: Vec<(Goals, usize)>,
    open: BinaryHeap<Reverse<(usize, usize)>>,
    /// Hashes of visited goals. A collision at most loses a proof.
    seen: FxHashSet<u64>,
}

impl Search {
    /// Starts a search for a proof that a form is at most 0.
    pub(super) fn of(l: Linear) -> Search {
        let mut search = Search::default();
        search.add(smallvec![l], 0);
        search
    }

    fn add(&mut self, goals: Goals, depth: usize) {
        if self.seen.insert(FxBuildHasher.hash_one(&goals)) {
            self.open
                .push(Reverse((cost(&goals) + depth, self.states.len())));
            self.states.push((goals, depth));
        }
    }

    fn next(&mut self) -> Option<(Goals, usize)> {
        let Reverse((_, at)) = self.open.pop()?;
        Some(std::mem::take(&mut self.states[at]))
    }
}

/// Estimates how far goals are from a proof: it counts terms, and growing ones more.
fn cost(goals: &Goals) -> usize {
    let of_term = |f: i64| if f > 0 { 3 } else { 1 };
    let of_form = |l: &Linear| {
        l.terms.iter().map(|(_, f)| of_term(*f)).sum::<usize>() + usize::from(l.constant > 0)
    };
    goals.iter().map(of_form).sum()
}
