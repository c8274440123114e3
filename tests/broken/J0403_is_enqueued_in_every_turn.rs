use jumar::prelude::*;

#[kernel]
fn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, flag: bool, turns: usize) {
    let share = split(x.len()).unit(8);
    let (at, len) = (share.start(), share.len().min(2048));
    let mut pipe = TPipe::new();
    let (mut a, mut b, mut c) = (TQue::<VecIn, 2>::new(), TQue::<VecOut, 2>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut a, 2, 8192);
    pipe.init_buffer(&mut b, 2, 8192);
    pipe.init_buffer(&mut c, 1, 8192);
    let t = b.alloc_tensor::<f32>();
    vec::duplicate(&t, 0.0, len);
    b.enque(t);
    let t = b.deque::<f32>();
    data_copy_pad(y.slice(at, len), &t);
    b.free_tensor(t);
    let t = b.alloc_tensor::<f32>();
    for i in 0..turns {
        b.enque(t);
        let u = b.deque::<f32>();
        b.free_tensor(u);
    }
}
