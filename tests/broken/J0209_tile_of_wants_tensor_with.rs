use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, flag: bool) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load());
        if flag {
            y.at(t).store(w.at(t).load());
        }
    }
}
