//! Disjointness of windows in a tensor of several axes, one axis after another.
//!
//! Beginning with the largest stride, each window lies in a slab of that many elements. Windows in
//! different slabs are disjoint. A proof that one window ends before another begins covers all axes
//! at once and is long. This one separates the axes as an index does:
//! `offset = slab * stride + rest`, where the rest of the window stays inside of the slab.

use super::facts::Facts;
use super::forms::{Atom, Forms, Linear, Node, Product, ONE};
use super::query::Query;
use super::window::Window;
use super::Look;
use crate::ir::linear::gcd;
use crate::ir::{Scalar, VarId};

/// Most conditions of which both sides are tried.
const MOST_CHOICES: u32 = 3;

/// True if two windows are proved to lie in different slabs.
pub(super) fn in_other_slabs(windows: [&Window; 2], facts: &Facts, look: Look) -> bool {
    slabs(windows, &mut facts.query(), look).unwrap_or(false)
}

/// Sorts pairs of iterations: those that select the largest slabs come first. There, different
/// iterations mostly mean different slabs, and only equal ones need the next pair.
pub(super) fn by_stride(
    windows: [&Window; 2],
    pairs: Vec<(VarId, VarId)>,
    facts: &Facts,
) -> Vec<(VarId, VarId)> {
    let mut query = facts.query();
    let offsets: Option<Vec<Linear>> = windows.iter().map(|w| query.form(&w.offset)).collect();
    let Some(offsets) = offsets else { return pairs };
    let chosen: Vec<Vec<Atom>> = strides(&offsets[0], &mut query)
        .into_iter()
        .map(|stride| {
            let slabs = offsets
                .iter()
                .filter_map(|l| parted(l, stride, &mut query))
                .map(|part| part.slab);
            let slabs: Vec<Linear> = slabs.collect();
            slabs
                .iter()
                .flat_map(|slab| query.work.forms.leaves(slab))
                .collect()
        })
        .collect();
    let mut rank = |(a, b): &(VarId, VarId)| {
        let atoms = [a, b].map(|var| query.work.forms.atom(Node::Leaf((*var).into())));
        chosen
            .iter()
            .position(|slab| atoms.iter().flatten().any(|atom| slab.contains(atom)))
            .unwrap_or(chosen.len())
    };
    let mut ranked: Vec<(usize, (VarId, VarId))> =
        pairs.into_iter().map(|pair| (rank(&pair), pair)).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, pair)| pair).collect()
}

/// The extent of a window.
struct Reach {
    rows: Linear,
    cols: Linear,
    pitch: Option<Linear>,
    /// Elements from the first to the end of the last.
    span: Linear,
}

impl Reach {
    fn of(window: &Window, query: &mut Query<'_>) -> Option<Reach> {
        let pitch = match &window.pitch {
            Some(pitch) => Some(query.form(pitch)?),
            None => None,
        };
        let (rows, cols, span) = (
            query.form(&window.rows)?,
            query.form(&window.cols)?,
            query.form(&window.span())?,
        );
        Some(Reach {
            rows,
            cols,
            pitch,
            span,
        })
    }

    /// Returns the number of slabs that it covers, and the elements in each. If slabs are rows,
    /// each holds one row.
    fn in_slabs(&self, stride: Stride) -> (Linear, Linear) {
        match self.pitch.is_some() && self.pitch == stride.elements() {
            true => (self.rows.clone(), self.cols.clone()),
            false => (Linear::constant(1), self.span.clone()),
        }
    }
}

fn slabs([first, second]: [&Window; 2], query: &mut Query<'_>, look: Look) -> Option<bool> {
    let offsets = [query.form(&first.offset)?, query.form(&second.offset)?];
    let reach = [Reach::of(first, query)?, Reach::of(second, query)?];
    are_apart(offsets, &reach, query, (look, MOST_CHOICES))
}

/// Compares offsets for both sides of up to `choices` conditions in them. The order of the windows
/// may depend on such a condition.
fn are_apart(
    [mut a, mut b]: [Linear; 2],
    reach: &[Reach; 2],
    query: &mut Query<'_>,
    by: (Look, u32),
) -> Option<bool> {
    let (look, choices) = by;
    if let Some(cond) = choice([&a, &b], query).filter(|_| choices > 0) {
        for holds in [true, false] {
            let offsets = [
                chosen(&a, &cond, holds, query)?,
                chosen(&b, &cond, holds, query)?,
            ];
            if !are_apart(offsets, reach, query, (look, choices - 1))? {
                return Some(false);
            }
        }
        return Some(true);
    }
    for stride in strides(&a, query) {
        match by_slabs([&a, &b], reach, stride, query, look)? {
            Lie::Apart => return Some(true),
            // Slabs of the axis sizes alone may decide what a multiple of them leaves open.
            Lie::Open if stride.times > 1 => {
                match by_slabs([&a, &b], reach, Stride { times: 1, ..stride }, query, look)? {
                    Lie::Apart => return Some(true),
                    Lie::Open => return Some(false),
                    Lie::Same(rests) => [a, b] = rests,
                }
            }
            // An attribute may be an index instead of a size: then it forms no slabs.
            Lie::Open if stride.has_attr(&query.work.forms) => {}
            Lie::Open => return Some(false),
            Lie::Same(rests) => [a, b] = rests,
        }
    }
    Some(false)
}

/// Compares two offsets by slabs of one stride.
fn by_slabs(
    [a, b]: [&Linear; 2],
    reach: &[Reach; 2],
    stride: Stride,
    query: &mut Query<'_>,
    look: Look,
) -> Option<Lie> {
    let parts = [parted(a, stride, query)?, parted(b, stride, query)?];
    match slab(parts.each_ref(), reach, stride, query, look)? {
        Lie::Open if parts.iter().any(|part| part.slab.constant != 0) => {
            let [a, b] = parts;
            slab(
                [&a.back(stride)?, &b.back(stride)?],
                reach,
                stride,
                query,
                look,
            )
        }
        lie => Some(lie),
    }
}

/// Finds a condition that selects a factor of one of the offsets.
fn choice(offsets: [&Linear; 2], query: &Query<'_>) -> Option<Scalar> {
    let forms = &query.work.forms;
    let atoms = offsets
        .into_iter()
        .flat_map(|l| &l.terms)
        .flat_map(|(product, _)| forms.factors(*product));
    atoms
        .into_iter()
        .find_map(|atom| match &**forms.node(*atom) {
            Node::Select(cond, ..) => Some(cond.clone()),
            Node::Leaf(_) | Node::Op(..) => None,
        })
}

/// Rewrites a form for a decided condition.
fn chosen(l: &Linear, cond: &Scalar, holds: bool, query: &mut Query<'_>) -> Option<Linear> {
    let mut made = Linear::constant(l.constant);
    for (product, factor) in &l.terms {
        let forms = &query.work.forms;
        let side = forms
            .factors(*product)
            .iter()
            .enumerate()
            .find_map(|(at, atom)| match &**forms.node(*atom) {
                Node::Select(own, a, b) if own == cond => {
                    Some((at, if holds { a } else { b }.clone()))
                }
                Node::Select(..) | Node::Leaf(_) | Node::Op(..) => None,
            });
        let Some((at, side)) = side else {
            made = made.plus(&Linear::product(*product), *factor)?;
            continue;
        };
        let others = query.work.forms.without_factor(*product, at);
        let term = query.work.forms.times_product(&side, others)?;
        // The condition may occur again inside.
        made = made.plus(&chosen(&term, cond, holds, query)?, *factor)?;
    }
    Some(made)
}

/// The relation of two windows by their slabs.
enum Lie {
    Apart,
    /// In one slab, with the rests of the offsets.
    Same([Linear; 2]),
    Open,
}

fn slab(
    [a, b]: [&SlabIndex; 2],
    reach: &[Reach; 2],
    stride: Stride,
    query: &mut Query<'_>,
    look: Look,
) -> Option<Lie> {
    let holds = |query: &mut Query<'_>, l| query.never_positive_by(l, look);
    let ahead = a.slab.plus(&b.slab, -1)?;
    let same = || Lie::Same([a.rest.clone(), b.rest.clone()]);
    if ahead.terms.is_empty() && ahead.constant == 0 {
        return Some(same());
    }
    let before = |query: &mut Query<'_>, [ahead, rest, other]: [&Linear; 3], reach: &Reach| {
        let (count, inside) = reach.in_slabs(stride);
        let (next, end) = (ahead.plus(&count, 1)?, rest.plus(&inside, 1)?);
        Some(
            holds(query, next)
                && is_within(&end, stride, query, look)?
                && holds(query, other.scaled(-1)?),
        )
    };
    let behind = ahead.scaled(-1)?;
    if before(query, [&ahead, &a.rest, &b.rest], &reach[0])?
        || before(query, [&behind, &b.rest, &a.rest], &reach[1])?
    {
        return Some(Lie::Apart);
    }
    let mut in_one = |part: &SlabIndex, reach: &Reach| {
        let (count, inside) = reach.in_slabs(stride);
        let end = part.rest.plus(&inside, 1)?;
        let is_one = count == Linear::constant(1);
        Some(is_one && is_within(&end, stride, query, look)? && holds(query, part.rest.scaled(-1)?))
    };
    // Each lies in one slab, and the slabs differ, whichever comes first.
    if is_never_0(&ahead) && in_one(a, &reach[0])? && in_one(b, &reach[1])? {
        return Some(Lie::Apart);
    }
    Some(if holds(query, ahead) && holds(query, behind) {
        same()
    } else {
        Lie::Open
    })
}

/// True if something that begins in a slab is proved to end inside of it. `end` counts from the
/// start of the slab.
///
/// The proof goes axis by axis, as an index is built: an end inside of a smaller slab lies in the
/// larger one. So each axis has a proof of its own. Such a proof is about few sizes, and is needed
/// only where windows seem to lie in different slabs. So its search is always long.
fn is_within(end: &Linear, stride: Stride, query: &mut Query<'_>, look: Look) -> Option<bool> {
    let beyond = end.plus(&stride.elements()?, -1)?;
    if query.never_positive_by(beyond.clone(), Look::Short) {
        return Some(true);
    }
    let smaller = strides(end, query)
        .into_iter()
        .find_map(|smaller| Some((smaller, smaller.in_one(stride, query)?)));
    if let Some((smaller, count)) = smaller {
        let part = parted(end, smaller, query)?;
        let last = part.slab.plus(&Linear::constant(1), 1)?.plus(&count, -1)?;
        if query.never_positive(last) && is_within(&part.rest, smaller, query, Look::Long)? {
            return Some(true);
        }
    }
    Some(query.never_positive_by(beyond, look))
}

/// True if no integers make the form 0: a common divisor of its factors does not divide its
/// constant.
fn is_never_0(l: &Linear) -> bool {
    let divisor = l.terms.iter().fold(0, |divisor, (_, factor)| {
        gcd(divisor, factor.checked_abs().unwrap_or(1))
    });
    divisor > 1 && l.constant % divisor != 0
}

/// The elements of a slab: a product of axis sizes times a constant. An inner axis of size 8, for
/// example, contributes the constant 8.
#[derive(Clone, Copy)]
struct Stride {
    sizes: Product,
    times: i64,
}

impl Stride {
    fn has_attr(self, forms: &Forms) -> bool {
        forms
            .factors(self.sizes)
            .iter()
            .any(|atom| matches!(&**forms.node(*atom), Node::Leaf(Scalar::Attr(..))))
    }

    fn elements(self) -> Option<Linear> {
        Linear::product(self.sizes).scaled(self.times)
    }

    /// Returns how many slabs of this smaller stride make one of another. `None` if that is no
    /// product of sizes, or if sizes may be negative.
    fn in_one(self, other: Stride, query: &mut Query<'_>) -> Option<Linear> {
        let sizes = query
            .work
            .forms
            .without(other.sizes, self.sizes)
            .filter(|sizes| *sizes != ONE)?;
        query.least_of_product(self.sizes)?;
        (other.times % self.times == 0)
            .then(|| Linear::product(sizes).scaled(other.times / self.times))?
    }
}

/// Returns the strides of an offset, those of most sizes first. A stride is the product of the axis
/// sizes in a term, times the common factor of all such terms.
fn strides(offset: &Linear, query: &mut Query<'_>) -> Vec<Stride> {
    let mut found: Vec<(usize, Product)> = Vec::new();
    for (product, _) in &offset.terms {
        let mut stride = *product;
        // Atoms that are no sizes are removed, the last one first.
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
    let mut left = offset.terms.clone();
    let with_times = |(_, sizes): (usize, Product)| {
        let mut times = 0;
        // A term belongs to its largest stride only.
        left.retain(|(product, factor)| {
            let has = query.work.forms.without(*product, sizes).is_some();
            times = if has {
                gcd(times, factor.checked_abs().unwrap_or(1))
            } else {
                times
            };
            !has
        });
        Stride {
            sizes,
            times: times.max(1),
        }
    };
    found.into_iter().map(with_times).collect()
}

/// True for sizes of axes, attributes, and expressions of these alone.
fn is_size(atom: Atom, forms: &Forms) -> bool {
    match &**forms.node(atom) {
        // A sum is a leaf if it is the size of an axis ([`Facts::sums`]).
        Node::Leaf(Scalar::Axis(_) | Scalar::Attr(..) | Scalar::Bin(..)) => true,
        Node::Leaf(_) | Node::Select(..) => false,
        Node::Op(_, a, b) => {
            let sizes = |l: &Linear| {
                l.terms
                    .iter()
                    .flat_map(|(product, _)| forms.factors(*product))
                    .all(|a| is_size(*a, forms))
            };
            sizes(a) && sizes(b)
        }
    }
}

/// An offset in the form `slab * stride + rest`.
struct SlabIndex {
    slab: Linear,
    rest: Linear,
}

impl SlabIndex {
    /// Moves the constant of the slab index into the rest. In an index that counts from the end,
    /// such as `m - 1 - j`, the constant is no slab.
    fn back(self, stride: Stride) -> Option<SlabIndex> {
        let SlabIndex { slab, rest } = self;
        let rest = rest.plus(&stride.elements()?, slab.constant)?;
        Some(SlabIndex {
            slab: Linear {
                constant: 0,
                ..slab
            },
            rest,
        })
    }
}

/// Divides the terms that are multiples of a stride by it, and keeps the others as the rest.
fn parted(l: &Linear, stride: Stride, query: &mut Query<'_>) -> Option<SlabIndex> {
    let (mut slab, mut rest) = (Linear::constant(0), Linear::constant(l.constant));
    for (product, factor) in &l.terms {
        match query.work.forms.without(*product, stride.sizes) {
            Some(index) if factor % stride.times == 0 => {
                slab = slab.plus(&Linear::product(index), *factor / stride.times)?
            }
            Some(_) | None => rest = rest.plus(&Linear::product(*product), *factor)?,
        }
    }
    Some(SlabIndex { slab, rest })
}
