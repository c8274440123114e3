use jumar::prelude::*;

#[kernel]
fn k(
    #[shape(n, d)] x: &GlobalTensor<f32>,
    #[shape(k, d)] v: &GlobalTensor<f32>,
    #[shape(n)] u: &GlobalTensor<f32>,
    #[shape(n)] a: &GlobalTensor<i32>,
    #[shape(nk = n + k, d)] y: &mut GlobalTensor<f32>,
    #[inplace]
    #[shape(d)]
    z: &mut GlobalTensor<f32>,
    #[inplace]
    #[shape(nn = 2 * n)]
    w: &mut GlobalTensor<f32>,
    p: usize,
    s: f32,
    flag: bool,
) {
    require(n >= 1);
    require(d >= 1);
    let two = new_axis(2);
    z.at(0).store(z.at(0).load() + 1.0);
    w.at(0).store(w.at(0).load() + 1.0);
    for (r, t) in tiles((n, d)) {
        y.at(r + 0, t).store(x.at(r, t).load());
    }
}
