use jumar::prelude::*;
#[kernel]
pub fn op_group_norm_grad<T: Float>(
    #[shape(a0, a1, a2..)] x0: &GlobalTensor<T>,
    #[shape(a0, a1, a2..)] x1: &GlobalTensor<T>,
    #[shape(a0, a3)] x2: &GlobalTensor<f32>,
    #[shape(a0, a3)] x3: &GlobalTensor<f32>,
    #[shape(a1)] x4: &GlobalTensor<T>,
    #[shape(a0, a1, a2..)] y0: &mut GlobalTensor<T>,
    #[shape(a1)] y1: &mut GlobalTensor<f32>,
    #[shape(a1)] y2: &mut GlobalTensor<f32>,
) {
    require(a0 * a1 * a2 == a0 * a3 * (a1 / a3) * a2);
    require(a1 == a3 * (a1 / a3));
    require(a0 * a3 * (a1 / a3) == a0 * a1);
    let ra4 = new_axis(a1 / a3);
    let y3 = workspace::<f32>((a0, a3, a4));
    let y4 = workspace::<f32>((a0, a3, a4));
    for (i0, i1) in tiles((each(a0), each(a3))) {
        let v0 = x3.at(i0, i1).load();
        let h0 = x1.view((a0, a3, a4, a2)).at(i0, i1, .., ..).load();
        let v1 = h0.cast::<f32>();
        let v2 = x2.at(i0, i1).load();
        let v3 = v1 - v2;
        let v4 = v3 * v0;
        let h1 = x0.view((a0, a3, a4, a2)).at(i0, i1, .., ..).load();
        let v5 = h1.cast::<f32>();
        let v6 = v5.sum(a2);
        y4.at(i0, i1, a4.indices()).store(v6);
        let v7 = v5 * v4;
        let v8 = v7.sum(a2);
        y3.at(i0, i1, a4.indices()).store(v8);
        let h2 = x4.view((a3, a4)).at(i1, ..).load();
        let v9 = h2.cast::<f32>();
        let v10 = v5 * v9;
        let v11 = v10.mean((a2, a4));
        let v12 = v10 * v4;
        let v13 = v12.mean((a2, a4));
        let v14 = v10 - v11;
        let v15 = v4 * v13;
        let v16 = v14 - v15;
        let v17 = v16 * v0;
        let h3 = v17.cast::<T>();
        y0.view((a0, a3, a4, a2)).at(i0, i1, .., ..).store(h3);
    }
    for t0 in tiles(a1) {
        let v0 = y3.view((a0, a1)).at(.., t0).load();
        let v1 = v0.sum(a0);
        y1.at(t0).store(v1);
        let v2 = y4.view((a0, a1)).at(.., t0).load();
        let v3 = v2.sum(a0);
        y2.at(t0).store(v3);
    }
}
