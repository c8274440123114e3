use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn clamp_broadcast(
        #[shape(n.., d)] x: &GlobalTensor<f32>,
        #[shape(d)] low: &GlobalTensor<f32>,
        #[shape(d)] high: &GlobalTensor<f32>,
        y: &mut GlobalTensor<f32>,
    ) {
        for (r, t) in tiles((n, d)) {
            y.at(r, t).store(x.at(r, t).load().max(low.at(t).load()).min(high.at(t).load()));
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let one = |(i, x): (usize, &f64)| x.max(of["low"][i % d]).min(of["high"][i % d]);
    due("y", of["x"].iter().enumerate().map(one).collect())
}
