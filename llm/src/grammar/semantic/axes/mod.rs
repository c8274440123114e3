//! Sets of axes as types: each set of axes is a class of tiles, with names, rules and bits of its
//! own.
//!
//! In names, a whole axis is its name, and the run of a loop over `n` is `t_n`. So `v_t_n_d_0` is a
//! tile over a run of `n` and all of `d`. Ops are relations of sets:
//!
//! - An element-wise op has the larger of two sets, one of which contains the other.
//! - A reduction removes axes.
//! - An index adds its own axes.
//!
//! Two kinds of tiles have no class: over both all and a run of one axis, and over more than
//! [`MOST_ATOMS`] axes.

mod places;
mod tiles;

use super::super::ebnf::{Grammar, Part};
use super::super::GrammarError;
use crate::canon::{stem, Head, Pool};
use std::collections::{BTreeMap, BTreeSet};

/// Limits of the axes of tensors, and of the axes of one tile.
const MOST_AXES: usize = 4;
const MOST_ATOMS: usize = 3;
/// The limit of optional tensors, each of which takes a bit.
const MOST_OPTIONAL: usize = 32;

/// A whole axis or a run of it, by the number of the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Atom {
    /// All indices of the axis.
    Whole(usize),
    /// The run of a loop over the axis.
    Run(usize),
}

/// The axes of a tile, with one bit for each atom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Set(u32);

impl Atom {
    fn axis(self) -> usize {
        match self {
            Atom::Whole(axis) | Atom::Run(axis) => axis,
        }
    }

    fn alone(self) -> Set {
        Set(match self {
            Atom::Whole(axis) => 1 << (2 * axis),
            Atom::Run(axis) => 2 << (2 * axis),
        })
    }
}

impl Set {
    pub const EMPTY: Set = Set(0);

    fn atoms(self) -> impl Iterator<Item = Atom> {
        let both = (0..MOST_AXES).flat_map(|axis| [Atom::Whole(axis), Atom::Run(axis)]);
        both.filter(move |atom| self.holds(atom.alone()))
    }

    pub fn holds(self, other: Set) -> bool {
        self.0 & other.0 == other.0
    }

    fn and(self, other: Set) -> Set {
        Set(self.0 | other.0)
    }

    fn without(self, other: Set) -> Set {
        Set(self.0 & !other.0)
    }

    /// Iterates over all subsets, including the set itself.
    fn parts(self) -> impl Iterator<Item = Set> {
        (0..=self.0).map(Set).filter(move |part| self.holds(*part))
    }

    /// The suffix of rules and tokens of this class.
    pub fn suffix(self) -> String {
        format!("_s{}", self.0)
    }
}

/// The axes of a head, and the classes of tiles.
pub(in super::super) struct Universe {
    pub axes: Vec<String>,
    /// The classes, likely ones first.
    pub sets: Vec<Set>,
    /// The number of likely classes for a kernel of this head.
    pub likely: usize,
}

impl Universe {
    /// Computes the classes of a head.
    ///
    /// # Errors
    /// - [`GrammarError::Axes`] if it has too many axes.
    /// - [`GrammarError::Classes`] if it has none, or if two classes would have one name.
    /// - [`GrammarError::Classes`] if optional tensors leave no bits for tiles.
    pub fn of(head: &Head) -> Result<Universe, GrammarError> {
        let named: BTreeSet<&String> = head
            .tensors
            .iter()
            .flat_map(|t| &t.axes)
            .flatten()
            .collect();
        let axes: Vec<String> = named.into_iter().cloned().collect();
        if axes.len() > MOST_AXES {
            return Err(GrammarError::Axes {
                found: axes.len(),
                most: MOST_AXES,
            });
        }
        if axes.is_empty() {
            return Err(GrammarError::Classes(
                "no tensor has an axis, and sets of axes are types",
            ));
        }
        if head.tensors.iter().filter(|t| t.optional).count() > MOST_OPTIONAL {
            return Err(GrammarError::Classes(
                "more than 32 tensors may be left out, and no bits are left for tiles",
            ));
        }
        let is_one = |set: &Set| {
            set.atoms().count() <= MOST_ATOMS
                && (0..axes.len()).all(|axis| !set.holds(Set(3 << (2 * axis))))
        };
        let mut sets: Vec<Set> = (0..1u32 << (2 * axes.len()))
            .map(Set)
            .filter(is_one)
            .collect();
        let mut universe = Universe {
            axes,
            sets: Vec::new(),
            likely: 0,
        };
        sets.sort_by_cached_key(|set| (universe.oddness(head, *set), set.atoms().count(), *set));
        universe.likely = sets
            .iter()
            .filter(|set| universe.oddness(head, **set) == 0)
            .count();
        universe.sets = sets;
        let stems: BTreeSet<String> = universe
            .sets
            .iter()
            .map(|set| universe.stem(Pool::Value, *set))
            .collect();
        match stems.len() == universe.sets.len() {
            true => Ok(universe),
            false => Err(GrammarError::Classes(
                "two sets of axes would have one name: call an axis otherwise",
            )),
        }
    }

    /// Rates how unlikely tiles of this class are. Loops usually cut all axes or leave the inner
    /// ones whole, and a tile usually has the axes of some tensor.
    fn oddness(&self, head: &Head, set: Set) -> usize {
        let number = |name: &String| self.axes.iter().position(|own| own == name);
        let rows: Vec<Vec<usize>> = head
            .tensors
            .iter()
            .map(|t| t.axes.iter().flatten().filter_map(number).collect())
            .collect();
        let is_inner = |axis: usize| {
            let deep = rows.iter().filter(|row| row.len() > 1);
            let (mut last, mut first) = (false, false);
            deep.for_each(|row| {
                last |= row.last() == Some(&axis);
                first |= row.first() == Some(&axis);
            });
            last && !first
        };
        let is_cut = set.atoms().all(|atom| matches!(atom, Atom::Run(_)));
        let odd = set.atoms().filter(|atom| match atom {
            Atom::Whole(axis) => !is_inner(*axis),
            Atom::Run(axis) => is_inner(*axis) && !is_cut,
        });
        let is_of_one = rows
            .iter()
            .any(|row| set.atoms().all(|atom| row.contains(&atom.axis())));
        odd.count() + usize::from(!is_of_one)
    }

    /// Writes an atom in names and as an argument.
    fn word(&self, atom: Atom) -> String {
        match atom {
            Atom::Whole(axis) => self.axes[axis].clone(),
            Atom::Run(axis) => format!("{}_{}", Pool::Run.letters(), self.axes[axis]),
        }
    }

    /// Returns the beginning of the names of a class.
    pub fn stem(&self, pool: Pool, set: Set) -> String {
        stem(
            pool,
            &set.atoms()
                .map(|atom| self.word(atom))
                .collect::<Vec<_>>()
                .join("_"),
        )
    }

    /// Returns the names of the run of an axis and of a single index of it.
    pub fn turns(&self, axis: usize) -> [String; 2] {
        [Pool::Run, Pool::Index].map(|pool| stem(pool, &self.axes[axis]) + "0")
    }

    /// Writes axes as an argument: a whole axis by its name, a run by that of its loop.
    fn argument(&self, set: Set) -> Part {
        let mut names: Vec<(String, Part)> = set
            .atoms()
            .map(|atom| (self.text(atom), self.named(atom)))
            .collect();
        names.sort_by(|a, b| a.0.cmp(&b.0));
        let named = names.into_iter().map(|(_, part)| part);
        let comma = || Part::Literal(", ".into());
        match set.atoms().count() {
            0 => Part::Literal("()".into()),
            1 => Part::Row(named.collect()),
            _ => {
                let listed = named
                    .enumerate()
                    .flat_map(|(nth, part)| (nth > 0).then(comma).into_iter().chain([part]));
                Part::Row(
                    [Part::Literal("(".into())]
                        .into_iter()
                        .chain(listed)
                        .chain([Part::Literal(")".into())])
                        .collect(),
                )
            }
        }
    }

    fn text(&self, atom: Atom) -> String {
        match atom {
            Atom::Whole(axis) => self.axes[axis].clone(),
            Atom::Run(axis) => self.turns(axis)[0].clone(),
        }
    }

    /// Writes an atom that is in scope.
    fn named(&self, atom: Atom) -> Part {
        match atom {
            Atom::Whole(axis) => Part::Literal(self.axes[axis].clone()),
            Atom::Run(axis) => Part::Name(run(axis)),
        }
    }
}

/// Returns the token of the run of an axis. The functions below give the token of a single index,
/// and with `NO_` the empty token that needs its absence.
pub(in super::super) fn run(axis: usize) -> String {
    format!("RUN{axis}")
}

pub(in super::super) fn each(axis: usize) -> String {
    format!("EACH{axis}")
}

pub(in super::super) fn no(token: &str) -> String {
    format!("NO_{token}")
}

/// Replaces productions by a rule for each class, and tensors by places with the axes of their
/// indices.
pub(super) fn classed(
    grammar: &mut Grammar,
    universe: &Universe,
    head: &Head,
    lists: &BTreeMap<&'static str, Vec<String>>,
) {
    let all = 0..universe.axes.len();
    // The loop variables that a scalar may use.
    let runs = Part::Choice(all.clone().map(|axis| Part::Name(run(axis))).collect());
    let eaches = std::iter::once("I".to_string())
        .chain(all.map(each))
        .map(Part::Name);
    let index = Part::Choice(eaches.collect());
    for (token, part, rules) in [
        ("T", &runs, &["iname"][..]),
        ("I", &index, &["iname", "ks"][..]),
    ] {
        for rule in rules {
            let own = grammar
                .get(rule)
                .cloned()
                .unwrap_or_else(|| panic!("no rule `{rule}`"));
            grammar.set(rule, own.replaced(token, part));
        }
    }
    grammar.set("A", Part::one_of(head.axes.iter().cloned()));
    places::set(grammar, universe, head, lists);
    tiles::set(grammar, universe, lists);
}
