use jumar::prelude::*;
#[kernel]
pub fn op_bags<T: Float>(
    #[shape(a0, a1)] #[index(a2)] x0: &GlobalTensor<i32>,
    #[shape(a2, a3)] x1: &GlobalTensor<T>,
    #[shape(a0, a3)] y0: &mut GlobalTensor<T>,
) {
    for t0 in tiles(a0) {
        let k0 = x0.at(t0, ..).load();
        let h0 = x1.at(k0, ..).load();
        let v999 = h0.cast::<f32>();
        let v1 = v0.mean(a1);
        let h1 = v1.cast::<T>();
        y0.at(t0, ..).store(h1);
    }
}
