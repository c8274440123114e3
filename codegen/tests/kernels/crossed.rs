/// `y` is `x` and twice `x` from its end on, for which cores wait for one another.
#[kernel]
pub fn crossed(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    let n = x.len();
    let share = split(n).unit(8);
    let twice = workspace::<f32>(n);
    let tile = 512;
    let (local, other) = (LocalTensor::<f32>::new(VecCalc, 0, tile), LocalTensor::<f32>::new(VecCalc, 2048, tile));
    for i in 0..share.len().div_ceil(tile) {
        let (at, m) = (share.start() + i * tile, tile.min(share.len() - i * tile));
        data_copy_pad(&local, x.slice(at, m));
        set_flag::<MTE2_V>(0);
        wait_flag::<MTE2_V>(0);
        vec::muls(&local, &local, 2.0, m);
        set_flag::<V_MTE3>(0);
        wait_flag::<V_MTE3>(0);
        data_copy_pad(twice.slice(at, m), &local);
        set_flag::<MTE3_MTE2>(0);
        wait_flag::<MTE3_MTE2>(0);
    }
    cross_core_set_flag::<0, PIPE_MTE3>(3);
    for i in 0..2 {
        cross_core_set_flag::<0, PIPE_MTE2>(4 + i);
    }
    cross_core_wait_flag(3);
    for i in 0..share.len().div_ceil(tile) {
        let (at, m) = (share.start() + i * tile, tile.min(share.len() - i * tile));
        data_copy_pad(&local, x.slice(at, m));
        data_copy_pad(&other, twice.slice(n - at - m, m));
        set_flag::<MTE2_V>(0);
        wait_flag::<MTE2_V>(0);
        vec::add(&local, &local, &other, m);
        set_flag::<V_MTE3>(0);
        wait_flag::<V_MTE3>(0);
        data_copy_pad(y.slice(at, m), &local);
        set_flag::<MTE3_MTE2>(0);
        wait_flag::<MTE3_MTE2>(0);
    }
    for i in 0..2 {
        cross_core_wait_flag(4 + i);
    }
}
