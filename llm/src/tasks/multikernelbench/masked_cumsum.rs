use crate::tasks::reference::*;
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
        for r in tiles(n) {
            y.at(r, ..).store(mask.at(r, ..).load().select(x.at(r, ..).load(), 0.0).cumsum(d));
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let each = of.zip(("x", "mask"), |x, m| x * m);
    let d = of.size("d");
    due_of_rows("y", each.chunks(d).flat_map(|row| running(row, 0.0, |sum, v| sum + v)).collect(), d)
}
