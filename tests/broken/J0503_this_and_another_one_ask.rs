use jumar::prelude::*;

#[kernel]
#[instances(f16, f32)]
fn k<T: Float>(#[shape(n)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, given: usize) {
    let share = split(x.len()).unit(16);
    let mut pipe = TPipe::new();
    let mut o = TQue::<VecOut, 1>::new();
    pipe.init_buffer(&mut o, 1, 32);
    let s = split(n).block_dim(given);
    let g = given + 1;
    let r = split(n * 2).block_dim(g);
    let t = o.alloc_tensor::<T>();
    o.enque(t);
    let t = o.deque::<T>();
    data_copy(y.slice(share.start(), 0), &t);
    o.free_tensor(t);
}
