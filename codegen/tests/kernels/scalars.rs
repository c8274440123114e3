#[kernel]
pub fn scalars(#[shape(n)] x: &GlobalTensor<f32>, #[shape(2 * n)] y: &mut GlobalTensor<f32>, #[default(4)] most: usize, #[default(false)] negate: bool) {
    let share = split(x.len()).unit(64);
    let mut pipe = TPipe::new();
    let mut in_x = TQue::<VecIn, 1>::new();
    let mut out_y = TQue::<VecOut, 1>::new();
    let mut work = TBuf::<VecCalc>::new();
    let mut bits = TBuf::<VecCalc>::new();
    pipe.init_buffer(&mut in_x, 2, 256);
    pipe.init_buffer(&mut out_y, 1, 512);
    pipe.init_buffer(&mut work, 1, 256);
    pipe.init_buffer(&mut bits, 1, 32);
    let work_local = work.get::<f32>();
    let bits_local = bits.get::<u8>();
    let mut total = 0.0;
    for i in 0..share.len().div_ceil(64) {
        let n1 = (64).min(share.len() - i * 64);
        let at = share.start() + i * 64;
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, n1));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::reduce_sum(&y_local, &x_local, &work_local, n1);
        let sum = y_local.get_value(0);
        total = total + sum;
        vec::gts(&bits_local, &x_local, f32::NEG_INFINITY, n1);
        vec::selects(&y_local, &bits_local, &x_local, total, n1);
        if negate {
            vec::neg(&y_local, &y_local, n1);
        } else {
            vec::muls(&y_local, &y_local, sum.sqrt(), n1);
        }
        y_local.set_value(0, 1.0);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, n1), &y_local);
        out_y.free_tensor(y_local);
    }
}
