use jumar::prelude::*;

#[kernel]
fn k(
    #[shape(b, n)] x: &GlobalTensor<f32>,
    #[shape(n)] w: &GlobalTensor<f32>,
    #[shape(cap)] y: &mut GlobalTensor<f32>,
    #[shape(cap)] z: &mut GlobalTensor<f32>,
    #[shape()] c: &mut GlobalTensor<i32>,
) {
    for (i, t) in tiles((b, n)) {
        let v = x.at(i, t).load();
        y.append(v, v.gt(0.0));
    }
    c.at().store(y.appended());
    for t in tiles(z) {
        z.at(t).store(full(t, 0.0));
    }
}
