//! Phases: three loops over all of `x`, with cross-core accumulators between them.
//!
//! The first loop adds up each channel, the second the squares of centred values, and the third
//! normalises as `10_batch_norm.rs` does. Each loop is a phase with all of UB for its buffers.
//! Barriers stand between phases, since each needs the sums of all cores. The mean is subtracted
//! before squaring, so channels far from 0 keep their variance.
//!
//! Emitted text: `jumar emit examples/26_batch_norm_train.rs --explain` lists six phases: three
//! loops, two merges of sums, and the stores outside of loops. For each it says which earlier store
//! it reads, and whether a barrier is needed.
//!
//! Run: `cargo run -p jumar-examples --bin batch_norm_train`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// `y = (x - mean) / sqrt(variance + eps) * gamma + beta`; stores mean and variance, too.
#[kernel]
pub fn batch_norm_train<T: Float>(
    #[shape(n, c, p..)] x: &GlobalTensor<T>,
    #[shape(c)] gamma: &GlobalTensor<f32>,
    #[shape(c)] beta: &GlobalTensor<f32>,
    y: &mut GlobalTensor<T>,
    #[shape(c)] mean: &mut GlobalTensor<f32>,
    #[shape(c)] variance: &mut GlobalTensor<f32>,
    #[default(1e-5)] eps: f32,
) {
    let one_of = 1.0 / (n * p) as f32;
    let mut sum = across_cores::<f32>(c, 0.0);
    for (i, t) in tiles((n, p)) {
        sum += x.at(i, .., t).load().cast::<f32>().sum((i, t));
    }
    let m = sum * one_of;
    let mut squares = across_cores::<f32>(c, 0.0);
    for (i, t) in tiles((n, p)) {
        let e = x.at(i, .., t).load().cast::<f32>() - m;
        squares += (e * e).sum((i, t));
    }
    let v = squares * one_of;
    mean.at(..).store(m);
    variance.at(..).store(v);
    let scale = gamma.at(..).load() / (v + eps).sqrt();
    let shift = beta.at(..).load() - m * scale;
    for (i, t) in tiles((n, p)) {
        y.at(i, .., t)
            .store((x.at(i, .., t).load().cast::<f32>() * scale + shift).cast::<T>());
    }
}

/// Computes the result, and mean and variance of each channel of `p` elements, in f64.
fn reference(x: &[f64], of_channels: [&[f64]; 2], p: usize, eps: f64) -> [Vec<f64>; 3] {
    let [gamma, beta] = of_channels;
    let c = gamma.len();
    let count = (x.len() / c) as f64;
    let channel = |at: usize| at / p % c;
    let (mut mean, mut variance) = (vec![0.0; c], vec![0.0; c]);
    x.iter()
        .enumerate()
        .for_each(|(at, v)| mean[channel(at)] += v / count);
    x.iter()
        .enumerate()
        .for_each(|(at, v)| variance[channel(at)] += (v - mean[channel(at)]).powi(2) / count);
    let one = |(at, v): (usize, &f64)| {
        let j = channel(at);
        (v - mean[j]) / (variance[j] + eps).sqrt() * gamma[j] + beta[j]
    };
    let y = x.iter().enumerate().map(one).collect();
    [y, mean, variance]
}

fn run<T: Sample>(shape: &[usize]) -> Result<(), Box<dyn Error>> {
    let (c, p) = (shape[1], shape[2..].iter().product());
    let x = random::<T>(shape, -3.0, 5.0, 51);
    let (gamma, beta) = (
        random::<f32>(&[c], 0.5, 1.5, 52),
        random::<f32>(&[c], -0.5, 0.5, 53),
    );
    let mut y = zeros::<T>(shape);
    let [mut mean, mut variance] = [zeros::<f32>(&[c]), zeros::<f32>(&[c])];
    let launch = batch_norm_train
        .bind()?
        .input("x", &x)
        .input("gamma", &gamma)
        .input("beta", &beta);
    let report = launch
        .output("y", &mut y)
        .output("mean", &mut mean)
        .output("variance", &mut variance)
        .run()?;
    let [want_y, want_m, want_v] = reference(&wide(&x), [&wide(&gamma), &wide(&beta)], p, 1e-5);
    let what = |name| {
        format!(
            "batch_norm_train {shape:?}, {name}, on {} blocks",
            report.blocks
        )
    };
    // A term is 5 at most, a square 64. Sums are by halves inside of tiles, one after the other
    // over tiles, and then over blocks.
    compare(
        &what("mean"),
        &mean,
        &want_m,
        Tolerance {
            steps: 80.0,
            scale: 5.0,
        },
    )?;
    compare(
        &what("variance"),
        &variance,
        &want_v,
        Tolerance {
            steps: 160.0,
            scale: 64.0,
        },
    )?;
    // Mean and variance carry their roundings to `y`. A variance is at least 2 here.
    Ok(compare(
        &what("y"),
        &y,
        &want_y,
        Tolerance {
            steps: 400.0,
            scale: 6.5,
        },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Images, many channels of few elements, one long channel, channels that end inside a data
    // block.
    for shape in [
        &[2, 16, 56, 56][..],
        &[30, 200, 2],
        &[1, 1, 100_003],
        &[4, 13, 7, 9],
    ] {
        run::<f16>(shape)?;
        run::<bf16>(shape)?;
        run::<f32>(shape)?;
    }
    Ok(())
}
