//! Five double-buffered inputs are ten blocks of VECIN; a position has events for eight.
//! runs: a = f32[100], b = f32[100], c = f32[100], d = f32[100], e = f32[100]
//! y: total(a, b, c, d, e)
use jumar::prelude::*;

#[kernel]
pub fn sum5(#[shape(n)] a: &GlobalTensor<f32>, #[shape(n)] b: &GlobalTensor<f32>, #[shape(n)] c: &GlobalTensor<f32>, #[shape(n)] d: &GlobalTensor<f32>,
    #[shape(n)] e: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(64);
    let tile = 512;
    let mut pipe = TPipe::new();
    let (mut in_a, mut in_b, mut in_c) = (TQue::<VecIn, 1>::new(), TQue::<VecIn, 1>::new(), TQue::<VecIn, 1>::new());
    let (mut in_d, mut in_e, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new()); // error: J0301
    pipe.init_buffer(&mut in_a, 2, tile * 4);
    pipe.init_buffer(&mut in_b, 2, tile * 4);
    pipe.init_buffer(&mut in_c, 2, tile * 4);
    pipe.init_buffer(&mut in_d, 2, tile * 4); //-
    pipe.init_buffer(&mut in_e, 2, tile * 4); //-
    //+ pipe.init_buffer(&mut in_d, 1, tile * 4);
    //+ pipe.init_buffer(&mut in_e, 1, tile * 4);
    pipe.init_buffer(&mut out_y, 2, tile * 4);
    for i in 0..share.len().div_ceil(tile) {
        let at = share.start() + i * tile;
        let count = tile.min(share.len() - i * tile);
        let (p, q, r, s, t) = (in_a.alloc_tensor::<f32>(), in_b.alloc_tensor::<f32>(), in_c.alloc_tensor::<f32>(), in_d.alloc_tensor::<f32>(), in_e.alloc_tensor::<f32>());
        data_copy_pad(&p, a.slice(at, count));
        data_copy_pad(&q, b.slice(at, count));
        data_copy_pad(&r, c.slice(at, count));
        data_copy_pad(&s, d.slice(at, count));
        data_copy_pad(&t, e.slice(at, count));
        in_a.enque(p);
        in_b.enque(q);
        in_c.enque(r);
        in_d.enque(s);
        in_e.enque(t);
        let (p, q, r, s, t) = (in_a.deque::<f32>(), in_b.deque::<f32>(), in_c.deque::<f32>(), in_d.deque::<f32>(), in_e.deque::<f32>());
        let z = out_y.alloc_tensor::<f32>();
        vec::add(&z, &p, &q, count);
        vec::add(&z, &z, &r, count);
        vec::add(&z, &z, &s, count);
        vec::add(&z, &z, &t, count);
        in_a.free_tensor(p);
        in_b.free_tensor(q);
        in_c.free_tensor(r);
        in_d.free_tensor(s);
        in_e.free_tensor(t);
        out_y.enque(z);
        let z = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, count), &z);
        out_y.free_tensor(z);
    }
}
