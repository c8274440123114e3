/// Elements above a number, packed at the front of each part of a core, and their counts.
#[kernel]
#[instances(f16, f32)]
pub fn kept<T: Float>(#[shape(n)] x: &GlobalTensor<T>, #[inplace] y: &mut GlobalTensor<T>, #[shape(parts, 8)] counts: &mut GlobalTensor<i32>) {
    require(n == parts * 1000);
    let share = split(parts);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut out_c) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TQue::<VecOut, 1>::new());
    let mut bits = TBuf::<VecCalc>::new();
    pipe.init_buffer(&mut in_x, 1, 1024 * size_of::<T>());
    pipe.init_buffer(&mut out_y, 1, 1024 * size_of::<T>());
    pipe.init_buffer(&mut out_c, 1, 32);
    pipe.init_buffer(&mut bits, 1, 128);
    let mask = bits.get::<u8>();
    for i in 0..share.len() {
        let at = (share.start() + i) * 1000;
        let t = in_x.alloc_tensor::<T>();
        data_copy_pad(&t, x.slice(at, 1000));
        in_x.enque(t);
        let t = in_x.deque::<T>();
        vec::gts(&mask, &t, 0.25, 1000);
        let o = out_y.alloc_tensor::<T>();
        let found = vec::gather_bits(&o, &t, &mask, 1000);
        in_x.free_tensor(t);
        out_y.enque(o);
        let o = out_y.deque::<T>();
        if found > 0 {
            data_copy_pad(y.slice(at, found), &o);
        }
        out_y.free_tensor(o);
        let c = out_c.alloc_tensor::<i32>();
        vec::duplicate(&c, found as i32, 8);
        out_c.enque(c);
        let c = out_c.deque::<i32>();
        data_copy_pad(counts.slice((share.start() + i) * 8, 8), &c);
        out_c.free_tensor(c);
    }
}
