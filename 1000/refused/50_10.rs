use jumar::prelude::*;
pub fn op_group_norm<T: Float>(
    #[shape(a0, a1, a2..)] x0: &GlobalTensor<T>,
    #[shape(a1)] x1: &GlobalTensor<T>,
    #[shape(a1)] x2: &GlobalTensor<T>,
    #[shape(a0, a1, a2..)] y0: &mut GlobalTensor<T>,
    n0: usize,
    #[default(1e-5)] s0: f32,
) {
    require(n0 >= 1);
    require(a1 % n0 == 0);
    require(a0 * a1 * a2 == a0 * n0 * (a1 / n0) * a2);
    require(a1 == n0 * (a1 / n0));
    let a3 = new_axis(n0);
    let a4 = new_axis(a1 / n0);
    let n1 = a1 / n0 * a2;
    let s1 = n1 as f32;
    let s2 = 1.0 / s1;
    for (i0, i1) in tiles((each(a0), each(a3))) {
        let h0 = x0.view((a0, a3, a4, a2)).at(i0, i1, .., ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0.sum((a2, a4));
        let v2 = v1 * s2;
        let v3 = v0 - v2;
        let v4 = v3 * v3;
        let v5 = v4.sum((a2, a4));
        let v6 = v5 * s2;
        let h1 = x1.view((a3, a4)).at(i1, ..).load();
        let v7 = h1.cast::<f32>();
        let v8 = v6 + s0;
        let v9 = v8.sqrt();
        let v10 = v7 / v9;
        let v11 = v3 * v10;
        let h2 = x2.view((a3, a4)).at(i1, ..).load();
        let v12 = h2.cast::<f32>();
        let v13 = v11 + v12;
        let h3 = v13.cast::<T>();
        y0.view((a0, a3, a4, a2)).at(i0, i1, .., ..).store(h3);
    }
}
