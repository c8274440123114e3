//! The UB footprint of a body as a formula, and as a table for people.

use super::host::Host;
use crate::ir::{BinOp, Body, Scalar};
use crate::soc::Chip;

/// Bytes of UB that the queues and buffers of `body` take: `Σ buffer_num * align_up(bytes, 32)`.
///
/// Terms over the same extent are gathered, so that the formula reads `tile_length * 24` where it can.
pub fn footprint(body: &Body, chip: &Chip, multiple_of: &dyn Fn(&Scalar) -> i64) -> Scalar {
    let mut terms: Vec<(Scalar, i64)> = Vec::new();
    let mut constant = 0;
    let block = chip.data_block_bytes;
    let mut add = |bytes: &Scalar, num: &Scalar| {
        let rounded = if multiple_of(bytes) % block == 0 { bytes.clone() } else { bytes.clone().align_up(block) };
        let (extent, factor) = take_factor(rounded);
        let num = num.as_int().unwrap_or(1);
        match (extent.as_int(), terms.iter_mut().find(|(e, _)| *e == extent)) {
            (Some(n), _) => constant += n * factor * num,
            (None, Some((_, f))) => *f += factor * num,
            (None, None) => terms.push((extent, factor * num)),
        }
    };
    body.queues.iter().for_each(|q| add(&q.bytes, &q.buffer_num));
    body.bufs.iter().for_each(|b| add(&b.bytes, &Scalar::Int(1)));
    let sum = terms.into_iter().map(|(extent, f)| extent * f).reduce(|a, b| a + b);
    match sum {
        Some(sum) => sum + constant,
        None => Scalar::Int(constant),
    }
}

/// Splits off a constant factor: `e * 4` is `(e, 4)`.
fn take_factor(s: Scalar) -> (Scalar, i64) {
    match s {
        Scalar::Bin(BinOp::Mul, a, b) => match (a.as_int(), b.as_int()) {
            (_, Some(n)) => {
                let (e, f) = take_factor(*a);
                (e, f * n)
            }
            (Some(n), _) => {
                let (e, f) = take_factor(*b);
                (e, f * n)
            }
            _ => (Scalar::Bin(BinOp::Mul, a, b), 1),
        },
        s => (s, 1),
    }
}

/// Who takes what: one row a queue or buffer, with the bytes it takes in all. `value` evaluates a size.
pub fn capacity_table(body: &Body, chip: &Chip, value: &dyn Fn(&Scalar) -> Option<i64>) -> Vec<(String, i64)> {
    let block = chip.data_block_bytes;
    let rounded = |bytes: &Scalar| value(bytes).map(|b| (b + block - 1) / block * block);
    let mut rows = Vec::new();
    for q in &body.queues {
        if let (Some(bytes), Some(num)) = (rounded(&q.bytes), value(&q.buffer_num)) {
            rows.push((format!("queue {} ({}): {num} buffers of {bytes}", q.name, q.position.word()), num * bytes));
        }
    }
    for b in &body.bufs {
        if let Some(bytes) = rounded(&b.bytes) {
            rows.push((format!("buffer {} ({}), {}", b.name, b.position.word(), b.purpose), bytes));
        }
    }
    rows
}

impl Host<'_> {
    /// [`footprint`] under what is known here, in terms of solved variables and host leaves.
    pub(super) fn footprint(&self, body: &Body) -> Scalar {
        footprint(body, self.chip, &|s| self.multiple_of(s))
    }
}
