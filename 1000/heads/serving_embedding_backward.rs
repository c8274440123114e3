use jumar::prelude::*;
#[kernel]
pub fn embedding_backward<T: Float>(
    #[shape(n, d)] dy: &GlobalTensor<T>,
    #[shape(n)] #[index(m)] ids: &GlobalTensor<i64>,
    padding: i32,
    m: usize,
    #[shape(m, d)] dtable: &mut GlobalTensor<f32>,
) {
    for (t0, t1) in tiles((n, d)) {
        let hl0 = ids.at(t0).load();
        let m0 = hl0.eq(padding);
        let h0 = dy.at(t0, t1).load();
        let v0 = h0.cast::<f32>();
        let v1 = full::<f32>(t0, 0.0);
        let v2 = m0.select(v1, v0);
        dtable.at(hl0, t1).atomic_add(v2);
    }
}
