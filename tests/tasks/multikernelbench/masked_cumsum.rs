use crate::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn masked_cumsum(
        #[shape(n.., d)] x: &GlobalTensor<f32>,
        #[shape(n.., d)] mask: &GlobalTensor<bool>,
        #[shape(n.., d)] y: &mut GlobalTensor<f32>,
    ) {
        require(d >= 1);
        for r in tiles(n) {
            // Before each turn an element is the sum of `step` of them, the last of which is its own.
            let mut v = mask.at(r, ..).load().select(x.at(r, ..).load(), 0.0);
            let mut step = 1;
            for _ in 0..31 {
                if step < d {
                    let from = d.iota() - step as i32;
                    v = v + from.ge(0).select(v.pick(d, from.max(0).min(d - 1)), 0.0);
                    step *= 2;
                }
            }
            y.at(r, ..).store(v);
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let each = of.zip(("x", "mask"), |x, m| x * m);
    due("y", each.chunks(of.size("d")).flat_map(|row| running(row, 0.0, |sum, v| sum + v)).collect())
}
