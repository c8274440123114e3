#[kernels]
pub mod answer {
    use jumar::prelude::*;

    /// Of numbers from 1/2 to 1: a series in the logarithm, whose next term is below 2^-35.
    fn near(x: Tile<f32>) -> Tile<f32> {
        let u = -x.ln();
        let w = u * u;
        let odd = ((w * -9.185_773e-8 + 4.724_111_7e-6) * w - 2.777_777_8e-4) * w + 2.777_777_8e-2;
        u - w * 0.25 + u * w * odd
    }

    #[kernel]
    #[instances(f16, f32)]
    pub fn spence<T: Float>(#[shape(n)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
        for t in tiles(x) {
            let v = x.at(t).load().wide();
            let w = v.gt(1.0).select(1.0 / v, v).max(1e-30);
            let small = w.lt(0.5);
            let s = near(small.select(1.0 - w, w));
            let below = small.select(1.644_934_1 - w.ln() * (-w + 1.0).ln() - s, s);
            let l = v.max(1e-30).ln();
            y.at(t).store(v.gt(1.0).select(l * l * -0.5 - below, below).cast::<T>());
        }
    }
}
