//! Two tensors to one, element by element: `Add(dst, src0, src1, count)`.

use super::{contract, family, math, Cost, Eval, ARITH, FLOAT};
use crate::surface::{Element, LocalTensor, Rhs, Tile};

/// The arithmetic both evaluation types share.
trait Num: Copy {
    fn plus(self, o: Self) -> Self;
    fn minus(self, o: Self) -> Self;
    fn times(self, o: Self) -> Self;
    fn larger(self, o: Self) -> Self;
    fn smaller(self, o: Self) -> Self;
}
impl Num for f32 {
    fn plus(self, o: f32) -> f32 {
        self + o
    }
    fn minus(self, o: f32) -> f32 {
        self - o
    }
    fn times(self, o: f32) -> f32 {
        self * o
    }
    fn larger(self, o: f32) -> f32 {
        math::max(self, o)
    }
    fn smaller(self, o: f32) -> f32 {
        math::min(self, o)
    }
}
/// Integers wrap, as the edge table gives for inf/nan mode.
impl Num for i32 {
    fn plus(self, o: i32) -> i32 {
        self.wrapping_add(o)
    }
    fn minus(self, o: i32) -> i32 {
        self.wrapping_sub(o)
    }
    fn times(self, o: i32) -> i32 {
        self.wrapping_mul(o)
    }
    fn larger(self, o: i32) -> i32 {
        self.max(o)
    }
    fn smaller(self, o: i32) -> i32 {
        self.min(o)
    }
}

macro_rules! loops {
    (any |$a:ident, $b:ident| $e:expr) => {{
        fn run<T: Num>(dst: &mut [T], a: &[T], b: &[T]) {
            for ((d, &$a), &$b) in dst.iter_mut().zip(a).zip(b) {
                *d = $e;
            }
        }
        Eval::Binary(run::<f32>, Some(run::<i32>))
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
        on: $on:ident, dtypes: $dtypes:expr, cost: $cost:ident, ulp: $ulp:literal, eval: |$a:ident, $b:ident| $e:expr, example: $ex:literal
    })*) => {
        family!(Binary BinaryOp { $($(#[doc = $doc])+ $name => $v($ascendc) {
            v220: $dtypes, m200: $dtypes, ulp: $ulp, cost: Cost::$cost,
        } [contract::BINARY] [loops!($on |$a, $b| $e)] $ex)* });
        // The std traits are implemented, too; the methods exist because AscendC has them under these names.
        #[allow(clippy::should_implement_trait)]
        impl<T: Element> Tile<T> {
            $($(#[doc = $doc])+ pub fn $name(self, rhs: impl Rhs<T>) -> Tile<T> { let _ = rhs; Tile::stub() })*
        }
        /// The family's functions of the queue level.
        pub mod calls {
            use super::*;
            $($(#[doc = $doc])+ pub fn $name<T: Element>(dst: &LocalTensor<T>, src0: &LocalTensor<T>, src1: &LocalTensor<T>, count: usize) {
                let _ = (dst, src0, src1, count);
            })*
        }
    };
}

vector_binary! {
    /// Sum: `dst[i] = src0[i] + src1[i]`.
    add => Add("Add") { on: any, dtypes: ARITH, cost: Simple, ulp: 0, eval: |a, b| a.plus(b), example: "let z = x + y;" }
    /// Difference: `dst[i] = src0[i] - src1[i]`.
    sub => Sub("Sub") { on: any, dtypes: ARITH, cost: Simple, ulp: 0, eval: |a, b| a.minus(b), example: "let z = x - y;" }
    /// Product: `dst[i] = src0[i] * src1[i]`.
    mul => Mul("Mul") { on: any, dtypes: ARITH, cost: Simple, ulp: 0, eval: |a, b| a.times(b), example: "let z = x * y;" }
    /// Quotient: `dst[i] = src0[i] / src1[i]`.
    div => Div("Div") { on: float, dtypes: FLOAT, cost: Divide, ulp: 0, eval: |a, b| a / b, example: "let z = x / y;" }
    /// The larger of two; nan wins.
    max => Max("Max") { on: any, dtypes: ARITH, cost: Simple, ulp: 0, eval: |a, b| a.larger(b), example: "let z = x.max(y);" }
    /// The smaller of two; nan wins.
    min => Min("Min") { on: any, dtypes: ARITH, cost: Simple, ulp: 0, eval: |a, b| a.smaller(b), example: "let z = x.min(y);" }
}
