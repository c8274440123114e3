//! Near misses: names that the author may have meant by one that does not exist.

use crate::diag::Diagnostic;
use crate::ir::SpanId;
use crate::items::TileMethod;
use crate::library::FUNCTIONS;
use crate::ops::{Op, OpDef};
use std::collections::BTreeSet;

/// Names from other libraries with their names here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("log", "ln"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("fabs", "abs"),
    ("negative", "neg"),
    ("recip", "reciprocal"),
    ("inverse", "reciprocal"),
    ("reduce_sum", "sum"),
    ("reduce_max", "amax"),
    ("reduce_min", "amin"),
    ("row_mean", "mean"),
    ("average", "mean"),
    ("product", "prod"),
    ("reduce_prod", "prod"),
    ("arg_max", "argmax"),
    ("arg_min", "argmin"),
    ("arange", "iota"),
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
    ("gte", "ge"),
    ("lte", "le"),
    ("neq", "ne"),
    ("rcp", "reciprocal"),
    ("inv", "reciprocal"),
    ("logistic", "sigmoid"),
    ("expit", "sigmoid"),
    ("logsigmoid", "log_sigmoid"),
    ("swish", "silu"),
    ("hardswish", "hard_swish"),
    ("hardsigmoid", "hard_sigmoid"),
    ("ln_1p", "log1p"),
    ("exp_m1", "expm1"),
    ("powf", "pow"),
    ("powi", "pow"),
    ("pow2", "square"),
    ("clip", "clamp"),
    ("signum", "sign"),
    ("rint", "round"),
    ("round_ties_even", "round"),
    ("fract", "frac"),
    ("isnan", "is_nan"),
    ("isinf", "is_inf"),
    ("isfinite", "is_finite"),
    ("rem", "fmod"),
];

/// Functions of other libraries that are no op here, with a formula, or an empty text where no
/// short one is right.
pub const ABSENT: &[(&[&str], &str)] = &[
    (&["cube"], "`v * v * v`"),
    (&["mul_add", "fma"], "`v * a + b`"),
    (&["gamma"], "`v.lgamma().exp()`, for positive ones"),
    (
        &["var", "variance"],
        "`(v - v.mean(d)).square().mean(d)`, for an axis `d`",
    ),
    (
        &["std", "stddev"],
        "`(v - v.mean(d)).square().mean(d).sqrt()`, for an axis `d`",
    ),
    (
        &["softmax"],
        "`(v - v.amax(d)).exp() / (v - v.amax(d)).exp().sum(d)`, for an axis `d`",
    ),
    (
        &["log_softmax"],
        "`v - v.amax(d) - (v - v.amax(d)).exp().sum(d).ln()`, for an axis `d`",
    ),
    (
        &["logsumexp", "log_sum_exp"],
        "`v.amax(d) + (v - v.amax(d)).exp().sum(d).ln()`, for an axis `d`",
    ),
    (&["norm"], "`v.square().sum(d).sqrt()`, for an axis `d`"),
    (
        &["rms_norm", "rmsnorm"],
        "`v * (v.square().mean(d) + eps).rsqrt()`, for an axis `d`",
    ),
    (
        &["layer_norm", "layernorm"],
        "`(v - v.mean(d)) * ((v - v.mean(d)).square().mean(d) + eps).rsqrt()`, for an axis `d`",
    ),
    (&["scatter", "transpose", "matmul", "dot"], ""),
];

/// Returns the advice for a function of other libraries that is no op here.
pub fn absent(name: &str) -> Option<String> {
    let (_, how) = ABSENT.iter().find(|(names, _)| names.contains(&name))?;
    Some(if how.is_empty() {
        format!("`{name}` is not offered")
    } else {
        format!("`{name}` is not offered; write {how}")
    })
}

/// Returns what to write for a name that no op has: the name here, a formula, or a similar name.
pub fn instead_of(name: &str) -> Option<String> {
    let ours = synonym(name).map(|ours| format!("it is called `{ours}` here"));
    let near = || nearest(name, tile_ops()).map(|near| format!("did you mean `{near}`?"));
    ours.or_else(|| absent(name)).or_else(near)
}

/// Returns the name here of a name from elsewhere.
pub fn synonym(name: &str) -> Option<&'static str> {
    ELSEWHERE
        .iter()
        .find(|(other, _)| *other == name)
        .map(|(_, ours)| *ours)
}

/// Least length of names without a guess: the comparison takes the square of the length.
const MAX_GUESSED: usize = 100;

/// Finds the candidate nearest to `name`, within one edit for short names and up to three for long
/// ones. A single letter has no guess, since it is near to everything.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match name.chars().count() {
        0..=1 | MAX_GUESSED.. => return None,
        2..=4 => 1,
        5..=7 => 2,
        _ => 3,
    };
    // Short names are near to each other by chance, so a mistyped one must begin like the one that
    // was meant.
    let begins = |c: &str| {
        name.chars()
            .next()
            .zip(c.chars().next())
            .is_some_and(|(a, b)| a.eq_ignore_ascii_case(&b))
    };
    let meant =
        |d: usize, c: &str| d <= limit && c.len() > 1 && (begins(c) || (d <= 1 && name.len() >= 4));
    candidates
        .map(|c| (distance(name, c), c))
        .filter(|(d, c)| meant(*d, c))
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// Adds a fix with the similar name. It is certain where that name alone is one edit away.
pub fn meant<'a>(
    d: Diagnostic,
    at: SpanId,
    name: &str,
    near: &str,
    known: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let close: BTreeSet<&str> = known.filter(|c| distance(name, c) <= 1).collect();
    let d = d.expected([near]).expected(close.iter().copied());
    match close.len() {
        0 => d.fix(at, near).maybe(),
        1 => d.fix(at, near),
        // Several are equally near, so there is no fix.
        _ => d,
    }
}

/// Returns the edit distance, where an exchange of neighbours counts one.
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
            let mut best = (at(i - 1, j) + 1)
                .min(at(i, j - 1) + 1)
                .min(at(i - 1, j - 1) + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(at(i - 2, j - 2) + 1);
            }
            rows[i * width + j] = best;
        }
    }
    rows[a.len() * width + b.len()]
}

/// Lists the ops that are methods of a tile.
pub fn tile_ops() -> impl Iterator<Item = &'static str> {
    Op::all()
        .filter(|d: &&OpDef| d.method)
        .map(|d| d.name)
        .chain(
            TileMethod::NAMES
                .iter()
                .copied()
                .filter(|name| Op::by_name(name).is_none()),
        )
        .chain(FUNCTIONS.iter().map(|f| f.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_far_ones_are_not() {
        assert_eq!(nearest("sqr", tile_ops()), Some("sqrt"));
        assert_eq!(nearest("xsqrt", tile_ops()), Some("sqrt"));
        for other in ["cube", "gamma", "fma", "matmul"] {
            assert!(
                nearest(other, tile_ops()).is_none() || absent(other).is_some(),
                "{other}"
            );
        }
        for (names, _) in ABSENT {
            let is_here = |n: &&str| {
                Op::by_name(n).is_some()
                    || crate::library::by_name(n).is_some()
                    || synonym(n).is_some()
            };
            assert!(!names.iter().any(is_here), "{names:?}");
        }
        assert_eq!(nearest("epx", tile_ops()), Some("exp"));
        assert_eq!(nearest("amaxx", tile_ops()), Some("amax"));
        assert_eq!(nearest("convolution", tile_ops()), None);
    }
}
