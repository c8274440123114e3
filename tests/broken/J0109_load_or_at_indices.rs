use jumar::prelude::*;

#[kernel]
pub fn k(#[shape(v, d)] w: &GlobalTensor<f32>, #[shape(n)] #[index(v)] ids: &GlobalTensor<i32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t, ..).store(w.at(ids.at(t).load(), ..).load_or(0.0));
    }
}
