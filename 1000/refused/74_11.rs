#[kernels]
mod kernels {
    use jumar::prelude::*;
    pub enum E0 { None, Sum }
    #[kernel]
    pub fn squared(
        #[shape(a0, a1)] x0: &GlobalTensor<f32>,
        #[shape(a0, a1)] x1: &GlobalTensor<f32>,
        e0: E0,
        #[shape(a2 = if e0 == E0::None { a0 } else { 1 })] y0: &mut GlobalTensor<f32>,
    ) {
        let a3 = new_axis(1);
        if e0 == E0::None {
            for t0 in tiles(a0) {
                let v0 = x0.at(t0, ..).load();
                let v1 = x1.at(t0, ..).load();
                let v2 = v0 - v1;
                let v3 = v2 * v2;
                let v4 = v3.sum(a1);
                y0.at(t0 + 0).store(v4);
            }
        } else {
            let mut c0 = across_cores::<f32>((), 0.0);
            for t0 in tiles(a0) {
                let v0 = x0.at(t0, ..).load();
                let v1 = x1.at(t0, ..).load();
                let v2 = v0 - v1;
                let v3 = v2 * v2;
                let v4 = v3.sum(a1);
                let v5 = v4.sum(t0);
                c0 = c0 + v5;
            }
            y0.at(0).store(c0);
        }
    }
}
