use crate::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn cumprod(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        require(d >= 1);
        for r in tiles(n) {
            // Before each turn an element is the product of `step` of them, the last of which is its own.
            let mut v = x.at(r, ..).load();
            let mut step = 1;
            for _ in 0..31 {
                if step < d {
                    let from = d.iota() - step as i32;
                    v = v * from.ge(0).select(v.pick(d, from.max(0).min(d - 1)), 1.0);
                    step *= 2;
                }
            }
            y.at(r, ..).store(v);
        }
    }
}

pub fn reference(of: &Given) -> Due {
    due("y", of["x"].chunks(of.size("d")).flat_map(|row| running(row, 1.0, |product, v| product * v)).collect())
}
