#[kernel]
pub fn flagged(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, k: f32) {
    let share = split(n).unit(128);
    let mut pipe = TPipe::new();
    let mut out_y = TQue::<VecOut, 1>::new();
    let mut x_buf = TBuf::<VecCalc>::new();
    pipe.init_buffer(&mut out_y, 2, 4096);
    pipe.init_buffer(&mut x_buf, 1, 8192);
    let both = x_buf.get::<f32>();
    set_flag::<V_MTE2>(0);
    set_flag::<V_MTE2>(1);
    for i in 0..share.len().div_ceil(1024) {
        let at = share.start() + i * 1024;
        let m = (share.len() - i * 1024).min(1024);
        let x_local = both.at(i % 2 * 1024);
        wait_flag::<V_MTE2>(i % 2);
        data_copy_pad(&x_local, x.slice(at, m));
        set_flag::<MTE2_V>(i % 2);
        let y_local = out_y.alloc_tensor::<f32>();
        wait_flag::<MTE2_V>(i % 2);
        vec::muls(&y_local, &x_local, k, m);
        set_flag::<V_MTE2>(i % 2);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, m), &y_local);
        out_y.free_tensor(y_local);
    }
    wait_flag::<V_MTE2>(0);
    wait_flag::<V_MTE2>(1);
}
