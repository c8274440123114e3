use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16, f32, i32, i8, i16, u8, i64, bool)]
    pub fn masked_select_v3<T: Element>(
        #[shape(n..)] x: &GlobalTensor<T>,
        #[shape(n..)] mask: &GlobalTensor<bool>,
        #[inplace]
        #[shape(room)]
        y: &mut GlobalTensor<T>,
        #[shape()] count: &mut GlobalTensor<i32>,
    ) {
        for t in tiles(n) {
            y.append(x.at(t).load(), mask.at(t).load());
        }
        count.at().store(y.appended());
    }
}

pub fn reference(of: &Given) -> Due {
    let taken: Vec<f64> = of["x"].iter().zip(&of["mask"]).filter(|(_, m)| **m != 0.0).map(|(x, _)| *x).collect();
    let y = taken.iter().chain(&of["y"][taken.len()..]).copied().collect();
    due("y", y).and("count", vec![taken.len() as f64])
}
