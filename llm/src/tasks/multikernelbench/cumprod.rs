use crate::tasks::reference::*;
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
    let d = of.size("d");
    due_of_rows("y", of["x"].chunks(d).flat_map(|row| running(row, 1.0, |product, v| product * v)).collect(), d)
}
