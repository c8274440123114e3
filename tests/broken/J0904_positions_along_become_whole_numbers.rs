use jumar::prelude::*;

#[kernel]
fn k(n: usize, #[shape(n)] y: &mut GlobalTensor<i32>) {
    require(n <= 16777217);
    for t in tiles(n) {
        let at = (t.iota() + 1).cast::<f32>();
        y.at(t).store(at.floor().cast_with::<i32>(RoundMode::Rint));
    }
}
