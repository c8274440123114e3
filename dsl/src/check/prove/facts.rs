//! What is known of the sizes at one point of a kernel: definitions, bounds, divisors, and what `require` and the
//! conditions around say.
//!
//! Nothing is kept of a variable that a kernel assigns to, since it may change, but by a walk that follows it (`names`).

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

/// Most nodes of a size that is written out; sizes that people write have some twenty.
const MAX_NODES: u32 = 300;

/// What is known of the variables.
#[derive(Default)]
pub struct Facts {
    /// What let-bound variables stand for, as written; of sizes the form, too.
    pub(super) lets: FxHashMap<VarId, (Scalar, Option<Linear>)>,
    /// Least values.
    pub(super) least: FxHashMap<Atom, i64>,
    /// What variables are never below, and never above.
    pub(super) low: FxHashMap<Atom, Linear>,
    pub(super) high: FxHashMap<Atom, Linear>,
    /// Divisors of variables.
    pub(super) multiples: FxHashMap<Atom, i64>,
    /// Sizes that were said to be in order.
    pub(super) ordered: Vec<Ordered>,
    /// Sizes with a divisor.
    pub(super) divisible: Vec<(Linear, i64)>,
    /// Variables that may change.
    pub(super) mutable: BTreeSet<VarId>,
    /// How many variables the body has: names of what is assigned are numbered behind them.
    pub(super) vars: usize,
    /// The variable that each of those names is one of.
    pub(super) names: Vec<VarId>,
    /// Sizes of axes that are sums, `(h - k) / s + 1`, each with the atom that stands for it: multiplied out a stride would be none.
    pub(super) sums: FxHashMap<Linear, Linear>,
    /// What products are never above, as by what fits in UB: looked up, where an order would be one more way for each search.
    pub(super) most: FxHashMap<Product, i64>,
    /// What the host demands where something is run: of these conditions one holds.
    either: Vec<Scalar>,
    /// Variables of which more is known than their formula says.
    shares: BTreeSet<VarId>,
    /// Shares of what only a core knows, by their lengths: what is known of them is so where they are computed.
    on_core: FxHashMap<VarId, Known>,
    /// What was computed from all this.
    pub(super) work: RefCell<Work>,
}

/// One size is at most another.
pub(super) struct Ordered {
    pub low: Linear,
    pub high: Linear,
    /// `low - high`, which is not positive, tightened.
    pub excess: Linear,
}

/// The least value of a product that follows from one of its multiple, or of a sum with a number: `1 <= 16 * x` gives `1 <= x`.
fn least_of_one(low: &Linear, high: &Linear) -> Option<(i64, Product)> {
    let (least, [(product, factor)]) = (low.as_int()?.checked_sub(high.constant)?, &high.terms[..])
    else {
        return None;
    };
    let is_other = *factor > 1 || *factor == 1 && high.constant != 0;
    // Rounded toward plus infinity.
    let down = least.checked_neg()?.div_euclid(*factor);
    is_other.then_some((-down, *product))
}

/// The sizes that are divided by wherever `s` has a value: by 0 it has none, and the host ends the launch.
fn divisors(s: &Scalar, found: &mut Vec<Scalar>) {
    match s {
        Scalar::Bin(op, a, b) => {
            divisors(a, found);
            match op {
                // What stands behind them is not always evaluated.
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

/// The variables that places in GM are counted in: factors of offsets and of the distances of rows.
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

/// A point to go back to where a scope ends.
pub struct Mark(usize, usize, Point);

impl Facts {
    /// Nothing of the variables of a body but which of them change.
    pub fn none<L: Dialect>(body: &stmt::Body<L>) -> Facts {
        let mutable = body.var_ids().filter(|v| body.var(*v).mutable).collect();
        Facts {
            mutable,
            vars: body.vars.len(),
            ..Facts::default()
        }
    }

    /// What the signature says: its `require`d facts, and that a `usize` is not negative.
    pub fn new<L: Dialect>(sig: &Signature, body: &stmt::Body<L>) -> Facts {
        let mut facts = Facts::none(body);
        facts.sums_of(sig);
        sig.facts.iter().for_each(|fact| facts.demanded(&fact.cond));
        // Of what is required of its parts a sum that has a name is no less, either.
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

    /// Names the sizes of axes that are sums. An axis has no fewer than no indices.
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

    /// Names a size that is a sum and never less than nothing.
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

    /// Names what the host computes of sizes alone, where it is a sum of no less than nothing: the size of an axis of a view or of a workspace
    /// that is a stride of those around it.
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

    /// True for a quotient, and for what else is one op of two sizes.
    fn is_op(&self, form: &Linear) -> bool {
        let work = self.work.borrow();
        let factors = form.as_product().map(|product| work.forms.factors(product));
        matches!(factors, Some([atom]) if matches!(**work.forms.node(*atom), Node::Op(..)))
    }

    /// What holds where a variant of a lowered kernel runs: what the host computed and demanded, and the shares.
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
                // Bytes say little of elements: how many fit at most.
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
                // The front end's word is no proof.
                Known::Most { .. } => {}
            }
        }
        facts
    }

    /// What a footprint is never below, without its roundings; it is not negative itself. Nothing where that is not seen.
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
            // Each of two is one that the larger of them is not below.
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

    /// Takes what fits in UB as known where numbers are held to their limits.
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
                // `of` has taken these as facts.
                HostStep::Let { .. } | HostStep::Require { .. } => {}
            }
        }
        self.cores_at_most(lowered);
    }

    /// A launch has no more cores than the chip that was lowered for.
    fn cores_at_most(&mut self, lowered: &Lowered) {
        let cores = self.form(&Scalar::Chip(ChipFact::VectorCores));
        if let Some((cores, chip)) = cores.zip(Chip::by_name(&lowered.chip)) {
            self.no_more_than(cores, chip.vector_cores);
        }
    }

    /// What is taken is no more than so many bytes, so that neither is any part of it: of each size, and of each two together, the most that there is
    /// room for.
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
        // What is none or more is as many as divide it at least.
        match Linear::constant(1)
            .plus(&alone, -1)
            .is_some_and(|none| query.never_positive(none))
        {
            true => query.multiple_of(&alone).max(least).max(1),
            false => least,
        }
    }

    /// Of what is rounded up, or the larger of two, there is no more either.
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
                // What is rounded up is so many times the quotient.
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

    /// Takes as known that a size is never above a number.
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

    /// What is known of a share.
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
        // Only the last share may be ragged, and only where the total is.
        let whole = self.multiple_of(total) % unit == 0;
        self.unit(*start, 0, *unit);
        self.unit(*len, 0, if whole { *unit } else { 1 });
        self.at_most(*start, total);
        self.at_most(*len, &(total.clone() - *start));
    }

    /// That a block is one of those that are launched, where a body speaks of blocks besides in its shares, whose places are known.
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

    // ---- what is said ----

    /// Notes that `var` stands for `value`; of a definition too long to be written out the divisor and the least value.
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

    /// What a variable stands for that is computed of one which changes is not kept, but between what fixed numbers it was brought is.
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

    /// Of what is chosen or rounded up (a pitch) it is found out once, not in each proof, which axes it is no less than.
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

    /// `var` is at least `least`, and a multiple of `unit`.
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

    /// `var` runs over `from..to`, and stands in a turn of that loop.
    pub fn runs(&mut self, var: VarId, from: &Scalar, to: &Scalar) {
        let var = self.name_of(var).unwrap_or(var);
        let Some(atom) = self.atom(var).filter(|_| var.ty() == ScalarTy::Index) else {
            return;
        };
        // One variable may be that of several loops.
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

    /// Where a loop makes a turn for each part of something, a turn begins inside: some of it is left, or, where one turn is made even of
    /// nothing, not less than nothing.
    fn begins_inside(&mut self, var: &Scalar, turns: &Scalar, some: bool) {
        match self.meant(turns).clone() {
            // It ends with the first of two.
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
                // Of no less than one, too, whichever is the larger one.
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

    /// A loop that makes a turn begins below each of those of which its end is the least.
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

    /// True where no later assignment changes `s`.
    fn is_fixed(&self, s: &Scalar) -> bool {
        if self.mutable.is_empty() {
            return true;
        }
        let mut fixed = true;
        s.walk(&mut |n| fixed &= !matches!(n, Scalar::Var(v) if self.mutable.contains(v) && self.name_of(*v).is_none()));
        fixed
    }

    /// `s` itself, or what the variable that it is stands for.
    pub fn meant<'s>(&'s self, mut s: &'s Scalar) -> &'s Scalar {
        while let Scalar::Var(v) = s {
            match self.lets.get(v) {
                Some((value, _)) => s = value,
                None => break,
            }
        }
        s
    }

    /// `s` with every variable replaced by what it stands for, one that changes by its name; `s` itself where that is too long.
    pub fn inline(&self, s: &Scalar) -> Scalar {
        let mut room = MAX_NODES;
        self.written_out(s, &mut room).unwrap_or_else(|| s.clone())
    }

    /// The same, or `None` for more than so many nodes.
    fn written_out(&self, s: &Scalar, room: &mut u32) -> Option<Scalar> {
        *room = room.checked_sub(1)?;
        let mut part = |s: &Scalar| self.written_out(s, room);
        Some(match s {
            Scalar::Var(v) => match self.lets.get(v) {
                Some((name, _)) if self.mutable.contains(v) => name.clone(),
                // A value that is made of what changes has a name of its own.
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

    /// Takes a condition as known that the host evaluates before it launches: it holds, and had a value. One of several conditions is kept until more
    /// is known ([`Facts::assume_what_is_left`]).
    pub fn demanded(&mut self, cond: &Scalar) {
        fn all(cond: &Scalar, found: &mut Vec<Scalar>) {
            match cond {
                // Both have a value where both hold.
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

    /// Takes a condition as known.
    pub fn assume(&mut self, cond: &Scalar) {
        match self.meant(cond).clone() {
            Scalar::Bool(false) => self.order(&Scalar::Int(1), &Scalar::Int(0)),
            Scalar::Un(UnOp::Not, cond) => self.assume_not(&cond),
            Scalar::Bin(BinOp::And, a, b) => {
                self.assume(&a);
                self.assume(&b);
            }
            Scalar::Bin(op, a, b) => self.compare(op, &a, &b),
            // As a number, which is 1 or 0.
            cond @ Scalar::Attr(..) => self.order(&Scalar::Int(1), &cond),
            // Nothing of sizes.
            _ => {}
        }
    }

    /// Takes what is left of the demands of which one condition holds, where the others are known not to: an index is inside, or no turn is made, and here is one.
    /// True where that says more.
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
            // Where none is left no launch gets here.
            let none = Scalar::Bool(false);
            if let [] | [_] = &left[..] {
                self.assume(left.first().unwrap_or(&none));
                says_more = true;
            }
        }
        says_more
    }

    /// Takes what is promised: a condition, or that a number is an index below another.
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

    /// Takes the number of elements that an instruction keeps of those that it is given.
    pub fn kept(&mut self, instr: &Instr) {
        if let (true, Some(var), Extent::Count { n }) = (
            instr.op.contract().is_masked_count(),
            instr.result(),
            &instr.extent,
        ) {
            self.runs(var, &Scalar::Int(0), &(n.clone() + 1));
        }
    }

    /// Takes a condition as known not to hold.
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
            // Nothing of sizes.
            _ => {}
        }
    }

    /// Takes `a op b` as known, where that is a comparison of sizes, or of numbers of 32 bits, each of which is a size.
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
            // What is no less than another and not the same is more.
            BinOp::Ne if self.proves_le(b, a) => self.order(&(b.clone() + 1), a),
            BinOp::Ne if self.proves_le(a, b) => self.order(&(a.clone() + 1), b),
            BinOp::Ne => {}
            // No comparisons.
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

    /// Of a product that is one at least no factor is less, where none is negative.
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

    /// What `a == b` says of the divisors of `a`.
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
            // Of twice a number that 8 divides, 4 divides the number.
            [(factor, f)] if whole.constant == 0 => (
                Linear::product(*factor),
                by / gcd(by, f.checked_abs().unwrap_or(1)),
            ),
            _ => (whole, by),
        };
        self.work.get_mut().say(Said::Divides(whole.clone(), by));
        self.divisible.push((whole, by));
    }

    // ---- what is asked ----

    /// The number that `s` comes to.
    pub fn as_int(&self, s: &Scalar) -> Option<i64> {
        match (self.meant(s), s.ty()) {
            (meant, ScalarTy::Index) => meant.as_int().or_else(|| self.form(s)?.as_int()),
            (meant, ScalarTy::I32 | ScalarTy::F32 | ScalarTy::Bool) => meant.as_int(),
        }
    }

    /// True for two sizes of one form.
    pub fn equal(&self, a: &Scalar, b: &Scalar) -> bool {
        self.form(a).is_some_and(|a| self.form(b) == Some(a))
    }

    /// The largest number known to divide `s`; 0 for 0.
    pub fn multiple_of(&self, s: &Scalar) -> i64 {
        let mut query = self.query();
        let form = query.form(s);
        form.map_or(1, |l| query.multiple_of(&l))
    }

    /// A constant that `s` is never below.
    pub fn least_of(&self, s: &Scalar) -> Option<i64> {
        let mut query = self.query();
        let form = query.form(s)?;
        query.least_of(&form)
    }

    /// True where `a <= b` is proved.
    pub fn proves_le(&self, a: &Scalar, b: &Scalar) -> bool {
        self.proves_le_by(a, b, Look::Long)
    }

    /// True where numbers are known for which `a <= b` is not so: no proof need be looked for.
    fn fails_le(&self, a: &Scalar, b: &Scalar) -> bool {
        self.excess(a, b)
            .is_some_and(|l| self.work.borrow_mut().is_refuted(&l))
    }

    /// The same by a search of this length.
    pub fn proves_le_by(&self, a: &Scalar, b: &Scalar, look: Look) -> bool {
        self.excess(a, b)
            .is_some_and(|l| self.query().never_positive_by(l, look))
    }

    /// True where no proof of the opposite is to be feared: `a <= b` is seen, numbers are known for which it is so, or it is proved.
    pub fn may_be_le(&self, a: &Scalar, b: &Scalar) -> bool {
        let Some(l) = self.excess(a, b) else {
            return false;
        };
        let mut query = self.query();
        query.is_bounded(&l) || query.may_hold(&l) || query.never_positive(l)
    }

    /// True where one of several `a <= b` is proved; those that need no search are looked at first.
    pub fn proves_one(&self, all: [(&Scalar, &Scalar); 2]) -> bool {
        all.iter().any(|(a, b)| self.shows_le(a, b))
            || all.iter().any(|(a, b)| self.proves_le(a, b))
    }

    /// True where `a <= b` is seen without a search.
    pub fn shows_le(&self, a: &Scalar, b: &Scalar) -> bool {
        self.excess(a, b)
            .is_some_and(|l| self.query().is_bounded(&l))
    }

    /// What is never positive where `a <= b`.
    pub fn excess(&self, a: &Scalar, b: &Scalar) -> Option<Linear> {
        let mut query = self.query();
        query
            .form(a)
            .zip(query.form(b))
            .and_then(|(a, b)| a.plus(&b, -1))
            .map(Linear::reduced)
    }

    /// True where a condition is proved: comparisons of sizes, divisors, and what is joined by `&&`.
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

    /// True where numbers are known for which all holds.
    pub fn are_met(&self) -> bool {
        self.work.borrow_mut().is_refuted(&Linear::constant(1))
    }

    /// True where what is known contradicts itself: no launch comes here.
    pub fn contradict(&self) -> bool {
        self.contradict_by(Look::Long)
    }

    /// The same by a search of this length.
    pub fn contradict_by(&self, look: Look) -> bool {
        let mut query = self.query();
        // What is known not to be positive and is never below 1 contradicts itself.
        let is_broken = self
            .ordered
            .iter()
            .any(|o| query.least_of(&o.excess) >= Some(1));
        is_broken || query.never_positive_by(Linear::constant(1), look)
    }
}
