use jumar::prelude::*;
#[kernel]
#[instances(f16, bf16, f32, i32)]
pub fn op_strided_assign<T: Element>(
    #[shape(a0, a1)] x0: &GlobalTensor<T>,
    n0: usize,
    n1: usize,
    #[shape(a0, a2)] #[inplace] y0: &mut GlobalTensor<T>,
) {
    require(n1 >= 1);
    require(n0 +  (a1 - 1) * n1 < a2);
    for (t0, t1) in tiles((a0, a1)) {
        let h0 = x0.at(t0, t1).load();
        y0.at(t0, t1 * n1 + n0).store(h0);
    }
}
