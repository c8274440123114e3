#[kernel]
#[instances(f16, f32)]
pub fn placed<T: Float>(x: &GlobalTensor<T>, y: &GlobalTensor<T>, z: &mut GlobalTensor<T>) {
    let share = split(x.len()).unit(16);
    let tile = 2048;
    let bytes = tile * size_of::<T>();
    set_flag::<V_MTE2>(0);
    set_flag::<V_MTE2>(1);
    set_flag::<MTE3_V>(0);
    set_flag::<MTE3_V>(1);
    for i in 0..share.len().div_ceil(tile) {
        let n = tile.min(share.len() - i * tile);
        let at = share.start() + i * tile;
        let turn = i % 2;
        let x_local = LocalTensor::<T>::new(VecIn, turn * bytes, tile);
        let y_local = LocalTensor::<T>::new(VecIn, (2 + turn) * bytes, tile);
        let z_local = LocalTensor::<T>::new(VecOut, (4 + turn) * bytes, tile);

        wait_flag::<V_MTE2>(turn);
        data_copy_pad(&x_local, x.slice(at, n));
        data_copy_pad(&y_local, y.slice(at, n));
        set_flag::<MTE2_V>(turn);

        wait_flag::<MTE2_V>(turn);
        wait_flag::<MTE3_V>(turn);
        vec::add(&z_local, &x_local, &y_local, n);
        set_flag::<V_MTE2>(turn);
        set_flag::<V_MTE3>(turn);

        wait_flag::<V_MTE3>(turn);
        data_copy_pad(z.slice(at, n), &z_local);
        set_flag::<MTE3_V>(turn);
    }
    wait_flag::<V_MTE2>(0);
    wait_flag::<V_MTE2>(1);
    wait_flag::<MTE3_V>(0);
    wait_flag::<MTE3_V>(1);
}
