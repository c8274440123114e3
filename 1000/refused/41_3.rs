use jumar::prelude::*;
#[kernel]
pub fn op_bilinear<T: Float>(
    #[shape(a0, a1, a2, a3)] x0: &GlobalTensor<T>,
    n0: usize,
    #[shape(a0, a1, a4 = a2 * n0, a5 = a3 * n0)] y0: &mut GlobalTensor<T>,
) {
    require(n0 >= 1);
    require(a3 * n0 <= 2147483648);
    require(a3 >= 1);
    let a6 = new_axis(a0 * a1);
    let k0 = a5.iota();
    let v0 = k0.cast::<f32>();
    let v1 = v0 +  0.5;
    let s0 = n0 as f32;
    let v2 = v1 / s0;
    let v3 = v2 - 0.5;
    let v4 = v3.max(0.0);
    let k1 = v4.cast_with::<i32>(RoundMode::Floor);
    let n1 = a3 - 1;
    let j0 = n1 as i32;
    let k2 = k1.min(j0);
    let k3 = k2 + 1;
    let n2 = a3 - 1;
    let j1 = n2 as i32;
    let k4 = k3.min(j1);
    let v5 = k2.cast::<f32>();
    let v6 = v4 - v5;
    for (t0, i0) in tiles((a6, each(a4))) {
        let n3 = 2 * i0 + 1;
        let n4 = n3.max(n0) - n0;
        let n5 = n4 / (2 * n0);
        let n6 = n5.min(a2 - 1);
        let n7 = n6 + 1;
        let n8 = n7.min(a2 - 1);
        let n9 = n4 - n6 * 2 * n0;
        let s1 = n9 as f32;
        let n10 = 2 * n0;
        let s2 = n10 as f32;
        let s3 = s1 / s2;
        let h0 = x0.view((a6, a2, a3)).at(t0, n6, ..).load();
        let v7 = h0.cast::<f32>();
        let h1 = x0.view((a6, a2, a3)).at(t0, n8, ..).load();
        let v8 = h1.cast::<f32>();
        let s4 = 1.0 - s3;
        let v9 = v7 * s4;
        let v10 = v8 * s3;
        let v11 = v9 + v10;
        let v12 = v11.pick(a3, k2);
        let v13 = 1.0 - v6;
        let v14 = v12 * v13;
        let v15 = v11.pick(a3, k4);
        let v16 = v15 * v6;
        let v17 = v14 + v16;
        let h2 = v17.cast::<T>();
        y0.view((a6, a4, a5)).at(t0, i0, ..).store(h2);
    }
}
