//! Windows: the elements of a GM tensor that a copy touches in some iteration of its loops.
//!
//! The main question is if two windows are disjoint. A window outlives the place where it was made,
//! so its formulas may change their meaning: a loop goes on to another iteration, or a variable is
//! set again. Then the window gets a fresh name for the old meaning ([`Window::rename`]). It keeps
//! the facts about it: the range of a loop, and that its iteration came before another.

use super::facts::Facts;
use super::forms::Linear;
use super::query::Query;
use super::slabs::{by_stride, in_other_slabs};
use super::Look;
use crate::ir::{BinOp, Scalar, ScalarTy, VarId};

/// A loop around a copy: its variable and its range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    pub var: VarId,
    pub from: Scalar,
    pub to: Scalar,
}

/// A loop that was in an earlier iteration: `first` names the variable then, `now` the current one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Earlier {
    pub first: VarId,
    pub now: VarId,
}

/// `rows` rows of `cols` elements, `pitch` elements apart, from an offset on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    pub offset: Scalar,
    pub rows: Scalar,
    pub cols: Scalar,
    /// `None` if the rows are contiguous.
    pub pitch: Option<Scalar>,
    /// The loops around it, outermost first.
    pub turns: Vec<Turn>,
    /// Loops that have gone on to another iteration since.
    pub earlier: Vec<Earlier>,
    /// Promises about the numbers of the window, and conditions under which the copy runs.
    promised: Vec<Scalar>,
    /// The variables that it depends on, sorted. Each statement that sets a variable searches all
    /// windows for it.
    vars: Vec<VarId>,
}

/// The relation of two windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    Apart,
    /// They share an element in successive iterations.
    Meet,
    Open,
}

impl Window {
    fn scalars(&mut self) -> impl Iterator<Item = &mut Scalar> {
        let turns = self.turns.iter_mut().flat_map(|t| [&mut t.from, &mut t.to]);
        [&mut self.offset, &mut self.rows, &mut self.cols]
            .into_iter()
            .chain(&mut self.pitch)
            .chain(turns)
            .chain(&mut self.promised)
    }

    /// Makes a window in the current iterations of these loops. It keeps the promises about its own
    /// variables.
    pub fn new(
        [offset, rows, cols]: [Scalar; 3],
        pitch: Option<Scalar>,
        turns: Vec<Turn>,
        promised: &[Scalar],
    ) -> Window {
        let (earlier, none) = (Vec::new(), Vec::new());
        let mut window = Window {
            offset,
            rows,
            cols,
            pitch,
            turns,
            earlier,
            promised: none,
            vars: Vec::new(),
        };
        window.note_vars();
        let speaks = |cond: &&Scalar| window.vars.iter().any(|var| cond.mentions(*var));
        window.promised = promised.iter().filter(speaks).cloned().collect();
        window.note_vars();
        window
    }

    fn note_vars(&mut self) {
        let mut vars: Vec<VarId> = self.turns.iter().map(|t| t.var).collect();
        for s in self.scalars() {
            s.walk(&mut |n| {
                if let Scalar::Var(v) = n {
                    vars.push(*v);
                }
            });
        }
        vars.sort_unstable();
        vars.dedup();
        self.vars = vars;
    }

    /// True if it depends on a variable.
    pub fn mentions(&self, var: VarId) -> bool {
        self.vars.binary_search(&var).is_ok()
    }

    /// Keeps the old meaning of a variable under another name.
    pub fn rename(&mut self, var: VarId, to: VarId) {
        self.rename_all(&[(var, to)]);
    }

    fn rename_all(&mut self, names: &[(VarId, VarId)]) {
        let new = |var: VarId| {
            names
                .iter()
                .find(|(old, _)| *old == var)
                .map(|(_, new)| *new)
        };
        let other = |s: &Scalar| match s {
            Scalar::Var(v) => new(*v).map(Scalar::Var),
            _ => None,
        };
        self.scalars().for_each(|s| *s = s.replace(&other));
        let turns = self.turns.iter_mut().map(|t| &mut t.var);
        let earlier = self
            .earlier
            .iter_mut()
            .flat_map(|e| [&mut e.first, &mut e.now]);
        turns
            .chain(earlier)
            .chain(&mut self.vars)
            .for_each(|v| *v = new(*v).unwrap_or(*v));
        self.vars.sort_unstable();
    }

    /// Numbers the names from `first` on, which only windows have, in order of appearance. It drops
    /// orders of iterations that nothing else mentions. Windows with equal results relate equally.
    pub fn tidied(&self, first: usize) -> Window {
        let mut tidy = self.clone();
        let mut names: Vec<VarId> = Vec::new();
        let own = |v: &VarId| v.index() >= first;
        for turn in &self.turns {
            names.extend(Some(turn.var).filter(own));
        }
        tidy.earlier
            .retain(|e| !own(&e.now) || names.contains(&e.now));
        for s in tidy.scalars() {
            s.walk(&mut |n| match n {
                Scalar::Var(v) if own(v) && !names.contains(v) => names.push(*v),
                _ => {}
            });
        }
        let numbered = |(at, name): (usize, &VarId)| (*name, VarId::new(first + at, name.ty()));
        tidy.rename_all(&names.iter().enumerate().map(numbered).collect::<Vec<_>>());
        tidy
    }

    /// Returns the number of elements from the first to the end of the last.
    pub fn span(&self) -> Scalar {
        match &self.pitch {
            None => self.rows.clone() * self.cols.clone(),
            Some(pitch) => (self.rows.clone() - 1) * pitch.clone() + self.cols.clone(),
        }
    }

    fn end(&self) -> Scalar {
        self.offset.clone() + self.span()
    }

    /// Adds the facts about the iteration of an earlier window; `now` are the loops of the walk.
    fn learn(&self, facts: &mut Facts, now: &[Turn]) {
        for turn in self.turns.iter().filter(|t| !now.contains(t)) {
            facts.runs(turn.var, &turn.from, &turn.to);
        }
        self.promised.iter().for_each(|cond| facts.assume(cond));
        for e in self.counted() {
            facts.assume(&(Scalar::Var(e.first) + 1).bin(BinOp::Le, Scalar::Var(e.now)));
        }
    }

    fn counted(&self) -> impl Iterator<Item = &Earlier> {
        self.earlier
            .iter()
            .filter(|e| e.first.ty() == ScalarTy::Index)
    }

    /// Finds the relation of an earlier window to a later one, which is in the loops `now`.
    pub fn lies(&self, later: &Window, facts: &mut Facts, now: &[Turn]) -> Lie {
        let mark = facts.mark();
        self.learn(facts, now);
        let pairs = by_stride([self, later], self.free_pairs(later), facts);
        // Short proofs for each order of iterations succeed before a long search without an order
        // fails.
        let is_apart =
            |look, facts: &mut Facts| self.is_apart_in_any_order(later, facts, &pairs, look);
        let apart = is_apart(Look::Short, facts)
            || is_apart(Look::Long, facts)
            || (facts.assume_what_is_left() && is_apart(Look::Long, facts))
            // No launch gets there: the iteration does not exist.
            || facts.contradict();
        let lie = if apart {
            Lie::Apart
        } else {
            for e in self.counted() {
                facts.assume(&Scalar::Var(e.now).bin(BinOp::Le, Scalar::Var(e.first) + 1));
            }
            if self.meets(later, facts) {
                Lie::Meet
            } else {
                Lie::Open
            }
        };
        facts.back(mark);
        lie
    }

    /// Returns the loops around both windows whose iterations are unrelated, innermost first. They
    /// ran once for this window and again for the later one.
    fn free_pairs(&self, later: &Window) -> Vec<(VarId, VarId)> {
        let pairs = self
            .turns
            .iter()
            .zip(&later.turns)
            .rev()
            .map(|(a, b)| (a.var, b.var));
        let known =
            |(a, b): &(VarId, VarId)| self.earlier.iter().any(|e| e.first == *a && e.now == *b);
        pairs
            .filter(|pair| pair.0 != pair.1 && pair.0.ty() == ScalarTy::Index && !known(pair))
            .collect()
    }

    /// True if the windows are disjoint for every order of iterations of these loops. Each order is
    /// a proof of its own.
    fn is_apart_in_any_order(
        &self,
        later: &Window,
        facts: &mut Facts,
        pairs: &[(VarId, VarId)],
        look: Look,
    ) -> bool {
        if self.is_apart(later, facts, look) {
            return true;
        }
        let Some(((a, b), rest)) = pairs.split_first() else {
            return false;
        };
        let before = |a: VarId, b: VarId| (Scalar::Var(a) + 1).bin(BinOp::Le, Scalar::Var(b));
        [
            Scalar::Var(*a).bin(BinOp::Eq, Scalar::Var(*b)),
            before(*a, *b),
            before(*b, *a),
        ]
        .into_iter()
        .all(|order| {
            let mark = facts.mark();
            facts.assume(&order);
            let apart =
                self.is_apart_in_any_order(later, facts, rest, look) || facts.contradict_by(look);
            facts.back(mark);
            apart
        })
    }

    fn is_apart(&self, later: &Window, facts: &Facts, look: Look) -> bool {
        // Loops go up, so the later window mostly lies behind. Likely proofs come first, and single
        // axes before all at once: a failing search takes longest.
        let behind = || facts.proves_le_by(&self.end(), &later.offset, look);
        let beside = || self.is_beside(later, facts, look) || later.is_beside(self, facts, look);
        let columns = self.keeps_rows(later, facts);
        (columns && beside())
            || in_other_slabs([self, later], facts, look)
            || behind()
            || (!columns && beside())
            || facts.proves_le_by(&later.end(), &self.offset, look)
    }

    /// True if both have rows of one pitch, and their offsets seem to differ in the column.
    fn keeps_rows(&self, other: &Window, facts: &Facts) -> bool {
        let (Some(pitch), Some(_)) = (&self.pitch, &other.pitch) else {
            return false;
        };
        let mut query = facts.query();
        let right = query.form(&(other.offset.clone() - self.offset.clone()));
        let Some((right, pitch)) = right.zip(query.form(pitch)) else {
            return false;
        };
        let mut counts_rows = |product, factor: i64| match &pitch.terms[..] {
            [] => factor
                .checked_rem(pitch.constant)
                .is_none_or(|rest| rest == 0),
            [(row, _), ..] => query.work.forms.without(product, *row).is_some(),
        };
        !right
            .terms
            .iter()
            .any(|(product, factor)| counts_rows(*product, *factor))
    }

    /// True if both have rows of one pitch, and the columns of the other one lie behind in each
    /// row.
    fn is_beside(&self, other: &Window, facts: &Facts, look: Look) -> bool {
        let (Some(pitch), Some(theirs)) = (&self.pitch, &other.pitch) else {
            return false;
        };
        pitch == theirs
            && self
                .columns_before(other, pitch, &mut facts.query(), look)
                .unwrap_or(false)
    }

    fn columns_before(
        &self,
        other: &Window,
        pitch: &Scalar,
        query: &mut Query<'_>,
        look: Look,
    ) -> Option<bool> {
        let pitch = query.form(pitch)?;
        let moved = query.form(&(other.offset.clone() - self.offset.clone()))?;
        let right = within_row(&moved, &pitch, query)?;
        let (cols, theirs) = (query.form(&self.cols)?, query.form(&other.cols)?);
        let (begins, ends) = (
            cols.plus(&right, -1)?,
            right.plus(&theirs, 1)?.plus(&pitch, -1)?,
        );
        Some(
            [begins, ends]
                .into_iter()
                .all(|l| query.never_positive_by(l.reduced(), look)),
        )
    }

    fn meets(&self, other: &Window, facts: &Facts) -> bool {
        let first = |w: &Window| w.offset.clone() + 1;
        let dense = |w: &Window| w.pitch.is_none() || w.rows == Scalar::Int(1);
        let some = |w: &Window| facts.proves_le(&Scalar::Int(1), &w.span());
        dense(self)
            && dense(other)
            && facts.proves_le(&first(self), &other.end())
            && facts.proves_le(&first(other), &self.end())
            && some(self)
            && some(other)
    }

    /// Returns the distance of the window in successive iterations, and its length, if both are
    /// constant.
    pub fn step_and_length(&self, later: &Window, facts: &Facts) -> Option<(i64, i64)> {
        let next = |s: &Scalar| match s {
            Scalar::Var(v) => self
                .counted()
                .find(|e| e.first == *v)
                .map(|e| Scalar::Var(e.now) - 1),
            _ => None,
        };
        let moved = facts.as_int(&(later.offset.clone() - self.offset.replace(&next)))?;
        let length = facts.as_int(&self.span())?;
        (!self.earlier.is_empty()).then_some((moved, length))
    }
}

/// Removes whole rows from a distance. The rest is equal modulo the pitch.
fn within_row(moved: &Linear, pitch: &Linear, query: &mut Query<'_>) -> Option<Linear> {
    let (row, times) = match &pitch.terms[..] {
        [] => (None, pitch.constant),
        [(row, times)] if pitch.constant == 0 => (Some(*row), *times),
        _ => return Some(moved.clone()),
    };
    let mut left = Linear::constant(moved.constant);
    for (product, factor) in &moved.terms {
        let mut counts = |row| query.work.forms.without(*product, row).is_some();
        let is_of_rows = row.is_none_or(&mut counts);
        let is_whole = is_of_rows && factor.checked_rem(times) == Some(0);
        if !is_whole {
            left = left.plus(&Linear::product(*product), *factor)?;
        }
    }
    Some(left)
}
