/// Each 256 numbers in falling order, as pairs with their places.
#[kernel]
#[instances(f16, f32)]
pub fn merged<T: Float>(#[shape(parts, 256)] x: &GlobalTensor<T>, #[shape(parts, 256)] y: &mut GlobalTensor<T>, #[shape(parts, 256)] at: &mut GlobalTensor<i32>) {
    let share = split(parts);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut out_at) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TQue::<VecOut, 1>::new());
    let (mut places, mut lists, mut fours) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 1, 256 * size_of::<T>());
    pipe.init_buffer(&mut out_y, 1, 256 * size_of::<T>());
    pipe.init_buffer(&mut out_at, 1, 1024);
    pipe.init_buffer(&mut places, 1, 1024);
    pipe.init_buffer(&mut lists, 1, 2048);
    pipe.init_buffer(&mut fours, 1, 2048);
    let p = places.get::<i32>();
    vec::create_vec_index(&p, 0, 256);
    for i in 0..share.len() {
        let from = (share.start() + i) * 256;
        let t = in_x.alloc_tensor::<T>();
        data_copy(&t, x.slice(from, 256));
        in_x.enque(t);
        let t = in_x.deque::<T>();
        let (sorted, merged) = (lists.get::<T>(), fours.get::<T>());
        vec::sort32(&sorted, &t, &p, 256);
        in_x.free_tensor(t);
        vec::mrg_sort_fours(&merged, &sorted, 32, 2);
        let half = 1024 / size_of::<T>();
        vec::mrg_sort2(&sorted, &merged, &merged.at(half), 128, 128);
        let (o, a) = (out_y.alloc_tensor::<T>(), out_at.alloc_tensor::<i32>());
        let pairs = sorted.reinterpret_cast::<i32>();
        vec::gather_mask(&a, &pairs, 2, 512);
        // Elements of f16 are the first of each four, of f32 of each two.
        vec::gather_mask(&o, &sorted, 5 - size_of::<T>(), 2048 / size_of::<T>());
        out_y.enque(o);
        out_at.enque(a);
        let (o, a) = (out_y.deque::<T>(), out_at.deque::<i32>());
        data_copy(y.slice(from, 256), &o);
        data_copy(at.slice(from, 256), &a);
        out_y.free_tensor(o);
        out_at.free_tensor(a);
    }
}
