use jumar::prelude::*;

#[kernel]
fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(8)] z: &GlobalTensor<f32>, #[shape(4096)] y: &mut GlobalTensor<f32>, flag: bool) {
    require(n >= 8);
    let share = split(n).unit(8);
    let (at, len) = (share.start(), share.len().min(2048));
    let mut pipe = TPipe::new();
    let (mut a, mut b, mut c) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 2>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut a, 1, 8192);
    pipe.init_buffer(&mut b, 2, 8192);
    pipe.init_buffer(&mut c, 1, 8192);
    let w = c.get::<f32>();
    let t = a.alloc_tensor::<f32>();
    data_copy_pad(&t, x.slice(at, len));
    a.enque(t);
    let t = a.deque::<f32>();
    let p = b.alloc_tensor::<f32>();
    vec::reduce_sum(&p, &t, &w, len);
    b.enque(p);
    a.free_tensor(t);
    let t = a.alloc_tensor::<f32>();
    data_copy_pad(&t, z.slice(0, 8));
    a.enque(t);
    let t = a.deque::<f32>();
    let q = b.alloc_tensor::<f32>();
    vec::relu(&q, &t, 8);
    b.enque(q);
    a.free_tensor(t);
    let p = b.deque::<f32>();
    let q = b.deque::<f32>();
    if get_block_idx() == 0 {
        let mut place = 0;
        for i in 0..4 {
            data_copy_pad(y.slice(place.min(4000), 8), &q);
            place = place + 8;
        }
    }
    b.free_tensor(p);
    b.free_tensor(q);
}
