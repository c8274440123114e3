#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn swiglu_quant_grouped<T: Float>(
        #[shape(n, 2 * d)] x: &GlobalTensor<T>,
        #[shape(e, d)] smooth: &GlobalTensor<f32>,
        #[shape(e)] ends: &GlobalTensor<i64>,
        #[shape(n, d)] y: &mut GlobalTensor<i8>,
        #[shape(n)] scale: &mut GlobalTensor<f32>,
    ) {
        require(e >= 1);
        let mut lo = 0;
        for i in 0..e {
            let hi = ends.at(i).load().scalar();
            assume(0 <= lo && lo <= hi && hi <= n);
            for r in tiles(lo..hi) {
                let gate = x.at(r, d.indices()).load().wide();
                let up = x.at(r, d.indices() + d).load().wide();
                let v = gate / (1.0 + (-gate).exp()) * up * smooth.at(i, ..).load();
                let top = v.abs().amax(d);
                scale.at(r).store_disjoint(top / 127.0);
                y.at(r, ..).store_disjoint((v * (127.0 / top)).cast::<i8>());
            }
            lo = hi;
        }
    }
}
