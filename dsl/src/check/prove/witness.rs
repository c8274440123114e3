//! Witnesses: numbers that meet all facts at a place. A claim that fails for them has no proof
//! there.
//!
//! A failing search ends only after everything was tried, and most questions about windows expect
//! the answer no. Witnesses answer these at once. They give a number to each leaf. The prover knows
//! no more about a leaf than the facts, so a witness refutes nothing provable.

use super::forms::{Atom, Forms, Linear, Node};
use super::query::Said;
use crate::ir::Scalar;
use crate::scalar::{binary, Value};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Seeds of the first group of witnesses: small sizes and large ones.
pub(super) const WITNESSES: u64 = 12;

/// Seeds of both groups. The second one serves where the first has no witness.
pub(super) const ALL_WITNESSES: u64 = 24;

/// An assignment of numbers to leaves.
#[derive(Clone)]
pub(super) struct Witness {
    seed: u64,
    /// Values by the number of the atom.
    numbers: Vec<Number>,
    /// The current round. Values of earlier rounds are stale, since a leaf has changed.
    round: u32,
}

/// The value of an atom, as far as it is known.
#[derive(Clone, Copy)]
enum Number {
    Unknown,
    /// The number of a leaf that was asked for.
    Leaf(i64),
    /// The value of an expression, if it has one, and the round in which it was computed.
    Value(Option<i64>, u32),
}

impl Witness {
    pub fn new(seed: u64) -> Witness {
        Witness {
            seed,
            numbers: Vec::new(),
            round: 0,
        }
    }

    fn number(&mut self, atom: Atom) -> &mut Number {
        if self.numbers.len() <= atom.index() {
            self.numbers.resize(atom.index() + 1, Number::Unknown);
        }
        &mut self.numbers[atom.index()]
    }

    pub fn value(&mut self, l: &Linear, forms: &Forms) -> Option<i64> {
        let mut sum = l.constant;
        for (product, factor) in &l.terms {
            let mut term = *factor;
            for atom in forms.factors(*product) {
                term = term.checked_mul(self.value_of_atom(*atom, forms)?)?;
            }
            sum = sum.checked_add(term)?;
        }
        Some(sum)
    }

    fn value_of_atom(&mut self, atom: Atom, forms: &Forms) -> Option<i64> {
        let round = self.round;
        match *self.number(atom) {
            Number::Leaf(number) => return Some(number),
            Number::Value(known, of) if of == round => return known,
            Number::Value(..) | Number::Unknown => {}
        }
        let value = match &**forms.node(atom) {
            Node::Leaf(_) => {
                let first = self.first_number(atom);
                *self.number(atom) = Number::Leaf(first);
                return Some(first);
            }
            Node::Op(op, a, b) => {
                let sides = self.value(a, forms).zip(self.value(b, forms));
                sides.and_then(|(a, b)| match binary(*op, Value::Int(a), Value::Int(b)) {
                    Ok(Value::Int(v)) => Some(v),
                    Ok(_) | Err(_) => None,
                })
            }
            // Proofs hold for both values, so either one will do.
            Node::Select(_, a, b) => self.value(
                if self.chance(atom).is_multiple_of(2) {
                    a
                } else {
                    b
                },
                forms,
            ),
        };
        *self.number(atom) = Number::Value(value, round);
        value
    }

    fn first_number(&self, leaf: Atom) -> i64 {
        let (from, to) = match self.seed % 4 {
            0 => (1, 4),
            1 => (2, 40),
            2 => (30, 3000),
            _ => (1000, 100_000),
        };
        (from + self.chance(leaf) % (to - from)) as i64
    }

    fn chance(&self, atom: Atom) -> u64 {
        FxBuildHasher.hash_one((self.seed, atom)) >> 20
    }

    /// True if a fact holds for these numbers.
    fn holds(&mut self, said: &Said, forms: &Forms) -> bool {
        match said {
            Said::Unit(atom, least, unit) => self
                .value_of_atom(*atom, forms)
                .is_some_and(|v| v >= *least && (v == 0 || *unit != 0 && v % unit == 0)),
            Said::Divides(l, by) => self.value(l, forms).is_some_and(|v| v % by == 0),
            Said::AtMost(..) | Said::AtLeast(..) | Said::Order(..) => {
                self.excess(said, forms).is_some_and(|v| v <= 0)
            }
        }
    }

    /// Returns by how much the lower side exceeds the upper one.
    fn excess(&mut self, said: &Said, forms: &Forms) -> Option<i64> {
        let (low, high) = match said {
            Said::AtMost(atom, high) => (self.value_of_atom(*atom, forms), self.value(high, forms)),
            Said::AtLeast(atom, low) => (self.value(low, forms), self.value_of_atom(*atom, forms)),
            Said::Order(low, high) => (self.value(low, forms), self.value(high, forms)),
            Said::Unit(..) | Said::Divides(..) => (None, None),
        };
        low?.checked_sub(high?)
    }

    /// Extends the witness to one more fact. It may change the number of one leaf, if all earlier
    /// facts still hold.
    pub fn hears<'a>(
        mut self,
        last: &Said,
        before: impl FnOnce() -> Vec<&'a Said>,
        forms: &Forms,
    ) -> Option<Witness> {
        if self.holds(last, forms) {
            return Some(self);
        }
        let before = before();
        for leaf in leaves(last, forms) {
            let now = self.value_of_atom(leaf, forms)?;
            for other in self.others(leaf, now, last, &before, forms) {
                self.choose(leaf, other);
                if self.holds(last, forms) && before.iter().all(|said| self.holds(said, forms)) {
                    return Some(self);
                }
            }
            self.choose(leaf, now);
        }
        None
    }

    fn choose(&mut self, leaf: Atom, number: i64) {
        *self.number(leaf) = Number::Leaf(number);
        self.round += 1;
    }

    /// Returns numbers for a leaf with which the last fact may hold.
    fn others(
        &mut self,
        leaf: Atom,
        now: i64,
        last: &Said,
        before: &[&Said],
        forms: &Forms,
    ) -> Vec<i64> {
        let own = |said: &&Said| matches!(said, Said::Unit(atom, ..) if *atom == leaf);
        let (least, unit) = match before.iter().copied().chain([last]).rfind(own) {
            Some(Said::Unit(_, least, unit)) => (*least, (*unit).max(1)),
            // Without a fact, a leaf is at least 0; block and core counts and bytes are at least 1.
            _ => (
                i64::from(matches!(
                    **forms.node(leaf),
                    Node::Leaf(Scalar::BlockDim | Scalar::Chip(_))
                )),
                1,
            ),
        };
        let chance = self.chance(leaf) as usize;
        let mut likely = match last {
            Said::Divides(_, by) => vec![now, now.saturating_add(*by)],
            Said::Unit(..) | Said::AtMost(..) | Said::AtLeast(..) | Said::Order(..) => {
                let over = self.excess(last, forms).unwrap_or(0);
                let (lower, higher, some) = (
                    now.saturating_sub(over),
                    now.saturating_add(over),
                    (chance % 5) as i64,
                );
                let least = least.max(0);
                vec![
                    lower,
                    higher,
                    least,
                    least.saturating_add(some.saturating_mul(unit)),
                    least.midpoint(lower),
                    higher.saturating_add(over),
                ]
            }
        };
        // The order varies: if all sizes were as large as possible, loops would have one iteration.
        let first = (chance / 5).checked_rem(likely.len()).unwrap_or(0);
        likely.rotate_left(first);
        let unit = match last {
            Said::Divides(_, by) => unit.saturating_mul(*by),
            Said::Unit(..) | Said::AtMost(..) | Said::AtLeast(..) | Said::Order(..) => unit,
        };
        let aligned = likely.into_iter().flat_map(|v| {
            let down = v.saturating_sub(v.rem_euclid(unit));
            [down, down.saturating_add(unit)]
        });
        aligned.filter(|v| *v >= least && *v != now).collect()
    }
}

/// Returns the leaves of a fact.
fn leaves(said: &Said, forms: &Forms) -> Vec<Atom> {
    let mut found = Vec::new();
    let (atom, sides): (_, [Option<&Linear>; 2]) = match said {
        Said::Unit(atom, ..) => (Some(atom), [None, None]),
        Said::AtMost(atom, l) | Said::AtLeast(atom, l) => (Some(atom), [Some(l), None]),
        Said::Order(low, high) => (None, [Some(low), Some(high)]),
        Said::Divides(l, _) => (None, [Some(l), None]),
    };
    found.extend(atom);
    for leaf in sides.into_iter().flatten().flat_map(|l| forms.leaves(l)) {
        if !found.contains(&leaf) {
            found.push(leaf);
        }
    }
    found
}
