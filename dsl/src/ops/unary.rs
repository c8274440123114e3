//! One tensor to one, element by element: `Exp(dst, src, count)`.

use super::{
    contract, family, math, Cost, Eval, Integers, KeepsMask, Modes, UnaryFn, ARITH, ARITH_32, FLOAT,
};
use crate::surface::extent::Extent;
use crate::surface::{Element, LocalTensor, Tile};

macro_rules! modes {
    ($name:ident $t:ty |$a:ident| $wraps:expr, $saturates:expr) => {
        const fn $name() -> Modes<UnaryFn<$t>> {
            fn wrapping(dst: &mut [$t], a: &[$t]) {
                for (d, &$a) in dst.iter_mut().zip(a) {
                    *d = $wraps;
                }
            }
            fn saturating(dst: &mut [$t], a: &[$t]) {
                for (d, &$a) in dst.iter_mut().zip(a) {
                    *d = $saturates;
                }
            }
            Modes {
                wrapping,
                saturating,
            }
        }
    };
}

macro_rules! vector_unary {
    ($($(#[doc = $doc:literal])+ $name:ident => $v:ident($ascendc:literal) {
        dtypes: $dtypes:expr, cost: $cost:ident, ulp: $ulp:literal, pole: $pole:literal, exact: $exact:expr,
        f32: |$a:ident| $e:expr $(, i32: |$ai:ident| $ei:expr, saturating: $es:expr)?,
        real: |$ra:ident| $real:expr, example: $ex:literal
    })*) => {
        family!(Unary UnaryOp { $($(#[doc = $doc])+ $name => $v($ascendc) {
            v220: $dtypes, m200: $dtypes, ulp: $ulp, poles: [$pole, false], cost: Cost::$cost, exact: $exact,
            real: Some(|$ra, _| $real), method: true, keeps_mask: KeepsMask::Dst,
        } [contract::UNARY] [{
            fn f(dst: &mut [f32], a: &[f32]) {
                for (d, &$a) in dst.iter_mut().zip(a) { *d = $e; }
            }
            #[allow(unused_mut, unused_assignments)]
            let mut ints: Option<Integers<UnaryFn<i32>, UnaryFn<i16>>> = None;
            $(
                modes!(long i32 |$ai| $ei, $es);
                modes!(short i16 |$ai| $ei, $es);
                ints = Some(Integers { long: long(), short: short() });
            )?
            Eval::Unary(f, ints)
        }] $ex)* });
        // Neg is implemented as well; the method exists because AscendC has this name.
        #[allow(clippy::should_implement_trait)]
        impl<T: Element> Tile<T> {
            $($(#[doc = $doc])+ pub fn $name(self) -> Tile<T> { Tile::stub() })*
        }
        /// Functions of this family at queue level.
        pub mod calls {
            use super::*;
            $($(#[doc = $doc])+ pub fn $name<T: Element>(dst: &LocalTensor<T>, src: &LocalTensor<T>, extent: impl Extent) {
                let _ = (dst, src, extent);
            })*
        }
    };
}

/// Multiplies by -1. The product keeps the sign of nan, which a negation flips; compilers replace
/// one by the other.
#[inline(always)]
fn times_minus_one(a: f32) -> f32 {
    if a.is_nan() {
        a
    } else {
        -a
    }
}

vector_unary! {
    /// The exponential, `dst[i] = e^src[i]`.
    exp => Exp("Exp") { dtypes: FLOAT, cost: Transcendental, ulp: 1, pole: false, exact: None, f32: |a| math::exp(a),
        real: |a| a.exp(), example: "let z = x.exp();" }
    /// Natural logarithm; nan for negative inputs, minus infinity for zero.
    ln => Ln("Ln") { dtypes: FLOAT, cost: Transcendental, ulp: 2, pole: true, exact: None, f32: |a| math::ln(a),
        real: |a| a.ln(), example: "let z = x.ln();" }
    /// Square root; nan for negative inputs.
    sqrt => Sqrt("Sqrt") { dtypes: FLOAT, cost: Transcendental, ulp: 0, pole: true, exact: None, f32: |a| a.sqrt(),
        real: |a| a.sqrt(), example: "let z = x.sqrt();" }
    /// Reciprocal square root. The hardware result is an approximation (half misses 1e-3, float
    /// 1e-4); `1.0 / x.sqrt()` is exact.
    rsqrt => Rsqrt("Rsqrt") { dtypes: FLOAT, cost: Simple, ulp: 1, pole: true, exact: Some("1.0 / x.sqrt()"),
        f32: |a| 1.0 / a.sqrt(), real: |a| 1.0 / a.sqrt(), example: "let z = x.rsqrt();" }
    /// Reciprocal. The hardware result is an approximation (half misses 1e-3, float 1e-4);
    /// `1.0 / x` is exact.
    reciprocal => Reciprocal("Reciprocal") { dtypes: FLOAT, cost: Simple, ulp: 0, pole: true, exact: Some("1.0 / x"),
        f32: |a| 1.0 / a, real: |a| 1.0 / a, example: "let z = x.reciprocal();" }
    /// Absolute value of each element.
    abs => Abs("Abs") { dtypes: FLOAT, cost: Simple, ulp: 0, pole: false, exact: None, f32: |a| a.abs(),
        real: |a| a.abs(), example: "let z = x.abs();" }
    /// Negation; the chips before 950 have no instruction of their own, so AscendC text says
    /// `Muls(dst, src, -1)`.
    neg => Neg("Muls") { dtypes: ARITH, cost: Simple, ulp: 0, pole: false, exact: None,
        f32: |a| times_minus_one(a), i32: |a| a.wrapping_neg(), saturating: a.saturating_neg(),
        real: |a| -a, example: "let z = -x;" }
    /// `max(x, 0)`; minus zero gives zero.
    relu => Relu("Relu") { dtypes: ARITH_32, cost: Simple, ulp: 0, pole: false, exact: None,
        f32: |a| math::max(a, 0.0), i32: |a| a.max(0), saturating: a.max(0),
        real: |a| if a < 0.0 { 0.0 } else { a }, example: "let z = x.relu();" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negation_is_the_product_that_is_emitted() {
        let Eval::Unary(neg, _) = UnaryOp::Neg.def().eval else {
            panic!("neg is unary")
        };
        let mut out = [0.0; 4];
        neg(&mut out, &[1.5, 0.0, f32::NAN, -f32::NAN]);
        assert_eq!(
            out[..2].iter().map(|v| v.to_bits()).collect::<Vec<_>>(),
            [(-1.5f32).to_bits(), (-0.0f32).to_bits()]
        );
        assert_eq!(
            (out[2].is_sign_negative(), out[3].is_sign_negative()),
            (false, true)
        );
    }
}
