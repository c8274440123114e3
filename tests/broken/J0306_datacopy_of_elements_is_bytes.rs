use jumar::prelude::*;

#[kernel]
#[instances(f16)]
fn k<T: Float>(#[shape(64)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    let mut pipe = TPipe::new();
    let mut q = TQue::<VecOut, 1>::new();
    pipe.init_buffer(&mut q, 1, 256);
    let t = q.alloc_tensor::<T>();
    q.enque(t);
    let t = q.deque::<T>();
    data_copy(y.slice(0, 8), &t);
    q.free_tensor(t);
}
