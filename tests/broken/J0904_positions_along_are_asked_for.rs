use jumar::prelude::*;

#[kernel]
fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let at = t.iota().cast::<f32>();
        let m = at.eq(x.at(t).load());
        y.at(t).store(m.select(1.0, 0.0));
    }
}
