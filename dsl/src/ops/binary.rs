//! Two tensors to one, element by element: `Add(dst, src0, src1, count)`.

use super::{
    contract, family, math, BinaryFn, Cost, Eval, Integers, KeepsMask, Modes, ARITH, FLOAT,
};
use crate::surface::extent::Extent;
use crate::surface::{Element, LocalTensor, Rhs, Tile};

/// The arithmetic that all evaluation types share, on elements of `Of`.
trait Num: Copy {
    type Of: Copy;
    fn of(v: Self::Of) -> Self;
    fn done(self) -> Self::Of;
    fn plus(self, o: Self) -> Self;
    fn minus(self, o: Self) -> Self;
    fn times(self, o: Self) -> Self;
    fn larger(self, o: Self) -> Self;
    fn smaller(self, o: Self) -> Self;
}
/// Integers in saturating mode. Plain `i32` and `i16` wrap, as the edge table says for inf/nan
/// mode.
#[derive(Clone, Copy)]
struct Saturating<T>(T);

macro_rules! numbers {
    ($($t:ty, $of:ty: |$v:ident| $from:expr, |$w:ident| $done:expr, |$a:ident, $b:ident|
       $plus:expr, $minus:expr, $times:expr, $larger:expr, $smaller:expr;)*) => {$(
        impl Num for $t {
            type Of = $of;
            fn of($v: $of) -> Self { $from }
            fn done(self) -> $of { let $w = self; $done }
            fn plus(self, $b: Self) -> Self { let $a = self; $plus }
            fn minus(self, $b: Self) -> Self { let $a = self; $minus }
            fn times(self, $b: Self) -> Self { let $a = self; $times }
            fn larger(self, $b: Self) -> Self { let $a = self; $larger }
            fn smaller(self, $b: Self) -> Self { let $a = self; $smaller }
        }
    )*};
}
numbers! {
    f32, f32: |v| v, |w| w, |a, b| a + b, a - b, a * b, math::max(a, b), math::min(a, b);
    i32, i32: |v| v, |w| w, |a, b| a.wrapping_add(b), a.wrapping_sub(b), a.wrapping_mul(b), a.max(b), a.min(b);
    i16, i16: |v| v, |w| w, |a, b| a.wrapping_add(b), a.wrapping_sub(b), a.wrapping_mul(b), a.max(b), a.min(b);
    Saturating<i32>, i32: |v| Saturating(v), |w| w.0, |a, b| Saturating(a.0.saturating_add(b.0)), Saturating(a.0.saturating_sub(b.0)),
        Saturating(a.0.saturating_mul(b.0)), Saturating(a.0.max(b.0)), Saturating(a.0.min(b.0));
    Saturating<i16>, i16: |v| Saturating(v), |w| w.0, |a, b| Saturating(a.0.saturating_add(b.0)), Saturating(a.0.saturating_sub(b.0)),
        Saturating(a.0.saturating_mul(b.0)), Saturating(a.0.max(b.0)), Saturating(a.0.min(b.0));
}

macro_rules! loops {
    (any |$a:ident, $b:ident| $e:expr) => {{
        fn run<T: Num>(dst: &mut [T::Of], a: &[T::Of], b: &[T::Of]) {
            for ((d, a), b) in dst.iter_mut().zip(a).zip(b) {
                let ($a, $b) = (T::of(*a), T::of(*b));
                *d = $e.done();
            }
        }
        let long = Modes {
            wrapping: run::<i32> as BinaryFn<i32>,
            saturating: run::<Saturating<i32>>,
        };
        let short = Modes {
            wrapping: run::<i16> as BinaryFn<i16>,
            saturating: run::<Saturating<i16>>,
        };
        Eval::Binary(run::<f32>, Some(Integers { long, short }))
    }};
    (float |$a:ident, $b:ident| $e:expr) => {{
        fn run(dst: &mut [f32], a: &[f32], b: &[f32]) {
            for ((d, &$a), &$b) in dst.iter_mut().zip(a).zip(b) {
                *d = $e;
            }
        }
        Eval::Binary(run, None)
    }};
}

macro_rules! vector_binary {
    ($($(#[doc = $doc:literal])+ $name:ident => $v:ident($ascendc:literal) {
        on: $on:ident, dtypes: $dtypes:expr, cost: $cost:ident, ulp: $ulp:literal, pole: $pole:literal,
        eval: |$a:ident, $b:ident| $e:expr, real: |$ra:ident, $rb:ident| $real:expr, example: $ex:literal
    })*) => {
        family!(Binary BinaryOp { $($(#[doc = $doc])+ $name => $v($ascendc) {
            v220: $dtypes, m200: $dtypes, ulp: $ulp, poles: [false, $pole], cost: Cost::$cost, real: Some(|$ra, $rb| $real),
            method: true, keeps_mask: KeepsMask::Dst,
        } [contract::BINARY] [loops!($on |$a, $b| $e)] $ex)* });
        // The std traits are implemented as well; the methods exist because AscendC has these
        // names.
        #[allow(clippy::should_implement_trait)]
        impl<T: Element> Tile<T> {
            $($(#[doc = $doc])+ pub fn $name(self, rhs: impl Rhs<T>) -> Tile<T> { let _ = rhs; Tile::stub() })*
        }
        /// Functions of this family at queue level.
        pub mod calls {
            use super::*;
            $($(#[doc = $doc])+ pub fn $name<T: Element>(dst: &LocalTensor<T>, src0: &LocalTensor<T>, src1: &LocalTensor<T>, extent: impl Extent) {
                let _ = (dst, src0, src1, extent);
            })*
        }
    };
}

vector_binary! {
    /// The sum, `dst[i] = src0[i] + src1[i]`.
    add => Add("Add") { on: any, dtypes: ARITH, cost: Simple, ulp: 0, pole: false, eval: |a, b| a.plus(b),
        real: |a, b| a + b, example: "let z = x + y;" }
    /// The difference, `dst[i] = src0[i] - src1[i]`.
    sub => Sub("Sub") { on: any, dtypes: ARITH, cost: Simple, ulp: 0, pole: false, eval: |a, b| a.minus(b),
        real: |a, b| a - b, example: "let z = x - y;" }
    /// The product, `dst[i] = src0[i] * src1[i]`.
    mul => Mul("Mul") { on: any, dtypes: ARITH, cost: Simple, ulp: 0, pole: false, eval: |a, b| a.times(b),
        real: |a, b| a * b, example: "let z = x * y;" }
    /// The quotient, `dst[i] = src0[i] / src1[i]`.
    div => Div("Div") { on: float, dtypes: FLOAT, cost: Divide, ulp: 0, pole: true, eval: |a, b| a / b,
        real: |a, b| a / b, example: "let z = x / y;" }
    /// The larger of two; nan wins.
    max => Max("Max") { on: any, dtypes: ARITH, cost: Simple, ulp: 0, pole: false, eval: |a, b| a.larger(b),
        real: |a, b| if a.is_nan() || a > b { a } else { b }, example: "let z = x.max(y);" }
    /// The smaller of two; nan wins.
    min => Min("Min") { on: any, dtypes: ARITH, cost: Simple, ulp: 0, pole: false, eval: |a, b| a.smaller(b),
        real: |a, b| if a.is_nan() || a < b { a } else { b }, example: "let z = x.min(y);" }
}
