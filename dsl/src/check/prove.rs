//! Proofs that one size is at most another, by replacing what makes the difference large with what bounds it.
//!
//! Small on purpose: enough for `at = start + i * tile`, `n = tile.min(len - i * tile)` and what authors write like it.
//! What it cannot prove becomes a warning and a check at run time, never an error.

use super::facts::Facts;
use super::linear::{without, Linear, Product};
use crate::ir::{BinOp, Scalar};

/// Steps of one search; it ends there, so that no kernel makes a check slow.
const STEPS: u32 = 400;
/// Replacements in a row. Short proofs are looked for first: most are, and long wrong ways would use up the steps.
const DEPTHS: [u32; 4] = [2, 4, 6, 9];

impl Facts {
    /// True where `a <= b` is proved.
    ///
    /// A body asks the same again and again, of each operand of a call and of each call of a tile.
    pub fn proves_le(&self, a: &Scalar, b: &Scalar) -> bool {
        let asked = self.asked.borrow().iter().find(|(x, y, _)| x == a && y == b).map(|(.., proved)| *proved);
        asked.unwrap_or_else(|| {
            let proved = self.finds_le(a, b);
            self.asked.borrow_mut().push((a.clone(), b.clone(), proved));
            proved
        })
    }

    fn finds_le(&self, a: &Scalar, b: &Scalar) -> bool {
        let form = |s: &Scalar| Linear::of(&self.inline(s));
        let difference = form(a).zip(form(b)).and_then(|(a, b)| a.plus(&b, -1));
        let found = |l: Linear| DEPTHS.into_iter().any(|depth| Proof { facts: self, steps: STEPS }.never_positive(&l, depth));
        difference.is_some_and(found)
    }
}

struct Proof<'a> {
    facts: &'a Facts,
    steps: u32,
}

impl Proof<'_> {
    /// True where `l <= 0` for all values that the facts allow.
    fn never_positive(&mut self, l: &Linear, depth: u32) -> bool {
        if self.bound(l).is_some_and(|most| most <= 0) {
            return true;
        }
        if depth == 0 || self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        (0..l.terms.len()).any(|i| self.replace_in(l, i, depth - 1)) || self.by_order(l, depth - 1)
    }

    /// A constant that `l` is never above, where every term that may grow has a negative factor.
    fn bound(&self, l: &Linear) -> Option<i64> {
        l.terms.iter().try_fold(l.constant, |sum, (product, f)| match *f < 0 {
            true => sum.checked_add(self.facts.least_of_product(product)?.checked_mul(*f)?),
            false => None,
        })
    }

    /// Replaces one atom of a term by what bounds it; the rest of the product must not be negative.
    fn replace_in(&mut self, l: &Linear, index: usize, depth: u32) -> bool {
        let (product, factor) = &l.terms[index];
        let rest_of_form = l.without_term(index);
        product.iter().enumerate().any(|(i, atom)| {
            let mut others = product.clone();
            others.remove(i);
            if self.facts.least_of_product(&others).is_none() {
                return false;
            }
            let swap = |by: &Scalar| {
                let by = Linear::of(&self.facts.inline(by))?.times_product(&others)?;
                rest_of_form.plus(&by, *factor)
            };
            let bounds = if *factor > 0 { self.facts.above(atom) } else { self.facts.below(atom) };
            let swapped: Vec<Linear> = bounds.iter().filter_map(swap).collect();
            let cases = either(atom, *factor).map(|(a, b)| (swap(a), swap(b)));
            let divided = self.undivided(&rest_of_form, atom, &others, *factor);
            swapped.iter().chain(&divided).any(|next| self.never_positive(next, depth))
                || matches!(cases, Some((Some(a), Some(b))) if self.never_positive(&a, depth) && self.never_positive(&b, depth))
        })
    }

    /// `by * ceil(x / by)` lies in `x ..= x + by - 1`, `by * floor(x / by)` in `x - by + 1 ..= x`. A constant divisor
    /// that does not stand in the term is brought in by multiplying the whole form.
    fn undivided(&self, rest: &Linear, atom: &Scalar, others: &Product, factor: i64) -> Option<Linear> {
        let Scalar::Bin(op, x, by) = atom else { return None };
        let facts = self.facts;
        let negated = Linear::of(x)?.scaled(-1)?;
        if facts.least_of(by)? < 1 || self.bound(&negated).is_none_or(|most| most > 0) {
            return None;
        }
        let exact = by.as_int().is_some_and(|d| facts.multiple_of(x) % d == 0);
        let slack = Linear::of(by)?.plus(&Linear::constant(1), -1)?;
        let (x, zero) = (Linear::of(x)?, Linear::default());
        let near = match (op, factor > 0) {
            (BinOp::CeilDiv | BinOp::AlignUp, true) => x.plus(if exact { &zero } else { &slack }, 1)?,
            (BinOp::CeilDiv | BinOp::AlignUp, false) | (BinOp::Div, true) => x,
            (BinOp::Div, false) => x.plus(if exact { &zero } else { &slack }, -1)?,
            _ => return None,
        };
        if *op == BinOp::AlignUp {
            return rest.plus(&near.times_product(others)?, factor);
        }
        match by.as_int() {
            Some(d) => rest.scaled(d)?.plus(&near.times_product(others)?, factor),
            None => rest.plus(&near.times_product(&without(others, std::slice::from_ref(by))?)?, factor),
        }
    }

    /// Adds `high - low` of a known pair, as often as takes a growing term or the constant away.
    fn by_order(&mut self, l: &Linear, depth: u32) -> bool {
        let facts = self.facts;
        facts.ordered().iter().any(|(low, high)| {
            let form = |s: &Scalar| Linear::of(&facts.inline(s));
            let Some(known) = form(low).zip(form(high)).and_then(|(low, high)| low.plus(&high, -1)) else { return false };
            self.less(l, &known).iter().any(|next| self.never_positive(next, depth))
        })
    }

    /// `l` less what is known not to be positive, times what makes a positive part of `l` vanish.
    fn less(&self, l: &Linear, known: &Linear) -> Vec<Linear> {
        let mut found = Vec::new();
        let times = |have: i64, f: i64| have / f + i64::from(have % f != 0);
        for (factor, f) in known.terms.iter().filter(|(_, f)| *f > 0) {
            for (product, have) in l.terms.iter().filter(|(_, have)| *have > 0) {
                let Some(rest) = without(product, factor) else { continue };
                if self.facts.least_of_product(&rest).is_some() {
                    found.extend(known.times_product(&rest).and_then(|k| l.plus(&k, -times(*have, *f))));
                }
            }
        }
        if known.constant > 0 && l.constant > 0 {
            found.extend(l.plus(known, -times(l.constant, known.constant)));
        }
        found
    }
}

/// The two values of which an atom has one, where a proof must hold for both.
fn either(atom: &Scalar, factor: i64) -> Option<(&Scalar, &Scalar)> {
    match atom {
        Scalar::Bin(BinOp::Max, a, b) if factor > 0 => Some((a, b)),
        Scalar::Bin(BinOp::Min, a, b) if factor < 0 => Some((a, b)),
        Scalar::Select(_, a, b) => Some((a, b)),
        _ => None,
    }
}
