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
