use jumar::prelude::*;

#[kernel]
pub fn shared(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n).split(d) {
        let v = x.at(r, ..).load();
        let m = v.amax(d);
        y.at(r).store((v - m).exp().sum(d).ln() + m);
    }
}
