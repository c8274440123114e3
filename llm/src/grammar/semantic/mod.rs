//! The semantic grammar of one task's body: it offers a name only where it is defined, within its
//! scope, and with its type.
//!
//! The head is a literal. It determines the tensors, axes and attributes with their types. Names of
//! the body are numbered in order within their scope, so a counter for each pool determines the
//! names in scope. These counters are bit fields of the parameter of llguidance's parametric rules.
//!
//! - A block is called with the parameter at its beginning. The statements behind it continue with
//!   the parameter from before.
//! - An alternative without a defined name is not offered, so no choice is a dead end.
//! - In the grammar of [`axes`], sets of axes are types. Names contain them, and the bits are
//!   divided among the classes that a kernel of this head probably needs. Without it, the axes of a
//!   tile are not checked.
//! - An optional tensor is read by `or_full`, or by its name where the kernel has tested it. One
//!   bit records the test.
//!
//! Start reading at [`semantic`].

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

/// Limits of the indices of a tensor, and of the axes of a view.
const MOST_INDICES: usize = 8;
const MOST_VIEWED: usize = 4;

/// Returns the semantic grammar of a head, in llguidance's Lark.
///
/// # Errors
/// Those of [`super::grammar`].
pub fn semantic(head: &Head, profile: &Profile) -> Result<String, GrammarError> {
    written(head, profile, None)
}

/// Returns the semantic grammar of a head with sets of axes as types, in the canonical form of
/// [`Names::Axes`](crate::canon::Names::Axes).
///
/// # Errors
/// Those of [`semantic`], and if the classes of the head are unsuitable.
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
    // A promise names something that the body defines, and needs a scalar that was read.
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
    // The axis along which a loop may be split depends on the axes that it cuts, so the loop's head
    // has `.split`.
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

/// Replaces tokens by names: counted ones get a placeholder for the writer, and others match no
/// text.
fn replace_names(grammar: &mut Grammar, counters: &[Counter]) {
    for counter in counters {
        grammar.set(&counter.token, Part::Literal(counter.stem.clone()));
    }
    let counted = |token: &str| counters.iter().any(|counter| counter.token == token);
    for token in Pool::all().map(Pool::token).filter(|token| !counted(token)) {
        grammar.set(&token, Part::nothing());
    }
}

/// Adds tensors with all of their indices, each to the class of its elements.
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
        // The second parenthesis is a token of its own, because an engine does not backtrack.
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

/// Writes a tensor that is read or written. An optional input has a replacement, or was tested
/// before.
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

/// Writes a tensor by its name alone.
fn bare(tensor: &HeadTensor) -> Part {
    match tensor.optional {
        true => Part::Name(given(tensor)),
        false => Part::Literal(tensor.name.clone()),
    }
}

/// Returns the rule of the tiles that a tensor stores; `None` if the element type has no tiles.
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
