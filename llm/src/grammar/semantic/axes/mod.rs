//! Sets of axes as types: a tile over other axes is of another class, with names, rules and bits of its own.
//!
//! In names an axis is its name where a tile has all of it, and `t_n` where it has the run of a loop over `n`: `v_t_n_d_0` is a tile over a run of `n`
//! and all of `d`. What goes by axis is a relation of sets: an element-wise op has the larger one of two sets of which one holds the other, a reduction
//! takes axes away, an index puts its own in. Tiles of both all and a run of one axis have no class, nor have those of more than [`MOST_ATOMS`] axes.

mod places;
mod tiles;

use super::super::ebnf::{Grammar, Part};
use super::super::GrammarError;
use crate::canon::{stem, Head, Pool};
use std::collections::{BTreeMap, BTreeSet};

/// Axes of tensors at most, and axes of one tile.
const MOST_AXES: usize = 4;
const MOST_ATOMS: usize = 3;
/// Tensors that may be left out at most: each takes a bit.
const MOST_OPTIONAL: usize = 32;

/// What a tile has of an axis, by the number of the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Atom {
    /// All of it.
    Whole(usize),
    /// The run of a loop.
    Run(usize),
}

/// Axes of a tile; one bit an atom.
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

    /// Every set that it holds, itself among them.
    fn parts(self) -> impl Iterator<Item = Set> {
        (0..=self.0).map(Set).filter(move |part| self.holds(*part))
    }

    /// What stands behind the names of rules and tokens of this class.
    pub fn suffix(self) -> String {
        format!("_s{}", self.0)
    }
}

/// The axes of a head, and the classes of tiles.
pub(in super::super) struct Universe {
    pub axes: Vec<String>,
    /// Likely ones first.
    pub sets: Vec<Set>,
    /// How many of them a kernel of this head is likely to have.
    pub likely: usize,
}

impl Universe {
    /// That of a head.
    ///
    /// # Errors
    /// [`GrammarError::Axes`] where it has too many axes, [`GrammarError::Classes`] where it has none, where two classes would have one name, and where
    /// tensors that may be left out leave no bits for tiles.
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

    /// How unlikely it is that a kernel has such tiles: loops cut all axes or leave the inner ones whole, and a tile has what some tensor has.
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

    /// An atom in names and as an argument.
    fn word(&self, atom: Atom) -> String {
        match atom {
            Atom::Whole(axis) => self.axes[axis].clone(),
            Atom::Run(axis) => format!("{}_{}", Pool::Run.letters(), self.axes[axis]),
        }
    }

    /// What the names of a class begin with.
    pub fn stem(&self, pool: Pool, set: Set) -> String {
        stem(
            pool,
            &set.atoms()
                .map(|atom| self.word(atom))
                .collect::<Vec<_>>()
                .join("_"),
        )
    }

    /// The names of the run of an axis and of a single index of it.
    pub fn turns(&self, axis: usize) -> [String; 2] {
        [Pool::Run, Pool::Index].map(|pool| stem(pool, &self.axes[axis]) + "0")
    }

    /// Axes as an argument: a whole one by its name, a run by that of its loop.
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

    /// An atom where it is in scope.
    fn named(&self, atom: Atom) -> Part {
        match atom {
            Atom::Whole(axis) => Part::Literal(self.axes[axis].clone()),
            Atom::Run(axis) => Part::Name(run(axis)),
        }
    }
}

/// The token of the run of an axis, and that of a single index; with `NO_` those of no text, where there is none in scope.
pub(in super::super) fn run(axis: usize) -> String {
    format!("RUN{axis}")
}

pub(in super::super) fn each(axis: usize) -> String {
    format!("EACH{axis}")
}

pub(in super::super) fn no(token: &str) -> String {
    format!("NO_{token}")
}

/// The productions with a rule for each class, and tensors by the axes of their indices.
pub(super) fn classed(
    grammar: &mut Grammar,
    universe: &Universe,
    head: &Head,
    lists: &BTreeMap<&'static str, Vec<String>>,
) {
    let all = 0..universe.axes.len();
    // What a number may be of loops.
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
