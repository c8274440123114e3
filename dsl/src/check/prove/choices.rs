//! Consequences of orders with a minimum or a maximum on one side.
//!
//! `from < max(min(end, len), from)` implies `from < end`: if something is left of a clipped
//! window, some of it lay inside. Most proofs do without. Only the question if a place is reachable
//! depends on it, and that is asked after a mistake was found.

use super::facts::{Facts, Ordered};
use super::forms::{Linear, Node};
use crate::ir::BinOp;

/// Most orders from which more is derived.
const MOST_ORDERS: usize = 64;

impl Facts {
    /// True if the facts, or consequences of their orders, contradict each other. Then no launch
    /// gets here.
    pub fn are_impossible(&mut self) -> bool {
        if self.contradict() {
            return true;
        }
        let mark = self.mark();
        // The latest facts decide: the places before this one are reachable.
        let mut at = self.ordered.len().saturating_sub(MOST_ORDERS);
        let end = self.ordered.len() + MOST_ORDERS;
        let mut impossible = false;
        while at < self.ordered.len().min(end) && !impossible {
            for (low, high) in self.chosen(&self.ordered[at]) {
                impossible |= self.is_below(&high, &low);
                self.ordered_forms(low, high);
            }
            at += 1;
        }
        impossible = impossible || self.contradict();
        self.back(mark);
        impossible
    }

    /// Returns the orders that follow from one.
    fn chosen(&self, order: &Ordered) -> Vec<(Linear, Linear)> {
        let Ordered { low, high, .. } = order;
        let mut found = Vec::new();
        if let Some((BinOp::Max, a, b)) = self.one_of_two(low) {
            found.extend([(a, high.clone()), (b, high.clone())]);
        }
        match self.one_of_two(high) {
            Some((BinOp::Min, a, b)) => found.extend([(low.clone(), a), (low.clone(), b)]),
            Some((BinOp::Max, a, b)) if self.is_below(&b, low) => found.push((low.clone(), a)),
            Some((BinOp::Max, a, b)) if self.is_below(&a, low) => found.push((low.clone(), b)),
            Some(_) | None => {}
        }
        found
    }

    /// Returns the operands of a size that is a minimum or a maximum.
    fn one_of_two(&self, l: &Linear) -> Option<(BinOp, Linear, Linear)> {
        let work = self.work.borrow();
        let [atom] = work.forms.factors(l.as_product()?) else {
            return None;
        };
        match &**work.forms.node(*atom) {
            Node::Op(op @ (BinOp::Min | BinOp::Max), a, b) => Some((*op, a.clone(), b.clone())),
            Node::Op(..) | Node::Leaf(_) | Node::Select(..) => None,
        }
    }

    fn is_below(&self, a: &Linear, b: &Linear) -> bool {
        let excess = a.plus(&Linear::constant(1), 1).and_then(|a| a.plus(b, -1));
        excess.is_some_and(|l| self.query().never_positive(l.reduced()))
    }
}
