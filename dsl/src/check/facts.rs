//! What is known of the sizes at one point of a kernel: definitions, bounds, divisors, and what `require` and the
//! conditions around say.
//!
//! Variables that a kernel assigns to are atoms: nothing that mentions one is kept, since it may change.

use super::linear::{without, Linear, Product};
use crate::ir::linear::Definitions;
use crate::ir::{BinOp, Body, HostStep, Known, Lowered, Scalar, ScalarTy, Signature, UnOp, VarId, Variant};
use crate::lower::gcd;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the variables.
#[derive(Default)]
pub(super) struct Facts {
    /// Definitions of let-bound variables.
    lets: Definitions,
    /// Least value.
    least: BTreeMap<VarId, i64>,
    /// Expressions that are at most the variable, and at least.
    low: BTreeMap<VarId, Scalar>,
    high: BTreeMap<VarId, Scalar>,
    /// Known divisors of variables.
    multiples: BTreeMap<VarId, i64>,
    /// Pairs of which the first is at most the second.
    ordered: Vec<(Scalar, Scalar)>,
    /// Expressions with a known divisor.
    divisible: Vec<(Linear, i64)>,
    /// Variables that may change.
    mutable: BTreeSet<VarId>,
    /// What was asked since the facts last changed, with the answer.
    pub(super) asked: RefCell<Vec<(Scalar, Scalar, bool)>>,
}

/// A point to go back to where a scope ends.
pub(super) struct Mark(usize, usize);

impl Facts {
    /// What the signature says: its `require`d facts, and that a `usize` is not negative.
    pub fn new(sig: &Signature, body: &Body) -> Facts {
        let mutable = body.var_ids().filter(|v| body.var(*v).mutable).collect();
        let mut facts = Facts { mutable, ..Facts::default() };
        sig.facts.iter().for_each(|fact| facts.assume(&fact.cond));
        facts
    }

    /// What holds where a variant of a lowered kernel runs: what the host computed and demanded, and the shares.
    pub fn of(lowered: &Lowered, variant: &Variant) -> Facts {
        let mut facts = Facts::new(&lowered.sig, &variant.body);
        for step in lowered.steps.iter().chain(&variant.steps) {
            match step {
                HostStep::Let { var, value } => facts.define(*var, value),
                HostStep::Solve { var, step, .. } => facts.unit(*var, 0, *step),
                HostStep::Require { cond, .. } => facts.assume(cond),
                // Bytes say nothing of elements here.
                HostStep::Fits { .. } => {}
            }
        }
        facts.assume(&variant.when);
        for Known::Share { start, len, total, unit } in &variant.known {
            // Only the last share may be ragged, and only where the total is.
            let whole = facts.multiple_of(total) % unit == 0;
            facts.unit(*start, 0, *unit);
            facts.unit(*len, 0, if whole { *unit } else { 1 });
            facts.at_most(*start, total);
            facts.at_most(*len, &(total.clone() - *start));
        }
        facts
    }

    pub fn mark(&self) -> Mark {
        Mark(self.ordered.len(), self.divisible.len())
    }

    pub fn back(&mut self, mark: Mark) {
        self.asked.get_mut().clear();
        self.ordered.truncate(mark.0);
        self.divisible.truncate(mark.1);
    }

    /// `s` with every let-bound variable replaced by its definition.
    pub fn inline(&self, s: &Scalar) -> Scalar {
        self.lets.write_out(s)
    }

    /// More is known from here on: what was proved stays proved.
    fn learn(&mut self) {
        self.asked.get_mut().retain(|(.., proved)| *proved);
    }

    /// Notes that `var` stands for `value`; of a definition too long to be written out the divisor and the least value.
    pub fn define(&mut self, var: VarId, value: &Scalar) {
        self.learn();
        let value = self.inline(value);
        if self.is_fixed(&value) && !self.mutable.contains(&var) && !self.lets.define(var, &value) {
            let multiple = self.multiple_of(&value);
            self.multiples.insert(var, multiple);
            if let Some(least) = self.least_of(&value) {
                self.least.insert(var, least);
            }
        }
    }

    /// `var` is at least `least`, and a multiple of `unit`.
    pub fn unit(&mut self, var: VarId, least: i64, unit: i64) {
        self.learn();
        self.least.insert(var, least);
        self.multiples.insert(var, unit);
    }

    pub fn at_most(&mut self, var: VarId, bound: &Scalar) {
        self.learn();
        let bound = self.inline(bound);
        if self.is_fixed(&bound) {
            self.high.insert(var, bound);
        }
    }

    /// `var` runs over `from..to`, and stands in a turn of that loop.
    pub fn runs(&mut self, var: VarId, from: &Scalar, to: &Scalar) {
        self.asked.get_mut().clear();
        if var.ty() != ScalarTy::Index {
            return;
        }
        let from = self.inline(from);
        if let Some(least) = self.least_of(&from) {
            self.least.insert(var, least);
        }
        self.at_most(var, &(to.clone() - 1));
        self.assume(&from.clone().bin(BinOp::Lt, to.clone()));
        if self.is_fixed(&from) {
            self.low.insert(var, from);
        }
    }

    /// True where no later assignment changes `s`.
    fn is_fixed(&self, s: &Scalar) -> bool {
        let mut fixed = true;
        s.walk(&mut |n| fixed &= !matches!(n, Scalar::Var(v) if self.mutable.contains(v)));
        fixed
    }

    /// Takes a condition as known.
    pub fn assume(&mut self, cond: &Scalar) {
        self.learn();
        let (op, a, b) = match self.inline(cond) {
            Scalar::Bin(op, a, b) => (op, (*a).clone(), (*b).clone()),
            Scalar::Bool(false) => return self.ordered.push((Scalar::Int(1), Scalar::Int(0))),
            Scalar::Un(UnOp::Not, cond) => return self.assume_not(&cond),
            _ => return,
        };
        if op == BinOp::And {
            self.assume(&a);
            self.assume(&b);
            return;
        }
        // Only sizes are proved.
        if a.ty() != ScalarTy::Index || !(self.is_fixed(&a) && self.is_fixed(&b)) {
            return;
        }
        match op {
            BinOp::Le => self.ordered.push((a, b)),
            BinOp::Ge => self.ordered.push((b, a)),
            BinOp::Lt => self.ordered.push((a + 1, b)),
            BinOp::Gt => self.ordered.push((b + 1, a)),
            BinOp::Eq => {
                self.assume_divisor(&a, &b);
                self.assume_divisor(&b, &a);
                self.ordered.extend([(a.clone(), b.clone()), (b, a)]);
            }
            _ => {}
        }
    }

    /// What `a == b` says of the divisors of `a`.
    fn assume_divisor(&mut self, a: &Scalar, b: &Scalar) {
        let (whole, by) = match (a, b) {
            (Scalar::Bin(BinOp::Rem, whole, by), Scalar::Int(0)) => (&**whole, self.multiple_of(by)),
            _ => (a, self.multiple_of(b)),
        };
        if let (Some(whole), true) = (Linear::of(whole), by > 1) {
            self.divisible.push(match &whole.terms[..] {
                // Of twice a number that 8 divides, 4 divides the number.
                [(factor, f)] if whole.constant == 0 => {
                    (Linear::product(factor.clone()), by / gcd(by, f.checked_abs().unwrap_or(1)))
                }
                _ => (whole, by),
            });
        }
    }

    /// Takes a condition as known not to hold.
    pub fn assume_not(&mut self, cond: &Scalar) {
        let (op, a, b) = match self.inline(cond) {
            Scalar::Bin(BinOp::Or, a, b) => {
                self.assume_not(&a);
                return self.assume_not(&b);
            }
            Scalar::Bin(op, a, b) => (op, a, b),
            Scalar::Un(UnOp::Not, cond) => return self.assume(&cond),
            _ => return,
        };
        let opposite = match op {
            BinOp::Lt => BinOp::Ge,
            BinOp::Le => BinOp::Gt,
            BinOp::Gt => BinOp::Le,
            BinOp::Ge => BinOp::Lt,
            BinOp::Ne => BinOp::Eq,
            _ => return,
        };
        self.assume(&Scalar::Bin(opposite, a, b));
    }

    /// The pairs of which the first is at most the second.
    pub(super) fn ordered(&self) -> &[(Scalar, Scalar)] {
        &self.ordered
    }

    // ---- divisors ----

    /// The largest number known to divide `s`; 0 for 0.
    pub fn multiple_of(&self, s: &Scalar) -> i64 {
        let Some(form) = Linear::of(&self.inline(s)) else { return 1 };
        let magnitude = |v: i64| v.checked_abs().unwrap_or(1 << 62);
        let term = |(p, f): &(Product, i64)| magnitude(*f).saturating_mul(self.multiple_of_product(p));
        let by_terms = form.terms.iter().map(term).fold(magnitude(form.constant), gcd);
        // A whole sum may be known to be divisible where its terms are not.
        let whole = |(known, _): &&(Linear, i64)| known.terms.len() + usize::from(known.constant != 0) > 1 && *known == form;
        self.divisible.iter().find(whole).map_or(by_terms, |(_, by)| by_terms.max(*by))
    }

    fn multiple_of_product(&self, product: &Product) -> i64 {
        let atoms = |p: &[Scalar]| p.iter().map(|a| self.multiple_of_atom(a)).fold(1, i64::saturating_mul);
        let known = self.divisible.iter().filter_map(|(known, by)| match known.terms.as_slice() {
            [(factor, 1)] if known.constant == 0 => without(product, factor).map(|rest| by.saturating_mul(atoms(&rest))),
            _ => None,
        });
        known.fold(atoms(product), lcm)
    }

    fn multiple_of_atom(&self, atom: &Scalar) -> i64 {
        match atom {
            Scalar::Var(v) => self.multiples.get(v).copied().unwrap_or(1),
            Scalar::Bin(BinOp::Min | BinOp::Max, a, b) | Scalar::Select(_, a, b) => gcd(self.multiple_of(a), self.multiple_of(b)),
            Scalar::Bin(BinOp::AlignUp, _, b) => self.multiple_of(b).max(1),
            Scalar::Bin(BinOp::Div | BinOp::CeilDiv, a, b) => match (self.multiple_of(a), b.as_int()) {
                (m, Some(d)) if d > 0 && m % d == 0 => m / d,
                _ => 1,
            },
            _ => 1,
        }
    }

    // ---- bounds of atoms ----

    /// A constant that `s` is never below.
    pub(super) fn least_of(&self, s: &Scalar) -> Option<i64> {
        let said = self.ordered.iter().filter(|(_, high)| high == s).filter_map(|(low, _)| low.as_int());
        self.least_by_form(s).into_iter().chain(said).max()
    }

    fn least_by_form(&self, s: &Scalar) -> Option<i64> {
        let both = |a: &Scalar, b: &Scalar| Some((self.least_of(a)?, self.least_of(b)?));
        match s {
            Scalar::Axis(_) | Scalar::BlockIdx => Some(0),
            Scalar::Attr(_, ScalarTy::Index) => Some(0),
            Scalar::BlockDim | Scalar::Chip(_) => Some(1),
            Scalar::Int(v) => Some(*v),
            Scalar::Var(v) => self.least.get(v).copied(),
            Scalar::Bin(BinOp::Mul, a, b) => both(a, b).filter(|(x, y)| *x >= 0 && *y >= 0).and_then(|(x, y)| x.checked_mul(y)),
            Scalar::Bin(BinOp::Add, a, b) => both(a, b).and_then(|(x, y)| x.checked_add(y)),
            Scalar::Bin(BinOp::Min, a, b) => both(a, b).map(|(x, y)| x.min(y)),
            Scalar::Select(_, a, b) => both(a, b).map(|(x, y)| x.min(y)),
            Scalar::Bin(BinOp::Max, a, b) => self.least_of(a).max(self.least_of(b)),
            Scalar::Bin(BinOp::Rem, a, b) => both(a, b).filter(|(x, y)| *x >= 0 && *y >= 1).map(|_| 0),
            Scalar::Bin(op @ (BinOp::Div | BinOp::CeilDiv | BinOp::AlignUp), a, b) => {
                let (x, _) = both(a, b).filter(|(x, y)| *x >= 0 && *y >= 1)?;
                let rises = matches!(s, Scalar::Bin(BinOp::CeilDiv | BinOp::AlignUp, ..));
                let least = i64::from(rises && x > 0);
                // They rise with their left operand.
                match (Scalar::Int(x).bin(*op, (**b).clone())).as_int() {
                    Some(rounded) => Some(rounded),
                    None => Some(least),
                }
            }
            _ => None,
        }
    }

    /// A constant that a product is never below, where none of its atoms is negative.
    pub(super) fn least_of_product(&self, product: &[Scalar]) -> Option<i64> {
        product.iter().try_fold(1i64, |all, a| all.checked_mul(self.least_of(a).filter(|v| *v >= 0)?))
    }

    /// Expressions that `s` is never above.
    pub(super) fn above(&self, s: &Scalar) -> Vec<Scalar> {
        let mut found = Vec::new();
        match s {
            Scalar::Var(v) => found.extend(self.high.get(v).cloned()),
            Scalar::Bin(BinOp::Min, a, b) => found.extend([(**a).clone(), (**b).clone()]),
            // These rise with their left operand.
            Scalar::Bin(op @ (BinOp::Div | BinOp::CeilDiv | BinOp::AlignUp), a, b) if self.least_of(b) >= Some(1) => {
                found.extend(self.above(a).into_iter().map(|a| a.bin(*op, (**b).clone())));
            }
            Scalar::Bin(BinOp::Mul, a, b) => found.extend(self.in_product(a, b, Facts::above)),
            Scalar::Bin(BinOp::Rem, a, b) if self.least_of(a) >= Some(0) && self.least_of(b) >= Some(1) => {
                found.extend([(**b).clone() - 1, (**a).clone()]);
            }
            _ => {}
        }
        if !matches!(s, Scalar::Int(_)) {
            found.extend(self.ordered.iter().filter(|(low, _)| low == s).map(|(_, high)| high.clone()));
        }
        found
    }

    /// Expressions that `s` is never below.
    pub(super) fn below(&self, s: &Scalar) -> Vec<Scalar> {
        match s {
            Scalar::Var(v) => self.low.get(v).cloned().into_iter().collect(),
            Scalar::Bin(BinOp::Max, a, b) => vec![(**a).clone(), (**b).clone()],
            // These rise with their left operand.
            Scalar::Bin(op @ (BinOp::Div | BinOp::CeilDiv | BinOp::AlignUp), a, b) if self.least_of(b) >= Some(1) => {
                let rounded = (*op == BinOp::AlignUp).then(|| (**a).clone());
                rounded.into_iter().chain(self.below(a).into_iter().map(|a| a.bin(*op, (**b).clone()))).collect()
            }
            Scalar::Bin(BinOp::Mul, a, b) => self.in_product(a, b, Facts::below),
            _ => Vec::new(),
        }
    }

    /// What bounds a product, by what bounds one factor where the other one is not negative.
    fn in_product(&self, a: &Scalar, b: &Scalar, bounds: impl Fn(&Facts, &Scalar) -> Vec<Scalar>) -> Vec<Scalar> {
        let natural = |s: &Scalar| self.least_of(s) >= Some(0);
        let left = natural(b).then(|| bounds(self, a).into_iter().map(|a| a * b.clone()));
        let right = natural(a).then(|| bounds(self, b).into_iter().map(|b| a.clone() * b));
        left.into_iter().flatten().chain(right.into_iter().flatten()).collect()
    }
}

fn lcm(a: i64, b: i64) -> i64 {
    match gcd(a, b) {
        0 => 0,
        g => (a / g).saturating_mul(b),
    }
}
