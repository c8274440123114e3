//! The library: functions of tiles that are made of ops, such as `v.sigmoid()`.
//!
//! Each function is written in the language itself, in `math.rs`, and is inlined where a kernel
//! calls it. This table holds the meaning and the error bound of each.
//!
//! All functions compute in `f32`, for every float element type, and round once to that type. The
//! front end reads the text of a function when a kernel first calls it. rustc checks the text as a
//! module of this crate.

// The language has no names for numbers such as ln 2, and infinity minus itself is nan. Some
// functions are for the front end alone.
#[allow(clippy::approx_constant, clippy::eq_op, dead_code)]
mod math;

use crate::surface::{Float, Number, Rhs, Tile};

/// A function of tiles.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub name: &'static str,
    /// Names and kinds of the arguments behind the tile that it is called on.
    pub args: &'static [(&'static str, Takes)],
    /// Bound of the element types that it takes.
    pub set: &'static str,
    /// True where the result is a mask.
    pub gives_mask: bool,
    /// Error bound of the result in `f32`.
    pub error: Error,
    /// A call as a kernel writes it.
    pub example: &'static str,
    /// One line for the docs.
    pub doc: &'static str,
}

/// The kind of an argument of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A number of `f32`.
    Number,
    /// A tile of the receiver's element type, or a number.
    Tile,
}

impl Takes {
    /// Returns the kind of a parameter of this type.
    const fn of(ty: &str) -> Takes {
        if is_word(ty, "f32") {
            Takes::Number
        } else {
            Takes::Tile
        }
    }
}

/// True where both words are equal.
const fn is_word(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// How far a result in `f32` may be from the exact one. The three parts add up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Error {
    /// Units in the last place of the exact result.
    pub ulp: f64,
    /// Units in the last place by which the argument (of a power, the exponent) may be off.
    pub argument: f64,
    /// Absolute error that is added.
    pub least: f64,
}

/// Error of results below the smallest normal number, which are flushed or rounded.
const TINY: f64 = f32::MIN_POSITIVE as f64;

macro_rules! functions {
    ($($(#[doc = $doc:literal])+ $name:ident<$t:ident: $set:ident>($($arg:ident: $ty:ty),*) -> $out:ty {
        ulp: $ulp:expr, argument: $argument:expr, least: $least:expr, example: $example:literal
    })*) => {
        /// Every function, in the order of the text.
        pub const FUNCTIONS: &[Function] = &[$(Function {
            name: stringify!($name),
            args: &[$((stringify!($arg), Takes::of(stringify!($ty)))),*],
            set: stringify!($set),
            gives_mask: is_word(stringify!($out), "Tile<bool>"),
            error: Error { ulp: $ulp, argument: $argument, least: $least },
            example: $example,
            doc: concat!($($doc),+).trim_ascii(),
        }),*];
        $(impl<$t: $set> Tile<$t> {
            $(#[doc = $doc])+
            pub fn $name(self, $($arg: $ty),*) -> $out {
                functions!(@call $name self $($arg)*)
            }
        })*
    };
    // A number may stand for a tile: the front end makes a tile of it.
    (@call pow $v:ident $e:ident) => {{
        let _ = $e;
        math::pow($v, $v)
    }};
    (@call fmod $v:ident $w:ident) => {{
        let _ = $w;
        math::fmod($v, $v)
    }};
    (@call remainder $v:ident $w:ident) => {{
        let _ = $w;
        math::remainder($v, $v)
    }};
    (@call atan2 $v:ident $w:ident) => {{
        let _ = $w;
        math::atan2($v, $v)
    }};
    (@call hypot $v:ident $w:ident) => {{
        let _ = $w;
        math::hypot($v, $v)
    }};
    (@call lerp $v:ident $w:ident $by:ident) => {{
        let _ = ($w, $by);
        math::lerp($v, $v, $v)
    }};
    (@call clamp $v:ident $low:ident $high:ident) => {{
        let _ = ($low, $high);
        math::clamp($v, $v, $v)
    }};
    (@call $name:ident $v:ident $($arg:ident)*) => { math::$name($v, $($arg),*) };
}

functions! {
    /// The sigmoid function, `1 / (1 + e^-v)`.
    sigmoid<T: Float>() -> Tile<T> { ulp: 3.0, argument: 0.0, least: TINY, example: "let y = x.sigmoid();" }
    /// The logarithm of the sigmoid, `ln(sigmoid(v))`.
    log_sigmoid<T: Float>() -> Tile<T> { ulp: 2.5, argument: 0.0, least: 0.0, example: "let y = x.log_sigmoid();" }
    /// The swish, `v * sigmoid(v)`; nan for minus infinity.
    silu<T: Float>() -> Tile<T> { ulp: 3.0, argument: 0.0, least: 1e-36, example: "let y = x.silu();" }
    /// The softplus function, `ln(1 + e^v)`.
    softplus<T: Float>() -> Tile<T> { ulp: 2.5, argument: 0.0, least: 0.0, example: "let y = x.softplus();" }
    /// The softsign function, `v / (1 + |v|)`; nan for infinities.
    softsign<T: Float>() -> Tile<T> { ulp: 2.0, argument: 0.0, least: 0.0, example: "let y = x.softsign();" }
    /// The mish function, `v * tanh(softplus(v))`; nan for minus infinity.
    mish<T: Float>() -> Tile<T> { ulp: 5.0, argument: 0.0, least: 1e-36, example: "let y = x.mish();" }
    /// `v * P(v)` with the normal distribution function `P`: the form with erf; 0 for minus
    /// infinity.
    gelu<T: Float>() -> Tile<T> { ulp: 5.0, argument: 1.0, least: 1e-36, example: "let y = x.gelu();" }
    /// `v * (1 + tanh(sqrt(2 / pi) * (v + 0.044715 v^3))) / 2`; nan for minus infinity.
    gelu_tanh<T: Float>() -> Tile<T> { ulp: 4.0, argument: 1.0, least: 1e-36, example: "let y = x.gelu_tanh();" }
    /// `v` where it is positive, else `alpha * (e^v - 1)`.
    elu<T: Float>(alpha: f32) -> Tile<T> { ulp: 2.0, argument: 0.0, least: 0.0, example: "let y = x.elu(1.0);" }
    /// The scaled `elu` with the two constants of its paper.
    selu<T: Float>() -> Tile<T> { ulp: 2.5, argument: 0.0, least: 0.0, example: "let y = x.selu();" }
    /// The continuous elu, `max(v, 0) + min(0, alpha * (e^(v / alpha) - 1))`.
    celu<T: Float>(alpha: f32) -> Tile<T> { ulp: 2.5, argument: 0.0, least: 0.0, example: "let y = x.celu(2.0);" }
    /// `v` where it is positive, else `v * slope`.
    leaky_relu<T: Float>(slope: f32) -> Tile<T> { ulp: 1.0, argument: 0.0, least: 0.0, example: "let y = x.leaky_relu(0.01);" }
    /// The ReLU cut at 6, `min(max(v, 0), 6)`.
    relu6<T: Float>() -> Tile<T> { ulp: 0.0, argument: 0.0, least: 0.0, example: "let y = x.relu6();" }
    /// The piecewise linear sigmoid, `min(max(v / 6 + 1 / 2, 0), 1)`.
    hard_sigmoid<T: Float>() -> Tile<T> { ulp: 2.0, argument: 0.0, least: 1.2e-7, example: "let y = x.hard_sigmoid();" }
    /// The piecewise swish, `v * hard_sigmoid(v)`.
    hard_swish<T: Float>() -> Tile<T> { ulp: 2.0, argument: 0.0, least: 3e-7, example: "let y = x.hard_swish();" }
    /// `e^v - 1`, as exact near 0 as elsewhere.
    expm1<T: Float>() -> Tile<T> { ulp: 2.0, argument: 0.0, least: 0.0, example: "let y = x.expm1();" }
    /// The power of two, `2^v`.
    exp2<T: Float>() -> Tile<T> { ulp: 2.0, argument: 0.0, least: 0.0, example: "let y = x.exp2();" }
    /// `ln(1 + v)`, as exact near 0 as elsewhere.
    log1p<T: Float>() -> Tile<T> { ulp: 2.0, argument: 0.0, least: 0.0, example: "let y = x.log1p();" }
    /// The logarithm to base 2.
    log2<T: Float>() -> Tile<T> { ulp: 2.0, argument: 0.0, least: 0.0, example: "let y = x.log2();" }
    /// The logarithm to base 10.
    log10<T: Float>() -> Tile<T> { ulp: 2.5, argument: 0.0, least: 0.0, example: "let y = x.log10();" }
    /// `v^e`, element by element; nan where `v` is negative and `e` no integer. The powers 2, 3,
    /// 1/2, -1 and -1/2 in the kernel's text are products, roots and quotients; for all others
    /// zeros count as positive.
    pow<T: Float>(e: impl Rhs<T>) -> Tile<T> { ulp: 2.0, argument: 1.0, least: 0.0, example: "let y = x.pow(2.5);" }
    /// The square, `v * v`.
    square<T: Float>() -> Tile<T> { ulp: 1.0, argument: 0.0, least: 0.0, example: "let y = x.square();" }
    /// The cube root.
    cbrt<T: Float>() -> Tile<T> { ulp: 3.5, argument: 0.0, least: 0.0, example: "let y = x.cbrt();" }
    /// `sqrt(v^2 + w^2)`, without squares that overflow or underflow; nan where `v` or `w` is.
    hypot<T: Float>(w: impl Rhs<T>) -> Tile<T> { ulp: 2.5, argument: 0.0, least: 0.0, example: "let y = x.hypot(w);" }
    /// The sine, for arguments up to 65536 on either side, else nan. It is never beyond 1.
    sin<T: Float>() -> Tile<T> { ulp: 2.5, argument: 1e-7, least: 0.0, example: "let y = x.sin();" }
    /// The cosine, of arguments up to 65536 on either side; beyond them it is nan. It is never
    /// beyond 1, and off by at most 1 ulp up to 1/2 on either side.
    cos<T: Float>() -> Tile<T> { ulp: 2.5, argument: 1e-7, least: 0.0, example: "let y = x.cos();" }
    /// The tangent, of arguments up to 65536 on either side; beyond them it is nan.
    tan<T: Float>() -> Tile<T> { ulp: 3.5, argument: 1e-7, least: 0.0, example: "let y = x.tan();" }
    /// The arc sine; nan beyond 1.
    asin<T: Float>() -> Tile<T> { ulp: 2.5, argument: 0.0, least: 0.0, example: "let y = x.asin();" }
    /// The arc cosine; nan beyond 1.
    acos<T: Float>() -> Tile<T> { ulp: 2.0, argument: 0.0, least: 0.0, example: "let y = x.acos();" }
    /// The arc tangent.
    atan<T: Float>() -> Tile<T> { ulp: 2.5, argument: 0.0, least: 0.0, example: "let y = x.atan();" }
    /// The angle of the point `(w, v)`, from minus pi to pi, with C's signs of zeros.
    atan2<T: Float>(w: impl Rhs<T>) -> Tile<T> { ulp: 2.5, argument: 0.0, least: 0.0, example: "let y = x.atan2(w);" }
    /// The hyperbolic sine.
    sinh<T: Float>() -> Tile<T> { ulp: 5.0, argument: 0.0, least: 0.0, example: "let y = x.sinh();" }
    /// The hyperbolic cosine.
    cosh<T: Float>() -> Tile<T> { ulp: 4.0, argument: 0.0, least: 0.0, example: "let y = x.cosh();" }
    /// The hyperbolic tangent.
    tanh<T: Float>() -> Tile<T> { ulp: 3.5, argument: 0.0, least: 0.0, example: "let y = x.tanh();" }
    /// The inverse of the hyperbolic sine.
    asinh<T: Float>() -> Tile<T> { ulp: 6.0, argument: 0.0, least: 0.0, example: "let y = x.asinh();" }
    /// The inverse of the hyperbolic cosine; nan below 1.
    acosh<T: Float>() -> Tile<T> { ulp: 5.0, argument: 0.0, least: 0.0, example: "let y = x.acosh();" }
    /// The inverse of the hyperbolic tangent; nan beyond 1.
    atanh<T: Float>() -> Tile<T> { ulp: 3.0, argument: 0.0, least: 0.0, example: "let y = x.atanh();" }
    /// The error function.
    erf<T: Float>() -> Tile<T> { ulp: 6.0, argument: 0.0, least: 0.0, example: "let y = x.erf();" }
    /// `1 - erf(v)`, as exact where it is small as elsewhere.
    erfc<T: Float>() -> Tile<T> { ulp: 7.0, argument: 0.0, least: 0.0, example: "let y = x.erfc();" }
    /// The inverse of the error function; nan beyond 1.
    erfinv<T: Float>() -> Tile<T> { ulp: 4.0, argument: 0.0, least: 0.0, example: "let y = x.erfinv();" }
    /// The logarithm of the absolute value of the gamma function; infinity at its poles.
    lgamma<T: Float>() -> Tile<T> { ulp: 5.0, argument: 1.0, least: 5e-7, example: "let y = x.lgamma();" }
    /// The derivative of the logarithm of the gamma function; nan at its poles but 0.
    digamma<T: Float>() -> Tile<T> { ulp: 3.0, argument: 1.0, least: 2e-7, example: "let y = x.digamma();" }
    /// The largest integer that is not above.
    floor<T: Float>() -> Tile<T> { ulp: 0.0, argument: 0.0, least: 0.0, example: "let y = x.floor();" }
    /// The smallest integer that is not below.
    ceil<T: Float>() -> Tile<T> { ulp: 0.0, argument: 0.0, least: 0.0, example: "let y = x.ceil();" }
    /// The nearest integer, halves to the even one.
    round<T: Float>() -> Tile<T> { ulp: 0.0, argument: 0.0, least: 0.0, example: "let y = x.round();" }
    /// The integer towards 0.
    trunc<T: Float>() -> Tile<T> { ulp: 0.0, argument: 0.0, least: 0.0, example: "let y = x.trunc();" }
    /// The fraction, `v - trunc(v)`.
    frac<T: Float>() -> Tile<T> { ulp: 0.0, argument: 0.0, least: 0.0, example: "let y = x.frac();" }
    /// The remainder of `v` over `d` with the quotient cut to an integer, as in C: exact, with the
    /// sign of `v`; nan where that quotient is 2^24 or more.
    fmod<T: Float>(d: impl Rhs<T>) -> Tile<T> { ulp: 0.0, argument: 0.0, least: 0.0, example: "let y = x.fmod(w);" }
    /// The remainder of `v` over `d` with the quotient rounded down, with the sign of `d`; nan
    /// where that quotient's size is 2^24 or more.
    remainder<T: Float>(d: impl Rhs<T>) -> Tile<T> { ulp: 0.5, argument: 0.0, least: 0.0, example: "let y = x.remainder(w);" }
    /// -1, 0 or 1; nan of nan.
    sign<T: Float>() -> Tile<T> { ulp: 0.0, argument: 0.0, least: 0.0, example: "let y = x.sign();" }
    /// `v` held between `low` and `high`.
    clamp<T: Number>(low: impl Rhs<T>, high: impl Rhs<T>) -> Tile<T> { ulp: 0.0, argument: 0.0, least: 0.0, example: "let y = x.clamp(-1.0, 1.0);" }
    /// `v + (w - v) * by`, rounded after each step: off by units of the largest of these.
    lerp<T: Float>(w: impl Rhs<T>, by: impl Rhs<T>) -> Tile<T> { ulp: 3.0, argument: 2.0, least: 0.0, example: "let y = x.lerp(w, 0.25);" }
    /// True for all but nan and infinities.
    is_finite<T: Float>() -> Tile<bool> { ulp: 0.0, argument: 0.0, least: 0.0, example: "let m = x.is_finite();" }
    /// True for both infinities.
    is_inf<T: Float>() -> Tile<bool> { ulp: 0.0, argument: 0.0, least: 0.0, example: "let m = x.is_inf();" }
    /// True for nan alone.
    is_nan<T: Float>() -> Tile<bool> { ulp: 0.0, argument: 0.0, least: 0.0, example: "let m = x.is_nan();" }
}

/// Returns the function that computes the power by a constant, where a shorter form exists, and
/// true if that function takes the exponent as well.
pub(crate) fn power(by: f32) -> Option<(&'static str, bool)> {
    let shorter = [
        (2.0, "square"),
        (3.0, "cubed"),
        (0.5, "rooted"),
        (-1.0, "inverted"),
        (-0.5, "inverse_root"),
    ];
    let products = shorter
        .into_iter()
        .find(|(e, _)| *e == by)
        .map(|(_, name)| (name, false));
    products.or_else(|| match by {
        _ if by == 0.0 || !by.is_finite() => None,
        _ if by.fract() != 0.0 => Some(("part_power", true)),
        _ if (by * 0.5).fract() == 0.0 => Some(("even_power", true)),
        _ => Some(("odd_power", true)),
    })
}

/// Finds a function by its name.
pub fn by_name(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|f| f.name == name)
}

/// Returns name and text of each function, with those that only other functions call.
pub(crate) fn texts() -> &'static [(&'static str, &'static str)] {
    static TEXTS: std::sync::LazyLock<Vec<(&'static str, &'static str)>> =
        std::sync::LazyLock::new(|| {
            let mut rest = include_str!("math.rs");
            let mut found = Vec::new();
            // Each function begins and ends at the beginning of a line.
            while let Some(at) = ["\nfn ", "\npub fn "]
                .iter()
                .filter_map(|head| rest.find(head))
                .min()
            {
                rest = &rest[at + 1..];
                let end = rest.find("\n}\n").map_or(rest.len(), |end| end + 2);
                let name = rest
                    .trim_start_matches("pub ")
                    .trim_start_matches("fn ")
                    .split(['<', '('])
                    .next();
                found.extend(name.map(|name| (name, &rest[..end])));
                rest = &rest[end..];
            }
            found
        });
    &TEXTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_and_text_have_the_same_functions() {
        let public: Vec<&str> = texts()
            .iter()
            .filter(|(_, text)| text.starts_with("pub "))
            .map(|(name, _)| *name)
            .collect();
        assert_eq!(public, FUNCTIONS.iter().map(|f| f.name).collect::<Vec<_>>());
        for (name, text) in texts() {
            assert!(
                syn::parse_str::<syn::ItemFn>(text).is_ok_and(|f| f.sig.ident == name),
                "{name}"
            );
            assert!(
                crate::ops::Op::by_name(name).is_none(),
                "{name} is an op, too"
            );
        }
    }
}
