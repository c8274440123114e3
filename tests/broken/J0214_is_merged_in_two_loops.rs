use jumar::prelude::*;

#[kernel]
fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {
    let mut s = across_cores::<f32>((), 0.0);
    let mut u = across_cores::<f32>((), 0.0);
    for t in tiles(n) {
        s += x.at(t).load().sum(t);
    }
    for t in tiles(n) {
        s += (x.at(t).load() - 1.0).sum(t);
    }
    y.at(0).store(s + u);
}
