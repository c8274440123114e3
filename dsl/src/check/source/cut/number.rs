//! Exact numbers of the step law: rationals by their residues, and `exp` as a power in a prime
//! field.
//!
//! A number has a residue modulo the prime [`P`], which decides equality. It has another one modulo
//! the prime [`Q`], which divides `P - 1`. `Q` is the order of [`G`], and `exp` yields powers of
//! [`G`]. So `exp(a - b) * exp(b)` equals `exp(a)` exactly. Each number also has a float, which
//! decides order. Drawn numbers are quarters, whose sums and products a float holds.
//!
//! A function without a law has a hash of its operands as its residue. Examples are `sqrt`,
//! `floor`, and a comparison of values that depend on the cut. A law that holds for the hash holds
//! for any function.

use std::cmp::Ordering;

const P: u64 = 2_305_842_935_125_508_131;
/// A prime that divides `P - 1`.
const Q: u64 = (1 << 31) - 1;
/// A number of order `Q` modulo `P`.
const G: u64 = 1_535_447_568_096_607_634;

/// A number, which may be infinite or NaN.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    p: u64,
    q: u64,
    real: f64,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Finite,
    /// True for plus infinity.
    Infinite(bool),
    Nan,
}

fn times(a: u64, b: u64, modulus: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64
}

fn power(mut base: u64, mut by: u64, modulus: u64) -> u64 {
    let mut out = 1;
    while by > 0 {
        if by & 1 == 1 {
            out = times(out, base, modulus);
        }
        base = times(base, base, modulus);
        by >>= 1;
    }
    out
}

fn residue(v: i64, modulus: u64) -> u64 {
    i128::from(v).rem_euclid(i128::from(modulus)) as u64
}

/// Hashes all parts to 64 bits.
pub(super) fn hash(parts: &[u64]) -> u64 {
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    for part in parts {
        // The finalizer of splitmix64.
        state = state
            .wrapping_add(*part)
            .wrapping_add(0x9e37_79b9_7f4a_7c15);
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        state ^= state >> 31;
    }
    state
}

impl Number {
    pub const NAN: Number = Number {
        p: 0,
        q: 0,
        real: f64::NAN,
        kind: Kind::Nan,
    };

    pub fn int(v: i64) -> Number {
        Number {
            p: residue(v, P),
            q: residue(v, Q),
            real: v as f64,
            kind: Kind::Finite,
        }
    }

    pub fn quarters(v: i64) -> Number {
        Number::int(v).over(Number::int(4))
    }

    pub fn infinite(is_positive: bool) -> Number {
        let real = if is_positive {
            f64::INFINITY
        } else {
            f64::NEG_INFINITY
        };
        Number {
            p: 0,
            q: 0,
            real,
            kind: Kind::Infinite(is_positive),
        }
    }

    pub fn bit(v: bool) -> Number {
        Number::int(v.into())
    }

    pub fn is_set(self) -> bool {
        self.kind != Kind::Finite || self.p != 0
    }

    pub fn is_nan(self) -> bool {
        self.kind == Kind::Nan
    }

    pub fn real(self) -> f64 {
        self.real
    }

    /// Rounds down to an integer.
    pub fn whole(self) -> i64 {
        self.real.floor() as i64
    }

    pub fn is_same(self, other: Number) -> bool {
        (self.kind, self.p) == (other.kind, other.p)
    }

    /// Returns a word that differs between different numbers.
    pub fn word(self) -> u64 {
        match self.kind {
            Kind::Finite => self.p,
            Kind::Infinite(true) => u64::MAX,
            Kind::Infinite(false) => u64::MAX - 1,
            Kind::Nan => u64::MAX - 2,
        }
    }

    /// Returns the result of a function without a law.
    pub fn of(function: u64, operands: &[Number], real: f64) -> Number {
        let words: Vec<u64> = std::iter::once(function)
            .chain(operands.iter().map(|n| n.word()))
            .collect();
        let word = hash(&words);
        Number {
            p: word % P,
            q: hash(&[word]) % Q,
            real,
            kind: Kind::Finite,
        }
    }

    /// Returns a bit as the result of a function without a law; it is 1 in `odds` of eight cases.
    pub fn bit_of(function: u64, operands: &[Number], odds: u64) -> Number {
        Number::bit(hash(&[Number::of(function, operands, 0.0).p]) % 8 < odds)
    }

    pub fn plus(self, b: Number) -> Number {
        match (self.kind, b.kind) {
            (Kind::Finite, Kind::Finite) => {
                let p = ((u128::from(self.p) + u128::from(b.p)) % u128::from(P)) as u64;
                Number {
                    p,
                    q: (self.q + b.q) % Q,
                    real: self.real + b.real,
                    kind: Kind::Finite,
                }
            }
            (Kind::Infinite(a), Kind::Finite) => Number::infinite(a),
            (Kind::Finite, Kind::Infinite(b)) => Number::infinite(b),
            (Kind::Infinite(a), Kind::Infinite(b)) if a == b => Number::infinite(a),
            (Kind::Infinite(_), Kind::Infinite(_)) | (Kind::Nan, _) | (_, Kind::Nan) => Number::NAN,
        }
    }

    pub fn negated(self) -> Number {
        match self.kind {
            Kind::Finite => Number {
                p: (P - self.p) % P,
                q: (Q - self.q) % Q,
                real: -self.real,
                kind: Kind::Finite,
            },
            Kind::Infinite(sign) => Number::infinite(!sign),
            Kind::Nan => Number::NAN,
        }
    }

    pub fn minus(self, b: Number) -> Number {
        self.plus(b.negated())
    }

    pub fn times(self, b: Number) -> Number {
        match (self.kind, b.kind) {
            (Kind::Finite, Kind::Finite) => Number {
                p: times(self.p, b.p, P),
                q: times(self.q, b.q, Q),
                real: self.real * b.real,
                kind: Kind::Finite,
            },
            (Kind::Nan, _) | (_, Kind::Nan) => Number::NAN,
            (Kind::Infinite(_), _) | (_, Kind::Infinite(_)) => {
                let real = self.real * b.real;
                if real.is_nan() {
                    Number::NAN
                } else {
                    Number::infinite(real > 0.0)
                }
            }
        }
    }

    /// Divides; NaN if the divisor is 0, since the law says nothing of such numbers.
    pub fn over(self, b: Number) -> Number {
        match (self.kind, b.kind) {
            (Kind::Finite, Kind::Finite) if b.p == 0 => Number::NAN,
            (Kind::Finite, Kind::Finite) => {
                let q = match b.q {
                    0 => hash(&[self.p, b.p]) % Q,
                    by => times(self.q, power(by, Q - 2, Q), Q),
                };
                Number {
                    p: times(self.p, power(b.p, P - 2, P), P),
                    q,
                    real: self.real / b.real,
                    kind: Kind::Finite,
                }
            }
            (Kind::Finite, Kind::Infinite(_)) => Number::int(0),
            (Kind::Infinite(sign), Kind::Finite) if b.p != 0 => {
                Number::infinite(sign == (b.real > 0.0))
            }
            (Kind::Infinite(_), Kind::Finite | Kind::Infinite(_))
            | (Kind::Nan, _)
            | (_, Kind::Nan) => Number::NAN,
        }
    }

    /// Returns a power of `base`, which stands for e, 2 or another number.
    pub fn exp(self, base: u64) -> Number {
        match self.kind {
            Kind::Finite => {
                let p = power(power(G, base, P), self.q, P);
                Number {
                    p,
                    q: hash(&[p]) % Q,
                    real: self.real.exp(),
                    kind: Kind::Finite,
                }
            }
            Kind::Infinite(true) => Number::infinite(true),
            Kind::Infinite(false) => Number::int(0),
            Kind::Nan => Number::NAN,
        }
    }

    /// Returns the larger or the smaller number; NaN if one is.
    pub fn extreme(self, b: Number, largest: bool) -> Number {
        match self.order(b) {
            None => Number::NAN,
            Some(order) if order.is_eq() || order.is_gt() == largest => self,
            Some(_) => b,
        }
    }

    /// Orders two numbers; `None` if one is NaN. Different numbers are never equal, even where
    /// their floats are too close to tell.
    pub fn order(self, b: Number) -> Option<Ordering> {
        if self.is_same(b) && !self.is_nan() {
            return Some(Ordering::Equal);
        }
        Some(
            self.real
                .partial_cmp(&b.real)?
                .then(self.word().cmp(&b.word())),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_keep_the_law_of_exponents_and_quotients_are_exact() {
        for (a, b) in [(3, 5), (-7, 2), (1, 1), (-128, 127)] {
            let (x, y) = (Number::quarters(a), Number::quarters(b));
            assert!(
                x.minus(y).exp(1).times(y.exp(1)).is_same(x.exp(1)),
                "{a} {b}"
            );
            assert!(x.over(y).times(y).is_same(x), "{a} {b}");
            assert!(!x.exp(1).is_same(x.exp(3)), "{a}");
            assert!(!x.plus(Number::int(1)).is_same(x), "{a}");
        }
        assert_eq!(power(G, Q, P), 1);
    }

    #[test]
    fn infinities_keep_the_rules_of_floats() {
        let (low, one) = (Number::infinite(false), Number::int(1));
        assert!(low.minus(one).exp(1).is_same(Number::int(0)));
        assert!(
            low.minus(low).is_nan()
                && low.times(Number::int(0)).is_nan()
                && one.over(Number::int(0)).is_nan()
        );
        assert!(
            low.extreme(one, true).is_same(one) && low.negated().is_same(Number::infinite(true))
        );
    }
}
