#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn gather_v3<T: Element>(
        #[shape(a.., m @ dim, b..)] x: &GlobalTensor<T>,
        #[shape(k)] indices: &GlobalTensor<i64>,
        dim: i32,
        #[shape(a.., k, b..)] y: &mut GlobalTensor<T>,
    ) {
        require(m >= 1);
        for (i, t, p) in tiles((each(a), k, b)) {
            let at = indices.at(t).load().cast::<i32>();
            let at = at.lt(0).select(at + m, at).max(0).min(m - 1);
            y.at(i, t, p).store(x.at(i, at, p).load());
        }
    }
}
