use jumar::prelude::*;

#[kernel]
fn k(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut a, mut b) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut a, 1, 256);
    pipe.init_buffer(&mut b, 1, 256);
    let t = a.alloc_tensor::<f32>();
    data_copy(&t, x.slice(0, 64));
    a.enque(t);
    let t = a.deque::<f32>();
    let u = b.alloc_tensor::<f32>();
    vec::relu(&u, &t, 64);
    a.free_tensor(t);
    b.enque(u);
    let u = b.deque::<f32>();
    atomic_add(y.slice(0, 64), &u);
    b.free_tensor(u);
}
