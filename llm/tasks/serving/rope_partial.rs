#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn rope_partial<T: Float>(
        #[shape(n, h, d)] x: &GlobalTensor<T>,
        #[shape(n, m)] cos: &GlobalTensor<T>,
        #[shape(n, m)] sin: &GlobalTensor<T>,
        #[shape(n, h, d)] y: &mut GlobalTensor<T>,
    ) {
        require(2 * m <= d);
        let rest = new_axis(2 * m..d);
        for (r, j) in tiles((n, h)) {
            let (c, s) = (cos.at(r, ..).load().wide(), sin.at(r, ..).load().wide());
            let (a, b) = (x.at(r, j, m.indices()).load().wide(), x.at(r, j, m.indices() + m).load().wide());
            y.at(r, j, m.indices()).store((a * c - b * s).cast::<T>());
            y.at(r, j, m.indices() + m).store((b * c + a * s).cast::<T>());
            if 2 * m < d {
                y.at(r, j, rest).store(x.at(r, j, rest).load());
            }
        }
    }
}
