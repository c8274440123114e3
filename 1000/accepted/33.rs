use jumar::prelude::*;
#[kernel]
pub fn op_token_bin_counts(
    #[shape(a0, a1)] x0: &GlobalTensor<i64>,
    n0: usize,
    #[shape(a0, n0)] y0: &mut GlobalTensor<i32>,
) {
    require(n0 >= 1);
    require(n0 <= 2147483647);
    for (i0, t0) in tiles((each(a0), a1)) {
        let hl0 = x0.at(i0, t0).load();
        let k0 = hl0.cast::<i32>();
        let m0 = k0.ge(0);
        let n1 = n0 - 1;
        let j0 = n1 as i32;
        let m1 = k0.le(j0);
        let m2 = m0 & m1;
        let k1 = k0.max(0);
        let n2 = n0 - 1;
        let j1 = n2 as i32;
        let k2 = k1.min(j1);
        let k3 = full::<i32>(t0, 1);
        let k4 = m2.select(k3, 0);
        y0.at(i0, k2).atomic_add(k4);
    }
}
