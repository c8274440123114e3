//! Windows: computed indices, and numbers for places outside of a tensor.
//!
//! `r * STEP + p - BORDER` is an affine index: row `p` of the window of output row `r`. It has the
//! axis of `r`. Places outside of the image read minus infinity, which is no maximum. Rows that are
//! two apart are one copy. Columns are loaded once, with the border as a part of a longer axis.
//! Those of a window are picked in UB from the maxima of the rows.
//!
//! The `#[kernels]` module lets the kernel use constants.
//!
//! Emitted text: `jumar emit examples/18_max_pool.rs --out max_pool` writes a copy with a gap of `2
//! * dim_` between rows. `Duplicate` fills the rows and columns outside with minus infinity, and
//! `Gather` picks.
//!
//! Run: `cargo run -p jumar-examples --bin max_pool`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

#[kernels]
mod pooling {
    use jumar::prelude::*;

    const SIZE: usize = 3;
    const STEP: usize = 2;
    const BORDER: usize = 1;

    /// The largest element of each window of 3 x 3, two apart, with a border of one.
    #[kernel]
    pub fn max_pool<T: Float>(
        #[shape(n.., h, w)] x: &GlobalTensor<T>,
        #[shape(n.., oh = (h + 2 * BORDER - SIZE) / STEP + 1, ow = (w + 2 * BORDER - SIZE) / STEP + 1)]
        y: &mut GlobalTensor<T>,
    ) {
        require(h >= 1);
        require(w >= 1);
        let c = new_axis(w + 2 * BORDER);
        for (i, r) in tiles((each(n), oh)) {
            let mut high = full::<f32>((r, c), f32::NEG_INFINITY);
            for p in 0..SIZE {
                let v = x
                    .at(i, r * STEP + p - BORDER, c.indices() - BORDER)
                    .load_or(f32::NEG_INFINITY);
                high = high.max(v.cast::<f32>());
            }
            let mut most = high.pick(c, ow.indices() * STEP);
            for q in 1..SIZE {
                most = most.max(high.pick(c, ow.indices() * STEP + q));
            }
            y.at(i, r, ..).store(most.cast::<T>());
        }
    }
}
use pooling::max_pool;

/// Computes the result with plain loops in f64.
fn reference(x: &[f64], h: usize, w: usize) -> Vec<f64> {
    let mut y = Vec::new();
    for image in x.chunks(h * w) {
        for r in 0..(h - 1) / 2 + 1 {
            for t in 0..(w - 1) / 2 + 1 {
                let rows = (2 * r).saturating_sub(1)..(2 * r + 2).min(h);
                let window = rows.flat_map(|i| {
                    image[i * w + (2 * t).saturating_sub(1)..i * w + (2 * t + 2).min(w)].iter()
                });
                y.push(window.copied().fold(f64::NEG_INFINITY, f64::max));
            }
        }
    }
    y
}

fn run<T: Sample>(n: usize, h: usize, w: usize) -> Result<(), Box<dyn Error>> {
    let x = random::<T>(&[n, h, w], -3.0, 3.0, 23);
    let mut y = zeros::<T>(&[n, (h - 1) / 2 + 1, (w - 1) / 2 + 1]);
    let report = max_pool.bind()?.input("x", &x).output("y", &mut y).run()?;
    let what = format!("max_pool {:?} on {} blocks", x.shape(), report.blocks);
    // A maximum does not round.
    Ok(compare(
        &what,
        &y,
        &reference(&wide(&x), h, w),
        Tolerance {
            steps: 0.0,
            scale: 1.0,
        },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Even and odd sizes, one element, one row, one column, and an image larger than a tile.
    for (n, h, w) in [
        (3, 28, 28),
        (2, 7, 9),
        (1, 1, 1),
        (4, 1, 65),
        (5, 33, 1),
        (1, 300, 517),
    ] {
        run::<f16>(n, h, w)?;
        run::<bf16>(n, h, w)?;
        run::<f32>(n, h, w)?;
    }
    Ok(())
}
