use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<i8>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load().cast_with::<i8>(RoundMode::Floor));
    }
}
