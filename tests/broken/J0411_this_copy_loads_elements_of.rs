use jumar::prelude::*;

#[kernel]
fn k(
    #[shape(4096)]
    #[inplace]
    y: &mut GlobalTensor<f32>,
) {
    let mut pipe = TPipe::new();
    let (mut a, mut b) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut a, 2, 256);
    pipe.init_buffer(&mut b, 2, 256);
    for i in 0..32 {
        let t = a.alloc_tensor::<f32>();
        data_copy_pad(&t, y.slice(i * 60, 64));
        a.enque(t);
        let t = a.deque::<f32>();
        let r = b.alloc_tensor::<f32>();
        vec::relu(&r, &t, 64);
        a.free_tensor(t);
        b.enque(r);
        let r = b.deque::<f32>();
        data_copy_pad(y.slice(i * 60, 64), &r);
        b.free_tensor(r);
    }
}
