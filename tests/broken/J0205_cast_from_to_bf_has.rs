use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<bf16>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load().cast_with::<bf16>(RoundMode::Odd));
    }
}
