//! Finds conditions on axes and attributes that no launch satisfies together, or that follow from
//! others.
//!
//! Conditions are bounds of sums: `a < b` says that `a - b` is at most -1. A sum has an interval; a
//! remainder has a base that its residues must fit. A condition beyond that counts as possible, so
//! only certain contradictions are found. Floats are compared by their rank among all floats, which
//! is an integer.

use super::linear::{gcd, Linear};
use super::{BinOp, Scalar, ScalarTy, Signature, UnOp};

/// Most alternatives (`||`) that are followed; each doubles the work.
const MAX_CHOICES: u32 = 8;

impl Signature {
    /// True for a condition that holds in every launch that the facts allow.
    pub(crate) fn is_certain(&self, cond: &Scalar) -> bool {
        self.follows(&None, cond)
    }

    /// True for a condition that holds in every launch that the facts and `known` allow.
    pub(crate) fn follows(&self, known: &Option<Scalar>, cond: &Scalar) -> bool {
        let facts = self.facts.iter().map(|f| &f.cond).chain(known).cloned();
        let conditions: Vec<_> = facts.chain([Scalar::un(UnOp::Not, cond.clone())]).collect();
        !possible(&conditions)
    }
}

/// False where certainly no axes and attributes satisfy all conditions.
pub(crate) fn possible(conditions: &[Scalar]) -> bool {
    let mut known = Known {
        sums: Vec::new(),
        choices: Vec::new(),
    };
    conditions.iter().all(|c| known.assume(c, true)) && known.is_possible(MAX_CHOICES)
}

/// The knowledge from the conditions so far.
#[derive(Clone)]
struct Known {
    sums: Vec<Sum>,
    /// Pairs of which one side must hold.
    choices: Vec<[(Scalar, bool); 2]>,
}

/// A sum without its constant, its interval, and values that it does not have.
#[derive(Clone)]
struct Sum {
    terms: Vec<(Scalar, i64)>,
    low: i64,
    high: i64,
    not: Vec<i64>,
}

impl Known {
    /// Assumes that `cond` is `holds`. Returns false where that is impossible at once.
    fn assume(&mut self, cond: &Scalar, holds: bool) -> bool {
        match cond {
            Scalar::Bool(b) => *b == holds,
            Scalar::Un(UnOp::Not, a) => self.assume(a, !holds),
            Scalar::Bin(op @ (BinOp::And | BinOp::Or), a, b) => {
                if (*op == BinOp::And) == holds {
                    return self.assume(a, holds) && self.assume(b, holds);
                }
                self.choices
                    .push([((**a).clone(), holds), ((**b).clone(), holds)]);
                true
            }
            Scalar::Bin(op, a, b) if op.is_predicate() => self.compare(*op, a, b, holds),
            atom => {
                let v = i64::from(holds);
                self.bound(
                    &Linear {
                        terms: vec![(atom.clone(), 1)],
                        constant: 0,
                    },
                    Some(v),
                    Some(v),
                )
            }
        }
    }

    fn compare(&mut self, op: BinOp, a: &Scalar, b: &Scalar, holds: bool) -> bool {
        // Every comparison with a NaN is false, so a float that is not less need not be greater.
        if !holds && op != BinOp::Ne && (self.is_float(a) || self.is_float(b)) {
            return true;
        }
        let Some(difference) = self.difference(a, b) else {
            return true;
        };
        let op = match (op, holds) {
            (op, true) => op,
            (BinOp::Lt, false) => BinOp::Ge,
            (BinOp::Le, false) => BinOp::Gt,
            (BinOp::Gt, false) => BinOp::Le,
            (BinOp::Ge, false) => BinOp::Lt,
            (BinOp::Eq, false) => BinOp::Ne,
            (_, false) => BinOp::Eq,
        };
        match op {
            BinOp::Lt => self.bound(&difference, None, Some(-1)),
            BinOp::Le => self.bound(&difference, None, Some(0)),
            BinOp::Gt => self.bound(&difference, Some(1), None),
            BinOp::Ge => self.bound(&difference, Some(0), None),
            BinOp::Eq => self.bound(&difference, Some(0), Some(0)),
            _ => {
                let (terms, factor, constant) = primitive(&difference);
                match constant.checked_neg().filter(|c| c % factor == 0) {
                    Some(c) if !terms.is_empty() => self.sum(terms).not.push(c / factor),
                    Some(0) if terms.is_empty() => return false,
                    _ => {}
                }
                true
            }
        }
    }

    /// Computes `a - b`; floats by their rank, and only an attribute against a number.
    fn difference(&self, a: &Scalar, b: &Scalar) -> Option<Linear> {
        let rank = |s: &Scalar| match s {
            Scalar::Float(v) => Some(Linear {
                terms: Vec::new(),
                constant: rank(*v),
            }),
            Scalar::Attr(..) => Some(Linear {
                terms: vec![(s.clone(), 1)],
                constant: 0,
            }),
            _ => None,
        };
        let mut out = Linear::default();
        let (a, b) = if self.is_float(a) || self.is_float(b) {
            (rank(a)?, rank(b)?)
        } else {
            (Linear::of(a), Linear::of(b))
        };
        out.add(&a, 1)?;
        out.add(&b, -1)?;
        Some(out)
    }

    fn is_float(&self, s: &Scalar) -> bool {
        match s {
            Scalar::Float(_) | Scalar::Un(UnOp::Sqrt, _) | Scalar::Cast(ScalarTy::F32, _) => true,
            Scalar::Attr(_, ty) => *ty == ScalarTy::F32,
            Scalar::Un(UnOp::Neg, a) => self.is_float(a),
            Scalar::Bin(op, a, b) => !op.is_predicate() && (self.is_float(a) || self.is_float(b)),
            Scalar::Select(_, a, _) => self.is_float(a),
            _ => false,
        }
    }

    /// Returns the entry of a sum, a new one if needed.
    fn sum(&mut self, terms: Vec<(Scalar, i64)>) -> &mut Sum {
        let at = match self.sums.iter().position(|s| s.terms == terms) {
            Some(at) => at,
            None => {
                // A bound of a remainder is a bound on its base.
                if let [(Scalar::Bin(BinOp::Rem, base, _), _)] = &terms[..] {
                    let base = primitive(&Linear::of(base)).0;
                    self.sum(base);
                }
                let (low, high) = self.natural(&terms);
                self.sums.push(Sum {
                    terms,
                    low,
                    high,
                    not: Vec::new(),
                });
                self.sums.len() - 1
            }
        };
        &mut self.sums[at]
    }

    /// Assumes `low <= sum <= high`. Returns false where nothing is left.
    fn bound(&mut self, sum: &Linear, low: Option<i64>, high: Option<i64>) -> bool {
        let (terms, factor, constant) = primitive(sum);
        let (low, high) = match (
            low.map(|v| v.checked_sub(constant)),
            high.map(|v| v.checked_sub(constant)),
        ) {
            (Some(None), _) | (_, Some(None)) => return true,
            (low, high) => (low.flatten(), high.flatten()),
        };
        if terms.is_empty() {
            return low.is_none_or(|v| v <= 0) && high.is_none_or(|v| v >= 0);
        }
        let (low, high) = if factor > 0 { (low, high) } else { (high, low) };
        let (low, high) = (
            low.map(|v| div_up(v, factor)),
            high.map(|v| div_down(v, factor)),
        );
        let entry = self.sum(terms);
        entry.low = entry.low.max(low.unwrap_or(i64::MIN));
        entry.high = entry.high.min(high.unwrap_or(i64::MAX));
        entry.low <= entry.high
    }

    /// Returns the interval of a sum that follows from its parts.
    fn natural(&self, terms: &[(Scalar, i64)]) -> (i64, i64) {
        let mut interval = (0_i64, 0_i64);
        for (atom, factor) in terms {
            let (low, high) = match self
                .sums
                .iter()
                .find(|s| s.terms[..] == [(atom.clone(), 1)])
            {
                Some(known) => (known.low, known.high),
                None => self.range(atom),
            };
            let (low, high) = if *factor > 0 {
                (low, high)
            } else {
                (high, low)
            };
            let end = |v: i64, open: i64| {
                if v == i64::MIN || v == i64::MAX {
                    open
                } else {
                    v.saturating_mul(*factor)
                }
            };
            interval.0 = interval.0.saturating_add(end(low, i64::MIN));
            interval.1 = interval.1.saturating_add(end(high, i64::MAX));
        }
        interval
    }

    /// Returns the interval of an atom.
    fn range(&self, atom: &Scalar) -> (i64, i64) {
        match atom {
            Scalar::Axis(_) => (0, i64::MAX),
            Scalar::Attr(_, ty) => match ty {
                ScalarTy::Index => (0, i64::MAX),
                ScalarTy::I32 => (i32::MIN.into(), i32::MAX.into()),
                ScalarTy::Bool => (0, 1),
                ScalarTy::F32 => (rank(f32::NEG_INFINITY), rank(f32::INFINITY)),
            },
            Scalar::Bin(BinOp::Rem, a, m) => match (self.natural(&Linear::of(a).terms), m.as_int())
            {
                ((low, _), Some(m)) if m > 0 && low >= 0 && Linear::of(a).constant >= 0 => {
                    (0, m - 1)
                }
                (_, Some(m)) if m > 0 => (1 - m, m - 1),
                _ => (i64::MIN, i64::MAX),
            },
            _ => (i64::MIN, i64::MAX),
        }
    }

    fn is_possible(&self, choices: u32) -> bool {
        if !self.sums_are_possible() {
            return false;
        }
        let Some((pair, rest)) = self.choices.split_first().filter(|_| choices > 0) else {
            return true;
        };
        pair.iter().any(|(cond, holds)| {
            let mut branch = Known {
                choices: rest.to_vec(),
                ..self.clone()
            };
            branch.assume(cond, *holds) && branch.is_possible(choices - 1)
        })
    }

    fn sums_are_possible(&self) -> bool {
        self.sums.iter().all(|s| {
            let (low, high) = self.natural(&s.terms);
            let (mut low, mut high) = (low.max(s.low), high.min(s.high));
            let mut not = s.not.clone();
            not.sort_unstable();
            not.iter()
                .for_each(|v| low = low.saturating_add((*v == low).into()));
            not.iter()
                .rev()
                .for_each(|v| high = high.saturating_sub((*v == high).into()));
            low <= high && self.residues_fit(s, low, high)
        })
    }

    /// True where some value from `low` to `high` fits the known remainders of the sum.
    fn residues_fit(&self, sum: &Sum, low: i64, high: i64) -> bool {
        // A value of the sum, and the step to the next one that fits all remainders so far.
        let (mut value, mut step) = (0_i64, 1_i64);
        for r in &self.sums {
            let [(Scalar::Bin(BinOp::Rem, base, m), 1)] = &r.terms[..] else {
                continue;
            };
            let (Some(m), base) = (m.as_int().filter(|m| *m > 0), primitive(&Linear::of(base)))
            else {
                continue;
            };
            if base != (sum.terms.clone(), 1, 0) || r.low != r.high || r.low < 0 {
                continue;
            }
            let mut tries = 0;
            while value.rem_euclid(m) != r.low {
                let Some(next) = value.checked_add(step).filter(|_| tries < m.min(100_000)) else {
                    return tries < m;
                };
                (value, tries) = (next, tries + 1);
            }
            let Some(both) = step.checked_mul(m / gcd(step, m)) else {
                return true;
            };
            step = both;
        }
        let first = low
            .checked_sub(value)
            .map(|d| div_up(d, step))
            .and_then(|n| n.checked_mul(step))
            .and_then(|d| d.checked_add(value));
        low == i64::MIN || first.is_none_or(|v| v <= high)
    }
}

/// Divides terms by their greatest common factor, with the first one positive. Returns them, that
/// factor with its sign, and the constant.
fn primitive(sum: &Linear) -> (Vec<(Scalar, i64)>, i64, i64) {
    let mut terms = sum.terms.clone();
    // The order in which a sum was written has no meaning.
    terms.sort_by_key(|(atom, _)| format!("{atom:?}"));
    let common = terms.iter().fold(0, |g, (_, f)| gcd(g, f.abs()));
    let factor = common.max(1) * terms.first().map_or(1, |(_, f)| f.signum());
    terms.iter_mut().for_each(|(_, f)| *f /= factor);
    (terms, factor, sum.constant)
}

fn div_up(a: i64, b: i64) -> i64 {
    -div_down(a.checked_neg().unwrap_or(i64::MAX), b)
}

fn div_down(a: i64, b: i64) -> i64 {
    let q = a / b;
    q - i64::from(a % b != 0 && (a < 0) != (b < 0))
}

/// Returns the rank of a number among all floats; both zeros have one.
fn rank(v: f32) -> i64 {
    let bits = i64::from(v.abs().to_bits());
    if v < 0.0 {
        -bits
    } else {
        bits
    }
}
