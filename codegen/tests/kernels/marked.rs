/// Rows without negative elements but their first; the number of blocks, sixteen times.
#[kernel]
#[instances(f16, f32)]
pub fn marked<T: Float>(#[shape(n, 64)] x: &GlobalTensor<T>, #[shape(n, 64)] y: &mut GlobalTensor<T>, #[shape(16)] blocks: &mut GlobalTensor<i32>) {
    let here = workspace::<i32>(get_block_num() * 16);
    let share = split(n).block_dim(2);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 2, 64 * size_of::<T>());
    pipe.init_buffer(&mut out_y, 2, 64 * size_of::<T>());
    for i in 0..share.len() {
        let at = (share.start() + i) * 64;
        let t = in_x.alloc_tensor::<T>();
        data_copy(&t, x.slice(at, 64));
        in_x.enque(t);
        let t = in_x.deque::<T>();
        let o = out_y.alloc_tensor::<T>();
        vec::relu(&o, &t, 64);
        in_x.free_tensor(t);
        out_y.enque(o);
        let o = out_y.deque::<T>();
        data_copy(y.slice(at, 64), &o);
        out_y.free_tensor(o);
        let first = x.get_value(at);
        y.set_value(at, first);
        y.data_cache_clean_and_invalid(at);
    }
    here.set_value(get_block_idx() * 16, get_block_idx() as i32 + 1);
    here.data_cache_clean_and_invalid(get_block_idx() * 16);
    sync_all();
    let mut most = here.get_value(0);
    for i in 1..get_block_num() {
        let number = here.get_value(i * 16);
        most = most.max(number);
    }
    if get_block_idx() == 0 {
        for i in 0..16 {
            blocks.set_value(i, most);
        }
        blocks.data_cache_clean_and_invalid(0);
    }
}
