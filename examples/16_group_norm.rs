//! A view that splits an axis, and a reduction along two axes at once.
//!
//! The channels `c` are `groups` groups of `k`. No tensor names these two axes: `new_axis` makes
//! them, and `view` gives them to the tensors. A view moves nothing; it says under which axes the
//! elements are read. One iteration is one group of one image. Mean and variance are sums over `(k,
//! p)`, and arithmetic broadcasts them along both. `gamma` has one number for each channel of the
//! group, so the division by the root is made on these few.
//!
//! A second variant streams groups that are too large for UB.
//!
//! Emitted text: `jumar emit examples/16_group_norm.rs --explain` says that the streamed variant
//! finds mean and sum of squares in one pass. With `--out group_norm`, `DivRowsColumns` divides
//! `gammaLocal` and no larger tile.
//!
//! Run: `cargo run -p jumar-examples --bin group_norm`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// `y = (x - mean) / sqrt(variance + eps) * gamma + beta` over each group of channels.
#[kernel]
pub fn group_norm<T: Float>(
    #[shape(n, c, p..)] x: &GlobalTensor<T>,
    #[shape(c)] gamma: &GlobalTensor<T>,
    #[shape(c)] beta: &GlobalTensor<T>,
    y: &mut GlobalTensor<T>,
    groups: usize,
    #[default(1e-5)] eps: f32,
) {
    require(groups >= 1);
    require(c % groups == 0);
    let (g, k) = (new_axis(groups), new_axis(c / groups));
    let (x, y) = (x.view((n, g, k, p)), y.view((n, g, k, p)));
    let (gamma, beta) = (gamma.view((g, k)), beta.view((g, k)));
    let inv = 1.0 / (k * p) as f32;
    for (i, j) in tiles((each(n), each(g))) {
        let v = x.at(i, j, .., ..).load().cast::<f32>();
        let centred = v - v.sum((k, p)) * inv;
        let variance = (centred * centred).sum((k, p)) * inv;
        let factor = gamma.at(j, ..).load().cast::<f32>() / (variance + eps).sqrt();
        let scaled = centred * factor + beta.at(j, ..).load().cast::<f32>();
        y.at(i, j, .., ..).store(scaled.cast::<T>());
    }
}

/// Computes the result with plain loops in f64, over groups of `k` channels of `p` elements.
fn reference(x: &[f64], gamma: &[f64], beta: &[f64], (k, p): (usize, usize), eps: f64) -> Vec<f64> {
    let mut y = Vec::with_capacity(x.len());
    let size = (k * p) as f64;
    for (at, group) in x.chunks(k * p).enumerate() {
        let mean = group.iter().sum::<f64>() / size;
        let root = (group.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / size + eps).sqrt();
        for (channel, row) in group.chunks(p).enumerate() {
            let c = (at * k + channel) % gamma.len();
            y.extend(row.iter().map(|v| (v - mean) / root * gamma[c] + beta[c]));
        }
    }
    y
}

fn run<T: Sample>(shape: &[usize], groups: usize) -> Result<(), Box<dyn Error>> {
    let c = shape[1];
    let (k, p) = (c / groups, shape[2..].iter().product::<usize>());
    let x = random::<T>(shape, -3.0, 3.0, 13);
    let (gamma, beta) = (
        random::<T>(&[c], 0.5, 1.5, 14),
        random::<T>(&[c], -0.5, 0.5, 15),
    );
    let mut y = zeros::<T>(shape);
    let launch = group_norm
        .bind()?
        .input("x", &x)
        .input("gamma", &gamma)
        .input("beta", &beta);
    let report = launch.output("y", &mut y).attr("groups", groups).run()?;
    let want = reference(&wide(&x), &wide(&gamma), &wide(&beta), (k, p), 1e-5);
    // As in `06_layer_norm.rs`, the mean carries the roundings of a sum, relative to the largest
    // input. A small group may have a small spread.
    let steps = 16.0 + (p / 64) as f64;
    let what = format!(
        "group_norm {shape:?} of {groups} groups on {} blocks",
        report.blocks
    );
    Ok(compare(&what, &y, &want, Tolerance { steps, scale: 16.0 })?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Images, groups of one channel, one group, channels of one element, and channels that end
    // inside a data block.
    for (shape, groups) in [
        (&[2, 32, 16, 16][..], 8),
        (&[3, 6, 50], 6),
        (&[2, 7, 33], 1),
        (&[4, 64, 1], 2),
        (&[1, 12, 9, 11], 3),
    ] {
        run::<f16>(shape, groups)?;
        run::<bf16>(shape, groups)?;
        run::<f32>(shape, groups)?;
    }
    Ok(())
}
