//! Windows whose size and step are attributes.
//!
//! Step and border are attributes, so one binary serves every layer. `u.at(j, p, q)` is one number
//! of the kernel of channel `j`, a tile without axes; arithmetic broadcasts it over the tile of the
//! image. Places outside of the image read 0 and add nothing.
//!
//! Emitted text: `jumar emit examples/19_depthwise.rs --out depthwise` writes loops over `p` and
//! `q` around one copy and one product. A case of the host, `step == 1`, has classes of its own:
//! its columns are one piece of memory.
//!
//! Run: `cargo run -p jumar-examples --bin depthwise`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Sums `x[i, j, r * step + p - border, t * step + q - border] * u[j, p, q]` over `p` and `q`.
#[kernel]
pub fn depthwise<T: Float>(
    #[shape(n, c, h, w)] x: &GlobalTensor<T>,
    #[shape(c, kh, kw)] u: &GlobalTensor<T>,
    #[shape(n, c, oh = (h + 2 * border - kh) / step + 1, ow = (w + 2 * border - kw) / step + 1)] y: &mut GlobalTensor<T>,
    #[default(1)] step: usize,
    #[default(0)] border: usize,
) {
    require(step >= 1);
    require(kh <= h + 2 * border);
    require(kw <= w + 2 * border);
    for (i, j, r, t) in tiles((each(n), each(c), oh, ow)) {
        let mut sum = full::<f32>((r, t), 0.0);
        for p in each(kh) {
            for q in 0..kw {
                let v = x
                    .at(i, j, r * step + p - border, t * step + q - border)
                    .load_or(0.0)
                    .cast::<f32>();
                sum = sum + v * u.at(j, p, q).load().cast::<f32>();
            }
        }
        y.at(i, j, r, t).store(sum.cast::<T>());
    }
}

/// Sizes of an image.
#[derive(Clone, Copy)]
struct Image {
    channels: usize,
    h: usize,
    w: usize,
}

/// Computes the result with plain loops in f64.
fn reference(
    x: &[f64],
    u: &[f64],
    of: Image,
    (size, step, border): (usize, usize, usize),
) -> Vec<f64> {
    let Image { channels, h, w } = of;
    let (oh, ow) = (
        (h + 2 * border - size) / step + 1,
        (w + 2 * border - size) / step + 1,
    );
    let mut y = Vec::new();
    for (plane, image) in x.chunks(h * w).enumerate() {
        let own = &u[plane % channels * size * size..][..size * size];
        for r in 0..oh {
            for t in 0..ow {
                let taps = (0..size * size).map(|k| (k, r * step + k / size, t * step + k % size));
                let inside = taps.filter(|(_, i, j)| {
                    (border..h + border).contains(i) && (border..w + border).contains(j)
                });
                y.push(
                    inside
                        .map(|(k, i, j)| own[k] * image[(i - border) * w + j - border])
                        .sum(),
                );
            }
        }
    }
    y
}

fn run<T: Sample>(n: usize, of: Image, how: (usize, usize, usize)) -> Result<(), Box<dyn Error>> {
    let Image { channels, h, w } = of;
    let (size, step, border) = how;
    let x = random::<T>(&[n, channels, h, w], -3.0, 3.0, 5);
    let u = random::<T>(&[channels, size, size], -1.0, 1.0, 6);
    let mut y = zeros::<T>(&[
        n,
        channels,
        (h + 2 * border - size) / step + 1,
        (w + 2 * border - size) / step + 1,
    ]);
    let launch = depthwise
        .bind()?
        .input("x", &x)
        .input("u", &u)
        .output("y", &mut y);
    let report = launch.attr("step", step).attr("border", border).run()?;
    let what = format!(
        "depthwise {:?} by {size}, step {step}, border {border}, on {} blocks",
        x.shape(),
        report.blocks
    );
    // A product and a sum round for each number of the kernel.
    let steps = 2.0 * (size * size) as f64 + 1.0;
    Ok(compare(
        &what,
        &y,
        &reference(&wide(&x), &wide(&u), of, how),
        Tolerance { steps, scale: 3.0 },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Kernels of 1, 3 and 5, with and without a border, steps of 1 to 4; one element, and images
    // that one tile does not hold.
    let of = |channels, h, w| Image { channels, h, w };
    for (n, of, how) in [
        (2, of(3, 14, 14), (3, 1, 1)),
        (1, of(2, 9, 33), (3, 2, 1)),
        (3, of(1, 1, 1), (3, 1, 1)),
        (1, of(4, 20, 20), (5, 3, 2)),
        (1, of(2, 8, 8), (1, 4, 0)),
        (1, of(1, 130, 300), (3, 1, 0)),
    ] {
        run::<f16>(n, of, how)?;
        run::<bf16>(n, of, how)?;
        run::<f32>(n, of, how)?;
    }
    Ok(())
}
