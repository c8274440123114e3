use jumar::prelude::*;
#[kernel]
#[instances(f32, i32)]
pub fn op_expand_batch_to_tokens<T: Number>(
    #[shape(a0)] x0: &GlobalTensor<T>,
    #[shape(a0)] x1: &GlobalTensor<i32>,
    #[shape(a1)] y0: &mut GlobalTensor<T>,
) {
    for i0 in each(a0) {
        let k0 = x1.at(i0 - 1).load_or(0);
        let j0 = k0.scalar();
        let n0 = j0 as usize;
        let k1 = x1.at(i0).load();
        let j1 = k1.scalar();
        let n1 = j1 as usize;
        assume(n0 >= 0 && n1 <= a1);
        for t0 in row_tiles(n0..n1) {
            let h0 = x0.at(i0).load();
            let h1 = h0.expand(t0);
            y0.at(t0).store_disjoint(h1);
        }
    }
}
