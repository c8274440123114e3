//! The semantic mask: the grammar of one task's body, in which a name is used where it is defined, within its scope, as what it is.
//!
//! The head is a literal: it says which tensors, axes and attributes there are, of which types. What the body defines is numbered in order within
//! its scope, so that a few bits for each pool, the number of names defined so far, say which names there are: they are the parameter of llguidance's
//! parametric rules. A block is called with the parameter of its beginning, and what stands behind it with that of before. An alternative
//! whose classes have no name yet is not offered, so that no choice is a dead end.
//!
//! Which axes a tile has is no part of it: sets of axes of all values do not fit in 64 bits. A tensor that may be left out is read by `or_full`, or by its name where that was
//! asked for, which one bit says.

mod blocks;
mod counters;
mod parametric;
mod statements;

use super::ebnf::{Grammar, Part};
use super::head::productions;
use super::{in_rules, lists, GrammarError, Profile};
use crate::canon::{Head, HeadTensor, Pool, OTHERS};
use counters::{counters, given, own, types_of, Counter, READ};
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
    let lists = lists(profile)?;
    let mut grammar = productions(head, &lists);
    let types = types_of(head);
    let counters = counters(&types, head);
    grammar.set("axis", Part::Name("A".to_string()));
    // A promise is of a name that the body defines, behind a number that it has read.
    let promised = grammar.get("core").cloned().into_iter();
    grammar.set("core", Part::Row(std::iter::once(Part::Name(READ.to_string())).chain(promised).collect()));
    grammar.rename(|rule, token| counters.iter().any(|c| c.token == own(token) && rule.starts_with("let")).then(|| own(token)));
    replace_names(&mut grammar, &counters);
    replace_places(&mut grammar, head, &lists["stores"]);
    Ok(Writer::new(grammar.pruned(), counters, &types).text(head))
}

/// Names of the head in place of tokens that are no counters; the rules of those that are the writer makes.
fn replace_names(grammar: &mut Grammar, counters: &[Counter]) {
    for counter in counters {
        grammar.set(&counter.token, Part::Literal(counter.pool.letters()));
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
        let more = vec![text(", "), name(rule)].into_iter().cycle().take(2 * count.saturating_sub(1));
        [name(rule)].into_iter().take(count).chain(more).collect::<Vec<_>>()
    };
    for rank in 0..=MOST_INDICES {
        grammar.set(&format!("at{rank}"), Part::Row([vec![text(".at(")], listed("idx", rank), vec![text(")")]].concat()));
    }
    let mut viewed = Vec::new();
    for rank in 1..=MOST_VIEWED {
        // The second parenthesis is a token of its own: an engine does not back up.
        let (open, shut) = if rank == 1 { (vec![text(".view(")], ")") } else { (vec![text(".view("), text("(")], "))") };
        viewed.push(Part::Row([open, listed("axis", rank), vec![text(shut), name(&format!("at{rank}"))]].concat()));
    }
    grammar.set("viewed", Part::Choice(viewed));
    let place = |tensor: &HeadTensor| {
        let full = Part::Row(vec![text(".or_full("), name("number0"), text(")")]);
        let seen = || Part::Choice(vec![name(&format!("at{}", tensor.rank)), name("viewed")]);
        match (tensor.optional, tensor.role) {
            (false, _) => Part::Row(vec![text(&tensor.name), seen()]),
            (true, Role::In) => Part::Choice(vec![
                Part::Row(vec![text(&tensor.name), full, seen()]),
                Part::Row(vec![Part::Name(given(tensor)), seen()]),
            ]),
            (true, Role::Out | Role::InOut) => Part::Row(vec![Part::Name(given(tensor)), seen()]),
        }
    };
    let load = |places: Vec<Part>, how: Part| match places.is_empty() {
        true => Part::nothing(),
        false => Part::Row(vec![Part::Choice(places), how]),
    };
    let how = || Part::Choice(vec![text(".load()"), Part::Row(vec![text(".load_or("), name("number0"), text(")")])]);
    let of = |ty: Ty| head.tensors.iter().filter(|t| t.ty == ty).map(place).collect::<Vec<_>>();
    let work = Part::Row(vec![name("Y"), name("viewed_work")]);
    let plain = (1..=MOST_VIEWED).map(|rank| name(&format!("at{rank}")));
    grammar.set("viewed_work", Part::Choice(plain.chain([name("viewed")]).collect()));
    let f32s = [of(Ty::Is(DType::F32)), vec![work.clone()]].concat();
    grammar.set("load_f32", load(f32s, how()));
    grammar.set("load_i32", load(of(Ty::Is(DType::I32)), how()));
    let mut stored = vec![Part::Row(vec![work, Part::one_of(stores.iter().cloned()), name("fv"), text(");\n")])];
    for (letters, ty) in OTHERS {
        grammar.set(&format!("load_{}", in_rules(letters)), load(of(*ty), how()));
    }
    for tensor in head.tensors.iter().filter(|t| t.role != Role::In) {
        let class = match tensor.ty {
            Ty::Is(DType::F32) => "fv".to_string(),
            Ty::Is(DType::I32) => "kv".to_string(),
            Ty::Is(DType::Bool) | Ty::Mask => "mv".to_string(),
            ty => match OTHERS.iter().find(|(_, own)| *own == ty) {
                Some((letters, _)) => format!("hv_{}", in_rules(letters)),
                None => continue,
            },
        };
        stored.push(Part::Row(vec![place(tensor), Part::one_of(stores.iter().cloned()), Part::Name(class), text(");\n")]));
    }
    grammar.set("stored", Part::Choice(stored));
    let written = |t: &&HeadTensor| t.role != Role::In && !t.optional;
    grammar.set("appendable", Part::Choice(head.tensors.iter().filter(written).map(|t| text(&t.name)).collect()));
}
