use jumar::prelude::*;
#[kernel]
pub fn token_bin_counts(
    #[shape(n, m)] tokens: &GlobalTensor<i64>,
    v: usize,
    #[shape(n, v)] counts: &mut GlobalTensor<i32>,
) {
    require(v >= 1);
    require(v <= 2147483647);
    for (i0, t0) in tiles((each(n), m)) {
        let hl0 = tokens.at(i0, t0).load();
        let k0 = hl0.cast::<i32>();
        let m0 = k0.ge(0);
        let n0 = v - 1;
        let j0 = n0 as i32;
        let m1 = k0.le(j0);
        let m2 = m0 & m1;
        let k1 = k0.max(0);
        let n1 = v - 1;
        let j1 = n1 as i32;
        let k2 = k1.min(j1);
        let k3 = full::<i32>(t0, 1);
        let k4 = m2.select(k3, 0);
        counts.at(i0, k2).atomic_add(k4);
    }
}
