//! What rustc sees of choices between scalars and tiles, of bits over the cores, and of what arithmetic widens to.

use jumar::prelude::*;

#[kernel]
pub fn chosen<T: Float>(
    #[shape(n)] x: &GlobalTensor<T>,
    #[shape(n)] y: &mut GlobalTensor<T>,
    #[shape()] some: &mut GlobalTensor<bool>,
) {
    let mut found = across_cores::<bool>((), false);
    for t in tiles(n) {
        let v = x.at(t).load().wide();
        let kept = v.gt(0.5).select(0.0, v);
        found |= v.gt(1.0).select(1, 0).eq(1).any(t);
        y.at(t).store(
            (kept + v.lt(0.0).select(1, 0).cast::<f32>() + v.lt(0.25).select(1.0, 0)).cast::<T>(),
        );
    }
    some.at().store(found);
}

/// A part of each row, and rows at quotients.
#[kernel]
pub fn halves(
    #[shape(n, d)] x: &GlobalTensor<f32>,
    #[shape(m = 2 * n, w = d / 2)] y: &mut GlobalTensor<f32>,
) {
    let low = new_axis(0..d / 2);
    for i in each(m) {
        let row = x.at((i + 1).div_exact(2), ..).load_or(0.0);
        y.at(i, low)
            .store(row.pick(d, low) + row.pick(d, 0..1).sum(..).expand(low));
    }
}

fn main() {}
