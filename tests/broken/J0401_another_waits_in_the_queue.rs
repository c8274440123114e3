use jumar::prelude::*;

/// What `deque` would give is the tensor that was enqueued first.
#[kernel]
pub fn constant(#[shape(8)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let mut out = TQue::<VecOut, 1>::new();
    pipe.init_buffer(&mut out, 1, 32);
    let t = out.deque::<f32>();
    vec::duplicate(&t, 1.0, 8);
    out.enque(t);
    let t = out.alloc_tensor::<f32>();
    data_copy(y.slice(0, 8), &t);
    out.free_tensor(t);
}
