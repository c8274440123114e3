#[kernel]
#[instances(f16, f32)]
pub fn strided<T: Float>(#[shape(4096)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(4)] repeats: usize) {
    require(repeats <= 4);
    let share = split(x.len()).unit(1024);
    let mut pipe = TPipe::new();
    let mut in_x = TQue::<VecIn, 1>::new();
    let mut out_y = TQue::<VecOut, 1>::new();
    let mut part_buf = TBuf::<VecCalc>::new();
    pipe.init_buffer(&mut in_x, 2, 1024 * size_of::<T>());
    pipe.init_buffer(&mut out_y, 2, 1024 * size_of::<T>());
    pipe.init_buffer(&mut part_buf, 1, 1024 * size_of::<T>());
    let mut offsets_buf = TBuf::<VecCalc>::new();
    pipe.init_buffer(&mut offsets_buf, 1, 1024);
    for i in 0..share.len() / 1024 {
        let at = share.start() + i * 1024;
        let x_local = in_x.alloc_tensor::<T>();
        data_copy(&x_local, x.slice(at, 1024));
        in_x.enque(x_local);
        let x_local = in_x.deque::<T>();
        let y_local = out_y.alloc_tensor::<T>();
        let part = part_buf.get::<T>();

        // Counter mode, which two calls share.
        vec::duplicate(&y_local, 0.0, counter(1024));
        vec::duplicate(&part, 0.0, counter(1024));
        // Every other data block, with gaps and without.
        vec::adds(&y_local, &x_local.blocks(2, 16), 1.0, lanes(64).repeats(repeats));
        vec::add(&y_local.blocks(2, 16), &x_local.blocks(2, 16), &x_local.blocks(0, 1), counter(256));
        vec::exp(&y_local.at(512), &x_local.at(512), bits(0xf0f0_f0f0_f0f0_f0f0, 0).repeats(1));
        let edges = lanes(0..3).of(8).groups(8).repeats(repeats);
        vec::copy(&y_local, &x_local, edges);
        vec::mul(&y_local, &y_local, &x_local, edges);

        vec::block_reduce_max(&part, &x_local, lanes(0..5).of(8).groups(repeats).repeats(4));
        vec::pair_reduce_sum(&part.at(256).results(2), &x_local, lanes(64).repeats(2));
        vec::whole_reduce_sum(&part.at(768).results(3), &x_local.blocks(1, 4), lanes(32).repeats(repeats));
        vec::whole_reduce_min(&part.at(800), &x_local, bits(0xff, 0).repeats(2));
        vec::repeat_reduce_sum(&part.at(816), &x_local, lanes(64).repeats(4));
        vec::whole_reduce_max(&part.at(832), &x_local, counter(1000));
        vec::create_vec_index(&part.at(896), 0.5, 100);
        vec::create_vec_index(&part.at(768), i as f32, 4 * repeats);
        let offsets = offsets_buf.get::<i32>();
        vec::create_vec_index(&offsets, 0, 256);
        vec::muls(&offsets, &offsets, 4, 256);
        vec::gather(&part.at(64), &x_local.at(512), &offsets.at(64), 0, 64);
        vec::gather(&part.at(128), &x_local, &offsets, 4 * repeats, 2 * repeats);
        vec::muls(&offsets, &offsets, 8, 64);
        vec::gatherb(&part.at(512).blocks(1, 2 * repeats), &x_local, &offsets.at(8), 16);
        vec::brcb(&y_local.blocks(2, 16), &part, 16);
        vec::add(&y_local.at(512), &y_local.at(512), &part.at(512), 512);

        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<T>();
        data_copy(y.slice(at, 1024), &y_local);
        out_y.free_tensor(y_local);
    }
}
