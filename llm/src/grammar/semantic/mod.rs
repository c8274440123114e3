//! The semantic mask: the grammar of one task's body, in which a name is used where it is defined, within its scope, as what it is.
//!
//! The head is a literal: it says which tensors, axes and attributes there are, of which types. What the body defines is numbered in order within
//! its scope, so that a few bits for each pool, the number of names defined so far, say which names there are: they are the parameter of llguidance's
//! parametric rules. A block is called with the parameter of its beginning, and what stands behind it with that of before. An alternative
//! whose classes have no name yet is not offered, so that no choice is a dead end.
//!
//! Which axes a tile has is no part of it: sets of axes of all values do not fit in 64 bits. Of a tensor that may be left out only `or_full` is offered.

mod counters;
mod parametric;
mod statements;

use super::ebnf::{Grammar, Part};
use super::{lists, with_types, GrammarError, Kind, Profile};
use crate::canon::{Head, HeadTensor, OTHERS};
use counters::{counters, given, types_of, Counter};
use jumar::dsl::dtype::{DType, ELEMENTS};
use jumar::dsl::ir::{Role, Ty};
use parametric::Writer;

/// Axes of a view at most.
const MOST_VIEWED: usize = 4;

/// The semantic grammar of a head, in llguidance's Lark.
///
/// # Errors
/// Those of [`super::grammar`].
pub fn semantic(head: &Head, profile: &Profile) -> Result<String, GrammarError> {
    let lists = lists(profile)?;
    let mut grammar = Grammar::read(&with_types(include_str!("../tile.txt"), &head.types, |ty| kind(head, ty)), &lists);
    let types = types_of(head);
    let concrete = ELEMENTS.iter().map(|d| d.name().to_string());
    let params = head.types.iter().flat_map(|name| [name.clone(), format!("{name}::Wide")]);
    grammar.set("TY", Part::one_of(concrete.chain(params)));
    let counters = counters(&types, head);
    grammar.set("axis", Part::Name("A".to_string()));
    grammar.set("NONE", Part::nothing());
    replace_names(&mut grammar, head, &counters);
    replace_places(&mut grammar, head, &lists["stores"]);
    Ok(Writer::new(grammar.pruned(), counters, &types).text(head))
}

/// What the elements of a type are in the instances of this head.
fn kind(head: &Head, ty: Ty) -> Kind {
    match ty {
        Ty::Param(at) | Ty::Wide(at) if head.whole.contains(&at) => Kind::Whole,
        Ty::Param(at) | Ty::Wide(at) if head.open.contains(&at) => Kind::Open,
        Ty::Param(_) | Ty::Wide(_) => Kind::Float,
        Ty::Is(_) | Ty::Mask => Kind::of(ty),
    }
}

/// Names of the head in place of tokens that are no counters; the rules of those that are the writer makes.
fn replace_names(grammar: &mut Grammar, head: &Head, counters: &[Counter]) {
    for counter in counters {
        grammar.set(&counter.token, Part::Literal(counter.pool.letters()));
    }
    let counted = |token: &str| counters.iter().any(|counter| counter.token == token);
    for (token, _) in super::TOKENS {
        if !counted(token) {
            grammar.set(token, Part::nothing());
        }
    }
    for (letters, _) in OTHERS {
        for token in [format!("H{}", letters.to_uppercase()), format!("W{}", letters.to_uppercase())] {
            if !counted(&token) {
                grammar.set(&token, Part::nothing());
            }
        }
    }
    // A comparison with a variant is one of those that there are.
    let compared: Vec<Part> = head
        .choices
        .iter()
        .flat_map(|(name, of, variants)| {
            variants.iter().flat_map(move |v| [" == ", " != "].map(|sign| Part::Literal(format!("{name}{sign}{of}::{v}"))))
        })
        .collect();
    grammar.set("chosen", Part::Choice(compared));
    let asked = head.tensors.iter().filter(|t| t.optional);
    grammar.set(
        "asked",
        Part::Choice(asked.flat_map(|t| [".is_some()", ".is_none()"].map(|how| Part::Literal(t.name.clone() + how))).collect()),
    );
    // Lists of numbers are names of their elements.
    for list in ["LN", "LJ", "LS"] {
        grammar.set(list, Part::nothing());
    }
}

/// Tensors with as many indices as they have, each in the class of its elements.
fn replace_places(grammar: &mut Grammar, head: &Head, stores: &[String]) {
    let name = |rule: &str| Part::Name(rule.to_string());
    let text = |text: &str| Part::Literal(text.to_string());
    for rank in 0..=8usize.max(MOST_VIEWED) {
        let more = Part::Times(
            Box::new(Part::Row(vec![text(", "), name("idx")])),
            rank.saturating_sub(1) as u32,
            Some(rank.saturating_sub(1) as u32),
        );
        let at = match rank {
            0 => text(".at()"),
            1 => Part::Row(vec![text(".at("), name("idx"), text(")")]),
            _ => Part::Row(vec![text(".at("), name("idx"), more, text(")")]),
        };
        grammar.set(&format!("at{rank}"), at);
    }
    let mut viewed = Vec::new();
    for rank in 1..=MOST_VIEWED {
        let axes = match rank {
            1 => Part::Row(vec![text(".view("), name("axis"), text(")")]),
            _ => {
                let more = Part::Row(vec![text(", "), name("axis")]);
                Part::Row(vec![
                    text(".view("),
                    text("("),
                    name("axis"),
                    Part::Times(Box::new(more), rank as u32 - 1, Some(rank as u32 - 1)),
                    text("))"),
                ])
            }
        };
        viewed.push(Part::Row(vec![axes, name(&format!("at{rank}"))]));
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
    let of = |ty: Ty, takes: &dyn Fn(&HeadTensor) -> bool| {
        head.tensors.iter().filter(|t| t.ty == ty && takes(t)).map(place).collect::<Vec<_>>()
    };
    let read = |_: &HeadTensor| true;
    let work = Part::Row(vec![name("Y"), name("viewed_work")]);
    let plain = (1..=MOST_VIEWED).map(|rank| name(&format!("at{rank}")));
    grammar.set("viewed_work", Part::Choice(plain.chain([name("viewed")]).collect()));
    let f32s = [of(Ty::Is(DType::F32), &read), vec![work.clone()]].concat();
    grammar.set("load_f32", load(f32s, how()));
    grammar.set("load_i32", load(of(Ty::Is(DType::I32), &read), how()));
    let mut stored = vec![Part::Row(vec![work, Part::one_of(stores.iter().cloned()), name("fv"), text(");\n")])];
    for (letters, ty) in OTHERS {
        let rule = if letters.is_empty() { "p" } else { letters };
        grammar.set(&format!("load_{rule}"), load(of(*ty, &read), how()));
    }
    for tensor in head.tensors.iter().filter(|t| t.role != Role::In) {
        let class = match tensor.ty {
            Ty::Is(DType::F32) => "fv".to_string(),
            Ty::Is(DType::I32) => "kv".to_string(),
            Ty::Is(DType::Bool) | Ty::Mask => "mv".to_string(),
            ty => match OTHERS.iter().find(|(_, own)| *own == ty) {
                Some((letters, _)) => format!("hv_{}", if letters.is_empty() { "p" } else { letters }),
                None => continue,
            },
        };
        stored.push(Part::Row(vec![place(tensor), Part::one_of(stores.iter().cloned()), Part::Name(class), text(");\n")]));
    }
    grammar.set("stored", Part::Choice(stored));
    let written = |t: &&HeadTensor| t.role != Role::In && !t.optional;
    grammar.set("appendable", Part::Choice(head.tensors.iter().filter(written).map(|t| text(&t.name)).collect()));
}

/// What stands in names of rules for an element type.
fn type_letters(at: usize) -> &'static str {
    let letters = OTHERS[at].0;
    if letters.is_empty() {
        "p"
    } else {
        letters
    }
}
