#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn swiglu_backward<T: Float>(
        #[shape(n, d)] dy: &GlobalTensor<T>,
        #[shape(n, 2 * d)] x: &GlobalTensor<T>,
        #[shape(n, 2 * d)] dx: &mut GlobalTensor<T>,
    ) {
        for (r, t) in tiles((n, d)) {
            let g = dy.at(r, t).load().wide();
            let (gate, up) = (x.at(r, t + 0).load().wide(), x.at(r, t + d).load().wide());
            let s = gate.sigmoid();
            dx.at(r, t + 0).store((g * up * s * (1.0 + gate * (1.0 - s))).cast::<T>());
            dx.at(r, t + d).store((g * gate * s).cast::<T>());
        }
    }
}
