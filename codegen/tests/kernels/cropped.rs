/// Magnitudes of 20 columns of each row, behind three zeros; their squares onto one; sums.
#[kernel]
pub fn cropped(
    #[shape(n, d)] x: &GlobalTensor<f32>,
    #[shape(n, 20)] y: &mut GlobalTensor<f32>,
    #[inplace]
    #[shape(n, 24)]
    sums: &mut GlobalTensor<f32>,
) {
    require(d >= 20);
    let share = split(n);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut work) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 2, 64 * 32 * size_of::<f32>());
    pipe.init_buffer(&mut out_y, 2, 64 * 24 * size_of::<f32>());
    pipe.init_buffer(&mut work, 1, 64 * 24 * size_of::<f32>());
    let work = work.get::<f32>();
    let bits = work.reinterpret_cast::<i32>();
    for i in 0..share.len().div_ceil(64) {
        let (at, r) = (share.start() + i * 64, 64.min(share.len() - i * 64));
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local.rows(32), x.slice(at * d, 20).rows(r, d).pad(3, 0.0));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        vec::adds(&work.blocks(1, 3), &x_local.blocks(1, 4), 0.0, lanes(24).repeats(r));
        in_x.free_tensor(x_local);
        vec::shift_left(&bits, &bits, 1, r * 24);
        vec::shift_right(&bits, &bits, 1, r * 24);
        let y_local = out_y.alloc_tensor::<f32>();
        vec::duplicate(&y_local, 1.0, r * 24);
        vec::axpy(&y_local.blocks(1, 3), &work.blocks(1, 3), 0.0, lanes(24).repeats(r));
        vec::mul_add_dst(&y_local, &work, &work, r * 24);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at * 20, 20).rows(r, 20), &y_local.rows(24));
        atomic_add(sums.slice(at * 24, 24).rows(r, 24), &y_local);
        out_y.free_tensor(y_local);
    }
}
