use jumar::prelude::*;
pub fn op_foreach_norm<T: Float>(
    #[shape(a0..)] xs0: &[GlobalTensor<T>],
    #[default(2.0)] s0: f32,
    #[shape()] ys0: &mut [GlobalTensor<T>],
) {
    for (x0, y0) in zip((xs0, ys0)) {
        let a1 = new_axis(1);
        let a2 = new_axis(1);
        let a3 = new_axis(1);
        if s0 == f32::INFINITY {
            let mut c0 = across_cores::<f32>((), 0.0);
            for t0 in tiles(a0) {
                let h0 = x0.at(t0).load();
                let v0 = h0.cast::<f32>();
                let v1 = v0.abs();
                let v2 = v1.amax(t0);
                c0 = c0.max(v2);
            }
            let h0 = c0.cast::<T>();
            y0.at().store(h0);
        } else {
            let mut c0 = across_cores::<f32>((), 0.0);
            for t0 in tiles(a0) {
                let h0 = x0.at(t0).load();
                let v0 = h0.cast::<f32>();
                let mut c1 = full::<f32>(t0, 0.0);
                if s0 == 2.0 {
                    c1 = v0 * v0;
                } else {
                    let v1 = v0.abs();
                    let v2 = full::<f32>(t0, s0);
                    let v3 = v1.pow(v2);
                    c1 = v3;
                }
                let v1 = c1.sum(t0);
                c0 = c0 + v1;
            }
            if s0 == 2.0 {
                let v0 = c0.sqrt();
                let h0 = v0.cast::<T>();
                y0.at().store(h0);
            } else {
                let s1 = 1.0 / s0;
                let v0 = full::<f32>((), s1);
                let v1 = c0.pow(v0);
                let h0 = v1.cast::<T>();
                y0.at().store(h0);
            }
        }
    }
}
