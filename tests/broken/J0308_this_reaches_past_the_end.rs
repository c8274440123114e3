use jumar::prelude::*;

#[kernel]
fn k(
    #[shape(n)] x: &GlobalTensor<f32>,
    #[shape(m)] w: &GlobalTensor<f32>,
    #[shape(64)] z: &GlobalTensor<f32>,
    #[shape(r, d)] v: &GlobalTensor<f32>,
    #[shape(n)] y: &mut GlobalTensor<f32>,
    at: usize,
    k: usize,
    flag: bool,
    s: i32,
) {
    let share = split(x.len()).unit(8);
    let len = share.len().min(2048);
    let mut pipe = TPipe::new();
    let (mut a, mut b, mut c) = (TQue::<VecIn, 2>::new(), TQue::<VecOut, 2>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut a, 2, 8192);
    pipe.init_buffer(&mut b, 2, 8192);
    pipe.init_buffer(&mut c, 1, 8192);
    let t = b.alloc_tensor::<f32>();
    let c1 = c.get::<f32>();
    vec::duplicate(&t, 0.0, len);
    b.enque(t);
    let t = b.deque::<f32>();
    data_copy_pad(y.slice(share.start(), len), &t);
    b.free_tensor(t);
    let a1 = a.alloc_tensor::<f32>();
    data_copy_pad(&a1, z.slice(56, 9));
    a.free_tensor(a1);
}
