#[kernel]
#[instances(f16, f32)]
pub fn add_queue<T: Float>(x: &GlobalTensor<T>, y: &GlobalTensor<T>, z: &mut GlobalTensor<T>) {
    let share = split(x.len()).unit(16);
    let tile_length = fit_tile(128);
    let bytes = tile_length * size_of::<T>();
    let mut pipe = TPipe::new();
    let (mut in_x, mut in_y) = (TQue::<VecIn, 1>::new(), TQue::<VecIn, 1>::new());
    let mut out_z = TQue::<VecOut, 1>::new();
    pipe.init_buffer(&mut in_x, 2, bytes);
    pipe.init_buffer(&mut in_y, 2, bytes);
    pipe.init_buffer(&mut out_z, 2, bytes);
    for i in 0..share.len().div_ceil(tile_length) {
        let n = tile_length.min(share.len() - i * tile_length);
        let at = share.start() + i * tile_length;
        let (x_local, y_local) = (in_x.alloc_tensor::<T>(), in_y.alloc_tensor::<T>());
        data_copy_pad(&x_local, x.slice(at, n));
        data_copy_pad(&y_local, y.slice(at, n));
        in_x.enque(x_local);
        in_y.enque(y_local);
        let (x_local, y_local) = (in_x.deque::<T>(), in_y.deque::<T>());
        let z_local = out_z.alloc_tensor::<T>();
        vec::add(&z_local, &x_local, &y_local, n);
        out_z.enque(z_local);
        in_x.free_tensor(x_local);
        in_y.free_tensor(y_local);
        let z_local = out_z.deque::<T>();
        data_copy_pad(z.slice(at, n), &z_local);
        out_z.free_tensor(z_local);
    }
}
