//! Numbers that are equal only where mathematics says so: no rounding, no tolerance.
//!
//! A number is a residue of a prime field beside a double. Sums, products and quotients are exact
//! in the field, in any order. Equality compares residues; order, rounding and sign use the double.
//!
//! The exponential is a power. Modulo `P = 2 Q + 1` the order of a square is `Q`. So `exp(a)` is
//! [`BASE`] to the residue of `a` modulo `Q`, and `exp(a - b) * exp(b)` is `exp(a)`. With
//! `Q = 2 R + 1` this works once more, for exponentials of exponentials.
//!
//! Roots, logarithms and further exponentials are hashes of their operand. Equal operands give
//! equal results, but laws such as that of the logarithm of a product are not known. Such a number
//! is *opaque*: doubles decide its equality, within the error of their roundings.

use std::cmp::Ordering;

/// A chain of primes, each twice the next one and 1.
const PRIMES: [u64; 3] = [
    4_611_686_018_427_369_527,
    2_305_843_009_213_684_763,
    1_152_921_504_606_842_381,
];

/// The base of exponentials, the square of a number far from all data. A base of 4 would give 2 as
/// the power of a half.
const BASE: u64 = 1_234_567_891 * 1_234_567_891;

/// The relative difference that doubles of equal opaque numbers may have.
const ROUNDED: f64 = 1e-9;

#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    residues: [u64; 3],
    double: f64,
    /// True if a law that its computation needs is not known.
    is_opaque: bool,
    /// True if its computation divided by 0, or has no value for another reason.
    is_pole: bool,
}

fn times(a: u64, b: u64, prime: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(prime)) as u64
}

fn power(base: u64, exponent: u64, prime: u64) -> u64 {
    let (mut base, mut exponent, mut result) = (base % prime, exponent, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base, prime);
        }
        base = times(base, base, prime);
        exponent >>= 1;
    }
    result
}

/// Returns the residue of a finite double, which is an integer times a power of two.
fn residue(v: f64, prime: u64) -> u64 {
    if v == 0.0 {
        return 0;
    }
    let bits = v.abs().to_bits();
    let (raw, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
    let (whole, exponent) = if raw == 0 {
        (fraction, -1074)
    } else {
        (fraction | 1 << 52, raw - 1075)
    };
    let two = if exponent < 0 { prime.div_ceil(2) } else { 2 };
    let size = times(
        whole % prime,
        power(two, exponent.unsigned_abs(), prime),
        prime,
    );
    if v < 0.0 && size != 0 {
        prime - size
    } else {
        size
    }
}

fn mixed(a: u64, kind: u64) -> u64 {
    let h = (a ^ kind.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (h ^ (h >> 29)).wrapping_mul(0xc4ce_b9fe_1a85_ec53)
}

impl Number {
    pub const ZERO: Number = Number {
        residues: [0; 3],
        double: 0.0,
        is_opaque: false,
        is_pole: false,
    };
    pub const ONE: Number = Number {
        residues: [1; 3],
        double: 1.0,
        is_opaque: false,
        is_pole: false,
    };

    /// Makes the exact number of a double.
    pub fn of(v: f64) -> Number {
        let residues = if v.is_finite() {
            PRIMES.map(|prime| residue(v, prime))
        } else {
            let kind = if v.is_nan() {
                1
            } else {
                2 + u64::from(v > 0.0)
            };
            PRIMES.map(|prime| mixed(kind, 77) % prime)
        };
        Number {
            residues,
            double: v,
            is_opaque: false,
            is_pole: false,
        }
    }

    pub fn whole(v: i64) -> Number {
        let residues = PRIMES.map(|prime| {
            let size = v.unsigned_abs() % prime;
            if v < 0 && size != 0 {
                prime - size
            } else {
                size
            }
        });
        Number {
            residues,
            double: v as f64,
            is_opaque: false,
            is_pole: false,
        }
    }

    pub fn truth(v: bool) -> Number {
        if v {
            Number::ONE
        } else {
            Number::ZERO
        }
    }

    pub fn double(self) -> f64 {
        self.double
    }

    pub fn is_true(self) -> bool {
        self.double != 0.0
    }

    pub fn is_pole(self) -> bool {
        self.is_pole
    }

    /// Returns the nearest integer.
    pub fn as_whole(self) -> i64 {
        self.double.round_ties_even() as i64
    }

    /// Inherits the flags of the operands.
    fn from(self, operands: &[Number]) -> Number {
        let is_pole = self.is_pole || operands.iter().any(|of| of.is_pole);
        let lost = self.double.is_nan() && operands.iter().all(|of| !of.double.is_nan());
        let is_opaque = self.is_opaque || operands.iter().any(|of| of.is_opaque);
        Number {
            is_pole: is_pole || lost,
            is_opaque,
            ..self
        }
    }

    fn joined(self, other: Number, double: f64, f: impl Fn(u64, u64, u64) -> u64) -> Number {
        if !self.double.is_finite() || !other.double.is_finite() || !double.is_finite() {
            return Number::of(double).from(&[self, other]);
        }
        let mut residues = [0; 3];
        for (at, prime) in PRIMES.into_iter().enumerate() {
            residues[at] = f(self.residues[at], other.residues[at], prime);
        }
        let made = Number {
            residues,
            double,
            is_opaque: false,
            is_pole: false,
        }
        .from(&[self, other]);
        // Doubles may leave a rounding error where the exact result is 0.
        let is_zero = residues == [0; 3] && !made.is_opaque;
        Number {
            double: if is_zero { 0.0 } else { double },
            ..made
        }
    }

    pub fn plus(self, other: Number) -> Number {
        self.joined(other, self.double + other.double, |a, b, prime| {
            ((u128::from(a) + u128::from(b)) % u128::from(prime)) as u64
        })
    }

    pub fn minus(self, other: Number) -> Number {
        self.joined(other, self.double - other.double, |a, b, prime| {
            ((u128::from(a) + u128::from(prime - b)) % u128::from(prime)) as u64
        })
    }

    pub fn times(self, other: Number) -> Number {
        self.joined(other, self.double * other.double, times)
    }

    pub fn over(self, other: Number) -> Number {
        let is_pole = other.double == 0.0 || other.double.is_finite() && other.residues[0] == 0;
        if is_pole {
            return Number {
                is_pole,
                ..Number::of(self.double / other.double)
            }
            .from(&[self, other]);
        }
        self.joined(other, self.double / other.double, |a, b, prime| {
            times(a, power(b, prime - 2, prime), prime)
        })
    }

    pub fn negative(self) -> Number {
        Number::ZERO.minus(self)
    }

    pub fn exp(self) -> Number {
        let double = self.double.exp();
        if !self.double.is_finite() || !double.is_finite() {
            return Number::of(double).from(&[self]);
        }
        let [_, second, third] = self.residues;
        let residues = [
            power(BASE, second, PRIMES[0]),
            power(BASE, third, PRIMES[1]),
            mixed(second ^ third.rotate_left(31), 3) % PRIMES[2],
        ];
        Number {
            residues,
            double,
            is_opaque: false,
            is_pole: false,
        }
        .from(&[self])
    }

    /// Applies a function without a known law.
    pub fn hashed(self, kind: u64, f: impl Fn(f64) -> f64) -> Number {
        let double = f(self.double);
        if !double.is_finite() {
            // A finite operand without a finite result is at a pole or outside of the domain.
            let is_pole = self.double.is_finite();
            return Number {
                is_pole,
                ..Number::of(double)
            }
            .from(&[self]);
        }
        if !self.double.is_finite() || double == 0.0 {
            return Number::of(double).from(&[self]);
        }
        let residues =
            [0, 1, 2].map(|at| mixed(self.residues[at], kind + 16 * at as u64) % PRIMES[at]);
        Number {
            residues,
            double,
            is_opaque: true,
            is_pole: false,
        }
        .from(&[self])
    }

    /// Rounds to a multiple of a power of two. A double that is close to a multiple or to a tie
    /// counts as that. If the step is less than the possible error of the double, the multiple is
    /// not known, and the result is opaque.
    pub fn rounded(self, step: f64, f: impl Fn(f64) -> f64) -> Number {
        let scaled = self.double / step;
        let near = scaled.round_ties_even();
        let close = (scaled - near).abs() <= ROUNDED * near.abs().max(1.0);
        let at_half = ((scaled * 2.0).round_ties_even() / 2.0 - scaled).abs()
            <= ROUNDED * scaled.abs().max(1.0);
        let scaled = if close {
            near
        } else if at_half {
            (scaled * 2.0).round_ties_even() / 2.0
        } else {
            scaled
        };
        let is_vague = ROUNDED * near.abs() >= 0.25;
        Number {
            is_pole: self.is_pole,
            is_opaque: is_vague,
            ..Number::of(f(scaled) * step)
        }
    }

    /// Compares two numbers; `None` if one is nan.
    pub fn order(self, other: Number) -> Option<Ordering> {
        if self.double.is_nan() || other.double.is_nan() {
            return None;
        }
        if self.is_same(other) {
            return Some(Ordering::Equal);
        }
        self.double.partial_cmp(&other.double)
    }

    /// True if both are one number, computed in two ways.
    pub fn is_same(self, other: Number) -> bool {
        if !self.double.is_finite() || !other.double.is_finite() {
            return self.double == other.double || self.double.is_nan() && other.double.is_nan();
        }
        if self.residues[0] == other.residues[0] {
            return true;
        }
        let close = (self.double - other.double).abs()
            <= ROUNDED * self.double.abs().max(other.double.abs()).max(1.0);
        (self.is_opaque || other.is_opaque) && close
    }

    /// Returns the larger number; nan wins.
    pub fn larger(self, other: Number) -> Number {
        match self.order(other) {
            None if self.double.is_nan() => self,
            None | Some(Ordering::Less) => other,
            Some(Ordering::Equal | Ordering::Greater) => self,
        }
    }

    /// Returns the smaller number; nan wins.
    pub fn smaller(self, other: Number) -> Number {
        match self.order(other) {
            None if self.double.is_nan() => self,
            None | Some(Ordering::Greater) => other,
            Some(Ordering::Equal | Ordering::Less) => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_hold_exactly_whatever_the_order() {
        let all: Vec<Number> = (1..40).map(|i| Number::of(f64::from(i) / 7.0)).collect();
        let forward = all.iter().fold(Number::ZERO, |s, v| s.plus(*v));
        let backward = all.iter().rev().fold(Number::ZERO, |s, v| s.plus(*v));
        assert!(forward.is_same(backward));
        let third = Number::ONE.over(Number::whole(3));
        assert!(third.plus(third).plus(third).is_same(Number::ONE));
        assert!(!Number::of(1.0 / 3.0).is_same(third));
        assert_eq!(
            third.times(Number::whole(3)).minus(Number::ONE).double(),
            0.0
        );
    }

    #[test]
    fn exponentials_are_rescaled_exactly_and_twice() {
        let (a, b) = (Number::of(1.25), Number::of(-0.75));
        let direct = a.exp();
        assert!(a.minus(b).exp().times(b.exp()).is_same(direct));
        assert!(!a.minus(b).exp().is_same(direct));
        // The exponential of a rescaled sum of exponentials.
        let rescaled = a.minus(b).exp().times(b.exp());
        assert!(rescaled.exp().is_same(direct.exp()));
        assert_eq!(Number::of(f64::NEG_INFINITY).exp().double(), 0.0);
        let half = Number::of(0.5).exp();
        assert!((-400..400).all(|quarters| !half.is_same(Number::of(f64::from(quarters) / 4.0))));
    }

    #[test]
    fn the_power_has_the_order_that_the_next_prime_says() {
        for (prime, order) in PRIMES.into_iter().zip(&PRIMES[1..]) {
            assert_eq!(prime, 2 * order + 1);
            assert_eq!(power(BASE, *order, prime), 1);
        }
    }

    #[test]
    fn what_has_no_law_is_decided_by_doubles_and_poles_are_marked() {
        let (two, eight) = (Number::whole(2), Number::whole(8));
        let product = two.hashed(1, f64::sqrt).times(eight.hashed(1, f64::sqrt));
        assert!(product.is_same(Number::whole(16).hashed(1, f64::sqrt)));
        assert!(!product.is_same(Number::of(4.001)));
        assert!(
            two.over(Number::ZERO).is_pole() && Number::whole(-1).hashed(1, f64::sqrt).is_pole()
        );
        assert!(!two.over(eight).is_pole());
        // A tie that doubles round.
        let third = Number::ONE.over(Number::whole(3));
        assert_eq!(
            third
                .times(Number::whole(6))
                .rounded(1.0, f64::floor)
                .double(),
            2.0
        );
        // A multiple of a number below the last place of a double.
        let (large, other) = (
            Number::of(1e26).times(third),
            third.times(Number::of(5e25)).times(Number::whole(2)),
        );
        let near = Number {
            double: other.double.next_up(),
            ..other
        };
        assert!(large
            .rounded(1.0, f64::floor)
            .is_same(near.rounded(1.0, f64::floor)));
        assert!(!large.rounded(1.0, f64::floor).is_same(Number::of(1e26)));
    }

    #[test]
    fn order_asks_the_double_and_ties_ask_the_residues() {
        let third = Number::ONE.over(Number::whole(3));
        assert_eq!(
            third.plus(third).plus(third).order(Number::ONE),
            Some(Ordering::Equal)
        );
        assert_eq!(third.order(Number::ONE), Some(Ordering::Less));
        assert_eq!(Number::of(f64::NAN).order(Number::ONE), None);
        assert!(Number::of(f64::NAN).larger(Number::ONE).double().is_nan());
    }
}
