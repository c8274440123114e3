use jumar::prelude::*;

#[kernel]
fn k(#[shape(n)] i: &GlobalTensor<f32>, #[shape(m)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let at = i.at(t).load().abs().cast_with::<i32>(RoundMode::Floor);
        y.at(t).store(x.at(at).load());
    }
}
