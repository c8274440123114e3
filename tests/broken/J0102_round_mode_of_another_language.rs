use jumar::prelude::*;

#[kernel]
pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<i32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load().cast_with::<i32>(RoundMode::Truncate));
    }
}
