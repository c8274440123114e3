/// Gives back what it has read, by way of GM: a block finds in a workspace what it left there.
#[kernel]
#[instances(f16, f32)]
pub fn parked<T: Float>(#[shape(n)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    let share = split(n).unit(16);
    let tile = 2048;
    let halves = workspace::<T>(n);
    let factors = workspace::<f32>(get_block_num() * 8);
    let mut pipe = TPipe::new();
    let (mut in_x, mut in_f) = (TQue::<VecIn, 1>::new(), TQue::<VecIn, 1>::new());
    let (mut out_x, mut out_f) = (TQue::<VecOut, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, tile * size_of::<T>());
    pipe.init_buffer(&mut out_x, 1, tile * size_of::<T>());
    pipe.init_buffer(&mut in_f, 1, 32);
    pipe.init_buffer(&mut out_f, 1, 32);
    let f = out_f.alloc_tensor::<f32>();
    vec::duplicate(&f, 2.0, 8);
    out_f.enque(f);
    let f = out_f.deque::<f32>();
    data_copy_pad(factors.slice(get_block_idx() * 8, 8), &f);
    out_f.free_tensor(f);
    for i in 0..share.len().div_ceil(tile) {
        let at = share.start() + i * tile;
        let len = tile.min(share.len() - i * tile);
        let t = in_x.alloc_tensor::<T>();
        data_copy_pad(&t, x.slice(at, len));
        in_x.enque(t);
        let t = in_x.deque::<T>();
        let o = out_x.alloc_tensor::<T>();
        vec::muls(&o, &t, 0.5, len);
        in_x.free_tensor(t);
        out_x.enque(o);
        let o = out_x.deque::<T>();
        data_copy_pad(halves.slice(at, len), &o);
        out_x.free_tensor(o);
    }
    let f = in_f.alloc_tensor::<f32>();
    data_copy_pad(&f, factors.slice(get_block_idx() * 8, 8));
    in_f.enque(f);
    let f = in_f.deque::<f32>();
    let factor = f.get_value(3);
    in_f.free_tensor(f);
    for i in 0..share.len().div_ceil(tile) {
        let at = share.start() + i * tile;
        let len = tile.min(share.len() - i * tile);
        let t = in_x.alloc_tensor::<T>();
        data_copy_pad(&t, halves.slice(at, len));
        in_x.enque(t);
        let t = in_x.deque::<T>();
        let o = out_x.alloc_tensor::<T>();
        vec::muls(&o, &t, factor, len);
        in_x.free_tensor(t);
        out_x.enque(o);
        let o = out_x.deque::<T>();
        data_copy_pad(y.slice(at, len), &o);
        out_x.free_tensor(o);
    }
}
