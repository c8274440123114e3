//! The semantic mask: the grammar of one task's body, in which a name is used where it is defined, within its scope, as what it is.
//!
//! The head is a literal: it says which tensors, axes and attributes there are, of which types. What the body defines is numbered in order within
//! its scope, so that a few bits for each pool, the number of names defined so far, say which names there are: they are the parameter of llguidance's
//! parametric rules. A block is called with the parameter of its beginning, and what stands behind it with that of before. An alternative
//! whose classes have no name yet is not offered, so that no choice is a dead end.
//!
//! Sets of axes are types in the grammar of [`axes`], where names say them: the bits are divided among the classes that a kernel of this head is likely to have.
//! Without that, which axes a tile has is no part of it. A tensor that may be left out is read by `or_full`, or by its name where that was
//! asked for, which one bit says.

mod axes;
mod blocks;
mod counters;
mod loops;
mod parametric;
mod statements;

use super::ebnf::{Grammar, Part};
use super::head::productions;
use super::{in_rules, lists, GrammarError, Profile};
use crate::canon::{Head, HeadTensor, Pool, OTHERS};
use axes::Universe;
use counters::{counters, counters_of_classes, given, own, types_of, Counter, READ};
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{Role, Ty};
use parametric::Writer;

/// Indices of a tensor at most, and axes of a view.
const MOST_INDICES: usize = 8;
const MOST_VIEWED: usize = 4;

/// The semantic grammar of a head, in llguidance's Lark.
///
/// # Errors
/// Those of [`super::grammar`].
pub fn semantic(head: &Head, profile: &Profile) -> Result<String, GrammarError> {
    written(head, profile, None)
}

/// The semantic grammar of a head in which sets of axes are types, of the canonical form of [`Names::Axes`](crate::canon::Names::Axes).
///
/// # Errors
/// Those of [`semantic`], and where a head has too many axes.
pub fn semantic_axes(head: &Head, profile: &Profile) -> Result<String, GrammarError> {
    written(head, profile, Some(Universe::of(head)?))
}

fn written(
    head: &Head,
    profile: &Profile,
    universe: Option<Universe>,
) -> Result<String, GrammarError> {
    let lists = lists(profile)?;
    let mut grammar = productions(head, &lists);
    let types = types_of(head);
    let counters = match &universe {
        None => counters(&types, head),
        Some(universe) => counters_of_classes(&types, head, universe),
    };
    grammar.set("axis", Part::Name("A".to_string()));
    // A promise is of a name that the body defines, behind a number that it has read.
    let promised = grammar.get("core").cloned().into_iter();
    grammar.set(
        "core",
        Part::Row(
            std::iter::once(Part::Name(READ.to_string()))
                .chain(promised)
                .collect(),
        ),
    );
    grammar.rename(|rule, token| {
        counters
            .iter()
            .any(|c| c.token == own(token) && rule.starts_with("let"))
            .then(|| own(token))
    });
    replace_names(&mut grammar, &counters);
    // Along which axis a loop is split hangs from those that it cuts: its head says it.
    let how = match grammar.get("how") {
        Some(Part::Row(parts)) => parts
            .iter()
            .filter(|part| !has_split(part))
            .cloned()
            .collect(),
        other => panic!("how a loop is divided is a row: {other:?}"),
    };
    grammar.set("how", Part::Row(how));
    match &universe {
        None => replace_places(&mut grammar, head, &lists["stores"]),
        Some(universe) => axes::classed(&mut grammar, universe, head, &lists),
    }
    Ok(Writer::new(grammar.pruned(), counters, &types, universe).text(head))
}

fn has_split(part: &Part) -> bool {
    let mut found = false;
    part.literals(&mut |text| found |= text == ".split(");
    found
}

/// Names of the head in place of tokens that are no counters; the rules of those that are the writer makes.
fn replace_names(grammar: &mut Grammar, counters: &[Counter]) {
    for counter in counters {
        grammar.set(&counter.token, Part::Literal(counter.stem.clone()));
    }
    let counted = |token: &str| counters.iter().any(|counter| counter.token == token);
    for token in Pool::all().map(Pool::token).filter(|token| !counted(token)) {
        grammar.set(&token, Part::nothing());
    }
}

/// Tensors with as many indices as they have, each in the class of its elements.
fn replace_places(grammar: &mut Grammar, head: &Head, stores: &[String]) {
    let name = |rule: &str| Part::Name(rule.to_string());
    let text = |text: &str| Part::Literal(text.to_string());
    let listed = |rule: &str, count: usize| {
        let more = vec![text(", "), name(rule)]
            .into_iter()
            .cycle()
            .take(2 * count.saturating_sub(1));
        [name(rule)]
            .into_iter()
            .take(count)
            .chain(more)
            .collect::<Vec<_>>()
    };
    for rank in 0..=MOST_INDICES {
        grammar.set(
            &format!("at{rank}"),
            Part::Row([vec![text(".at(")], listed("idx", rank), vec![text(")")]].concat()),
        );
    }
    let mut viewed = Vec::new();
    for rank in 1..=MOST_VIEWED {
        // The second parenthesis is a token of its own: an engine does not back up.
        let (open, shut) = if rank == 1 {
            (vec![text(".view(")], ")")
        } else {
            (vec![text(".view("), text("(")], "))")
        };
        viewed.push(Part::Row(
            [
                open,
                listed("axis", rank),
                vec![text(shut), name(&format!("at{rank}"))],
            ]
            .concat(),
        ));
    }
    grammar.set("viewed", Part::Choice(viewed));
    let place = |tensor: &HeadTensor| {
        let seen = Part::Choice(vec![name(&format!("at{}", tensor.rank)), name("viewed")]);
        Part::Row(vec![given_or_own(tensor), seen])
    };
    let load = |places: Vec<Part>, how: Part| match places.is_empty() {
        true => Part::nothing(),
        false => Part::Row(vec![Part::Choice(places), how]),
    };
    let how = || {
        Part::Choice(vec![
            text(".load()"),
            Part::Row(vec![text(".load_or("), name("number0"), text(")")]),
        ])
    };
    let of = |ty: Ty| {
        head.tensors
            .iter()
            .filter(|t| t.ty == ty && t.role != Role::Out)
            .map(place)
            .collect::<Vec<_>>()
    };
    let work = Part::Row(vec![name("Y"), name("viewed_work")]);
    let plain = (1..=MOST_VIEWED).map(|rank| name(&format!("at{rank}")));
    grammar.set(
        "viewed_work",
        Part::Choice(plain.chain([name("viewed")]).collect()),
    );
    let f32s = [of(Ty::Is(DType::F32)), vec![work.clone()]].concat();
    grammar.set("load_f32", load(f32s, how()));
    grammar.set("load_i32", load(of(Ty::Is(DType::I32)), how()));
    let mut stored = vec![Part::Row(vec![
        work,
        Part::one_of(stores.iter().cloned()),
        name("fv"),
        text(");\n"),
    ])];
    for (letters, ty) in OTHERS {
        grammar.set(&format!("load_{}", in_rules(letters)), load(of(*ty), how()));
    }
    for tensor in head.tensors.iter().filter(|t| t.role != Role::In) {
        let Some(class) = stored_class(tensor) else {
            continue;
        };
        stored.push(Part::Row(vec![
            place(tensor),
            Part::one_of(stores.iter().cloned()),
            Part::Name(class),
            text(");\n"),
        ]));
    }
    grammar.set("stored", Part::Choice(stored));
    let written = |t: &&HeadTensor| t.role != Role::In && !t.optional;
    grammar.set(
        "appendable",
        Part::Choice(
            head.tensors
                .iter()
                .filter(written)
                .map(|t| text(&t.name))
                .collect(),
        ),
    );
}

/// A tensor as it is read or written: one that may be left out with what stands in its place, or where it was asked for.
fn given_or_own(tensor: &HeadTensor) -> Part {
    let text = |text: &str| Part::Literal(text.to_string());
    match (tensor.optional, tensor.role) {
        (true, Role::In) => {
            let full = Part::Row(vec![
                text(&tensor.name),
                text(".or_full("),
                Part::Name("number0".into()),
                text(")"),
            ]);
            Part::Choice(vec![full, bare(tensor)])
        }
        (true, Role::Out | Role::InOut) | (false, _) => bare(tensor),
    }
}

/// A tensor by its name alone.
fn bare(tensor: &HeadTensor) -> Part {
    match tensor.optional {
        true => Part::Name(given(tensor)),
        false => Part::Literal(tensor.name.clone()),
    }
}

/// The rule of tiles that a tensor holds; none of an element type without tiles.
fn stored_class(tensor: &HeadTensor) -> Option<String> {
    match tensor.ty {
        Ty::Is(DType::F32) => Some("fv".to_string()),
        Ty::Is(DType::I32) => Some("kv".to_string()),
        Ty::Is(DType::Bool) | Ty::Mask => Some("mv".to_string()),
        ty => OTHERS
            .iter()
            .find(|(_, own)| *own == ty)
            .map(|(letters, _)| format!("hv_{}", in_rules(letters))),
    }
}
