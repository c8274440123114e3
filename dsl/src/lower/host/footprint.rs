//! The UB footprint of a body, as a formula and as a table for people.

use super::Host;
use crate::ir::queue::Body;
use crate::ir::{BinOp, Scalar};
use crate::soc::Chip;

impl Host<'_> {
    /// Returns the bytes of UB that the queues and buffers of `body` take:
    /// `Σ buffer_num * align_up(bytes, 32)`, in terms of solved variables and host leaves.
    ///
    /// Terms over the same extent are gathered, so the formula reads `tile_length * 24` where it
    /// can. Numbers beyond 64 bits stay products, which the evaluator refuses.
    pub fn footprint(&self, body: &Body) -> Scalar {
        let mut terms: Vec<(Scalar, Scalar)> = Vec::new();
        let mut constant = Scalar::Int(0);
        let mut add = |bytes: &Scalar, num: &Scalar| {
            let (extent, factor) =
                take_factor(self.rounded(self.binding.sized(bytes), self.chip.data_block_bytes));
            let factor = Scalar::Int(factor) * num.clone();
            match (
                extent.as_int(),
                terms.iter_mut().find(|(e, _)| *e == extent),
            ) {
                (Some(_), _) => constant = constant.clone() + extent * factor,
                (None, Some((_, f))) => *f = f.clone() + factor,
                (None, None) => terms.push((extent, factor)),
            }
        };
        body.queues
            .iter()
            .for_each(|q| add(&q.bytes, &q.buffer_num));
        body.bufs
            .iter()
            .for_each(|b| add(&b.bytes, &Scalar::Int(1)));
        let sum = terms
            .into_iter()
            .map(|(extent, f)| extent * f)
            .reduce(|a, b| a + b);
        match sum {
            Some(sum) => sum + constant,
            None => constant,
        }
    }
}

/// Splits off a constant factor: `e * 4` is `(e, 4)`.
fn take_factor(s: Scalar) -> (Scalar, i64) {
    match s {
        Scalar::Bin(BinOp::Mul, a, b) => match (a.as_int(), b.as_int()) {
            (_, Some(n)) => times(&a, n),
            (Some(n), _) => times(&b, n),
            _ => (Scalar::Bin(BinOp::Mul, a, b), 1),
        },
        s => (s, 1),
    }
}

fn times(s: &Scalar, n: i64) -> (Scalar, i64) {
    let (extent, factor) = take_factor(s.clone());
    match factor.checked_mul(n) {
        Some(factor) => (extent, factor),
        None => (extent * factor, n),
    }
}

/// Returns one row for each queue or buffer, with all its bytes. `value` evaluates a size.
pub fn capacity_table(
    body: &Body,
    chip: &Chip,
    value: &dyn Fn(&Scalar) -> Option<i64>,
) -> Vec<(String, i64)> {
    let block = chip.data_block_bytes;
    let rounded = |bytes: &Scalar| value(&bytes.clone().align_up(block));
    let mut rows = Vec::new();
    for q in &body.queues {
        if let (Some(bytes), Some(num)) = (rounded(&q.bytes), value(&q.buffer_num)) {
            rows.push((
                format!(
                    "queue {} ({}): {num} buffers of {bytes}",
                    q.name,
                    q.position.word()
                ),
                num.saturating_mul(bytes),
            ));
        }
    }
    for b in &body.bufs {
        if let Some(bytes) = rounded(&b.bytes) {
            rows.push((
                format!("buffer {} ({}), {}", b.name, b.position.word(), b.purpose),
                bytes,
            ));
        }
    }
    rows
}
