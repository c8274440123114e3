#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f32, i32)]
    pub fn expand_batch_to_tokens<T: Number>(
        #[shape(b)] x: &GlobalTensor<T>,
        #[shape(b)] ends: &GlobalTensor<i32>,
        #[shape(n)] y: &mut GlobalTensor<T>,
    ) {
        for i in each(b) {
            let lo = ends.at(i - 1).load_or(0).scalar() as usize;
            let hi = ends.at(i).load().scalar() as usize;
            assume(lo >= 0 && hi <= n);
            for t in tiles(lo..hi) {
                y.at(t).store_disjoint(x.at(i).load().expand(t));
            }
        }
    }
}
