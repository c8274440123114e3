//! Decides if two accesses of a tile loop that touch one element belong to one iteration.

use crate::check::prove::facts::Facts;
use crate::ir::linear::tidied;
use crate::ir::{BinOp, Index, Scalar, SpanId, TensorRef, VarId};
use crate::ops::contract::Access;
use std::collections::{BTreeMap, BTreeSet};

/// The range of a loop variable, ends included.
#[derive(Clone)]
pub(super) struct Range {
    pub least: Scalar,
    pub most: Scalar,
}

/// How a variable may change between iterations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Moves {
    Never,
    /// The variable of a loop.
    WithLoop,
    /// It is constant within an iteration, and arbitrary in the next one.
    Freely,
    /// It may change within an iteration.
    Changes,
}

/// An index in the form `rest + open + Σ factor * loop variable`.
///
/// Factors and `rest` are the same in every iteration. Nothing relates `open` in one iteration to
/// `open` in another.
#[derive(Clone)]
pub(super) struct TurnIndex {
    terms: BTreeMap<VarId, Scalar>,
    rest: Scalar,
    open: Scalar,
}

impl TurnIndex {
    /// Brings a scalar into this form, if it has one.
    pub fn of(s: &Scalar, moves: &impl Fn(VarId) -> Moves) -> Option<TurnIndex> {
        let nothing = || TurnIndex {
            terms: BTreeMap::new(),
            rest: Scalar::Int(0),
            open: Scalar::Int(0),
        };
        // A nonlinear expression of loop variables alone has no form.
        let open = |s: &Scalar| {
            let (mut changes, mut freely) = (false, false);
            s.walk(&mut |n| {
                if let Scalar::Var(v) = n {
                    changes |= moves(*v) == Moves::Changes;
                    freely |= moves(*v) == Moves::Freely;
                }
            });
            (freely && !changes).then(|| TurnIndex {
                open: s.clone(),
                ..nothing()
            })
        };
        match s {
            Scalar::Var(v) => match moves(*v) {
                Moves::WithLoop => Some(TurnIndex {
                    terms: BTreeMap::from([(*v, Scalar::Int(1))]),
                    ..nothing()
                }),
                Moves::Never => Some(TurnIndex {
                    rest: s.clone(),
                    ..nothing()
                }),
                Moves::Freely | Moves::Changes => open(s),
            },
            Scalar::Bin(BinOp::Add, a, b) => {
                Some(TurnIndex::of(a, moves)?.plus(TurnIndex::of(b, moves)?))
            }
            Scalar::Bin(BinOp::Sub, a, b) => Some(
                TurnIndex::of(a, moves)?.plus(TurnIndex::of(b, moves)?.times(&Scalar::Int(-1))),
            ),
            Scalar::Bin(BinOp::Mul, a, b) => {
                let (a, b) = (TurnIndex::of(a, moves)?, TurnIndex::of(b, moves)?);
                match (a.moves(), b.moves()) {
                    (true, true) => open(s),
                    (true, false) => Some(a.times(&b.rest)),
                    (false, _) => Some(b.times(&a.rest)),
                }
            }
            other => {
                let mut steady = true;
                other.walk(&mut |n| {
                    steady &= !matches!(n, Scalar::Var(v) if moves(*v) != Moves::Never)
                });
                if steady {
                    Some(TurnIndex {
                        rest: other.clone(),
                        ..nothing()
                    })
                } else {
                    open(other)
                }
            }
        }
    }

    fn plus(mut self, other: TurnIndex) -> TurnIndex {
        for (var, factor) in other.terms {
            let sum = self
                .terms
                .remove(&var)
                .map_or(factor.clone(), |own| own + factor);
            if sum != Scalar::Int(0) {
                self.terms.insert(var, sum);
            }
        }
        // A read value that cancels, as in `r - lo`, leaves nothing open.
        TurnIndex {
            rest: self.rest + other.rest,
            open: tidied(&(self.open + other.open)),
            ..self
        }
    }

    fn times(self, by: &Scalar) -> TurnIndex {
        let terms = self
            .terms
            .into_iter()
            .map(|(var, factor)| (var, factor * by.clone()))
            .collect();
        TurnIndex {
            terms,
            rest: self.rest * by.clone(),
            open: self.open * by.clone(),
        }
    }

    pub fn moves(&self) -> bool {
        !self.terms.is_empty() || self.is_open()
    }

    /// True if the form has a part of which nothing is known between iterations.
    pub fn is_open(&self) -> bool {
        self.open != Scalar::Int(0)
    }

    /// Returns the variables of the open part.
    pub fn open_vars(&self) -> BTreeSet<VarId> {
        self.open.vars()
    }

    pub fn is_open_by(&self, var: VarId) -> bool {
        self.open.mentions(var)
    }

    pub fn factor_of(&self, var: VarId) -> Option<&Scalar> {
        self.terms.get(&var)
    }

    /// Returns the whole form as one scalar.
    pub fn value(&self) -> Scalar {
        let terms = self
            .terms
            .iter()
            .map(|(var, factor)| Scalar::Var(*var) * factor.clone());
        terms.fold(self.rest.clone() + self.open.clone(), |sum, term| {
            sum + term
        })
    }

    /// Returns the least and the largest value, if the form is closed and all signs are known.
    pub fn ends(&self, ranges: &BTreeMap<VarId, Range>, facts: &Facts) -> Option<(Scalar, Scalar)> {
        (!self.is_open()).then(|| self.ends_without(&BTreeSet::new(), ranges, facts))?
    }

    /// Returns the ends of the sum without some variables and without the open part.
    fn ends_without(
        &self,
        without: &BTreeSet<VarId>,
        ranges: &BTreeMap<VarId, Range>,
        facts: &Facts,
    ) -> Option<(Scalar, Scalar)> {
        let (mut least, mut most) = (self.rest.clone(), self.rest.clone());
        for (var, factor) in self.terms.iter().filter(|(var, _)| !without.contains(var)) {
            let range = ranges.get(var)?;
            let (low, high) = if facts.proves_le(&Scalar::Int(0), factor) {
                (&range.least, &range.most)
            } else if facts.proves_le(factor, &Scalar::Int(0)) {
                (&range.most, &range.least)
            } else {
                return None;
            };
            least = least + low.clone() * factor.clone();
            most = most + high.clone() * factor.clone();
        }
        Some((least, most))
    }
}

/// An access with all that decides about the elements it touches.
#[derive(Clone)]
pub(super) struct Touch {
    pub of: TensorRef,
    pub dims: Vec<Scalar>,
    /// The indices as written, if no variable in them changes within an iteration.
    pub index: Option<Vec<Index>>,
    /// Arms of the conditions around. The two arms of a condition are an even number and the next.
    pub arms: Vec<usize>,
    /// One form for each index; `None` where an index has no such form.
    pub forms: Vec<Option<TurnIndex>>,
    /// Variables of the loops around.
    pub ranges: BTreeMap<VarId, Range>,
    /// Variables of the loops that fix the open parts: while they are constant, so is `open`.
    pub read_in: BTreeSet<VarId>,
    /// Variables of the loops that cores divide.
    pub divided: Vec<VarId>,
    /// First indices of the runs of inner loops.
    pub runs: Vec<VarId>,
    /// Variables of the loops around both accesses.
    pub steady: BTreeSet<VarId>,
    /// True if each index is the index of its own axis.
    pub plain: bool,
    pub does: Access,
    pub span: SpanId,
}

/// True if at least one of the statements runs whenever these arms are taken.
fn is_run(arms: &[usize], stmts: &[&[usize]]) -> bool {
    let inside = |of: &&[usize]| of.starts_with(arms) && of.len() > arms.len();
    let both = |of: &[usize]| {
        let first = of[arms.len()] & !1;
        [first, first + 1]
            .iter()
            .all(|arm| is_run(&[arms, &[*arm]].concat(), stmts))
    };
    stmts.iter().any(|of| arms.starts_with(of)) || stmts.iter().copied().filter(inside).any(both)
}

impl Touch {
    pub fn writes(&self) -> bool {
        self.does.stores()
    }

    /// True if this loads the elements of a `Disjoint` store: at an equal index, in the same loops.
    /// The author promises that no other iteration stores them.
    fn is_at(&self, store: &Touch) -> bool {
        let promised =
            self.does == Access::Read && store.does == Access::Disjoint && self.of == store.of;
        let loops = self.ranges.keys().eq(store.ranges.keys());
        promised
            && loops
            && self.dims == store.dims
            && self.index.is_some()
            && self.index == store.index
    }

    /// True if its own iteration stores the elements: on every path to this load, one of the stores
    /// runs.
    pub fn is_stored_by(&self, stores: &[Touch]) -> bool {
        let own: Vec<&[usize]> = stores
            .iter()
            .filter(|store| self.is_at(store))
            .map(|store| store.arms.as_slice())
            .collect();
        is_run(&self.arms, &own)
    }

    /// Returns a loop variable by which two iterations may differ that touch one element. Returns
    /// `None` if both accesses always belong to one iteration.
    pub fn other_turn(&self, other: &Touch, facts: &Facts) -> Option<VarId> {
        let common = self.runs.iter().filter(|run| other.runs.contains(run));
        let due: BTreeSet<VarId> = self
            .divided
            .iter()
            .chain(&other.divided)
            .chain(common)
            .copied()
            .collect();
        let pairs = self.pairs(other, facts);
        if self.is_elsewhere(other, &pairs, facts) {
            return None;
        }
        let known = self.same(other, &pairs, facts);
        due.difference(&known).next().copied()
    }

    /// Returns the pairs of indices that are equal wherever both accesses touch one element.
    ///
    /// Two views of one tensor have as many elements. Their indices agree along leading dimensions
    /// of equal sizes, and along trailing ones.
    fn pairs<'t>(&'t self, other: &'t Touch, facts: &Facts) -> Vec<(&'t TurnIndex, &'t TurnIndex)> {
        let dims = || self.dims.iter().zip(&other.dims);
        let alike = |(a, b): &(&Scalar, &Scalar)| facts.equal(a, b);
        let most = self.dims.len().min(other.dims.len());
        let front = dims().take_while(alike).count();
        let ends = self.dims.iter().rev().zip(other.dims.iter().rev());
        let end = ends.take_while(alike).count().min(most - front);
        let last = |forms: &'t [Option<TurnIndex>]| &forms[forms.len() - end..];
        let (own, its) = (last(&self.forms), last(&other.forms));
        let both = self.forms[..front]
            .iter()
            .zip(&other.forms)
            .chain(own.iter().zip(its));
        both.filter_map(|(a, b)| a.as_ref().zip(b.as_ref()))
            .collect()
    }

    /// True if one index of an access is always above the matching index of the other.
    fn is_elsewhere(
        &self,
        other: &Touch,
        pairs: &[(&TurnIndex, &TurnIndex)],
        facts: &Facts,
    ) -> bool {
        pairs.iter().any(|(a, b)| {
            let ends = a
                .ends(&self.ranges, facts)
                .zip(b.ends(&other.ranges, facts));
            ends.is_some_and(|((a_least, a_most), (b_least, b_most))| {
                facts.proves_le(&(a_most + 1), &b_least) || facts.proves_le(&(b_most + 1), &a_least)
            })
        })
    }

    /// Returns the variables that are equal wherever both accesses touch one element.
    fn same(
        &self,
        other: &Touch,
        pairs: &[(&TurnIndex, &TurnIndex)],
        facts: &Facts,
    ) -> BTreeSet<VarId> {
        let mut known = self.steady.clone();
        loop {
            let before = known.len();
            for (a, b) in pairs.iter().copied() {
                let vars = a
                    .terms
                    .keys()
                    .filter(|var| b.terms.contains_key(var) && self.ranges.contains_key(var));
                for var in vars {
                    if !known.contains(var) && self.settles(other, a, b, *var, &known, facts) {
                        known.insert(*var);
                    }
                }
            }
            if known.len() == before {
                return known;
            }
        }
    }

    /// True if the rests of both indices differ by less than one step of the variable. Then equal
    /// indices have equal variables.
    fn settles(
        &self,
        other: &Touch,
        a: &TurnIndex,
        b: &TurnIndex,
        var: VarId,
        known: &BTreeSet<VarId>,
        facts: &Facts,
    ) -> bool {
        let equal = |var: &VarId| {
            a.terms
                .get(var)
                .zip(b.terms.get(var))
                .is_some_and(|(f, g)| facts.equal(f, g))
        };
        if !equal(&var) {
            return false;
        }
        // A read value is equal in both accesses if both share the iterations that it was read in.
        let read_once = || {
            facts.equal(&a.open, &b.open)
                && self
                    .read_in
                    .union(&other.read_in)
                    .all(|var| known.contains(var))
        };
        if (a.is_open() || b.is_open()) && !read_once() {
            return false;
        }
        let factor = a.terms[&var].clone();
        let step = match facts.proves_le(&Scalar::Int(1), &factor) {
            true => factor,
            false if facts.proves_le(&factor, &Scalar::Int(-1)) => factor * -1,
            false => return false,
        };
        let without: BTreeSet<VarId> = known.iter().copied().filter(equal).chain([var]).collect();
        let ends = |form: &TurnIndex, ranges| form.ends_without(&without, ranges, facts);
        let Some(((a_least, a_most), (b_least, b_most))) =
            ends(a, &self.ranges).zip(ends(b, &other.ranges))
        else {
            return false;
        };
        facts.proves_le(&(a_most - b_least + 1), &step)
            && facts.proves_le(&(b_most - a_least + 1), &step)
    }
}
