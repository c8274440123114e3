use jumar::prelude::*;

#[kernel]
fn k(
    #[shape(b, n)] x: &GlobalTensor<f32>,
    #[shape(n)] w: &GlobalTensor<f32>,
    #[shape(cap)] y: &mut GlobalTensor<f32>,
    #[shape(cap)] z: &mut GlobalTensor<f32>,
    #[shape()] c: &mut GlobalTensor<i32>,
) {
    for t in tiles(n) {
        let v = x.at(.., t).load();
        y.append(v, v.gt(0.0));
    }
    c.at().store(y.appended());
    for t in tiles(z) {
        z.at(t).store(full(t, 0.0));
    }
}
