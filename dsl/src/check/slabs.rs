//! Windows of a tensor of several axes: of one size after the other, the largest stride first, each lies in a slab of that many elements,
//! and in different slabs they are apart.
//!
//! That a window ends before another begins is one long proof over all axes at once. This one takes the axes apart as an index does:
//! `offset = slab * stride + rest`, where the rest of the window stays inside the slab.

use super::facts::Facts;
use super::forms::{Atom, Forms, Linear, Node, Product};
use super::query::Query;
use crate::ir::Scalar;

/// True where two windows, each an offset and the elements from there to its end, are shown to lie in different slabs.
pub(super) fn in_other_slabs(windows: [(&Scalar, &Scalar); 2], facts: &Facts) -> bool {
    slabs(windows, &mut facts.query()).unwrap_or(false)
}

fn slabs(windows: [(&Scalar, &Scalar); 2], query: &mut Query<'_>) -> Option<bool> {
    let [(a, a_span), (b, b_span)] = windows;
    let (mut a, mut b) = (query.form(a)?, query.form(b)?);
    let spans = [query.form(a_span)?, query.form(b_span)?];
    for stride in strides(&a, query) {
        let (a_slab, a_rest) = parted(&a, stride, query)?;
        let (b_slab, b_rest) = parted(&b, stride, query)?;
        let ahead = a_slab.plus(&b_slab, -1)?;
        if ahead.terms.is_empty() && ahead.constant == 0 {
            (a, b) = (a_rest, b_rest);
            continue;
        }
        let before = |query: &mut Query<'_>, [ahead, rest, span, other]: [&Linear; 4]| {
            let stays = rest.plus(span, 1)?.plus(&Linear::product(stride), -1)?;
            let next = ahead.plus(&Linear::constant(1), 1)?;
            Some(query.never_positive(next) && query.never_positive(stays) && query.never_positive(other.scaled(-1)?))
        };
        let behind = ahead.scaled(-1)?;
        if before(query, [&ahead, &a_rest, &spans[0], &b_rest])? || before(query, [&behind, &b_rest, &spans[1], &a_rest])? {
            return Some(true);
        }
        if !(query.never_positive(ahead) && query.never_positive(behind)) {
            return Some(false);
        }
        (a, b) = (a_rest, b_rest);
    }
    Some(false)
}

/// Products of sizes of axes among the terms of an offset, those of most sizes first.
fn strides(offset: &Linear, query: &mut Query<'_>) -> Vec<Product> {
    let mut found: Vec<(usize, Product)> = Vec::new();
    for (product, _) in &offset.terms {
        let mut stride = *product;
        // What is no size is taken out, the last one first.
        for at in (0..query.work.forms.factors(*product).len()).rev() {
            let atom = query.work.forms.factors(*product)[at];
            if !is_size(atom, &query.work.forms) {
                stride = query.work.forms.without_factor(stride, at);
            }
        }
        let sizes = query.work.forms.factors(stride).len();
        if sizes > 0 && found.iter().all(|(_, other)| *other != stride) {
            found.push((sizes, stride));
        }
    }
    found.sort_by_key(|(sizes, _)| std::cmp::Reverse(*sizes));
    found.into_iter().map(|(_, stride)| stride).collect()
}

/// True for sizes of axes, attributes, and what is computed of these alone.
fn is_size(atom: Atom, forms: &Forms) -> bool {
    match forms.node(atom) {
        Node::Leaf(Scalar::Axis(_) | Scalar::Attr(..)) => true,
        Node::Leaf(_) | Node::Select(..) => false,
        Node::Op(_, a, b) => {
            let sizes = |l: &Linear| l.terms.iter().flat_map(|(product, _)| forms.factors(*product)).all(|a| is_size(*a, forms));
            sizes(a) && sizes(b)
        }
    }
}

/// The terms of a form that a stride divides, divided by it, and the others.
fn parted(l: &Linear, stride: Product, query: &mut Query<'_>) -> Option<(Linear, Linear)> {
    let (mut slab, mut rest) = (Linear::constant(0), Linear::constant(l.constant));
    for (product, factor) in &l.terms {
        match query.work.forms.without(*product, stride) {
            Some(index) => slab = slab.plus(&Linear::product(index), *factor)?,
            None => rest = rest.plus(&Linear::product(*product), *factor)?,
        }
    }
    Some((slab, rest))
}
