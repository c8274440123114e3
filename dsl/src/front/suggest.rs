//! Near misses: what the author may have meant by a name that does not exist.

use crate::ops::{Op, OpDef};

/// Names from other libraries and what the same is called here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("log", "ln"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("fabs", "abs"),
    ("negative", "neg"),
    ("recip", "reciprocal"),
    ("inverse", "reciprocal"),
    ("sum", "row_sum"),
    ("reduce_sum", "row_sum"),
    ("amax", "row_max"),
    ("reduce_max", "row_max"),
    ("amin", "row_min"),
    ("reduce_min", "row_min"),
    ("to", "cast"),
    ("astype", "cast"),
    ("greater", "gt"),
    ("greater_equal", "ge"),
    ("less", "lt"),
    ("less_equal", "le"),
    ("equal", "eq"),
    ("not_equal", "ne"),
    ("exponential", "exp"),
    ("square_root", "sqrt"),
    ("where", "select"),
    ("plus", "add"),
    ("subtract", "sub"),
    ("multiply", "mul"),
    ("divide", "div"),
];

/// What a name from elsewhere is called here.
pub(super) fn synonym(name: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(other, _)| *other == name).map(|(_, ours)| *ours)
}

/// Names from this length on are not guessed at: the comparison takes the square of it.
const MAX_GUESSED: usize = 100;

/// The candidate nearest to `name`, if it is near at all: one edit for short names, up to three for long ones.
/// One letter is near to everything, so there is no guess for it.
pub(super) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match name.chars().count() {
        0..=1 | MAX_GUESSED.. => return None,
        2..=4 => 1,
        5..=7 => 2,
        _ => 3,
    };
    candidates.map(|c| (distance(name, c), c)).filter(|(d, c)| *d <= limit && c.len() > 1).min_by_key(|(d, _)| *d).map(|(_, c)| c)
}

/// Edit distance where an exchange of neighbours counts one.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 3 {
        return usize::MAX;
    }
    let width = b.len() + 1;
    let mut rows = vec![0; (a.len() + 1) * width];
    for (i, row) in rows.chunks_mut(width).enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[..width].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let at = |i: usize, j: usize| rows[i * width + j];
            let mut best = (at(i - 1, j) + 1).min(at(i, j - 1) + 1).min(at(i - 1, j - 1) + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(at(i - 2, j - 2) + 1);
            }
            rows[i * width + j] = best;
        }
    }
    rows[a.len() * width + b.len()]
}

/// Ops that are methods of a tile.
pub(super) fn tile_ops() -> impl Iterator<Item = &'static str> {
    Op::all().filter(|d: &&OpDef| is_tile_op(d.op)).map(|d| d.name).chain(["cast_with"])
}

/// True for an op that is a method of a tile.
pub(super) fn is_tile_op(op: Op) -> bool {
    use crate::ops::LayoutOp;
    match op {
        Op::Binary(_) | Op::Unary(_) | Op::Compare(_) | Op::RowReduce(_) => true,
        Op::Layout(LayoutOp::Cast | LayoutOp::Select) => true,
        Op::Layout(LayoutOp::Duplicate | LayoutOp::LocalCopy | LayoutOp::Brcb | LayoutOp::SelectScalar) => false,
        Op::BinaryScalar(_) | Op::CompareScalar(_) | Op::Reduce(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_far_ones_are_not() {
        assert_eq!(nearest("sqr", tile_ops()), Some("sqrt"));
        assert_eq!(nearest("epx", tile_ops()), Some("exp"));
        assert_eq!(nearest("row_maxx", tile_ops()), Some("row_max"));
        assert_eq!(nearest("convolution", tile_ops()), None);
    }
}
