#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn top_k_v3(
        #[shape(a.., m @ dim, b..)] x: &GlobalTensor<f16>,
        #[shape(a.., k, b..)] values: &mut GlobalTensor<f16>,
        #[shape(a.., k, b..)] indices: &mut GlobalTensor<i32>,
        k: usize,
        dim: i32,
        largest: bool,
    ) {
        require(k <= m);
        let sign = if largest { 1.0 } else { -1.0 };
        let (mut rows, mut best) = (workspace::<f16>((a, b, m)), workspace::<f16>((a, b, k)));
        let mut places = workspace::<i32>((a, b, k));
        for (i, t, j) in tiles((each(a), b, m)) {
            rows.at(i, t, j).store(x.at(i, j, t).load() * sign);
        }
        for (i, t) in tiles((a, b)) {
            let (v, at) = rows.at(i, t, ..).load().topk(m, k);
            best.at(i, t, ..).store(v * sign);
            places.at(i, t, ..).store(at);
        }
        for (i, j, t) in tiles((each(a), k, b)) {
            values.at(i, j, t).store(best.at(i, t, j).load());
            indices.at(i, j, t).store(places.at(i, t, j).load());
        }
    }
}
