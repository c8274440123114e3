use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn masked_fill(x: &GlobalTensor<f32>, mask: &GlobalTensor<bool>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(mask.at(t).load().select(f32::NEG_INFINITY, x.at(t).load()));
        }
    }
}

pub fn reference(of: &Given) -> Due {
    due("y", of.zip(("x", "mask"), |x, m| if m != 0.0 { f64::NEG_INFINITY } else { x }))
}
