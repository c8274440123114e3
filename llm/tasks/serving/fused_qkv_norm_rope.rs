#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn fused_qkv_norm_rope<T: Float>(
        #[shape(n, hq + 2 * hk, d)] qkv: &GlobalTensor<T>,
        #[shape(d)] q_weight: &GlobalTensor<T>,
        #[shape(d)] k_weight: &GlobalTensor<T>,
        #[shape(n)]
        #[index(p)]
        positions: &GlobalTensor<i64>,
        #[shape(p, d)] cos_sin_cache: &GlobalTensor<T>,
        #[shape(n, hq, d)] q: &mut GlobalTensor<T>,
        #[shape(n, hk, d)] k: &mut GlobalTensor<T>,
        #[shape(n, hk, d)] v: &mut GlobalTensor<T>,
        epsilon: f32,
    ) {
        require(d % 2 == 0);
        let m = new_axis(d / 2);
        let (low, high) = (m.indices(), m.indices() + d / 2);
        for (r, j) in tiles((n, hq)) {
            let turn = cos_sin_cache.at(positions.at(r).load(), ..).load().wide();
            let x = qkv.at(r, j + 0, ..).load().wide();
            let u = x * (1.0 / ((x * x).mean(d) + epsilon).sqrt()) * q_weight.at(..).load().wide();
            let (a, b, c, s) = (u.pick(d, low), u.pick(d, high), turn.pick(d, low), turn.pick(d, high));
            q.at(r, j, low).store((a * c - b * s).cast::<T>());
            q.at(r, j, high).store((b * c + a * s).cast::<T>());
        }
        for (r, j) in tiles((n, hk)) {
            let turn = cos_sin_cache.at(positions.at(r).load(), ..).load().wide();
            let x = qkv.at(r, j + hq, ..).load().wide();
            let u = x * (1.0 / ((x * x).mean(d) + epsilon).sqrt()) * k_weight.at(..).load().wide();
            let (a, b, c, s) = (u.pick(d, low), u.pick(d, high), turn.pick(d, low), turn.pick(d, high));
            k.at(r, j, low).store((a * c - b * s).cast::<T>());
            k.at(r, j, high).store((b * c + a * s).cast::<T>());
            v.at(r, j, ..).store(qkv.at(r, j + hq + hk, ..).load());
        }
    }
}
