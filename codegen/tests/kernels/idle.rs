//! Unused parts: a share, a solved tile, a number that may not exist, and an unread tensor.

#[kernel]
pub fn idle(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, k: usize) {
    let unused = split(n / 2).unit(16);
    let share = split(n).unit(8);
    let tile = fit_tile(8);
    let half = tile / 2;
    let quotient = n / k;
    let mut pipe = TPipe::new();
    let mut out = TQue::<VecOut, 1>::new();
    pipe.init_buffer(&mut out, 2, 256);
    for i in 0..share.len().div_ceil(64) {
        let spare = i * 3;
        let t = out.alloc_tensor::<f32>();
        let m = (share.len() - i * 64).min(64);
        vec::duplicate(&t, 1.0, m);
        out.enque(t);
        let t = out.deque::<f32>();
        data_copy_pad(y.slice(share.start() + i * 64, m), &t);
        out.free_tensor(t);
    }
}
