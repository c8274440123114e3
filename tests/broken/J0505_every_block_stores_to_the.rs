use jumar::prelude::*;

#[kernel]
fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(8)] y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(8);
    let mut pipe = TPipe::new();
    let mut q = TQue::<VecOut, 1>::new();
    pipe.init_buffer(&mut q, 1, 256);
    let t = q.alloc_tensor::<f32>();
    q.enque(t);
    let t = q.deque::<f32>();
    data_copy_pad(y.slice(0, 8), &t);
    q.free_tensor(t);
}
