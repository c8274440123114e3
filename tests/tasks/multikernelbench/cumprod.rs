use crate::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn cumprod(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for r in tiles(n) {
            y.at(r, ..).store(x.at(r, ..).load().cumprod(d));
        }
    }
}

pub fn reference(of: &Given) -> Due {
    due("y", of["x"].chunks(of.size("d")).flat_map(|row| running(row, 1.0, |product, v| product * v)).collect())
}
