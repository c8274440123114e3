use jumar::prelude::*;
#[kernel]
pub fn op_softmax_middle<T: Float>(
    #[shape(a0.., a1, a2)] x0: &GlobalTensor<T>,
    #[shape(a0.., a1, a2)] y0: &mut GlobalTensor<T>,
) {
    for (i0, t0) in tiles((each(a0), a2)) {
        let h0 = x0.at(i0, .., t0).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0.amax(a1);
        let v2 = v0 - v1;
        let v3 = v2.exp();
        let v4 = v3.sum(a1);
        let v5 = v3 / v4;
        let h1 = v5.cast::<T>();
        y0.at(i0, .., t0).store(h1);
    
}
