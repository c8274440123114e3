//! Facts about sizes at one point of a kernel: definitions, bounds, divisors, and the conditions of
//! `require` and of the statements around.
//!
//! Facts about a variable that the kernel assigns to would become stale. Only a walk that follows
//! the assignments keeps them (`names`). Start reading at [`Facts::of`] and [`Facts::proves_le`].

use super::forms::{Atom, Linear, Node, Product};
use super::query::{Point, Query, Said, Work};
use super::Look;
use crate::ir::linear::gcd;
use crate::ir::queue::Body;
use crate::ir::{
    stmt, BinOp, ChipFact, Dialect, Dim, Extent, HostStep, Instr, Known, Layout, Lowered, Promised,
    QueueStmt, Scalar, ScalarTy, Signature, StmtKind, UnOp, VarId, Variant,
};
use crate::soc::Chip;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Most nodes of a size that is inlined; sizes that people write have about twenty.
const MAX_NODES: u32 = 300;

/// The facts at one point of a kernel.
#[derive(Default)]
pub struct Facts {
    /// Values of let-bound variables as written; for sizes the form, too.
    pub(super) lets: FxHashMap<VarId, (Scalar, Option<Linear>)>,
    /// Least values of atoms.
    pub(super) least: FxHashMap<Atom, i64>,
    /// Lower bounds of variables, and upper ones in `high`.
    pub(super) low: FxHashMap<Atom, Linear>,
    pub(super) high: FxHashMap<Atom, Linear>,
    pub(super) multiples: FxHashMap<Atom, i64>,
    /// Pairs of sizes in a known order.
    pub(super) ordered: Vec<Ordered>,
    /// Sizes with a known divisor.
    pub(super) divisible: Vec<(Linear, i64)>,
    /// Variables that the kernel assigns to.
    pub(super) mutable: BTreeSet<VarId>,
    /// Number of variables of the body. The names of assigned variables are numbered behind them.
    pub(super) vars: usize,
    /// The variable that each name stands for.
    pub(super) names: Vec<VarId>,
    /// Sizes of axes that are sums, `(h - k) / s + 1`, each with the atom that stands for it.
    /// Multiplied out, such a size would be no stride.
    pub(super) sums: FxHashMap<Linear, Linear>,
    /// Upper bounds of products, such as those by the room in UB. They are looked up: an order
    /// would be one more step to try in each search.
    pub(super) most: FxHashMap<Product, i64>,
    /// Disjunctions that the host demands: at least one condition of each holds.
    either: Vec<Scalar>,
    /// Variables of shares, of which more is known than their formula says.
    shares: BTreeSet<VarId>,
    /// Shares that a core computes, by their length variables. Their facts hold from there on.
    on_core: FxHashMap<VarId, Known>,
    /// Results that follow from these facts.
    pub(super) work: RefCell<Work>,
}

/// Two sizes of which `low` is at most `high`.
pub(super) struct Ordered {
    pub low: Linear,
    pub high: Linear,
    /// `low - high`, tightened; it is at most 0.
    pub excess: Linear,
}

/// Derives the least value of a product from that of its multiple, or of its sum with a constant:
/// `1 <= 16 * x` gives `1 <= x`.
fn least_of_one(low: &Linear, high: &Linear) -> Option<(i64, Product)> {
    let (least, [(product, factor)]) = (low.as_int()?.checked_sub(high.constant)?, &high.terms[..])
    else {
        return None;
    };
    let is_other = *factor > 1 || *factor == 1 && high.constant != 0;
    // Rounds toward plus infinity.
    let down = least.checked_neg()?.div_euclid(*factor);
    is_other.then_some((-down, *product))
}

/// Collects the divisors in `s`. They are nonzero wherever `s` has a value: the host refuses a
/// launch that divides by 0.
fn divisors(s: &Scalar, found: &mut Vec<Scalar>) {
    match s {
        Scalar::Bin(op, a, b) => {
            divisors(a, found);
            match op {
                // The right operand is not always evaluated.
                BinOp::And | BinOp::Or => return,
                BinOp::Div | BinOp::Rem | BinOp::CeilDiv | BinOp::AlignUp => {
                    if b.ty() == ScalarTy::Index {
                        found.push((**b).clone());
                    }
                }
                BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Min | BinOp::Max => {}
                BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne => {}
            }
            divisors(b, found);
        }
        Scalar::Un(_, a) | Scalar::Cast(_, a) => divisors(a, found),
        Scalar::Select(cond, ..) => divisors(cond, found),
        Scalar::Int(_)
        | Scalar::I32(_)
        | Scalar::Float(_)
        | Scalar::Bool(_)
        | Scalar::SizeOf(_) => {}
        Scalar::Axis(_)
        | Scalar::Attr(..)
        | Scalar::Chip(_)
        | Scalar::Var(_)
        | Scalar::BlockIdx
        | Scalar::BlockDim => {}
    }
}

/// Finds the variables that are factors in offsets and row pitches in GM.
fn strides(body: &Body) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    let mut factors = |s: &Scalar| {
        s.walk(&mut |n| {
            if let Scalar::Bin(BinOp::Mul, a, b) = n {
                [a, b].iter().for_each(|factor| {
                    if let Scalar::Var(var) = &***factor {
                        found.insert(*var);
                    }
                });
            }
        });
    };
    body.walk(&mut |s| {
        let StmtKind::Do(QueueStmt::Instr { instr }) = &s.kind else {
            return;
        };
        for (_, view) in instr.views().filter(|(_, view)| view.global().is_some()) {
            factors(&view.offset);
            if let Layout::Rows { pitch } = &view.layout {
                factors(pitch);
            }
        }
    });
    found
}

/// A state of the facts, to which the end of a scope returns.
pub struct Mark(usize, usize, Point);

impl Facts {
    /// Returns facts that know only which variables of a body are mutable.
    pub fn none<L: Dialect>(body: &stmt::Body<L>) -> Facts {
        let mutable = body.var_ids().filter(|v| body.var(*v).mutable).collect();
        Facts {
            mutable,
            vars: body.vars.len(),
            ..Facts::default()
        }
    }

    /// Returns the facts of the signature: its requirements, and that sizes are not negative.
    pub fn new<L: Dialect>(sig: &Signature, body: &stmt::Body<L>) -> Facts {
        let mut facts = Facts::none(body);
        facts.sums_of(sig);
        sig.facts.iter().for_each(|fact| facts.demanded(&fact.cond));
        // A named sum is at least what the requirements on its parts imply.
        let sums: Vec<(Linear, Linear)> = facts
            .sums
            .iter()
            .map(|(form, alone)| (form.clone(), alone.clone()))
            .collect();
        for (form, alone) in sums {
            let least = facts.query().least_of(&form).filter(|least| *least > 0);
            least
                .into_iter()
                .for_each(|least| facts.ordered_forms(Linear::constant(least), alone.clone()));
        }
        facts
    }

    /// Names the sizes of axes that are sums. No axis has a negative size.
    fn sums_of(&mut self, sig: &Signature) {
        for (id, ..) in sig.tensors() {
            for dim in sig.shape(id) {
                let Dim::Expr { size } = dim else { continue };
                let Some(form) = self.form(size) else {
                    continue;
                };
                if self.is_op(&form) {
                    self.ordered_forms(Linear::constant(0), form);
                } else {
                    self.named_sum(size, form);
                }
            }
        }
    }

    /// Names a size that is a nonnegative sum.
    fn named_sum(&mut self, size: &Scalar, form: Linear) {
        if form.terms.len() + usize::from(form.constant != 0) <= 1 || self.sums.contains_key(&form)
        {
            return;
        }
        let Some(atom) = self.work.get_mut().forms.atom(Node::Leaf(size.clone())) else {
            return;
        };
        let alone = self.work.get_mut().forms.alone(atom);
        self.work.get_mut().say(Said::Unit(atom, 0, 1));
        self.least.insert(atom, 0);
        self.sums.insert(form.clone(), alone.clone());
        self.ordered_forms(form.clone(), alone.clone());
        self.ordered_forms(alone, form);
    }

    /// Names a nonnegative sum that the host computes of sizes alone. It is the size of an axis of
    /// a view or of a workspace, and a stride of the axes around.
    fn sum_of_sizes(&mut self, value: &Scalar) {
        let Scalar::Bin(BinOp::Add | BinOp::Sub, ..) = value else {
            return;
        };
        let mut of_sizes = value.ty() == ScalarTy::Index;
        value.walk(&mut |n| {
            of_sizes &= match n {
                Scalar::Int(_) | Scalar::Axis(_) | Scalar::Attr(..) | Scalar::Bin(..) => true,
                Scalar::Un(..) | Scalar::Select(..) | Scalar::Cast(..) | Scalar::Var(_) => false,
                Scalar::I32(_) | Scalar::Float(_) | Scalar::Bool(_) | Scalar::Chip(_) => false,
                Scalar::SizeOf(_) | Scalar::BlockIdx | Scalar::BlockDim => false,
            };
        });
        let Some(form) = self.form(value).filter(|_| of_sizes) else {
            return;
        };
        if self.proves_le(&Scalar::Int(0), value) {
            self.named_sum(value, form);
        }
    }

    /// True for a quotient, or another single op on two sizes.
    fn is_op(&self, form: &Linear) -> bool {
        let work = self.work.borrow();
        let factors = form.as_product().map(|product| work.forms.factors(product));
        matches!(factors, Some([atom]) if matches!(**work.forms.node(*atom), Node::Op(..)))
    }

    /// Returns the facts that hold where a variant runs: values and demands of the host, and
    /// shares.
    pub fn of(lowered: &Lowered, variant: &Variant) -> Facts {
        let mut facts = Facts::new(&lowered.sig, &variant.body);
        for known in &variant.known {
            match known {
                Known::Share { start, len, .. } => facts.shares.extend([*start, *len]),
                Known::Part { part, .. } => facts.shares.extend([*part]),
                Known::Most { .. } => {}
            }
        }
        let strides = strides(&variant.body);
        for step in lowered.steps(variant) {
            match step {
                HostStep::Let { var, value } => {
                    if strides.contains(var) {
                        facts.sum_of_sizes(value);
                    }
                    facts.define(*var, value);
                    facts.no_less_than_its_axes(*var, value);
                }
                HostStep::Solve { var, step, max, .. } => {
                    facts.unit(*var, 0, *step);
                    facts.at_most(*var, &max.clone().align_up(*step));
                }
                HostStep::Require { of_field: true, .. } => {}
                HostStep::Require {
                    cond,
                    of_field: false,
                    ..
                } => facts.demanded(cond),
                // `remember_memory` derives bounds of elements from these bytes.
                HostStep::Fits { .. } => {}
            }
        }
        facts.assume(&lowered.case(variant).when);
        facts.assume(&variant.when);
        facts.blocks(variant);
        for known in &variant.known {
            match known {
                Known::Share { len, .. } if variant.is_shared_on_core(known) => {
                    facts.on_core.insert(*len, known.clone());
                }
                Known::Share { .. } => facts.share(known),
                Known::Part { part, of } => {
                    let some = facts.least_of(&(*of).into()) >= Some(1);
                    facts.unit(*part, i64::from(some), 1);
                    facts.at_most(*part, &(*of).into());
                }
                // The front end claims this bound without a proof.
                Known::Most { .. } => {}
            }
        }
        facts
    }

    /// Returns a nonnegative lower bound of a footprint without its roundings, if one is seen.
    fn taken_at_least(&self, bytes: &Scalar) -> Option<Linear> {
        match bytes {
            Scalar::Bin(BinOp::Add, a, b) => {
                self.taken_at_least(a)?.plus(&self.taken_at_least(b)?, 1)
            }
            Scalar::Bin(BinOp::Mul, a, b) => {
                let (a, b) = (self.taken_at_least(a)?, self.taken_at_least(b)?);
                self.work.borrow_mut().forms.times(&a, &b)
            }
            Scalar::Bin(BinOp::AlignUp, a, by) if by.as_int() >= Some(1) => self.taken_at_least(a),
            // A maximum is at least each of its operands.
            Scalar::Bin(BinOp::Max, a, b) => self
                .taken_at_least(a)
                .filter(|a| !a.terms.is_empty())
                .or_else(|| self.taken_at_least(b)),
            Scalar::Select(_, a, b) => match (self.as_int(a), self.as_int(b)) {
                (Some(a), Some(b)) if a.min(b) >= 0 => Some(Linear::constant(a.min(b))),
                _ => (self.least_of(bytes) >= Some(0)).then(Linear::default),
            },
            Scalar::Bin(..) => (self.least_of(bytes) >= Some(0)).then(Linear::default),
            Scalar::Int(_)
            | Scalar::Var(_)
            | Scalar::Axis(_)
            | Scalar::Attr(..)
            | Scalar::Chip(_) => self.form(bytes).filter(|_| self.least_of(bytes) >= Some(0)),
            Scalar::I32(_)
            | Scalar::Float(_)
            | Scalar::Bool(_)
            | Scalar::SizeOf(_)
            | Scalar::BlockIdx
            | Scalar::BlockDim => None,
            Scalar::Un(..) | Scalar::Cast(..) => None,
        }
    }

    /// Adds the bounds that the room in UB and the limits on fields give, for the check of limits.
    pub fn remember_memory(&mut self, lowered: &Lowered, variant: &Variant) {
        for step in lowered.steps(variant) {
            match step {
                HostStep::Solve { bytes, limit, .. } | HostStep::Fits { bytes, limit, .. } => {
                    if let Some(taken) = self.taken_at_least(bytes) {
                        self.fit(&taken, *limit);
                    }
                }
                HostStep::Require {
                    cond: Scalar::Bin(BinOp::Le, size, most),
                    of_field: true,
                    ..
                } => {
                    if let Some((size, most)) = self.form(size).zip(most.as_int()) {
                        self.no_more_than(size, most);
                    }
                }
                // `of` has already added these.
                HostStep::Let { .. } | HostStep::Require { .. } => {}
            }
        }
        self.cores_at_most(lowered);
    }

    /// Bounds the cores of a launch by those of the target chip.
    fn cores_at_most(&mut self, lowered: &Lowered) {
        let cores = self.form(&Scalar::Chip(ChipFact::VectorCores));
        if let Some((cores, chip)) = cores.zip(Chip::by_name(&lowered.chip)) {
            self.no_more_than(cores, chip.vector_cores);
        }
    }

    /// Derives bounds from `taken <= bytes`: for each atom, and each pair of atoms in a product,
    /// the most that there is room for.
    fn fit(&mut self, taken: &Linear, bytes: i64) {
        let mut parts: Vec<Linear> = Vec::new();
        for (product, _) in &taken.terms {
            let forms = &mut self.work.get_mut().forms;
            let factors = forms.factors(*product).to_vec();
            let alone: Vec<Linear> = factors.into_iter().map(|atom| forms.alone(atom)).collect();
            for (at, part) in alone.iter().enumerate() {
                let pairs: Vec<Linear> = alone[at + 1..]
                    .iter()
                    .filter_map(|other| forms.times(part, other))
                    .collect();
                parts.extend(
                    pairs
                        .into_iter()
                        .chain([part.clone()])
                        .filter(|part| part.as_product().is_some()),
                );
            }
        }
        let is_new = |(at, part): &(usize, &Linear)| !parts[..*at].contains(*part);
        for (_, part) in parts.iter().enumerate().filter(is_new) {
            let Some(own) = part.as_product() else {
                continue;
            };
            let of_one = taken
                .terms
                .iter()
                .filter(|(_, factor)| *factor > 0)
                .try_fold(0, |sum: i64, (product, factor)| {
                    let Some(others) = self.work.borrow_mut().forms.without(*product, own) else {
                        return Some(sum);
                    };
                    let others = self.work.borrow().forms.factors(others).to_vec();
                    let least = others.into_iter().map(|of| self.least_of_atom(of).max(0));
                    sum.checked_add(least.fold(*factor, i64::saturating_mul))
                });
            if let Some(of_one) = of_one.filter(|bytes| *bytes > 0) {
                self.fits_at_most(part.clone(), (bytes - taken.constant.max(0)) / of_one);
            }
        }
    }

    fn least_of_atom(&self, atom: Atom) -> i64 {
        let alone = self.work.borrow_mut().forms.alone(atom);
        let mut query = self.query();
        let least = query.least_of(&alone).unwrap_or(0);
        // A size that is proved to be positive is at least its divisor.
        match Linear::constant(1)
            .plus(&alone, -1)
            .is_some_and(|none| query.never_positive(none))
        {
            true => query.multiple_of(&alone).max(least).max(1),
            false => least,
        }
    }

    /// Bounds a size, and the operands of its roundings and maxima, which are no larger.
    fn fits_at_most(&mut self, size: Linear, most: i64) {
        let factors = size
            .as_product()
            .map(|product| self.work.borrow().forms.factors(product).to_vec())
            .unwrap_or_default();
        self.no_more_than(size, most);
        for (at, atom) in factors.iter().enumerate() {
            let node = self.work.borrow().forms.node(*atom).clone();
            let (inner, most) = match &*node {
                Node::Op(BinOp::AlignUp, inner, _) => (vec![inner.clone()], Some(most)),
                // A rounded-up quotient of at most `most` has a dividend of at most `most * by`.
                Node::Op(BinOp::CeilDiv, inner, by) => (
                    vec![inner.clone()],
                    by.as_int().and_then(|by| most.checked_mul(by.max(1))),
                ),
                Node::Op(BinOp::Max, a, b) => (vec![a.clone(), b.clone()], Some(most)),
                Node::Op(..) | Node::Leaf(_) | Node::Select(..) => continue,
            };
            let forms = &mut self.work.get_mut().forms;
            let other = factors
                .iter()
                .enumerate()
                .filter(|(of, _)| *of != at)
                .map(|(_, of)| forms.alone(*of))
                .next();
            let inner = inner.into_iter().filter_map(|inner| match &other {
                Some(other) => forms.times(&inner, other),
                None => Some(inner),
            });
            let inner: Vec<Linear> = inner.filter(|inner| !inner.terms.is_empty()).collect();
            if let Some(most) = most {
                inner
                    .into_iter()
                    .for_each(|inner| self.fits_at_most(inner, most));
            }
        }
    }

    /// Adds the fact that a size is at most a constant.
    pub fn no_more_than(&mut self, size: Linear, most: i64) {
        let ([(product, factor @ 1..)], Some(rest)) =
            (&size.terms[..], most.checked_sub(size.constant))
        else {
            return self.ordered_forms(size, Linear::constant(most));
        };
        let (product, of_one) = (*product, rest.div_euclid(*factor));
        self.work.get_mut().say(Said::Order(
            Linear::product(product),
            Linear::constant(of_one),
        ));
        let known = self.most.entry(product).or_insert(of_one);
        *known = of_one.min(*known);
    }

    fn share(&mut self, known: &Known) {
        let Known::Share {
            start,
            len,
            total,
            unit,
        } = known
        else {
            return;
        };
        // Only the last share may be ragged, and only if the total is.
        let whole = self.multiple_of(total) % unit == 0;
        self.unit(*start, 0, *unit);
        self.unit(*len, 0, if whole { *unit } else { 1 });
        self.at_most(*start, total);
        self.at_most(*len, &(total.clone() - *start));
    }

    /// Adds the range of block indices, if the body uses them outside of its shares. The places of
    /// shares have facts of their own.
    fn blocks(&mut self, variant: &Variant) {
        let mut speaks = false;
        variant.body.walk(&mut |s| {
            let share = s.sets().is_some_and(|var| self.shares.contains(&var));
            s.scalars(&mut |e| {
                e.walk(&mut |n| {
                    speaks |= !share && matches!(n, Scalar::BlockIdx | Scalar::BlockDim)
                })
            });
        });
        if speaks {
            let at_most = |low: Scalar, high: &Scalar| low.bin(BinOp::Le, high.clone());
            self.assume(&at_most(Scalar::BlockIdx + 1, &variant.block_dim));
            self.assume(&at_most(Scalar::BlockDim, &variant.block_dim));
            self.assume(&at_most(variant.block_dim.clone(), &Scalar::BlockDim));
        }
    }

    pub fn mark(&self) -> Mark {
        Mark(
            self.ordered.len(),
            self.divisible.len(),
            self.work.borrow().place(),
        )
    }

    pub fn back(&mut self, mark: Mark) {
        self.work.get_mut().back(mark.2);
        self.ordered.truncate(mark.0);
        self.divisible.truncate(mark.1);
    }

    pub fn query(&self) -> Query<'_> {
        Query {
            facts: self,
            work: self.work.borrow_mut(),
        }
    }

    pub(super) fn form(&self, s: &Scalar) -> Option<Linear> {
        self.query().form(s)
    }

    fn atom(&mut self, var: VarId) -> Option<Atom> {
        self.work.get_mut().forms.atom(Node::Leaf(var.into()))
    }

    // ---- adding facts ----

    /// Adds the definition of `var`. If it is too long to inline, only its divisor and its least
    /// value are kept.
    pub fn define(&mut self, var: VarId, value: &Scalar) {
        if let Some(known) = self.on_core.get(&var).cloned() {
            return self.share(&known);
        }
        if self.mutable.contains(&var) || self.shares.contains(&var) {
            return;
        }
        if !self.is_fixed(value) {
            return self.clamp(var, value);
        }
        if var.ty() != ScalarTy::Index {
            self.lets.insert(var, (self.named(value), None));
        } else if let Some(form) = self.form(value) {
            self.lets.insert(var, (self.named(value), Some(form)));
        } else {
            let (least, multiple) = (self.least_of(value), self.multiple_of(value));
            self.unit(var, least.unwrap_or(i64::MIN), multiple);
        }
    }

    /// Keeps the bounds of a minimum that depends on a mutable variable; its definition may change.
    fn clamp(&mut self, var: VarId, value: &Scalar) {
        let Scalar::Bin(BinOp::Min, a, b) = value else {
            return;
        };
        if var.ty() != ScalarTy::Index {
            return;
        }
        self.unit(var, self.least_of(value).unwrap_or(i64::MIN), 1);
        [a, b].into_iter().for_each(|most| self.at_most(var, most));
    }

    /// Finds the axes that a chosen or rounded-up size (a pitch) is at least as large as. This is
    /// done once here instead of in each proof.
    fn no_less_than_its_axes(&mut self, var: VarId, value: &Scalar) {
        let atoms = |l: &Linear| {
            l.terms
                .iter()
                .flat_map(|(p, _)| self.work.borrow().forms.factors(*p).to_vec())
                .collect::<Vec<_>>()
        };
        let Some((_, Some(form))) = self.lets.get(&var) else {
            return;
        };
        let chosen = |atom: Atom| match **self.work.borrow().forms.node(atom) {
            Node::Op(BinOp::Max | BinOp::AlignUp | BinOp::CeilDiv, ..) | Node::Select(..) => true,
            Node::Op(..) | Node::Leaf(_) => false,
        };
        if !matches!(atoms(form)[..], [atom] if chosen(atom)) {
            return;
        }
        let mut axes = Vec::new();
        value.walk(&mut |s| {
            let s = self.meant(s);
            if matches!(s, Scalar::Axis(_)) && !axes.contains(s) {
                axes.push(s.clone());
            }
        });
        axes.retain(|axis| !self.fails_le(axis, &var.into()) && self.proves_le(axis, &var.into()));
        axes.iter().for_each(|axis| self.order(axis, &var.into()));
    }

    /// Adds `least <= var`, and that `unit` divides `var`.
    pub fn unit(&mut self, var: VarId, least: i64, unit: i64) {
        let var = self.name_of(var).unwrap_or(var);
        let Some(atom) = self.atom(var) else { return };
        self.work.get_mut().say(Said::Unit(atom, least, unit));
        self.least.insert(atom, least);
        self.multiples.insert(atom, unit);
    }

    pub fn at_most(&mut self, var: VarId, bound: &Scalar) {
        let var = self.name_of(var).unwrap_or(var);
        if let (true, Some(atom), Some(bound)) =
            (self.is_fixed(bound), self.atom(var), self.form(bound))
        {
            self.work.get_mut().say(Said::AtMost(atom, bound.clone()));
            self.high.insert(atom, bound);
        }
    }

    /// Adds the range `from..to` of a loop variable inside of an iteration.
    pub fn runs(&mut self, var: VarId, from: &Scalar, to: &Scalar) {
        let var = self.name_of(var).unwrap_or(var);
        let Some(atom) = self.atom(var).filter(|_| var.ty() == ScalarTy::Index) else {
            return;
        };
        // Several loops may share one variable.
        self.low.remove(&atom);
        self.high.remove(&atom);
        self.unit(var, self.least_of(from).unwrap_or(i64::MIN), 1);
        self.at_most(var, &(to.clone() - 1));
        self.assume(&from.clone().bin(BinOp::Lt, to.clone()));
        self.begins_below(from, to);
        self.begins_inside(&var.into(), to, true);
        if let (true, Some(from)) = (self.is_fixed(from), self.form(from)) {
            self.work.get_mut().say(Said::AtLeast(atom, from.clone()));
            self.low.insert(atom, from);
        }
    }

    /// Adds that an iteration begins inside of the total, where a loop has one iteration for each
    /// part of it. With `some`, a rest is left. Otherwise an empty total has one iteration, too.
    fn begins_inside(&mut self, var: &Scalar, turns: &Scalar, some: bool) {
        match self.meant(turns).clone() {
            // The loop ends with the smaller one.
            Scalar::Bin(BinOp::Min, a, b) => [a, b]
                .iter()
                .for_each(|end| self.begins_inside(var, end, some)),
            Scalar::Bin(BinOp::Max, a, b) => match (self.as_int(&a), self.as_int(&b)) {
                (Some(1), None) => self.begins_inside(var, &b, false),
                (None, Some(1)) => self.begins_inside(var, &a, false),
                (Some(_) | None, _) => {}
            },
            Scalar::Bin(BinOp::CeilDiv, all, part) => {
                if self.least_of(&part) < Some(1) || (!some && self.least_of(&all) < Some(0)) {
                    return;
                }
                let op = if some { BinOp::Lt } else { BinOp::Le };
                self.assume(&(var.clone() * (*part).clone()).bin(op, (*all).clone()));
                // `part` is a maximum, so the fact holds for both of its operands.
                if let (Scalar::Bin(BinOp::Max, a, b), true) =
                    (self.meant(&part).clone(), self.least_of(var) >= Some(0))
                {
                    for of in [a, b] {
                        if self.as_int(&of).is_none() {
                            self.assume(&(var.clone() * (*of).clone()).bin(op, (*all).clone()));
                        }
                    }
                }
            }
            Scalar::Int(_)
            | Scalar::I32(_)
            | Scalar::Float(_)
            | Scalar::Bool(_)
            | Scalar::Axis(_)
            | Scalar::Attr(..) => {}
            Scalar::Var(_)
            | Scalar::Chip(_)
            | Scalar::SizeOf(_)
            | Scalar::BlockIdx
            | Scalar::BlockDim => {}
            Scalar::Un(..) | Scalar::Bin(..) | Scalar::Select(..) | Scalar::Cast(..) => {}
        }
    }

    /// Adds that the operands of a minimum are positive, where it ends a loop with an iteration.
    fn begins_below(&mut self, from: &Scalar, to: &Scalar) {
        let Scalar::Bin(BinOp::Min, a, b) = self.meant(to).clone() else {
            return;
        };
        for end in [a, b] {
            if self.least_of(from) >= Some(0) {
                self.assume(&Scalar::Int(1).bin(BinOp::Le, (*end).clone()));
            }
            self.begins_below(from, &end);
        }
    }

    /// True if no later assignment changes `s`.
    fn is_fixed(&self, s: &Scalar) -> bool {
        if self.mutable.is_empty() {
            return true;
        }
        let mut fixed = true;
        s.walk(&mut |n| fixed &= !matches!(n, Scalar::Var(v) if self.mutable.contains(v) && self.name_of(*v).is_none()));
        fixed
    }

    /// Returns `s`, or the definition of the variable that it is.
    pub fn meant<'s>(&'s self, mut s: &'s Scalar) -> &'s Scalar {
        while let Scalar::Var(v) = s {
            match self.lets.get(v) {
                Some((value, _)) => s = value,
                None => break,
            }
        }
        s
    }

    /// Replaces every variable by its definition, and a mutable one by its name. Returns `s` itself
    /// if the result gets too long.
    pub fn inline(&self, s: &Scalar) -> Scalar {
        let mut room = MAX_NODES;
        self.written_out(s, &mut room).unwrap_or_else(|| s.clone())
    }

    /// Inlines `s`; returns `None` if that takes more nodes than `room`.
    fn written_out(&self, s: &Scalar, room: &mut u32) -> Option<Scalar> {
        *room = room.checked_sub(1)?;
        let mut part = |s: &Scalar| self.written_out(s, room);
        Some(match s {
            Scalar::Var(v) => match self.lets.get(v) {
                Some((name, _)) if self.mutable.contains(v) => name.clone(),
                // A value that depends on mutable variables keeps its name.
                Some((value, _)) if self.has_names(value) => s.clone(),
                Some((value, _)) => part(value)?,
                None => s.clone(),
            },
            Scalar::Un(op, a) => Scalar::un(*op, part(a)?),
            Scalar::Bin(op, a, b) => part(a)?.bin(*op, part(b)?),
            Scalar::Select(c, a, b) => Scalar::select(part(c)?, part(a)?, part(b)?),
            Scalar::Cast(ty, a) => Scalar::cast(*ty, part(a)?),
            Scalar::Int(_)
            | Scalar::I32(_)
            | Scalar::Float(_)
            | Scalar::Bool(_)
            | Scalar::SizeOf(_) => s.clone(),
            Scalar::Axis(_)
            | Scalar::Attr(..)
            | Scalar::Chip(_)
            | Scalar::BlockIdx
            | Scalar::BlockDim => s.clone(),
        })
    }

    /// Adds a condition that the host evaluates before the launch. It holds, and no divisor in it
    /// is 0. A disjunction is kept until more is known ([`Facts::assume_what_is_left`]).
    pub fn demanded(&mut self, cond: &Scalar) {
        fn all(cond: &Scalar, found: &mut Vec<Scalar>) {
            match cond {
                // Both operands are evaluated where both hold.
                Scalar::Bin(BinOp::And, a, b) => {
                    [a, b].into_iter().for_each(|part| all(part, found))
                }
                _ => divisors(cond, found),
            }
        }
        let mut found = Vec::new();
        all(cond, &mut found);
        for by in found {
            if by.as_int().is_none() && self.is_fixed(&by) && self.least_of(&by) == Some(0) {
                self.order(&Scalar::Int(1), &by);
            }
        }
        self.assume(cond);
        if let Scalar::Bin(BinOp::Or, ..) = cond {
            self.either.push(cond.clone());
        }
    }

    /// Adds a condition that holds.
    pub fn assume(&mut self, cond: &Scalar) {
        match self.meant(cond).clone() {
            Scalar::Bool(false) => self.order(&Scalar::Int(1), &Scalar::Int(0)),
            Scalar::Un(UnOp::Not, cond) => self.assume_not(&cond),
            Scalar::Bin(BinOp::And, a, b) => {
                self.assume(&a);
                self.assume(&b);
            }
            Scalar::Bin(op, a, b) => self.compare(op, &a, &b),
            // As a number, a flag is 1 or 0.
            cond @ Scalar::Attr(..) => self.order(&Scalar::Int(1), &cond),
            // Other conditions say nothing of sizes.
            _ => {}
        }
    }

    /// Adds what is left of demanded disjunctions, once the other conditions contradict the facts.
    /// An example: an index is inside, or the loop has no iteration. Inside of the loop the index
    /// is left. Returns true if that adds facts.
    pub fn assume_what_is_left(&mut self) -> bool {
        fn parts(cond: &Scalar, all: &mut Vec<Scalar>) {
            match cond {
                Scalar::Bin(BinOp::Or, a, b) => {
                    [a, b].into_iter().for_each(|part| parts(part, all))
                }
                _ => all.push(cond.clone()),
            }
        }
        let mut says_more = false;
        for demand in self.either.clone() {
            let mut left = Vec::new();
            parts(&demand, &mut left);
            left.retain(|part| {
                let mark = self.mark();
                self.assume(part);
                let holds = !self.contradict();
                self.back(mark);
                holds
            });
            // If none is left, no launch gets here.
            let none = Scalar::Bool(false);
            if let [] | [_] = &left[..] {
                self.assume(left.first().unwrap_or(&none));
                says_more = true;
            }
        }
        says_more
    }

    /// Adds a promise: a condition, or that a number is an index below another.
    pub fn promise(&mut self, what: &Promised) {
        match what {
            Promised::Fact { cond, .. } => self.assume(cond),
            Promised::Index {
                value: Scalar::Var(var),
                below,
                ..
            } => self.runs(*var, &Scalar::Int(0), below),
            Promised::Index { value, below, .. } => {
                self.assume(&value.clone().bin(BinOp::Ge, 0));
                self.assume(&value.clone().bin(BinOp::Lt, below.clone()));
            }
        }
    }

    /// Adds the range of the count that a masked instruction returns.
    pub fn kept(&mut self, instr: &Instr) {
        if let (true, Some(var), Extent::Count { n }) = (
            instr.op.contract().is_masked_count(),
            instr.result(),
            &instr.extent,
        ) {
            self.runs(var, &Scalar::Int(0), &(n.clone() + 1));
        }
    }

    /// Adds a condition that does not hold.
    pub fn assume_not(&mut self, cond: &Scalar) {
        match self.meant(cond).clone() {
            Scalar::Bool(true) => self.order(&Scalar::Int(1), &Scalar::Int(0)),
            Scalar::Un(UnOp::Not, cond) => self.assume(&cond),
            Scalar::Bin(BinOp::Or, a, b) => {
                self.assume_not(&a);
                self.assume_not(&b);
            }
            Scalar::Bin(BinOp::Lt, a, b) => self.compare(BinOp::Ge, &a, &b),
            Scalar::Bin(BinOp::Le, a, b) => self.compare(BinOp::Gt, &a, &b),
            Scalar::Bin(BinOp::Gt, a, b) => self.compare(BinOp::Le, &a, &b),
            Scalar::Bin(BinOp::Ge, a, b) => self.compare(BinOp::Lt, &a, &b),
            Scalar::Bin(BinOp::Ne, a, b) => self.compare(BinOp::Eq, &a, &b),
            Scalar::Bin(BinOp::Eq, a, b) => self.compare(BinOp::Ne, &a, &b),
            cond @ Scalar::Attr(..) => self.order(&cond, &Scalar::Int(0)),
            // Other conditions say nothing of sizes.
            _ => {}
        }
    }

    /// Adds `a op b` for a comparison of sizes, or of 32-bit integers, each of which is a size.
    fn compare(&mut self, op: BinOp, a: &Scalar, b: &Scalar) {
        if a.ty() == ScalarTy::I32 {
            let [a, b] = [a, b].map(|side| Scalar::cast(ScalarTy::Index, side.clone()));
            return self.compare(op, &a, &b);
        }
        if a.ty() != ScalarTy::Index || !(self.is_fixed(a) && self.is_fixed(b)) {
            return;
        }
        match op {
            BinOp::Le => self.order(a, b),
            BinOp::Ge => self.order(b, a),
            BinOp::Lt => self.order(&(a.clone() + 1), b),
            BinOp::Gt => self.order(&(b.clone() + 1), a),
            BinOp::Eq => {
                self.divides(a, b);
                self.divides(b, a);
                self.order(a, b);
                self.order(b, a);
            }
            // At least as large and not equal means larger.
            BinOp::Ne if self.proves_le(b, a) => self.order(&(b.clone() + 1), a),
            BinOp::Ne if self.proves_le(a, b) => self.order(&(a.clone() + 1), b),
            BinOp::Ne => {}
            // These are not comparisons.
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Rem
            | BinOp::CeilDiv
            | BinOp::Min
            | BinOp::Max => {}
            BinOp::AlignUp | BinOp::And | BinOp::Or => {}
        }
    }

    fn order(&mut self, low: &Scalar, high: &Scalar) {
        if let Some((low, high)) = self.form(low).zip(self.form(high)) {
            self.ordered_forms(low, high);
        }
    }

    pub(super) fn ordered_forms(&mut self, low: Linear, high: Linear) {
        let Some(excess) = low.plus(&high, -1) else {
            return;
        };
        let excess = self.query().tightened(excess);
        self.work
            .get_mut()
            .say(Said::Order(low.clone(), high.clone()));
        let product = high.as_product().filter(|_| low.as_int() >= Some(1));
        let of_one = least_of_one(&low, &high);
        self.ordered.push(Ordered { low, high, excess });
        if let Some(product) = product {
            self.none_is_zero(product);
        }
        if let Some((least, product)) = of_one {
            self.ordered_forms(Linear::constant(least), Linear::product(product));
        }
    }

    /// Adds that factors are at least 1, for a product of at least 1 without negative factors.
    fn none_is_zero(&mut self, product: Product) {
        if self.query().least_of_product(product).is_none() {
            return;
        }
        let forms = &mut self.work.get_mut().forms;
        let factors = forms.factors(product).to_vec();
        let alone: Vec<Linear> = factors.into_iter().map(|atom| forms.alone(atom)).collect();
        for factor in alone
            .into_iter()
            .filter(|factor| factor.as_product() != Some(product))
        {
            if self.query().least_of(&factor) < Some(1) {
                self.ordered_forms(Linear::constant(1), factor);
            }
        }
    }

    /// Derives divisors of `a` from `a == b`.
    fn divides(&mut self, a: &Scalar, b: &Scalar) {
        let (whole, by) = match (self.meant(a), self.as_int(b)) {
            (Scalar::Bin(BinOp::Rem, whole, by), Some(0)) => {
                ((**whole).clone(), self.multiple_of(by))
            }
            _ => (a.clone(), self.multiple_of(b)),
        };
        let Some(whole) = self.form(&whole).filter(|_| by > 1) else {
            return;
        };
        let (whole, by) = match &whole.terms[..] {
            // If 8 divides `2 * n`, then 4 divides `n`.
            [(factor, f)] if whole.constant == 0 => (
                Linear::product(*factor),
                by / gcd(by, f.checked_abs().unwrap_or(1)),
            ),
            _ => (whole, by),
        };
        self.work.get_mut().say(Said::Divides(whole.clone(), by));
        self.divisible.push((whole, by));
    }

    // ---- queries ----

    /// Returns the constant that `s` equals.
    pub fn as_int(&self, s: &Scalar) -> Option<i64> {
        match (self.meant(s), s.ty()) {
            (meant, ScalarTy::Index) => meant.as_int().or_else(|| self.form(s)?.as_int()),
            (meant, ScalarTy::I32 | ScalarTy::F32 | ScalarTy::Bool) => meant.as_int(),
        }
    }

    /// True if both sizes have one form.
    pub fn equal(&self, a: &Scalar, b: &Scalar) -> bool {
        self.form(a).is_some_and(|a| self.form(b) == Some(a))
    }

    /// Returns the largest number known to divide `s`; 0 for 0.
    pub fn multiple_of(&self, s: &Scalar) -> i64 {
        let mut query = self.query();
        let form = query.form(s);
        form.map_or(1, |l| query.multiple_of(&l))
    }

    /// Returns a constant lower bound of `s`.
    pub fn least_of(&self, s: &Scalar) -> Option<i64> {
        let mut query = self.query();
        let form = query.form(s)?;
        query.least_of(&form)
    }

    /// True if `a <= b` is proved.
    pub fn proves_le(&self, a: &Scalar, b: &Scalar) -> bool {
        self.proves_le_by(a, b, Look::Long)
    }

    /// True if a witness shows `a > b`: there is no need to search a proof.
    fn fails_le(&self, a: &Scalar, b: &Scalar) -> bool {
        self.excess(a, b)
            .is_some_and(|l| self.work.borrow_mut().is_refuted(&l))
    }

    /// True if a search of this effort proves `a <= b`.
    pub fn proves_le_by(&self, a: &Scalar, b: &Scalar, look: Look) -> bool {
        self.excess(a, b)
            .is_some_and(|l| self.query().never_positive_by(l, look))
    }

    /// True if no proof of `a > b` exists: `a <= b` is seen, a witness meets it, or it is proved.
    pub fn may_be_le(&self, a: &Scalar, b: &Scalar) -> bool {
        let Some(l) = self.excess(a, b) else {
            return false;
        };
        let mut query = self.query();
        query.is_bounded(&l) || query.may_hold(&l) || query.never_positive(l)
    }

    /// True if one of the pairs is proved to be in order. Cheap tests come first.
    pub fn proves_one(&self, all: [(&Scalar, &Scalar); 2]) -> bool {
        all.iter().any(|(a, b)| self.shows_le(a, b))
            || all.iter().any(|(a, b)| self.proves_le(a, b))
    }

    /// True if `a <= b` is seen without a search.
    pub fn shows_le(&self, a: &Scalar, b: &Scalar) -> bool {
        self.excess(a, b)
            .is_some_and(|l| self.query().is_bounded(&l))
    }

    /// Returns `a - b`, reduced; it is at most 0 exactly if `a <= b`.
    pub fn excess(&self, a: &Scalar, b: &Scalar) -> Option<Linear> {
        let mut query = self.query();
        query
            .form(a)
            .zip(query.form(b))
            .and_then(|(a, b)| a.plus(&b, -1))
            .map(Linear::reduced)
    }

    /// True if a condition is proved: comparisons of sizes, divisibility, and conjunctions.
    pub fn proves(&self, cond: &Scalar) -> bool {
        match self.meant(cond) {
            Scalar::Bool(holds) => *holds,
            Scalar::Bin(BinOp::And, a, b) => self.proves(a) && self.proves(b),
            Scalar::Bin(BinOp::Le, a, b) => self.proves_le(a, b),
            Scalar::Bin(BinOp::Ge, a, b) => self.proves_le(b, a),
            Scalar::Bin(BinOp::Lt, a, b) => self.proves_le(&((**a).clone() + 1), b),
            Scalar::Bin(BinOp::Gt, a, b) => self.proves_le(&((**b).clone() + 1), a),
            Scalar::Bin(BinOp::Eq, a, b) => {
                let divides = match (self.meant(a), self.as_int(b)) {
                    (Scalar::Bin(BinOp::Rem, whole, by), Some(0)) => match self.as_int(by) {
                        Some(by) if by > 0 => self.multiple_of(whole) % by == 0,
                        _ => false,
                    },
                    _ => false,
                };
                divides || (self.proves_le(a, b) && self.proves_le(b, a))
            }
            _ => false,
        }
    }

    /// True if a witness meets all facts.
    pub fn are_met(&self) -> bool {
        self.work.borrow_mut().is_refuted(&Linear::constant(1))
    }

    /// True if the facts contradict each other. Then no launch gets here.
    pub fn contradict(&self) -> bool {
        self.contradict_by(Look::Long)
    }

    /// True if a search of this effort finds a contradiction.
    pub fn contradict_by(&self, look: Look) -> bool {
        let mut query = self.query();
        // An excess is at most 0; a lower bound of 1 contradicts that.
        let is_broken = self
            .ordered
            .iter()
            .any(|o| query.least_of(&o.excess) >= Some(1));
        is_broken || query.never_positive_by(Linear::constant(1), look)
    }
}
