//! Element-wise ops on whole arrays: the evaluation loops of the op table, each result rounded to
//! the element type.
//!
//! Where an operand carries an error, the result does. Each op is computed again at the ends of its
//! operands' intervals. The error is the largest distance, with one rounding added. This requires
//! that the op has its extremes at the ends. An op with a pole inside of the interval has an
//! infinite error, which is the mark of an undecided element.
//!
//! A compare that the error could change keeps the result of the numbers at hand, with a mark. A
//! select under a marked bit is marked where its two choices are further apart than their errors.

use super::array::{answer, is_open, Array, Errors, Lanes, Shared, Sized, OPEN};
use super::ideal::{self, Ideals};
use super::round;
use super::Trip;
use crate::Overflow;
use jumar_dsl::dtype::DType;
use jumar_dsl::ops::{BinaryOp, BitOp, CompareOp, Eval, LayoutOp, MaskOp, Op, ShiftOp, UnaryOp};
use rayon::prelude::*;
use std::sync::Arc;

/// Elements that one thread computes at a time.
const RUN: usize = 16 * 1024;

/// Results, with their errors and ideals.
type Made<'t> = (Lanes<'t>, Errors, Ideals);

/// An op with its operands broadcast to the axes of the result.
pub(super) struct Call<'a, 't> {
    pub op: Op,
    pub dtype: DType,
    pub axes: &'a [Sized],
    pub args: Vec<Operand<'t>>,
    pub overflow: Overflow,
}

/// An operand: a tile, or a scalar that is already an element of its type.
pub(super) enum Operand<'t> {
    Tile(Array<'t>),
    Float(f32),
    Int(i32),
}

impl<'t> Call<'_, 't> {
    /// Computes the result.
    ///
    /// # Errors
    /// J0804 for an op or operands that tiles do not have.
    pub fn run(self) -> Result<Array<'t>, Trip> {
        let len = self.axes.iter().map(|(_, n)| n).product();
        let tracked = self
            .args
            .iter()
            .any(|a| matches!(a, Operand::Tile(t) if t.error.is_some()));
        let saturates = self.overflow == Overflow::Saturate;
        let (lanes, error, ideal) = match (self.op, self.op.def().eval) {
            (Op::Layout(LayoutOp::Select), _) => self.select(len)?,
            (Op::Mask(op), _) => (self.bits(op, len)?, None, None),
            (Op::Bit(op), _) => (self.words(op, len)?, None, None),
            (Op::Shift(op), _) => (self.shift(op, len)?, None, None),
            (Op::Compare(op), _) if matches!(self.dtype, DType::I64 | DType::U32) => {
                (self.compare_longs(op, len)?, None, None)
            }
            (Op::Compare(_), Eval::Compare(f, i)) => (self.compare(f, i, len)?, None, None),
            (Op::Binary(_) | Op::Unary(_), _) if matches!(self.dtype, DType::I64 | DType::U32) => {
                (self.longs(len)?, None, None)
            }
            (Op::Binary(_), Eval::Binary(f, i)) => match self.dtype {
                DType::I32 | DType::I16 | DType::I8 | DType::U8 | DType::Bool | DType::U16 => (
                    self.integers(len, |d, a, b| i.map(|i| i.long.of(saturates)(d, a, b)))?,
                    None,
                    None,
                ),
                _ => self.floats(len, tracked, f)?,
            },
            (Op::Unary(_), Eval::Unary(f, i)) => match self.dtype {
                DType::I32 | DType::I16 => (
                    self.integers(len, |d, a, _| i.map(|i| i.long.of(saturates)(d, a)))?,
                    None,
                    None,
                ),
                _ => self.floats(len, tracked, |d, a, _| f(d, a))?,
            },
            _ => return Err(self.malformed("has no meaning on these tiles")),
        };
        // An error that goes through an integer op could wrap, so the result is unbounded.
        let error = match (&lanes, tracked) {
            (Lanes::I32(_) | Lanes::I64(_), true) if error.is_none() => {
                Some(Arc::new(self.blown(len)?))
            }
            _ => error,
        };
        Ok(Array {
            axes: self.axes.to_vec(),
            lanes,
            error,
            ideal,
        })
    }

    fn malformed(&self, why: &str) -> Trip {
        Trip::malformed(format!("`{}` {why}", self.op.name()))
    }

    fn arg(&self, i: usize) -> Result<&Operand<'t>, Trip> {
        self.args
            .get(i)
            .ok_or_else(|| self.malformed("lacks an operand"))
    }

    fn float(&self, i: usize, len: usize) -> Result<Shared<'t, f32>, Trip> {
        match self.arg(i)? {
            Operand::Float(v) => Ok(vec![*v; len].into()),
            Operand::Tile(t) => match t.expand(self.axes).lanes {
                Lanes::F32(v) => Ok(v),
                Lanes::I32(_) | Lanes::I64(_) | Lanes::Mask(_) => {
                    Err(self.malformed("wants a tile of floats"))
                }
            },
            Operand::Int(_) => Err(self.malformed("wants a float")),
        }
    }

    fn int(&self, i: usize, len: usize) -> Result<Shared<'t, i32>, Trip> {
        match self.arg(i)? {
            Operand::Int(v) => Ok(vec![*v; len].into()),
            Operand::Tile(t) => match t.expand(self.axes).lanes {
                Lanes::I32(v) => Ok(v),
                Lanes::F32(_) | Lanes::I64(_) | Lanes::Mask(_) => {
                    Err(self.malformed("wants a tile of integers"))
                }
            },
            Operand::Float(_) => Err(self.malformed("wants an integer")),
        }
    }

    /// Returns the errors of an operand for all elements; empty where it has none.
    fn error(&self, i: usize) -> Result<Arc<Vec<f64>>, Trip> {
        Ok(match self.arg(i)? {
            Operand::Tile(t) => t.expand(self.axes).error.unwrap_or_default(),
            Operand::Float(_) | Operand::Int(_) => Arc::default(),
        })
    }

    /// Returns the ideals of an operand for all elements.
    fn ideal(&self, i: usize) -> Result<Ideals, Trip> {
        Ok(match self.arg(i)? {
            Operand::Tile(t) => t.expand(self.axes).ideal,
            Operand::Float(_) | Operand::Int(_) => None,
        })
    }

    /// Returns infinity wherever an operand has an error.
    fn blown(&self, len: usize) -> Result<Vec<f64>, Trip> {
        let mut out = vec![0.0; len];
        for i in 0..self.args.len() {
            out.iter_mut()
                .zip(self.error(i)?.iter())
                .filter(|(_, e)| **e > 0.0)
                .for_each(|(o, _)| *o = f64::INFINITY);
        }
        Ok(out)
    }

    fn integers(
        &self,
        len: usize,
        f: impl Fn(&mut [i32], &[i32], &[i32]) -> Option<()> + Sync,
    ) -> Result<Lanes<'t>, Trip> {
        let a = self.int(0, len)?;
        let b = if self.args.len() > 1 {
            self.int(1, len)?
        } else {
            a.clone()
        };
        let mut out = vec![0; len];
        let made = out
            .chunks_mut(RUN)
            .zip(a.chunks(RUN))
            .zip(b.chunks(RUN))
            .try_for_each(|((d, a), b)| f(d, a, b));
        made.ok_or_else(|| self.malformed("does not take integers"))?;
        if self.dtype.narrow_ends().is_some() {
            out.iter_mut()
                .for_each(|v| *v = round::to_whole(self.dtype, (*v).into(), self.overflow));
        }
        Ok(Lanes::I32(out.into()))
    }

    fn floats(
        &self,
        len: usize,
        tracked: bool,
        f: impl Fn(&mut [f32], &[f32], &[f32]) + Sync,
    ) -> Result<Made<'t>, Trip> {
        let Some(real) = self.op.def().real else {
            return Err(self.malformed("has no meaning on numbers"));
        };
        let a = self.float(0, len)?;
        let b = if self.args.len() > 1 {
            self.float(1, len)?
        } else {
            a.clone()
        };
        let mut out = vec![0.0; len];
        let runs = out
            .par_chunks_mut(RUN)
            .zip(a.par_chunks(RUN))
            .zip(b.par_chunks(RUN));
        runs.for_each(|((d, a), b)| {
            f(d, a, b);
            round::to_elements(self.dtype, d, self.overflow);
        });
        let error = if tracked {
            Some(Arc::new(self.spread(&out, &a, &b, f)?))
        } else {
            None
        };
        let (ia, ib) = (
            self.ideal(0)?,
            if self.args.len() > 1 {
                self.ideal(1)?
            } else {
                None
            },
        );
        let ideal = ideal::computed(&out, [(&a[..], &ia), (&b[..], &ib)], |[a, b]| real(a, b));
        Ok((Lanes::F32(out.into()), error, ideal))
    }

    /// Returns the error of each result.
    fn spread(
        &self,
        out: &[f32],
        a: &[f32],
        b: &[f32],
        f: impl Fn(&mut [f32], &[f32], &[f32]),
    ) -> Result<Vec<f64>, Trip> {
        let (ea, eb) = (
            self.error(0)?,
            if self.args.len() > 1 {
                self.error(1)?
            } else {
                Arc::default()
            },
        );
        let at = |e: &[f64], i: usize| e.get(i).copied().unwrap_or(0.0);
        let (epsilon, tiny) = round::precision(self.dtype);
        let poles = self.op.def().poles;
        // Other functions of one number need not be monotone in their last bits.
        let is_monotone = matches!(
            self.op,
            Op::Binary(_) | Op::Unary(UnaryOp::Relu | UnaryOp::Sqrt | UnaryOp::Neg)
        );
        let worst = |i: usize| {
            let (ea, eb) = (at(&ea, i), at(&eb, i));
            if ea == 0.0 && eb == 0.0 {
                return 0.0;
            }
            // A result that is nan in every order needs no bound.
            if matches!(
                self.op,
                Op::Unary(UnaryOp::Sqrt | UnaryOp::Ln | UnaryOp::Rsqrt)
            ) && f64::from(a[i]) + ea < 0.0
            {
                return 0.0;
            }
            if ea.is_infinite()
                || eb.is_infinite()
                || !out[i].is_finite()
                || poles[0] && near_zero(a[i], ea)
                || poles[1] && near_zero(b[i], eb)
            {
                return f64::INFINITY;
            }
            let ends = |v: f32, e: f64| [(f64::from(v) - e) as f32, (f64::from(v) + e) as f32];
            let (mut error, mut is_same) = (0f64, is_monotone);
            for x in ends(a[i], ea) {
                for y in ends(b[i], eb) {
                    let mut corner = [0.0];
                    f(&mut corner, &[x], &[y]);
                    is_same &=
                        round::to_element(self.dtype, corner[0]).to_bits() == out[i].to_bits();
                    let distance = (f64::from(corner[0]) - f64::from(out[i])).abs();
                    error = error.max(if distance.is_nan() {
                        f64::INFINITY
                    } else {
                        distance
                    });
                }
            }
            // A monotone op that gives equal bits at both ends gives them in between.
            if is_same {
                return 0.0;
            }
            if f64::from(out[i]).abs() + error > round::largest(self.dtype) {
                return f64::INFINITY;
            }
            // The ends are rounded to f32, and both results to the element type.
            error * 1.001 + 2.0 * epsilon * (f64::from(out[i]).abs() + error) + tiny
        };
        Ok((0..out.len()).map(worst).collect())
    }

    fn compare(
        &self,
        f: jumar_dsl::ops::CompareFn<f32>,
        i: Option<jumar_dsl::ops::CompareFn<i32>>,
        len: usize,
    ) -> Result<Lanes<'t>, Trip> {
        let mut out = vec![0; len];
        let integers = matches!(
            self.arg(0)?,
            Operand::Tile(Array {
                lanes: Lanes::I32(_),
                ..
            })
        );
        let (ea, eb) = (self.error(0)?, self.error(1)?);
        if integers {
            let i = i.ok_or_else(|| self.malformed("does not take integers"))?;
            i(&mut out, &self.int(0, len)?, &self.int(1, len)?);
            out.iter_mut()
                .zip(self.blown(len)?)
                .filter(|(_, e)| *e > 0.0)
                .for_each(|(o, _)| *o |= OPEN);
        } else {
            let (a, b) = (self.float(0, len)?, self.float(1, len)?);
            f(&mut out, &a, &b);
            for (at, answer) in out.iter_mut().enumerate() {
                let error = ea.get(at).copied().unwrap_or(0.0) + eb.get(at).copied().unwrap_or(0.0);
                let distance = (f64::from(a[at]) - f64::from(b[at])).abs();
                if error > 0.0 && (distance.is_nan() || distance <= error) {
                    *answer |= OPEN;
                }
            }
        }
        Ok(Lanes::Mask(out.into()))
    }

    /// Compares elements that are stored in wider numbers.
    fn compare_longs(&self, op: CompareOp, len: usize) -> Result<Lanes<'t>, Trip> {
        let (a, b) = (self.long(0, len)?, self.long(1, len)?);
        let holds = |(a, b): (&i64, &i64)| match op {
            CompareOp::Lt => a < b,
            CompareOp::Le => a <= b,
            CompareOp::Gt => a > b,
            CompareOp::Ge => a >= b,
            CompareOp::Eq => a == b,
            CompareOp::Ne => a != b,
        };
        let mut out: Vec<u8> = a.iter().zip(&b).map(|both| u8::from(holds(both))).collect();
        out.iter_mut()
            .zip(self.blown(len)?)
            .filter(|(_, e)| *e > 0.0)
            .for_each(|(o, _)| *o |= OPEN);
        Ok(Lanes::Mask(out.into()))
    }

    /// Computes other ops on them, which wrap.
    fn longs(&self, len: usize) -> Result<Lanes<'t>, Trip> {
        let a = self.long(0, len)?;
        let b = if self.args.len() > 1 {
            self.long(1, len)?
        } else {
            a.clone()
        };
        let step: fn(i64, i64) -> i64 = match (self.op, self.dtype) {
            (Op::Binary(BinaryOp::Max), _) => i64::max,
            (Op::Binary(BinaryOp::Min), _) => i64::min,
            (Op::Binary(BinaryOp::Add), DType::I64) => i64::wrapping_add,
            (Op::Binary(BinaryOp::Sub), DType::I64) => i64::wrapping_sub,
            (Op::Unary(UnaryOp::Neg), DType::I64) => |a, _| a.wrapping_neg(),
            (Op::Unary(UnaryOp::Abs), DType::I64) => |a, _| a.wrapping_abs(),
            _ => return Err(self.malformed("has no meaning on these tiles")),
        };
        Ok(Lanes::I64(
            a.into_iter()
                .zip(b)
                .map(|(a, b)| step(a, b))
                .collect::<Vec<i64>>()
                .into(),
        ))
    }

    /// Returns the elements of an operand, which may be a scalar. A scalar beside unsigned elements
    /// is read by its bits.
    fn long(&self, i: usize, len: usize) -> Result<Vec<i64>, Trip> {
        match self.arg(i)? {
            Operand::Int(v) if self.dtype == DType::U32 => Ok(vec![i64::from(*v as u32); len]),
            Operand::Int(v) => Ok(vec![i64::from(*v); len]),
            Operand::Tile(_) | Operand::Float(_) => self.whole(i),
        }
    }

    /// Returns the elements of an operand as integers.
    fn whole(&self, i: usize) -> Result<Vec<i64>, Trip> {
        match self.arg(i)? {
            Operand::Tile(t) => match t.expand(self.axes).lanes {
                Lanes::I32(v) => Ok(v.iter().map(|v| i64::from(*v)).collect()),
                Lanes::I64(v) => Ok(v.to_vec()),
                Lanes::F32(_) | Lanes::Mask(_) => Err(self.malformed("wants a tile of integers")),
            },
            Operand::Float(_) | Operand::Int(_) => Err(self.malformed("wants a tile")),
        }
    }

    /// Converts integers to elements, which keep the low bits.
    fn lanes(&self, all: impl Iterator<Item = i64>) -> Lanes<'t> {
        match self.dtype {
            DType::I64 => Lanes::I64(all.collect::<Vec<i64>>().into()),
            DType::U32 => Lanes::I64(all.map(|v| v & 0xffff_ffff).collect::<Vec<i64>>().into()),
            DType::I32
            | DType::I16
            | DType::U16
            | DType::I8
            | DType::U8
            | DType::Bool
            | DType::F16
            | DType::Bf16
            | DType::F32
            | DType::Bits => Lanes::I32(
                all.map(|v| round::to_whole(self.dtype, v, Overflow::InfNan))
                    .collect::<Vec<i32>>()
                    .into(),
            ),
        }
    }

    /// Computes bit operations; elements of each type are stored in wider numbers with their sign.
    fn words(&self, op: BitOp, len: usize) -> Result<Lanes<'t>, Trip> {
        let a = self.whole(0)?;
        let joined: Vec<i64> = match op {
            BitOp::And => a.iter().zip(self.whole(1)?).map(|(a, b)| a & b).collect(),
            BitOp::Or => a.iter().zip(self.whole(1)?).map(|(a, b)| a | b).collect(),
            BitOp::Not => a.iter().map(|a| -1 - a).collect(),
        };
        match joined.len() == len {
            true => Ok(self.lanes(joined.into_iter())),
            false => Err(self.malformed("lacks elements")),
        }
    }

    /// Shifts bits: a product with a power of two, or the quotient rounded down.
    fn shift(&self, op: ShiftOp, len: usize) -> Result<Lanes<'t>, Trip> {
        let by = match self.arg(1)? {
            Operand::Int(by) if (0..=32).contains(by) => 1i64 << by,
            Operand::Int(_) | Operand::Float(_) | Operand::Tile(_) => {
                return Err(self.malformed("wants a number of places"))
            }
        };
        let all = self.whole(0)?;
        let moved: Vec<i64> = match op {
            ShiftOp::Left => all.iter().map(|v| v.wrapping_mul(by)).collect(),
            ShiftOp::Right => all.iter().map(|v| v.div_euclid(by)).collect(),
        };
        match moved.len() == len {
            true => Ok(self.lanes(moved.into_iter())),
            false => Err(self.malformed("lacks elements")),
        }
    }

    /// Combines mask elements. If one decided operand fixes the result, the other one does not
    /// matter.
    fn bits(&self, op: MaskOp, len: usize) -> Result<Lanes<'t>, Trip> {
        let mask = |i: usize| match self.arg(i)? {
            Operand::Tile(t) => match t.expand(self.axes).lanes {
                Lanes::Mask(v) => Ok(v),
                Lanes::F32(_) | Lanes::I32(_) | Lanes::I64(_) => {
                    Err(self.malformed("wants a mask"))
                }
            },
            Operand::Float(_) | Operand::Int(_) => Err(self.malformed("wants a mask")),
        };
        let a = mask(0)?;
        // `decides` is the value that fixes the result alone.
        let joined = |decides: u8, b: &[u8]| {
            let one = |(a, b): (&u8, &u8)| {
                if *a == decides || *b == decides {
                    return decides;
                }
                let found = if answer(*a) == decides || answer(*b) == decides {
                    decides
                } else {
                    1 - decides
                };
                found | ((*a | *b) & OPEN)
            };
            a.iter().zip(b).map(one).collect::<Vec<u8>>()
        };
        let out = match op {
            MaskOp::And => joined(0, &mask(1)?),
            MaskOp::Or => joined(1, &mask(1)?),
            MaskOp::Not => a.iter().map(|a| (1 - answer(*a)) | (*a & OPEN)).collect(),
        };
        match out.len() == len {
            true => Ok(Lanes::Mask(out.into())),
            false => Err(self.malformed("lacks answers")),
        }
    }

    fn select(&self, len: usize) -> Result<Made<'t>, Trip> {
        let Operand::Tile(mask) = self.arg(0)? else {
            return Err(self.malformed("wants a mask"));
        };
        let Lanes::Mask(mask) = mask.expand(self.axes).lanes else {
            return Err(self.malformed("wants a mask"));
        };
        let (ea, eb) = (self.error(1)?, self.error(2)?);
        if !self.dtype.is_float() {
            let (a, b) = (self.long(1, len)?, self.long(2, len)?);
            let out = (0..len).map(|i| if answer(mask[i]) == 0 { b[i] } else { a[i] });
            let out = self.lanes(out);
            let is_left_open = |i: usize| {
                let open = |e: &[f64]| e.get(i).is_some_and(|e| *e > 0.0);
                is_open(mask[i]) && a[i] != b[i]
                    || mask[i] != 0 && open(&ea)
                    || mask[i] != 1 && open(&eb)
            };
            let error: Vec<f64> = (0..len)
                .map(|i| if is_left_open(i) { f64::INFINITY } else { 0.0 })
                .collect();
            return Ok((out, Some(Arc::new(error)), None));
        }
        let (a, b) = (self.float(1, len)?, self.float(2, len)?);
        let undecided = mask.iter().any(|of| is_open(*of));
        let pick = |i: usize| if answer(mask[i]) == 0 { b[i] } else { a[i] };
        let out: Vec<f32> = (0..len).map(pick).collect();
        let (ia, ib) = (self.ideal(1)?, self.ideal(2)?);
        let chosen = |at: usize| {
            if answer(mask[at]) == 0 {
                ideal::of((&b[..], &ib), at)
            } else {
                ideal::of((&a[..], &ia), at)
            }
        };
        let ideal =
            (ia.is_some() || ib.is_some()).then(|| Arc::new((0..len).map(chosen).collect()));
        if !undecided && ea.is_empty() && eb.is_empty() {
            return Ok((Lanes::F32(out.into()), None, ideal));
        }
        let at = |e: &[f64], i: usize| e.get(i).copied().unwrap_or(0.0);
        let error = |i: usize| match mask[i] {
            0 => at(&eb, i),
            1 => at(&ea, i),
            // Either choice may be taken, each with its own error; equal bits need no decision.
            _ if a[i].to_bits() == b[i].to_bits() => at(&ea, i).max(at(&eb, i)),
            _ => {
                let distance = (f64::from(a[i]) - f64::from(b[i])).abs();
                // Choices within their errors are bounded by these; others have no bound.
                match distance <= at(&ea, i) + at(&eb, i) {
                    true => distance + at(&ea, i).max(at(&eb, i)),
                    false => f64::INFINITY,
                }
            }
        };
        Ok((
            Lanes::F32(out.into()),
            Some(Arc::new((0..len).map(error).collect())),
            ideal,
        ))
    }
}

fn near_zero(v: f32, error: f64) -> bool {
    v.is_nan() || f64::from(v).abs() <= error
}
