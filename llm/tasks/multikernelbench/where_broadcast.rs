#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn where_broadcast(
        #[shape(m)] c: &GlobalTensor<bool>,
        #[shape(n, m, d)] x: &GlobalTensor<f32>,
        #[shape(n, m, d)] y: &GlobalTensor<f32>,
        #[shape(n, m, d)] z: &mut GlobalTensor<f32>,
    ) {
        for (i, r, t) in tiles((each(n), m, d)) {
            z.at(i, r, t).store(c.at(r).load().select(x.at(i, r, t).load(), y.at(i, r, t).load()));
        }
    }
}
