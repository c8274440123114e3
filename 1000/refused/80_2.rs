use jumar::prelude::*;
#[kernel]
pub fn op_unscaled<T: Float>(
    #[shape(a0..)] x0: &GlobalTensor<T>,
    #[shape(a0..)] y0: &mut GlobalTensor<T>,
    #[shape()] y1: &mut GlobalTensor<i32>,
    s0: f32,
) {
    let ra1 = new_axis(1);
    let s1 = if false { 1.0 } else { 0.0 };
    let mut c0 = across_cores::<f32>((), s1);
    for t0 in tiles(a0) {
        let h0 = x0.at(t0).load();
        let v0 = h0.cast::<f32>();
        let m0 = v0.eq(v0);
        let k0 = full::<i32>(t0, 0);
        let k1 = m0.select(k0, 1);
        let m1 = k1.gt(0);
        let m2 = m1.any(t0);
        let v1 = m2.cast::<f32>();
        c0 = c0.max(v1);
        let v2 = v0 * s0;
        let h1 = v2.cast::<T>();
        y0.at(t0).store(h1);
    }
    let m0 = c0.cast::<bool>();
    let k0 = full::<i32>((), 1);
    let k1 = m0.select(k0, 0);
    y1.at().store(k1);
}
