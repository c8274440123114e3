use jumar::prelude::*;
#[kernel]
pub fn op_embedding_backward<T: Float>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    #[shape(a0)] #[index(n0)] x1: &GlobalTensor<i64>,
    j0: i32,
    n0: usize,
    #[shape(n0, a1)] y0: &mut GlobalTensor<f32>,
) {
    for (t0, t1) in tiles((a0, a1)) {
        let hl0 = x1.at(t0).load();
        let m0 = hl0.eq(j0);
        let h0 = x0.at(t0, t1).load();
        let v0 = h0.cast::<f32>();
        let v1 = full::<f32>(t0, 0.0);
        let v2 = m0.select(v1, v0);
        y0.at(hl0, t1).atomic_add(v2);
    
}
