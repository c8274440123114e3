//! Accesses to tensors, by the axes of their indices.

use super::super::{bare, given_or_own, stored_class};
use super::{each, no, run, Atom, Set, Universe};
use crate::canon::{Head, HeadTensor, OTHERS};
use crate::grammar::ebnf::{Grammar, Part};
use crate::grammar::in_rules;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{Role, Ty};
use std::collections::BTreeMap;

fn name(rule: impl Into<String>) -> Part {
    Part::Name(rule.into())
}

fn text(text: impl Into<String>) -> Part {
    Part::Literal(text.into())
}

/// Writes the loads of each class, and the stores.
pub(super) fn set(
    grammar: &mut Grammar,
    universe: &Universe,
    head: &Head,
    lists: &BTreeMap<&'static str, Vec<String>>,
) {
    let places = Places { universe, head };
    for axis in 0..universe.axes.len() {
        let (own, other) = moved(name(run(axis)));
        grammar.add(&format!("own{axis}"), own);
        grammar.add(&format!("moved{axis}"), Part::Choice(other));
        // All of an axis is an index of another axis, or of itself with an offset.
        let (any, own) = moved(text(format!("{}.indices()", universe.axes[axis])));
        grammar.add(&format!("indices{axis}"), any);
        grammar.add(&format!("turned{axis}"), Part::Choice(own));
    }
    let mut shapes: Vec<Vec<Option<usize>>> = Vec::new();
    for tensor in &head.tensors {
        let shape = places.shape(tensor);
        if !shapes.contains(&shape) {
            places.add_indices(grammar, &shape, shapes.len());
            shapes.push(shape);
        }
    }
    let number = |tensor: &HeadTensor| {
        shapes
            .iter()
            .position(|shape| *shape == places.shape(tensor))
            .unwrap_or(shapes.len())
    };
    let how = || {
        Part::Choice(vec![
            text(".load()"),
            Part::Row(vec![text(".load_or("), name("number0"), text(")")]),
        ])
    };
    let types = [
        ("f32".to_string(), Ty::Is(DType::F32)),
        ("i32".to_string(), Ty::Is(DType::I32)),
    ];
    let types = types.into_iter().chain(
        OTHERS
            .iter()
            .map(|(letters, ty)| (in_rules(letters).to_string(), *ty)),
    );
    for (of, ty) in types {
        for set in &universe.sets {
            let row = |t: &HeadTensor| {
                Part::Row(vec![
                    given_or_own(t),
                    text(".at("),
                    name(indices(number(t), 0, *set)),
                    text(")"),
                    how(),
                ])
            };
            let all = head
                .tensors
                .iter()
                .filter(|t| t.ty == ty && t.role != Role::Out)
                .map(row);
            grammar.add(
                &format!("load_{of}{}", set.suffix()),
                Part::Choice(all.collect()),
            );
        }
    }
    grammar.set("appendable", Part::nothing());
    let stores = Part::one_of(lists["stores"].iter().cloned());
    let written = head.tensors.iter().filter(|t| t.role != Role::In);
    grammar.set(
        "stored",
        Part::Choice(
            written
                .flat_map(|tensor| places.stores(tensor, &stores))
                .collect(),
        ),
    );
}

/// Returns the rule of the indices of a shape from one on, which add these axes.
fn indices(shape: usize, from: usize, set: Set) -> String {
    format!("at{shape}_{from}{}", set.suffix())
}

/// Writes a run as an index of its own axis, and as an index of another one. The latter is always a
/// sum or a product.
fn moved(of: Part) -> (Part, Vec<Part>) {
    let sign = || Part::Choice(vec![text(" + "), text(" - ")]);
    let plus = || Part::Row(vec![sign(), name("int")]);
    let times = || Part::Row(vec![text(" * "), name("factor")]);
    let maybe = |part: Part| Part::Times(Box::new(part), 0, Some(1));
    let back = || Part::Row(vec![name("int"), text(" - "), of.clone()]);
    let own = Part::Choice(vec![
        Part::Row(vec![of.clone(), maybe(times()), maybe(plus())]),
        back(),
    ]);
    let moved = vec![
        Part::Row(vec![of.clone(), times(), maybe(plus())]),
        Part::Row(vec![of.clone(), plus()]),
        back(),
    ];
    (own, moved)
}

struct Places<'a> {
    universe: &'a Universe,
    head: &'a Head,
}

impl Places<'_> {
    fn shape(&self, tensor: &HeadTensor) -> Vec<Option<usize>> {
        let number = |name: &Option<String>| {
            name.as_ref()
                .and_then(|name| self.universe.axes.iter().position(|own| own == name))
        };
        tensor.axes.iter().map(number).collect()
    }

    /// Writes the rules of the indices of a shape, for each class.
    fn add_indices(&self, grammar: &mut Grammar, shape: &[Option<usize>], number: usize) {
        for from in 0..=shape.len() {
            for set in &self.universe.sets {
                let part = match shape.get(from) {
                    None if *set == Set::EMPTY => Part::Row(Vec::new()),
                    None => Part::nothing(),
                    Some(own) => {
                        Part::Choice(self.index(*own, from, *set, number, from + 1 == shape.len()))
                    }
                };
                grammar.add(&indices(number, from, *set), part);
            }
        }
    }

    /// Writes one index, and those behind it.
    fn index(
        &self,
        own: Option<usize>,
        from: usize,
        set: Set,
        number: usize,
        is_last: bool,
    ) -> Vec<Part> {
        let then = |part: Part, left: Set| match is_last {
            true if left == Set::EMPTY => part,
            true => Part::nothing(),
            false => Part::Row(vec![
                part,
                text(", "),
                name(indices(number, from + 1, left)),
            ]),
        };
        let mut all = vec![then(name("point"), set)];
        for atom in set.atoms() {
            let part = match atom {
                Atom::Whole(axis) if Some(axis) == own => {
                    Part::Choice(vec![text(".."), name(format!("turned{axis}"))])
                }
                Atom::Whole(axis) => name(format!("indices{axis}")),
                Atom::Run(axis) if Some(axis) == own => name(format!("own{axis}")),
                Atom::Run(axis) => name(format!("moved{axis}")),
            };
            all.push(then(part, set.without(atom.alone())));
        }
        for ids in set.parts().filter(|ids| *ids != Set::EMPTY) {
            all.extend(
                self.whole_tiles()
                    .map(|rule| then(name(rule + &ids.suffix()), set.without(ids))),
            );
        }
        all.retain(|part| *part != Part::nothing());
        all
    }

    /// Returns the rules of tiles that may be indices.
    fn whole_tiles(&self) -> impl Iterator<Item = String> + '_ {
        let is_whole = |ty: &Ty| match ty {
            Ty::Is(of) => *of == DType::I64,
            Ty::Param(at) => self.head.whole.contains(at),
            Ty::Wide(_) | Ty::Mask => false,
        };
        let others = OTHERS
            .iter()
            .filter(move |(_, ty)| is_whole(ty))
            .map(|(letters, _)| format!("hv_{}", in_rules(letters)));
        std::iter::once("kv".to_string()).chain(others)
    }

    /// Writes stores to a tensor. Every enclosing loop must be among the indices, so that no two
    /// iterations store to one place.
    fn stores(&self, tensor: &HeadTensor, how: &Part) -> Vec<Part> {
        let Some(class) = stored_class(tensor) else {
            return Vec::new();
        };
        let mut rows: Vec<(Vec<Part>, Set, Vec<usize>)> =
            vec![(Vec::new(), Set::EMPTY, Vec::new())];
        for own in self.shape(tensor) {
            let mut longer = Vec::new();
            for (parts, set, singles) in &rows {
                let mut add = |part: Part, atom: Set, single: Option<usize>| {
                    let parts = parts.iter().cloned().chain([part]).collect();
                    longer.push((
                        parts,
                        set.and(atom),
                        singles.iter().copied().chain(single).collect(),
                    ));
                };
                add(name("point"), Set::EMPTY, None);
                if let Some(axis) = own {
                    add(text(".."), Atom::Whole(axis).alone(), None);
                    add(name(format!("own{axis}")), Atom::Run(axis).alone(), None);
                    add(name(each(axis)), Set::EMPTY, Some(axis));
                }
            }
            rows = longer;
        }
        let known = rows
            .into_iter()
            .filter(|(_, set, _)| self.universe.sets.contains(set));
        let row = |(parts, set, singles): (Vec<Part>, Set, Vec<usize>)| {
            let all = 0..self.universe.axes.len();
            let no_run = all
                .clone()
                .filter(|axis| !set.holds(Atom::Run(*axis).alone()))
                .map(|axis| name(no(&run(axis))));
            let no_each = all
                .filter(|axis| !singles.contains(axis))
                .map(|axis| name(no(&each(axis))));
            let mut row: Vec<Part> = no_run.chain(no_each).collect();
            row.extend([bare(tensor), text(".at(")]);
            for (nth, part) in parts.into_iter().enumerate() {
                row.extend((nth > 0).then(|| text(", ")));
                row.push(part);
            }
            row.extend([
                text(")"),
                how.clone(),
                name(class.clone() + &set.suffix()),
                text(");\n"),
            ]);
            Part::Row(row)
        };
        known.map(row).collect()
    }
}
