#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn rope_neox<T: Float>(
        #[inplace]
        #[shape(n, h, 2 * m)]
        q: &mut GlobalTensor<T>,
        #[inplace]
        #[shape(n, g, 2 * m)]
        k: &mut GlobalTensor<T>,
        #[shape(n, m)] cos: &GlobalTensor<T>,
        #[shape(n, m)] sin: &GlobalTensor<T>,
    ) {
        for (r, j) in tiles((n, h)) {
            let (c, s) = (cos.at(r, ..).load().wide(), sin.at(r, ..).load().wide());
            let (a, b) = (q.at(r, j, m.indices()).load().wide(), q.at(r, j, m.indices() + m).load().wide());
            q.at(r, j, m.indices()).store((a * c - b * s).cast::<T>());
            q.at(r, j, m.indices() + m).store((b * c + a * s).cast::<T>());
        }
        for (r, j) in tiles((n, g)) {
            let (c, s) = (cos.at(r, ..).load().wide(), sin.at(r, ..).load().wide());
            let (a, b) = (k.at(r, j, m.indices()).load().wide(), k.at(r, j, m.indices() + m).load().wide());
            k.at(r, j, m.indices()).store((a * c - b * s).cast::<T>());
            k.at(r, j, m.indices() + m).store((b * c + a * s).cast::<T>());
        }
    }
}
