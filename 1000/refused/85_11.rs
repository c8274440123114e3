use jumar::prelude::*;
#[kernel]
pub fn shares(
    #[shape(a0)] x0: &GlobalTensor<i32>,
    #[shape(a1)] x1: &GlobalTensor<f32>,
    #[shape(a1)] #[inplace] y0: &mut GlobalTensor<f32>,
) {
    require(a0 >= 2);
    let k0 = x0.at(0).load();
    let j0 = k0.scalar();
    let k1 = x0.at(1).load();
    let j1 = k1.scalar();
    let n0 = j0 as usize;
    let n1 = j1 as usize;
    assume(0 <= n0 && n1 <= a1);
    let mut c0 = across_cores::<f32>((), 0.0);
    for t0 in tiles(n0..n1) {
        let v0 = x1.at(t0).load();
        let v1 = v0.sum(t0);
        c0 = c0 + v1;
    }
    let s0 = c0.scalar();
    if s0 == 0.0 {
        for t0 in tiles(n0..n1) {
            let v0 = full::<f32>(t0, 0.0);
            y0.at(t0).store(v0);
        }
    } else {
        for t0 in tiles(n0..n1) {
            let v0 = x1.at(t0).load();
            let v1 = v0 / s0;
            y0.at(t0).store(v1);
        }
    }
}
