//! Consequences of the facts in one step: forms of sizes, their divisors, and their bounds.

use super::facts::{Facts, Ordered};
use super::forms::{Atom, Factors, Forms, Linear, Node, Product, Terms};
use super::witness::{Witness, ALL_WITNESSES, WITNESSES};
use super::Answer;
use crate::ir::linear::gcd;
use crate::ir::{BinOp, Scalar, ScalarTy, UnOp};
use rustc_hash::FxHashMap;
use std::cell::RefMut;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// Depth of nested roundings whose operands are bounded.
pub(super) const NESTED: u32 = 2;

/// Most witnesses that are moved to refute a question.
const MOVED: usize = 4;

/// A place in a kernel, identified by the facts on the way there. Loops over equal ranges are one
/// place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point(u32);

/// A fact about sizes at a place.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Said {
    Unit(Atom, i64, i64),
    AtMost(Atom, Linear),
    AtLeast(Atom, Linear),
    Order(Linear, Linear),
    Divides(Linear, i64),
}

/// The interned forms, and the results of queries at each place.
#[derive(Default)]
pub struct Work {
    pub forms: Forms,
    place: Point,
    places: FxHashMap<(Point, Rc<Said>), Point>,
    /// The predecessor of each place but the first, and the fact that leads from there.
    ways: Vec<(Point, Rc<Said>)>,
    /// By place and seed; `None` if the seed has no witness of the facts there.
    witnesses: FxHashMap<(Point, u64), Option<Witness>>,
    /// Witnesses that were moved at a place to refute a question.
    moved: FxHashMap<Point, Vec<Witness>>,
    least: FxHashMap<(Point, Atom), Option<i64>>,
    multiples: FxHashMap<(Point, Atom), i64>,
    /// Upper bounds of atoms, or with `false` lower ones, by the depth of nested roundings.
    bounds: FxHashMap<(Point, Atom, bool, u32), Rc<[Linear]>>,
    /// True if a quotient lies near its exact value.
    pub near: FxHashMap<(Point, Atom), bool>,
    asked: FxHashMap<(Point, Linear), Answer>,
}

impl Work {
    pub fn place(&self) -> Point {
        self.place
    }

    /// Moves to the place where this fact holds, too.
    pub fn say(&mut self, said: Said) {
        let next = Point(self.places.len() as u32 + 1);
        self.place = match self.places.entry((self.place, Rc::new(said))) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.ways.push(new.key().clone());
                *new.insert(next)
            }
        };
    }

    pub fn back(&mut self, place: Point) {
        self.place = place;
    }

    /// True if some witness of the facts makes `l` positive.
    pub fn is_refuted(&mut self, l: &Linear) -> bool {
        let place = self.place;
        // The second group is needed only if the first one has no witness of the facts.
        let mut met = Vec::new();
        for seeds in [0..WITNESSES, WITNESSES..ALL_WITNESSES] {
            for seed in seeds {
                if self.witness(place, seed) {
                    met.push(seed);
                    let Work {
                        witnesses, forms, ..
                    } = self;
                    let witness = witnesses.get_mut(&(place, seed)).and_then(Option::as_mut);
                    if witness.is_some_and(|w| w.value(l, forms) > Some(0)) {
                        return true;
                    }
                }
            }
            if !met.is_empty() {
                break;
            }
        }
        let Work { moved, forms, .. } = self;
        if moved
            .get_mut(&place)
            .is_some_and(|all| all.iter_mut().any(|w| w.value(l, forms) > Some(0)))
        {
            return true;
        }
        // A witness that almost refutes the question may be moved.
        let positive = Said::Order(Linear::constant(1), l.clone());
        let mut near = met
            .iter()
            .take(MOVED)
            .filter_map(|seed| self.witnesses.get(&(place, *seed))?.clone());
        let moved = near.find_map(|w| w.hears(&positive, || self.said(place), &self.forms));
        let refuted = moved.is_some();
        self.moved.entry(place).or_default().extend(moved);
        refuted
    }

    /// Returns all facts on the way to a place, in order.
    fn said(&self, place: Point) -> Vec<&Said> {
        let mut said = Vec::new();
        let mut at = place;
        while let Some(way) = at.0.checked_sub(1) {
            let (before, last) = &self.ways[way as usize];
            said.push(&**last);
            at = *before;
        }
        said.reverse();
        said
    }

    /// True if the seed has a witness of all facts on the way to a place. The witness is cached.
    fn witness(&mut self, place: Point, seed: u64) -> bool {
        // Places without a known result, the last one first.
        let (mut way, mut at) = (Vec::new(), place);
        let mut heard = loop {
            if let Some(known) = self.witnesses.get(&(at, seed)) {
                break if way.is_empty() {
                    return known.is_some();
                } else {
                    known.clone()
                };
            }
            way.push(at);
            match at.0.checked_sub(1) {
                Some(before) => at = self.ways[before as usize].0,
                None => break Some(Witness::new(seed)),
            }
        };
        for at in way.into_iter().rev() {
            heard = heard.and_then(|w| match at.0.checked_sub(1) {
                Some(way) => w.hears(
                    &self.ways[way as usize].1,
                    || self.said(self.ways[way as usize].0),
                    &self.forms,
                ),
                None => Some(w),
            });
            self.witnesses.insert((at, seed), heard.clone());
        }
        heard.is_some()
    }

    /// Returns the cached answer to a question at this place.
    pub fn answer(&self, l: &Linear) -> Option<Answer> {
        self.asked.get(&(self.place, l.clone())).copied()
    }

    pub fn found(&mut self, l: Linear, answer: Answer) {
        self.asked.insert((self.place, l), answer);
    }
}

/// The facts with the cache that queries fill.
pub struct Query<'a> {
    pub facts: &'a Facts,
    pub work: RefMut<'a, Work>,
}

impl Query<'_> {
    /// Returns the form of `s` with definitions inlined; `None` if it has none.
    pub fn form(&mut self, s: &Scalar) -> Option<Linear> {
        let leaf = |q: &mut Self| q.work.forms.of_node(Node::Leaf(q.facts.named(s)));
        // 32-bit integers wrap and floats round: only a `usize` is the sum as written.
        match s {
            Scalar::Int(v) => Some(Linear::constant(*v)),
            Scalar::Var(v) => match self.facts.lets.get(v) {
                Some((_, Some(form))) => Some(form.clone()),
                Some((_, None)) | None => self.work.forms.of_var(*v),
            },
            _ if s.ty() != ScalarTy::Index => leaf(self),
            Scalar::Un(UnOp::Neg, a) => self.form(a)?.scaled(-1),
            Scalar::Bin(op, a, b) => {
                let (a, b) = (self.form(a)?, self.form(b)?);
                let form = self.work.forms.bin(*op, a, b)?;
                Some(self.facts.sums.get(&form).cloned().unwrap_or(form))
            }
            // Each 32-bit integer is a size, and the cast keeps the order.
            Scalar::Cast(ScalarTy::Index, a) if a.ty() == ScalarTy::I32 => {
                match self.facts.meant(a).clone() {
                    Scalar::I32(v) => Some(Linear::constant(v.into())),
                    Scalar::Bin(op @ (BinOp::Min | BinOp::Max), a, b) => {
                        let [a, b] =
                            [a, b].map(|side| Scalar::cast(ScalarTy::Index, (*side).clone()));
                        self.form(&a.bin(op, b))
                    }
                    Scalar::Select(cond, a, b) => {
                        let [a, b] =
                            [a, b].map(|side| Scalar::cast(ScalarTy::Index, (*side).clone()));
                        self.form(&Scalar::select((*cond).clone(), a, b))
                    }
                    of => {
                        let of = self.facts.named(&of);
                        self.work
                            .forms
                            .of_node(Node::Leaf(Scalar::cast(ScalarTy::Index, of)))
                    }
                }
            }
            Scalar::Select(c, a, b) => match self.decided(c) {
                Some(holds) => self.form(if holds { a } else { b }),
                None => {
                    let (a, b) = (self.form(a)?, self.form(b)?);
                    self.work
                        .forms
                        .of_node(Node::Select(self.facts.named(c), a, b))
                }
            },
            Scalar::I32(_)
            | Scalar::Float(_)
            | Scalar::Bool(_)
            | Scalar::Axis(_)
            | Scalar::Attr(..)
            | Scalar::Chip(_) => leaf(self),
            Scalar::SizeOf(_)
            | Scalar::BlockIdx
            | Scalar::BlockDim
            | Scalar::Un(..)
            | Scalar::Cast(..) => leaf(self),
        }
    }

    /// Decides a condition on sizes, if one fact is enough to tell.
    pub fn decided(&mut self, cond: &Scalar) -> Option<bool> {
        let (op, a, b) = match self.facts.meant(cond) {
            Scalar::Bool(holds) => return Some(*holds),
            Scalar::Un(UnOp::Not, cond) => return self.decided(cond).map(|holds| !holds),
            Scalar::Bin(op, a, b) => (*op, a, b),
            cond @ Scalar::Attr(..) => {
                let (not, holds) = (
                    self.form(cond)?,
                    self.form(cond)?.scaled(-1)?.plus(&Linear::constant(1), 1)?,
                );
                let (not, holds) = (self.is_shown(&not), self.is_shown(&holds));
                return (not || holds).then_some(holds);
            }
            _ => return None,
        };
        if let BinOp::And | BinOp::Or = op {
            // One operand with this value decides.
            let telling = op == BinOp::Or;
            return match (self.decided(a), self.decided(b)) {
                (Some(one), _) | (_, Some(one)) if one == telling => Some(telling),
                (Some(_), Some(_)) => Some(!telling),
                (Some(_) | None, _) => None,
            };
        }
        if !op.is_predicate() || a.ty() != ScalarTy::Index {
            return None;
        }
        let (a, b) = (self.form(a)?, self.form(b)?);
        let (low, high) = (a.plus(&b, -1)?, b.plus(&a, -1)?);
        let mut below = |l: &Linear, by: i64| {
            l.plus(&Linear::constant(by), 1)
                .is_some_and(|l| self.is_shown(&l))
        };
        let (le, ge, lt, gt) = (
            below(&low, 0),
            below(&high, 0),
            below(&low, 1),
            below(&high, 1),
        );
        let (holds, fails) = match op {
            BinOp::Lt => (lt, ge),
            BinOp::Le => (le, gt),
            BinOp::Gt => (gt, le),
            BinOp::Ge => (ge, lt),
            BinOp::Eq => (le && ge, lt || gt),
            BinOp::Ne => (lt || gt, le && ge),
            _ => return None,
        };
        (holds || fails).then_some(holds)
    }

    fn factors(&self, product: Product) -> Factors {
        Factors::from_slice(self.work.forms.factors(product))
    }

    // ---- divisors ----

    /// Returns the largest number known to divide `l`; 0 for 0.
    pub fn multiple_of(&mut self, l: &Linear) -> i64 {
        let magnitude = |v: i64| v.checked_abs().unwrap_or(1 << 62);
        let mut by_terms = magnitude(l.constant);
        for (product, f) in &l.terms {
            by_terms = gcd(
                by_terms,
                product_of(magnitude(*f), self.multiple_of_product(*product)),
            );
        }
        // A sum may have a known divisor that its terms lack.
        let sum = l.terms.len() + usize::from(l.constant != 0) > 1;
        let said = self
            .facts
            .divisible
            .iter()
            .find(|(known, _)| sum && known == l);
        said.map_or(by_terms, |(_, by)| by_terms.max(*by))
    }

    fn multiple_of_product(&mut self, product: Product) -> i64 {
        let mut multiple = self.multiple_of_factors(product);
        for (known, by) in &self.facts.divisible {
            let rest = known
                .as_product()
                .and_then(|factor| self.work.forms.without(product, factor));
            if let Some(rest) = rest {
                multiple = lcm(multiple, product_of(*by, self.multiple_of_factors(rest)));
            }
        }
        multiple
    }

    fn multiple_of_factors(&mut self, product: Product) -> i64 {
        let factors = self.factors(product);
        factors
            .into_iter()
            .map(|a| self.multiple_of_atom(a))
            .fold(1, product_of)
    }

    fn multiple_of_atom(&mut self, atom: Atom) -> i64 {
        let key = (self.work.place, atom);
        if let Some(known) = self
            .facts
            .multiples
            .get(&atom)
            .or_else(|| self.work.multiples.get(&key))
        {
            return *known;
        }
        let multiple = match &*self.work.forms.node(atom).clone() {
            Node::Op(BinOp::Min | BinOp::Max, a, b) | Node::Select(_, a, b) => {
                gcd(self.multiple_of(a), self.multiple_of(b))
            }
            Node::Op(BinOp::AlignUp, _, b) => self.multiple_of(b).max(1),
            Node::Op(BinOp::Div | BinOp::CeilDiv, a, b) => {
                match (self.multiple_of(a), b.as_int()) {
                    (m, Some(d)) if d > 0 && m % d == 0 => m / d,
                    _ => 1,
                }
            }
            Node::Op(..) | Node::Leaf(_) => 1,
        };
        self.work.multiples.insert(key, multiple);
        multiple
    }

    /// Returns the equivalent of `l <= 0` with the largest constant. A multiple of 8 below 248 is
    /// at most 240, and one below `8 * n` is at most `8 * n - 8`.
    pub fn tightened(&mut self, l: Linear) -> Linear {
        let mut l = l.reduced();
        let sum = Linear {
            constant: 0,
            ..l.clone()
        };
        let unit = self.multiple_of(&sum);
        if let Some(constant) = Scalar::Int(l.constant).align_up(unit.max(1)).as_int() {
            l.constant = l.constant.max(constant);
        }
        l
    }

    // ---- least values ----

    /// Returns a constant lower bound of `l`.
    pub fn least_of(&mut self, l: &Linear) -> Option<i64> {
        let mut least = Some(l.constant);
        for (product, f) in &l.terms {
            let of_product = if *f > 0 {
                self.least_of_product(*product)
            } else {
                None
            };
            least = least
                .zip(of_product)
                .and_then(|(sum, p)| sum.checked_add(p.checked_mul(*f)?));
        }
        let said = self
            .facts
            .ordered
            .iter()
            .filter(|o| o.high == *l)
            .filter_map(|o| o.low.as_int());
        // An order bounds a difference: `j * t + 1 <= m` gives `m - j * t >= 1`.
        let differs = l.terms.len() > 1;
        let told = self
            .facts
            .ordered
            .iter()
            .filter(|o| differs && o.excess.terms.len() == l.terms.len());
        let told = told.filter_map(|o| l.plus(&o.excess, 1)?.as_int());
        said.chain(told).chain(least).max()
    }

    /// Returns a constant lower bound of a product without negative atoms.
    pub fn least_of_product(&mut self, product: Product) -> Option<i64> {
        let factors = self.factors(product);
        factors.into_iter().try_fold(1i64, |all, a| {
            all.checked_mul(self.least_of_atom(a).filter(|v| *v >= 0)?)
        })
    }

    /// Returns a constant upper bound of a product: a known one, or that of an atom times that of
    /// the others.
    pub fn most_of_product(&mut self, product: Product) -> Option<i64> {
        let known = &self.facts.most;
        if known.is_empty() {
            return None;
        }
        if let Some(most) = known.get(&product) {
            return Some(*most);
        }
        let factors = self.factors(product);
        let of_parts = (0..factors.len()).filter_map(|i| {
            let alone = self.work.forms.single(factors[i]);
            let own = self
                .facts
                .most
                .get(&alone)
                .copied()
                .filter(|_| alone != product)?;
            let others = self.work.forms.without_factor(product, i);
            self.least_of_product(others)?;
            own.max(0).checked_mul(self.most_of_product(others)?)
        });
        of_parts.min()
    }

    fn least_of_atom(&mut self, atom: Atom) -> Option<i64> {
        let key = (self.work.place, atom);
        if let Some(known) = self.work.least.get(&key) {
            return *known;
        }
        let by_form = self.least_by_form(atom);
        let alone = Some(self.work.forms.single(atom));
        let said = self
            .facts
            .ordered
            .iter()
            .filter(|o| o.high.as_product() == alone)
            .filter_map(|o| o.low.as_int());
        let least = said.chain(by_form).max();
        // A multiple of 8 that is at least 1 is at least 8.
        let unit = self.multiple_of_atom(atom).max(1);
        let least = least.and_then(|v| Scalar::Int(v).align_up(unit).as_int());
        self.work.least.insert(key, least);
        least
    }

    fn least_by_form(&mut self, atom: Atom) -> Option<i64> {
        let node = self.work.forms.node(atom).clone();
        let mut both = |a: &Linear, b: &Linear| Some((self.least_of(a)?, self.least_of(b)?));
        match &*node {
            Node::Leaf(Scalar::Axis(_) | Scalar::BlockIdx | Scalar::Attr(_, ScalarTy::Index)) => {
                Some(0)
            }
            Node::Leaf(Scalar::BlockDim | Scalar::Chip(_)) => Some(1),
            Node::Leaf(leaf) => self
                .facts
                .least
                .get(&atom)
                .copied()
                .or_else(|| self.end_of_cast(leaf, false)),
            Node::Op(BinOp::Min, a, b) | Node::Select(_, a, b) => both(a, b).map(|(x, y)| x.min(y)),
            Node::Op(BinOp::Max, a, b) => self.least_of(a).max(self.least_of(b)),
            Node::Op(BinOp::Rem, a, b) => {
                (self.is_natural(a) && self.least_of(b) >= Some(1)).then_some(0)
            }
            // These ops are monotonic in their left operand.
            Node::Op(op @ (BinOp::Div | BinOp::CeilDiv | BinOp::AlignUp), a, b) => {
                let divides = self.least_of(b) >= Some(1);
                let least = self.least_of(a).filter(|x| *x >= 0);
                let x = least
                    .or_else(|| self.is_natural(a).then_some(0))
                    .filter(|_| divides)?;
                match (op, b.as_int()) {
                    (_, Some(by)) => Scalar::Int(x).bin(*op, by).as_int(),
                    (BinOp::AlignUp, None) => Some(x),
                    (BinOp::CeilDiv, None) => Some(i64::from(x > 0)),
                    _ => Some(0),
                }
            }
            Node::Op(..) => None,
        }
    }

    /// True if `l` is seen to be nonnegative: by its terms, or because growing terms outweigh
    /// falling ones, as in `n * d - n` with `d >= 1`.
    pub fn is_natural(&mut self, l: &Linear) -> bool {
        self.least_of(l) >= Some(0) || self.is_outweighed(l) || self.is_natural_by_choice(l)
    }

    /// True if each falling term divides a growing term of its own that is at least as large.
    fn is_outweighed(&mut self, l: &Linear) -> bool {
        let (mut grow, fall): (Terms, Terms) = l.terms.iter().copied().partition(|(_, f)| *f > 0);
        for (product, f) in fall {
            let Some(due) = f
                .checked_neg()
                .filter(|_| self.least_of_product(product).is_some())
            else {
                return false;
            };
            let outweighs = |(whole, g): &(Product, i64)| {
                let rest = self.work.forms.without(*whole, product)?;
                self.least_of_product(rest)?
                    .checked_mul(*g)
                    .filter(|have| *have >= due)
            };
            let Some(nth) = grow.iter().map(outweighs).position(|have| have.is_some()) else {
                return false;
            };
            grow.remove(nth);
        }
        l.constant >= 0
            && grow
                .iter()
                .all(|(product, _)| self.least_of_product(*product).is_some())
    }

    /// True if the form is outweighed with one growing maximum replaced by one of its operands.
    fn is_natural_by_choice(&mut self, l: &Linear) -> bool {
        (0..l.terms.len())
            .filter(|at| l.terms[*at].1 > 0)
            .any(|at| {
                let (product, f) = l.terms[at];
                let factors = self.factors(product);
                let [atom] = factors[..] else { return false };
                let node = self.work.forms.node(atom).clone();
                let Node::Op(BinOp::Max, a, b) = &*node else {
                    return false;
                };
                let rest = l.without_term(at);
                let mut is_shown = |by: &Linear| {
                    rest.plus(by, f)
                        .is_some_and(|l| self.least_of(&l) >= Some(0) || self.is_outweighed(&l))
                };
                is_shown(a) || is_shown(b)
            })
    }

    // ---- bounds ----

    /// Returns upper bounds of `l`, or with `up` false lower ones, each by one replacement.
    pub fn bounds_of(&mut self, l: &Linear, up: bool, nested: u32) -> Vec<Linear> {
        let mut found = Vec::new();
        for (index, (product, factor)) in l.terms.iter().enumerate() {
            for (i, atom) in self.factors(*product).into_iter().enumerate() {
                let others = self.work.forms.without_factor(*product, i);
                if self.least_of_product(others).is_none() {
                    continue;
                }
                let rest = l.without_term(index);
                for bound in self
                    .bounds_of_atom(atom, (*factor > 0) == up, nested)
                    .iter()
                {
                    let term = self.work.forms.times_product(bound, others);
                    found.extend(term.and_then(|term| rest.plus(&term, *factor)));
                }
            }
        }
        found
    }

    /// Returns upper bounds of an atom, or with `up` false lower ones.
    fn bounds_of_atom(&mut self, atom: Atom, up: bool, nested: u32) -> Rc<[Linear]> {
        let key = (self.work.place, atom, up, nested);
        if let Some(known) = self.work.bounds.get(&key) {
            return known.clone();
        }
        let found: Rc<[Linear]> = self.bounds_by_form(atom, up, nested).into();
        self.work.bounds.insert(key, found.clone());
        found
    }

    fn bounds_by_form(&mut self, atom: Atom, up: bool, nested: u32) -> Vec<Linear> {
        match (&*self.work.forms.node(atom).clone(), up) {
            (Node::Leaf(leaf), _) => {
                let end = self.end_of_cast(leaf, up).map(Linear::constant);
                let size = up.then(|| self.size_of_cast(leaf)).flatten();
                self.said_of(atom, up)
                    .into_iter()
                    .chain(end)
                    .chain(size)
                    .collect()
            }
            (Node::Op(BinOp::Min, a, b), true) | (Node::Op(BinOp::Max, a, b), false) => {
                vec![a.clone(), b.clone()]
            }
            (Node::Op(op @ (BinOp::Div | BinOp::CeilDiv | BinOp::AlignUp), a, b), _) => {
                if self.least_of(b) < Some(1) {
                    return Vec::new();
                }
                let exact = (*op == BinOp::AlignUp && !up).then(|| a.clone());
                let inner = self.inner_bounds(a, up, nested).into_iter();
                exact
                    .into_iter()
                    .chain(inner.filter_map(|a| self.work.forms.bin(*op, a, b.clone())))
                    .collect()
            }
            (Node::Op(BinOp::Rem, a, b), true)
                if self.least_of(a) >= Some(0) && self.least_of(b) >= Some(1) =>
            {
                b.plus(&Linear::constant(-1), 1)
                    .into_iter()
                    .chain([a.clone()])
                    .collect()
            }
            // Neither value is below the least of both.
            (Node::Op(BinOp::Min, ..) | Node::Select(..), false) => self
                .least_of_atom(atom)
                .map(Linear::constant)
                .into_iter()
                .collect(),
            (Node::Op(..) | Node::Select(..), _) => Vec::new(),
        }
    }

    /// Returns the constant bound of a `usize` that is cast from a 32-bit integer, as its
    /// expression shows.
    fn end_of_cast(&self, leaf: &Scalar, up: bool) -> Option<i64> {
        let Scalar::Cast(ScalarTy::Index, of) = leaf else {
            return None;
        };
        (of.ty() == ScalarTy::I32)
            .then(|| self.end_of_whole(of, up))
            .flatten()
    }

    /// Returns the size from which a 32-bit integer was cast, which bounds it from above. A
    /// nonnegative size only wraps to less.
    fn size_of_cast(&mut self, leaf: &Scalar) -> Option<Linear> {
        let Scalar::Cast(ScalarTy::Index, of) = leaf else {
            return None;
        };
        let Scalar::Cast(ScalarTy::I32, size) = self.facts.meant(of).clone() else {
            return None;
        };
        let size = (size.ty() == ScalarTy::Index)
            .then(|| self.form(&size))
            .flatten()?;
        (self.least_of(&size) >= Some(0)).then_some(size)
    }

    /// Returns a constant bound of a 32-bit integer. Its arithmetic wraps, but minimum and maximum
    /// do not. Nothing is known of other expressions.
    fn end_of_whole(&self, whole: &Scalar, up: bool) -> Option<i64> {
        match self.facts.meant(whole) {
            Scalar::I32(v) => Some(i64::from(*v)),
            Scalar::Bin(op @ (BinOp::Min | BinOp::Max), a, b) => {
                let either = up == (*op == BinOp::Min);
                match (self.end_of_whole(a, up), self.end_of_whole(b, up)) {
                    (Some(a), Some(b)) => Some(if *op == BinOp::Min {
                        a.min(b)
                    } else {
                        a.max(b)
                    }),
                    (Some(one), None) | (None, Some(one)) if either => Some(one),
                    (Some(_) | None, _) => None,
                }
            }
            _ => None,
        }
    }

    /// Returns the known upper bounds of a variable, or with `up` false the lower ones.
    fn said_of(&mut self, atom: Atom, up: bool) -> Vec<Linear> {
        let alone = Some(self.work.forms.single(atom));
        let known = if up {
            self.facts.high.get(&atom)
        } else {
            self.facts.low.get(&atom)
        };
        let said = self.facts.ordered.iter().filter_map(|o| match up {
            true => (o.low.as_product() == alone).then(|| o.high.clone()),
            false => (o.high.as_product() == alone).then(|| o.low.clone()),
        });
        known.cloned().into_iter().chain(said).collect()
    }

    /// Returns bounds of the operand of a rounding, known orders included.
    fn inner_bounds(&mut self, l: &Linear, up: bool, nested: u32) -> Vec<Linear> {
        if nested == 0 {
            return Vec::new();
        }
        let mut found = self.bounds_of(l, up, nested - 1);
        let said = |o: &Ordered| match up {
            true => (o.low == *l).then(|| o.high.clone()),
            false => (o.high == *l).then(|| o.low.clone()),
        };
        found.extend(self.facts.ordered.iter().filter_map(said));
        found
    }
}

fn lcm(a: i64, b: i64) -> i64 {
    match gcd(a, b) {
        0 => 0,
        g => product_of(a / g, b),
    }
}

/// Multiplies two divisors. A product beyond 64 bits divides no 64-bit number but 0, so the result
/// is 0.
fn product_of(a: i64, b: i64) -> i64 {
    a.checked_mul(b).unwrap_or(0)
}
