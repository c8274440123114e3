//! The rules of tiles, class by class.

use super::{Atom, Set, Universe};
use crate::canon::OTHERS;
use crate::grammar::ebnf::{Grammar, Part};
use crate::grammar::in_rules;
use std::collections::{BTreeMap, BTreeSet};

/// Rules that get a variant for each class.
const CLASSED: &[&str] = &[
    "fv", "kv", "mv", "hv", "hf", "fx", "kx", "mx", "hcompare", "load_f32", "load_i32",
];
/// Such rules with one variant for each element type.
const CLASSED_TYPED: &[&str] = &["hv", "hx", "hfloat", "hcompare", "load"];
/// Tokens of tiles; those of other element types begin with `H` and `W`.
const TOKENS: &[&str] = &["V", "K", "M", "C", "D", "G"];

fn name(rule: impl Into<String>) -> Part {
    Part::Name(rule.into())
}

/// Replaces the rules of tiles by a rule for each class.
pub(super) fn set(
    grammar: &mut Grammar,
    universe: &Universe,
    lists: &BTreeMap<&'static str, Vec<String>>,
) {
    let classed: BTreeSet<String> = grammar
        .rules()
        .map(|(rule, _)| rule.to_string())
        .filter(|rule| is_classed(rule))
        .collect();
    let loose: BTreeMap<String, (Part, Part)> = grammar
        .rules()
        .filter_map(|(rule, part)| Some((rule.to_string(), parted(part, &classed)?)))
        .collect();
    let writer = Classes {
        universe,
        lists,
        classed,
        loose,
    };
    let rules: Vec<(String, Part)> = grammar
        .rules()
        .filter(|(rule, _)| writer.classed.contains(*rule))
        .map(|(rule, part)| (rule.to_string(), part.clone()))
        .collect();
    for (rule, part) in &rules {
        for set in &universe.sets {
            // The rules of loads are written already.
            if grammar.get(&(rule.clone() + &set.suffix())).is_none() {
                grammar.add(
                    &(rule.clone() + &set.suffix()),
                    writer.of_class(rule, part, *set),
                );
            }
        }
    }
    for (rule, below) in writer.below() {
        grammar.add(&rule, below);
    }
    grammar.set("change", writer.changes(grammar));
}

/// True for a rule of tiles; `load_p` is one of the element type `T`.
fn is_classed(rule: &str) -> bool {
    let typed = || {
        OTHERS.iter().any(|(letters, _)| {
            CLASSED_TYPED
                .iter()
                .any(|own| rule == format!("{own}_{}", in_rules(letters)))
        })
    };
    CLASSED.contains(&rule) || is_tile(rule) || typed()
}

/// True for the token of tiles.
fn is_tile(token: &str) -> bool {
    let typed = || {
        OTHERS.iter().any(|(letters, _)| {
            ["H", "W"]
                .iter()
                .any(|own| token == own.to_string() + &letters.to_uppercase())
        })
    };
    TOKENS.contains(&token) || typed()
}

/// Splits a choice into tiles and numbers, if it consists of both.
fn parted(part: &Part, classed: &BTreeSet<String>) -> Option<(Part, Part)> {
    let Part::Choice(all) = part else { return None };
    let (tiles, numbers): (Vec<Part>, Vec<Part>) = all
        .iter()
        .cloned()
        .partition(|part| matches!(part, Part::Name(rule) if classed.contains(rule)));
    let are_names = numbers.iter().all(|part| matches!(part, Part::Name(_)));
    match tiles.as_slice() {
        [one] if are_names && !numbers.is_empty() => Some((one.clone(), Part::Choice(numbers))),
        _ => None,
    }
}

/// The role of a part of a production.
enum Of<'a> {
    /// A tile, by its rules.
    Tile(Vec<&'a str>),
    /// A tile or a number, by its rule.
    Loose(&'a str),
    Other,
}

/// The axes of an operand, relative to the set of the result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Has {
    All,
    /// A proper subset of the set.
    Less,
    /// Any subset of the set.
    Any,
}

struct Classes<'a> {
    universe: &'a Universe,
    lists: &'a BTreeMap<&'static str, Vec<String>>,
    classed: BTreeSet<String>,
    /// Rules of tiles or numbers.
    loose: BTreeMap<String, (Part, Part)>,
}

impl Classes<'_> {
    /// Writes a rule for one class.
    fn of_class(&self, rule: &str, part: &Part, set: Set) -> Part {
        if is_tile(rule) {
            // The writer makes the rule of its names.
            return part.clone();
        }
        let all = match part {
            Part::Choice(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        let rows = all.iter().flat_map(|part| match part {
            Part::Row(parts) => self.row(rule, parts, set),
            one => self.row(rule, std::slice::from_ref(one), set),
        });
        Part::Choice(rows.collect())
    }

    /// Writes an alternative for a class: one for each combination of operands that gives the
    /// class.
    fn row(&self, rule: &str, parts: &[Part], set: Set) -> Vec<Part> {
        let is_axes = |part: &Part| matches!(part, Part::Name(name) if ["axs", "axs0", "ax", "axis"].contains(&name.as_str()));
        let dead = parts.iter().any(|part| {
            *part == Part::nothing() || matches!(part, Part::Name(name) if name == "NONE")
        });
        if dead {
            return Vec::new();
        }
        match parts.iter().position(is_axes) {
            Some(at) => self.along(rule, parts, at, set),
            // The grammar with classes has no append.
            None if matches!(parts, [Part::Name(of), ..] if of == "appendable") => Vec::new(),
            None => self.elementwise(rule, parts, set),
        }
    }

    fn kind<'p>(&self, part: &'p Part) -> Of<'p> {
        let tile = |part: &'p Part| match part {
            Part::Name(name) if self.classed.contains(name) => Some(name.as_str()),
            _ => None,
        };
        match part {
            Part::Name(name) if self.classed.contains(name) => Of::Tile(vec![name]),
            Part::Name(name) if self.loose.contains_key(name) => Of::Loose(name),
            Part::Choice(all) => match all.iter().map(tile).collect::<Option<Vec<&str>>>() {
                Some(all) if !all.is_empty() => Of::Tile(all),
                _ => Of::Other,
            },
            Part::Name(_) | Part::Literal(_) | Part::Class(_) | Part::Row(_) | Part::Times(..) => {
                Of::Other
            }
        }
    }

    /// Writes an element-wise op. One operand has all axes, those before it have fewer, and those
    /// behind it any.
    fn elementwise(&self, rule: &str, parts: &[Part], set: Set) -> Vec<Part> {
        let operands: Vec<usize> = (0..parts.len())
            .filter(|at| !matches!(self.kind(&parts[*at]), Of::Other))
            .collect();
        assert!(
            !operands.is_empty(),
            "nothing says which axes this alternative of `{rule}` has: {parts:?}"
        );
        let with = |first: usize| {
            let part = |(at, part): (usize, &Part)| {
                let has = match operands.iter().position(|own| *own == at) {
                    None => return Some(part.clone()),
                    Some(nth) if nth < first => Has::Less,
                    Some(nth) if nth == first => Has::All,
                    Some(_) => Has::Any,
                };
                self.operand(part, has, set)
            };
            parts
                .iter()
                .enumerate()
                .map(part)
                .collect::<Option<Vec<Part>>>()
                .map(Part::Row)
        };
        (0..operands.len()).filter_map(with).collect()
    }

    fn operand(&self, part: &Part, has: Has, set: Set) -> Option<Part> {
        let of = |rule: &str| match has {
            Has::All => name(rule.to_string() + &set.suffix()),
            Has::Less => name(format!("{rule}_below{}", set.suffix())),
            Has::Any => Part::Choice(vec![
                name(rule.to_string() + &set.suffix()),
                name(format!("{rule}_below{}", set.suffix())),
            ]),
        };
        match (self.kind(part), has) {
            (Of::Tile(rules), _) => Some(Part::Choice(rules.into_iter().map(of).collect())),
            (Of::Loose(rule), has) => {
                let (tile, number) = &self.loose[rule];
                let Part::Name(tile) = tile else { return None };
                match has {
                    Has::All => Some(of(tile)),
                    Has::Less | Has::Any => Some(Part::Choice(vec![of(tile), number.clone()])),
                }
            }
            (Of::Other, _) => Some(part.clone()),
        }
    }

    /// Writes the rules of tiles with fewer axes than a class.
    fn below(&self) -> Vec<(String, Part)> {
        let less = |rule: &str, set: Set| {
            set.parts()
                .filter(move |part| *part != set)
                .map(|part| name(rule.to_string() + &part.suffix()))
                .collect()
        };
        let one = |(rule, set): (&String, &Set)| {
            (
                format!("{rule}_below{}", set.suffix()),
                Part::Choice(less(rule, *set)),
            )
        };
        let values = self.classed.iter().filter(|rule| {
            !is_tile(rule)
                && (rule.starts_with("hv") || ["fv", "kv", "mv", "hf"].contains(&rule.as_str()))
        });
        values
            .flat_map(|rule| self.universe.sets.iter().map(move |set| (rule, set)))
            .map(one)
            .collect()
    }

    fn is_one_of(&self, part: &Part, lists: &[&str], own: &[&str]) -> bool {
        let mut all = Vec::new();
        part.literals(&mut |text| all.push(text.to_string()));
        let known = |text: &String| {
            own.contains(&text.as_str()) || lists.iter().any(|list| self.lists[list].contains(text))
        };
        !all.is_empty() && all.iter().all(known)
    }

    /// Writes an alternative with axes as an argument.
    fn along(&self, rule: &str, parts: &[Part], at: usize, set: Set) -> Vec<Part> {
        let said = |part: Part| [&parts[..at], &[part], &parts[at + 1..]].concat();
        let of = |row: Vec<Part>, axes: Set| {
            let row: Option<Vec<Part>> = row
                .iter()
                .map(|part| self.operand(part, Has::All, axes))
                .collect();
            row.map(Part::Row)
        };
        let whole = |axes: &Set| axes.atoms().all(|atom| matches!(atom, Atom::Whole(_)));
        let method = at
            .checked_sub(1)
            .map_or(&parts[at], |before| &parts[before]);
        if at == 0 {
            // The form is `d.iota()`.
            let alone = set.atoms().count() == 1;
            return if alone {
                of(said(self.universe.argument(set)), set)
                    .into_iter()
                    .collect()
            } else {
                Vec::new()
            };
        }
        if self.is_one_of(method, &["reductions", "places", "asks"], &[]) {
            // A reduction along the run of a loop would give a partial result.
            let known = self
                .universe
                .sets
                .iter()
                .filter(|all| all.holds(set) && **all != set && whole(&all.without(set)));
            return known
                .filter_map(|all| of(said(self.universe.argument(all.without(set))), *all))
                .collect();
        }
        if self.is_one_of(method, &["scans"], &[".sort(", ".argsort("]) {
            let axes = set.atoms().map(Atom::alone).filter(whole);
            return axes
                .filter_map(|axis| of(said(self.universe.argument(axis)), set))
                .collect();
        }
        if self.is_one_of(method, &[], &[".expand("]) {
            let more = set.parts().filter(|more| *more != Set::EMPTY);
            return more
                .filter_map(|more| of(said(self.universe.argument(more)), set.without(more)))
                .collect();
        }
        if self.is_one_of(method, &[], &[".pick("]) {
            return self.picks(parts, set);
        }
        let mut made = false;
        method.literals(&mut |text| made |= text.starts_with("full::<"));
        assert!(
            made,
            "no rule says which axes this alternative of `{rule}` has: {parts:?}"
        );
        vec![Part::Row(said(self.universe.argument(set)))]
    }

    /// Writes `v.pick(d, i)`: the axes of the index replace the axis `d`.
    fn picks(&self, parts: &[Part], set: Set) -> Vec<Part> {
        let [of, method, _, comma, _, shut] = parts else {
            panic!("a pick is `v.pick(axis, index)`: {parts:?}")
        };
        let mut all = Vec::new();
        for axis in (0..self.universe.axes.len()).map(Atom::Whole) {
            for own in set.parts() {
                let Some(from) = self
                    .universe
                    .sets
                    .iter()
                    .find(|from| **from == own.and(axis.alone()) && own != **from)
                else {
                    continue;
                };
                let Some(of) = self.operand(of, Has::All, *from) else {
                    continue;
                };
                // The index has at least the axes that the tile lacks.
                let mut at: Vec<Part> = set
                    .parts()
                    .filter(|ids| *ids != Set::EMPTY && own.and(*ids) == set)
                    .map(|ids| name(format!("kv{}", ids.suffix())))
                    .collect();
                if own == set {
                    at.push(name("point"));
                }
                if !at.is_empty() {
                    all.push(Part::Row(vec![
                        of,
                        method.clone(),
                        self.universe.named(axis),
                        comma.clone(),
                        Part::Choice(at),
                        shut.clone(),
                    ]));
                }
            }
        }
        all
    }

    /// Writes assignments between tiles with equal axes.
    fn changes(&self, grammar: &Grammar) -> Part {
        let Some(Part::Choice(all)) = grammar.get("change") else {
            panic!("nothing changes")
        };
        let typed = self.typed_sets(grammar);
        let rows = all
            .iter()
            .filter(|part| matches!(part, Part::Row(_)))
            .chain(&typed);
        let of = |part: &Part, set: Set| match part {
            Part::Row(parts) => parts
                .iter()
                .map(|part| self.operand(part, Has::All, set))
                .collect::<Option<Vec<_>>>()
                .map(Part::Row),
            Part::Name(_)
            | Part::Literal(_)
            | Part::Class(_)
            | Part::Choice(_)
            | Part::Times(..) => None,
        };
        Part::Choice(
            rows.flat_map(|part| {
                self.universe
                    .sets
                    .iter()
                    .filter_map(move |set| of(part, *set))
            })
            .collect(),
        )
    }

    /// Returns assignments to tiles of other element types.
    fn typed_sets(&self, grammar: &Grammar) -> Vec<Part> {
        let rules = OTHERS
            .iter()
            .map(|(letters, _)| format!("hset_{}", in_rules(letters)));
        rules
            .filter_map(|rule| grammar.get(&rule).cloned())
            .filter(|part| *part != Part::nothing())
            .collect()
    }
}

impl Part {
    /// Replaces a name by another part.
    pub(super) fn replaced(&self, own: &str, by: &Part) -> Part {
        let all = |parts: &[Part]| parts.iter().map(|part| part.replaced(own, by)).collect();
        match self {
            Part::Name(name) if name == own => by.clone(),
            Part::Row(parts) => Part::Row(all(parts)),
            Part::Choice(parts) => Part::Choice(all(parts)),
            Part::Times(part, least, most) => {
                Part::Times(Box::new(part.replaced(own, by)), *least, *most)
            }
            Part::Name(_) | Part::Literal(_) | Part::Class(_) => self.clone(),
        }
    }
}
