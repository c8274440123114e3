use jumar::prelude::*;

#[kernel]
pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[default(1)] ddof: i32) {
    require(d > ddof);
    for r in tiles(n) {
        y.at(r).store(x.at(r, ..).load().sum(d));
    }
}
