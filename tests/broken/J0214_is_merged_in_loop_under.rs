use jumar::prelude::*;

#[kernel]
fn k(#[shape(g, n)] x: &GlobalTensor<f32>, #[shape(g)] y: &mut GlobalTensor<f32>) {
    let mut s = across_cores::<f32>((), 0.0);
    for i in 0..g {
        for t in tiles(n) {
            s += x.at(i, t).load().sum(t);
        }
        y.at(i).store(s);
    }
}
