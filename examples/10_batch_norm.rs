//! Broadcast of a middle axis: one number for each channel.
//!
//! Mean, variance, weight and bias have one number for each channel. Arithmetic broadcasts them
//! along the other two axes of a tile. `scale` and `shift` depend on them alone, so they are
//! computed on one number for each channel.
//!
//! All three axes are cut, so any sizes do: many images, many channels, or one large image.
//!
//! Emitted text: `jumar emit examples/10_batch_norm.rs --out batch_norm` writes `Sqrt` and `Div`
//! over `jLen` elements, the channels of a tile. A case of the host, `p == 1`, has classes of its
//! own: there the channels are the lane axis.
//!
//! Run: `cargo run -p jumar-examples --bin batch_norm`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// `y = (x - mean) / sqrt(variance + eps) * gamma + beta`, each of these one number a channel.
#[kernel]
pub fn batch_norm<T: Float>(
    #[shape(n, c, p..)] x: &GlobalTensor<T>,
    #[shape(c)] mean: &GlobalTensor<f32>,
    #[shape(c)] variance: &GlobalTensor<f32>,
    #[shape(c)] gamma: &GlobalTensor<f32>,
    #[shape(c)] beta: &GlobalTensor<f32>,
    y: &mut GlobalTensor<T>,
    #[default(1e-5)] eps: f32,
) {
    for (i, j, t) in tiles((n, c, p)) {
        let scale = gamma.at(j).load() / (variance.at(j).load() + eps).sqrt();
        let shift = beta.at(j).load() - mean.at(j).load() * scale;
        let v = x.at(i, j, t).load().cast::<f32>();
        y.at(i, j, t).store((v * scale + shift).cast::<T>());
    }
}

/// Mean, variance, weight and bias of a channel.
type Channel = [f64; 4];

/// Computes the result with plain loops in f64, over channels of `p` elements.
fn reference(x: &[f64], channels: &[Channel], p: usize, eps: f64) -> Vec<f64> {
    let mut y = Vec::with_capacity(x.len());
    for (row, [mean, variance, gamma, beta]) in x.chunks(p).zip(channels.iter().cycle()) {
        y.extend(
            row.iter()
                .map(|v| (v - mean) / (variance + eps).sqrt() * gamma + beta),
        );
    }
    y
}

fn run<T: Sample>(shape: &[usize]) -> Result<(), Box<dyn Error>> {
    let (c, p) = (shape[1], shape[2..].iter().product());
    let x = random::<T>(shape, -3.0, 3.0, 16);
    let of_channels = |low, high, seed| random::<f32>(&[c], low, high, seed);
    let (mean, variance) = (of_channels(-1.0, 1.0, 17), of_channels(0.5, 2.0, 18));
    let (gamma, beta) = (of_channels(0.5, 1.5, 19), of_channels(-0.5, 0.5, 20));
    let mut y = zeros::<T>(shape);
    let launch = batch_norm
        .bind()?
        .input("x", &x)
        .input("mean", &mean)
        .input("variance", &variance);
    let report = launch
        .input("gamma", &gamma)
        .input("beta", &beta)
        .output("y", &mut y)
        .run()?;
    let [mean, variance, gamma, beta] = [&mean, &variance, &gamma, &beta].map(wide);
    let channels: Vec<Channel> = (0..c)
        .map(|j| [mean[j], variance[j], gamma[j], beta[j]])
        .collect();
    let want = reference(&wide(&x), &channels, p, 1e-5);
    // Root, quotient, two products and two sums round; terms go up to 3 * 1.5 / sqrt(0.5).
    let what = format!("batch_norm {shape:?} on {} blocks", report.blocks);
    Ok(compare(
        &what,
        &y,
        &want,
        Tolerance {
            steps: 8.0,
            scale: 6.5,
        },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Images, many channels of one element, one long channel, and channels that end inside a data
    // block.
    for shape in [
        &[2, 16, 56, 56][..],
        &[3, 5000, 1],
        &[1, 1, 100_003],
        &[4, 13, 7, 9],
    ] {
        run::<f16>(shape)?;
        run::<bf16>(shape)?;
        run::<f32>(shape)?;
    }
    Ok(())
}
