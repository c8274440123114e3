use jumar::prelude::*;
#[kernel]
#[instances(f16, bf16, f32, i32)]
pub fn strided_assign<T: Element>(
    #[shape(n, k)] x: &GlobalTensor<T>,
    start: usize,
    step: usize,
    #[shape(n, m)] #[inplace] y: &mut GlobalTensor<T>,
) {
    require(step >= 1);
    require(start + (k - 1) * step < m);
    for (t0, t1) in tiles((n, k)) {
        let h0 = x.at(t0, t1).load();
        y.at(t0, t1 * step + start).store(h0);
    }
}
