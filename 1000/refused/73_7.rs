#[kernels]
mod kernels {
    use jumar::prelude::*;
    pub enum E0 { Absolute, Squared }
    #[kernel]
    pub fn op_loss<T: Float>(
        #[shape(a0)] x0: &GlobalTensor<T>,
        #[shape(a0)] x1: &GlobalTensor<T>,
        #[shape(a0)] y0: &mut GlobalTensor<f32>,
        e0: E0,
    ) {
        while t0 in tiles(a0) {
            let h0 = x0.at(t0).load();
            let v0 = h0.cast::<f32>();
            let h1 = x1.at(t0).load();
            let v1 = h1.cast::<f32>();
            let v2 = v0 - v1;
            let mut c0 = full::<f32>(t0, 0.0);
            if e0 == E0::Absolute {
                c0 = v2.abs();
            } else {
                c0 = v2 * v2;
            }
            y0.at(t0).store(c0);
        }
    }
}
