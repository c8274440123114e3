#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn rope_interleaved<T: Float>(
        #[shape(n, h, d = 2 * m)] x: &GlobalTensor<T>,
        #[shape(n, m)] cos: &GlobalTensor<f32>,
        #[shape(n, m)] sin: &GlobalTensor<f32>,
        #[shape(n, h, d)] y: &mut GlobalTensor<T>,
    ) {
        let i = d.iota();
        let half = (i >> 1).max(0).min(m as i32 - 1);
        let other = (i ^ 1).max(0).min(d as i32 - 1);
        let sign = (i & 1).cast::<f32>() * 2.0 - 1.0;
        for (r, j) in tiles((n, h)) {
            let c = cos.at(r, ..).load().pick(m, half);
            let s = sin.at(r, ..).load().pick(m, half) * sign;
            let v = x.at(r, j, ..).load();
            y.at(r, j, ..).store((v.wide() * c + v.pick(d, other).wide() * s).cast::<T>());
        }
    }
}
