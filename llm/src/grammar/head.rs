//! The grammar of the bodies of one kernel: its head is a literal, and its names complement those
//! of the pools.
//!
//! It needs no more features than the grammar of all kernels. So any engine can constrain a model
//! to the name and the parameters of a task.

use super::blocks::add_level;
use super::ebnf::{Grammar, Part};
use super::{lists, names_of, type_text, with_types, GrammarError, Kind, Profile, DEPTH};
use crate::canon::{stem, Head, Names, Pool, OTHERS};
use jumar::dsl::dtype::ELEMENTS;
use jumar::dsl::ir::{Role, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// Rules in which the names of pools are definitions.
const DEFINING: &[&str] = &[
    "let", "across", "pair", "scalar", "turns", "turn", "for", "newaxis", "work", "letn", "letj",
    "lets", "letb",
];
/// Such rules with one variant for each element type.
const DEFINING_TYPED: &[&str] = &["hlet_", "hmut_", "hacross_", "hmutacross_", "hpair_"];

/// Returns the grammar of a head.
///
/// # Errors
/// Those of [`super::grammar`].
pub fn of_head(head: &Head, profile: &Profile) -> Result<Grammar, GrammarError> {
    let mut grammar = productions(head, &lists(profile)?);
    for level in 1..=DEPTH {
        add_level(&mut grammar, level);
    }
    grammar.set("start", whole(head));
    grammar.set("if", branches(head));
    add_names(&mut grammar, head);
    Ok(grammar.pruned())
}

/// Returns the productions with the head's element types, enums and optional tensors.
pub(super) fn productions(head: &Head, lists: &BTreeMap<&'static str, Vec<String>>) -> Grammar {
    let text = with_types(include_str!("tile.txt"), &head.types, |ty| kind(head, ty));
    let mut grammar = Grammar::read(&text, lists);
    let concrete = ELEMENTS.iter().map(|d| d.name().to_string());
    let params = head
        .types
        .iter()
        .flat_map(|name| [name.clone(), format!("{name}::Wide")]);
    grammar.set("TY", Part::one_of(concrete.chain(params)));
    grammar.set("NONE", Part::nothing());
    // A comparison with a variant lists all attributes and variants of the head.
    let compared = head.choices.iter().flat_map(|(name, of, variants)| {
        variants.iter().flat_map(move |v| {
            [" == ", " != "].map(|sign| Part::Literal(format!("{name}{sign}{of}::{v}")))
        })
    });
    grammar.set("chosen", Part::Choice(compared.collect()));
    let optional = head.tensors.iter().filter(|t| t.optional);
    let asked = optional
        .flat_map(|t| [".is_some()", ".is_none()"].map(|how| Part::Literal(t.name.clone() + how)));
    grammar.set("asked", Part::Choice(asked.collect()));
    grammar
}

/// Returns the kind of the elements of a type in the instances of a head.
fn kind(head: &Head, ty: Ty) -> Kind {
    match ty {
        Ty::Param(at) | Ty::Wide(at) if head.whole.contains(&at) => Kind::Whole,
        Ty::Param(at) | Ty::Wide(at) if head.open.contains(&at) => Kind::Open,
        Ty::Param(_) | Ty::Wide(_) => Kind::Float,
        Ty::Is(_) | Ty::Mask => Kind::of(ty),
    }
}

/// Returns the head, facts, the loop over items if there are lists, and the body.
fn whole(head: &Head) -> Part {
    let (text, name) = (
        |text: &str| Part::Literal(text.to_string()),
        |rule: String| Part::Name(rule),
    );
    let fact = Part::Row(vec![
        text(&"    ".repeat(head.level)),
        name("require".into()),
    ]);
    let level = head.level + usize::from(head.items.is_some());
    let before = match &head.items {
        // The names of an item are not in scope before the loop, so there are no facts.
        Some([plain, numbered]) => Part::one_of([plain.clone(), numbered.clone()]),
        None => Part::Times(Box::new(fact), 0, None),
    };
    let mut parts = vec![text(&head.text), before];
    parts.extend([
        name(format!("declarations{level}")),
        name(format!("begun{level}")),
        text(&head.tail),
    ]);
    Part::Row(parts)
}

/// Returns the rule of branches. One that tests a tensor names it twice.
fn branches(head: &Head) -> Part {
    let optional = head.tensors.iter().filter(|t| t.optional);
    let given = optional.map(|t| Part::Literal(format!("let Some({0}) = {0}", t.name)));
    let asked = std::iter::once(Part::Name("cond".to_string()))
        .chain(given)
        .collect();
    Part::Row(vec![
        Part::Literal("if ".into()),
        Part::Choice(asked),
        Part::Literal(" {\n".into()),
    ])
}

/// Returns the names of a head by the token of their pool.
fn names_by_token(head: &Head) -> BTreeMap<String, Vec<String>> {
    let mut own: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, pool) in &head.scalars {
        own.entry(pool.token()).or_default().push(name.clone());
    }
    own.entry(Pool::Axis.token())
        .or_default()
        .extend(head.axes.iter().cloned());
    for tensor in &head.tensors {
        let pool = if tensor.role == Role::In {
            Pool::In
        } else {
            Pool::Out
        };
        own.entry(pool.token())
            .or_default()
            .push(tensor.name.clone());
    }
    own
}

/// Sets the names of pools without those of the head. Uses of names also accept those of the head.
fn add_names(grammar: &mut Grammar, head: &Head) {
    let own = names_by_token(head);
    let taken: BTreeSet<&String> = own.values().flatten().collect();
    for pool in Pool::all() {
        let part = if is_of_body(head, pool) {
            free_names(pool, &taken)
        } else {
            Part::nothing()
        };
        grammar.set(&pool.token(), part);
    }
    let used = |token: &str| format!("own_{}", token.to_lowercase());
    let is_defining = |rule: &str| {
        DEFINING.contains(&rule)
            || DEFINING_TYPED
                .iter()
                .any(|beginning| rule.starts_with(beginning))
    };
    grammar.rename(|rule, name| (own.contains_key(name) && !is_defining(rule)).then(|| used(name)));
    for (token, names) in &own {
        let names = names.iter().map(|name| Part::Literal(name.clone()));
        grammar.add(
            &used(token),
            Part::Choice(
                std::iter::once(Part::Name(token.clone()))
                    .chain(names)
                    .collect(),
            ),
        );
    }
}

/// False for pools that only a head defines, and for tiles of an element type parameter that the
/// head does not have. The former are inputs, lists and enums.
fn is_of_body(head: &Head, pool: Pool) -> bool {
    match pool {
        Pool::In
        | Pool::Ins
        | Pool::Outs
        | Pool::Sizes
        | Pool::Ints
        | Pool::Floats
        | Pool::Choice => false,
        Pool::Other(at) | Pool::MutOther(at) => match OTHERS[at].1 {
            Ty::Param(nth) | Ty::Wide(nth) => usize::from(nth) < head.types.len(),
            Ty::Is(_) | Ty::Mask => true,
        },
        Pool::Axis | Pool::Out | Pool::Run | Pool::Index => true,
        Pool::Size
        | Pool::Int
        | Pool::Float
        | Pool::Bool
        | Pool::MutSize
        | Pool::MutInt
        | Pool::MutFloat
        | Pool::MutBool => true,
        Pool::Value
        | Pool::Whole
        | Pool::Mask
        | Pool::MutValue
        | Pool::MutWhole
        | Pool::MutMask => true,
    }
}

/// Describes the names of a body, for a prompt.
pub fn names_in_words(head: &Head, how: Names) -> String {
    let of = |pool: Pool| match pool {
        Pool::Other(at) => type_text(OTHERS[at].1, &head.types).map(|ty| format!("a tile of {ty}")),
        Pool::MutOther(at) => {
            type_text(OTHERS[at].1, &head.types).map(|ty| format!("a tile of {ty} that changes"))
        }
        pool => Some(pool.says().trim_end_matches('.').replacen("A", "a", 1)),
    };
    let all = Pool::all().filter(|pool| is_of_body(head, *pool));
    let axis = head
        .tensors
        .iter()
        .flat_map(|t| &t.axes)
        .flatten()
        .next()
        .filter(|_| how == Names::Axes);
    let begun = |pool: Pool| match (axis, pool) {
        (Some(axis), Pool::Run | Pool::Index) => Some(stem(pool, axis)),
        (Some(axis), pool) if pool.is_tile() => Some(stem(pool, &format!("t_{axis}"))),
        // Names of axes and outputs contain no axes.
        (Some(_), Pool::Axis | Pool::Out) => None,
        (None | Some(_), pool) => Some(pool.letters()),
    };
    let said: Vec<String> = all
        .filter_map(|pool| Some(format!("`{}0` {}", begun(pool)?, of(pool)?)))
        .collect();
    said.join("; ")
}

/// Returns the names of a pool that are not taken.
fn free_names(pool: Pool, taken: &BTreeSet<&String>) -> Part {
    let all = || (0..pool.most()).map(|nth| format!("{}{nth}", pool.letters()));
    if all().any(|name| taken.contains(&name)) {
        Part::one_of(all().filter(|name| !taken.contains(name)))
    } else {
        names_of(pool)
    }
}
