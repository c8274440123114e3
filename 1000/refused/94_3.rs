use jumar::prelude::*;
#[kernel]
pub fn op_column_sums(
    #[shape(a0, a1)] x0: &GlobalTensor<f32>,
    #[shape(a1)] y0: &mut GlobalTensor<f32>,
) {
    for t0 in tiles(a1) {
        let mut c0 = full::<f32>(t0, 0.0);
        for t1 in tiles(a0) {
            let v0 = x0.at(t1, t0).load();
            let v1 = v0.sum(t1);
            c0 = c0 +  v1;
        }
        y0.at(t0).store(c0);
    }
}
