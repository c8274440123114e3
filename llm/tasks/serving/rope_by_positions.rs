#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn rope_by_positions<T: Float>(
        #[shape(n)]
        #[index(p)]
        positions: &GlobalTensor<i64>,
        #[shape(p, d)] cos_sin_cache: &GlobalTensor<T>,
        #[inplace]
        #[shape(n, h, d)]
        q: &mut GlobalTensor<T>,
        #[inplace]
        #[shape(n, g, d)]
        k: &mut GlobalTensor<T>,
    ) {
        require(d % 2 == 0);
        let m = new_axis(d / 2);
        let (low, high) = (m.indices(), m.indices() + d / 2);
        for r in tiles(n) {
            let turn = cos_sin_cache.at(positions.at(r).load(), ..).load().wide();
            let (c, s) = (turn.pick(d, low), turn.pick(d, high));
            for j in tiles(h) {
                let (a, b) = (q.at(r, j, low).load().wide(), q.at(r, j, high).load().wide());
                q.at(r, j, low).store((a * c - b * s).cast::<T>());
                q.at(r, j, high).store((b * c + a * s).cast::<T>());
            }
            for j in tiles(g) {
                let (a, b) = (k.at(r, j, low).load().wide(), k.at(r, j, high).load().wide());
                k.at(r, j, low).store((a * c - b * s).cast::<T>());
                k.at(r, j, high).store((b * c + a * s).cast::<T>());
            }
        }
    }
}
