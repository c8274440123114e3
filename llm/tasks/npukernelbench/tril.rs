#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, f32)]
    pub fn tril<T: Float>(#[shape(n.., h, w)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, diagonal: i32) {
        for (i, r, t) in tiles((each(n), h, w)) {
            let keep = t.iota().expand(r).le(r.iota() + diagonal);
            y.at(i, r, t).store(keep.select(x.at(i, r, t).load(), 0.0));
        }
    }
}
