use jumar::prelude::*;
#[kernel]
#[instances(f32, i32)]
pub fn expand_batch_to_tokens<T: Number>(
    #[shape(b)] x: &GlobalTensor<T>,
    #[shape(b)] ends: &GlobalTensor<i32>,
    #[shape(n)] y: &mut GlobalTensor<T>,
) {
    for i0 in each(b) {
        let k0 = ends.at(i0 - 1).load_or(0);
        let j0 = k0.scalar();
        let n0 = j0 as usize;
        let k1 = ends.at(i0).load();
        let j1 = k1.scalar();
        let n1 = j1 as usize;
        assume(n0 >= 0 && n1 <= n);
        for t0 in tiles(n0..n1) {
            let h0 = x.at(i0).load();
            let h1 = h0.expand(t0);
            y.at(t0).store_disjoint(h1);
        }
    }
}
