//! Ranges of values whose sums are exact in every order: multiples of a power of two, not too many.

use jumar::dsl::dtype::DType;

/// A set of numbers: multiples of `2^step` from `-max` to `max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    pub max: f64,
    pub step: i32,
    /// True if a zero may be negative; then a sum depends on its order.
    pub minus_zero: bool,
}

impl Range {
    pub fn new(max: f64, step: i32) -> Self {
        Range {
            max,
            step,
            minus_zero: false,
        }
    }

    /// Returns the range of a literal.
    pub fn of(v: f64) -> Option<Self> {
        let step = (-20..1)
            .rev()
            .find(|s| (v * 2f64.powi(-s)).fract() == 0.0)?;
        v.is_finite().then(|| Range {
            max: v.abs(),
            step,
            minus_zero: v == 0.0 && v.is_sign_negative(),
        })
    }

    /// Returns the range after rounding to the types. `None` if that could give infinity or lose
    /// the step.
    pub fn kept(self, types: &[DType]) -> Option<Self> {
        let most = types.iter().map(|d| match d {
            DType::F16 => 30_000.0,
            DType::Bf16 | DType::F32 => 1e30,
            DType::I32 | DType::I64 | DType::U32 | DType::Bits => 2e9,
            DType::I16 => 30_000.0,
            DType::U16 => 60_000.0,
            DType::U8 => 255.0,
            DType::I8 => 127.0,
            DType::Bool => 1.0,
        });
        let fits = self.max <= most.fold(f64::INFINITY, f64::min) && self.step >= -10;
        // Rounding to fewer digits leaves a multiple of the step, somewhat larger at most.
        fits.then_some(Range {
            max: self.max * 1.01,
            ..self
        })
    }

    pub fn either(self, o: Self) -> Self {
        Range {
            max: self.max.max(o.max),
            step: self.step.min(o.step),
            minus_zero: self.minus_zero || o.minus_zero,
        }
    }

    pub fn plus(self, o: Self) -> Self {
        Range {
            max: self.max + o.max,
            minus_zero: self.minus_zero && o.minus_zero,
            ..self.either(o)
        }
    }

    pub fn times(self, o: Self) -> Self {
        Range {
            max: self.max * o.max,
            step: self.step + o.step,
            minus_zero: true,
        }
    }

    /// Returns the range after rounding to integers.
    pub fn whole(self) -> Self {
        Range {
            max: self.max + 1.0,
            step: self.step.max(0),
            minus_zero: true,
        }
    }

    /// Returns the range of a sum of `n` numbers in the narrowest of the types. `None` if an order
    /// of it may round.
    pub fn sum(self, n: usize, types: &[DType]) -> Option<Self> {
        let max = self.max * n as f64;
        let digits = |d: &DType| match d {
            DType::F16 => 11,
            DType::Bf16 => 8,
            DType::F32 => 24,
            DType::I32
            | DType::Bool
            | DType::I8
            | DType::I64
            | DType::I16
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::Bits => 31,
        };
        let least = types.iter().map(digits).min()?;
        let fits = max / 2f64.powi(self.step) <= 2f64.powi(least) && max < 30_000.0;
        (fits && !self.minus_zero).then_some(Range { max, ..self })
    }
}
