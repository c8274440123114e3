use jumar::prelude::*;

/// Copies two tensors of different lengths, the second one in larger units.
#[kernel]
fn k(
    #[shape(n)] x: &GlobalTensor<f32>,
    #[shape(m)] w: &GlobalTensor<f32>,
    #[shape(n)] y: &mut GlobalTensor<f32>,
    #[shape(m)] v: &mut GlobalTensor<f32>,
) {
    let (a, b) = (split(n).unit(8), split(m).unit(24));
    let tile = fit_tile(64);
    let mut pipe = TPipe::new();
    let (mut inq, mut out) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut inq, 2, tile * 4);
    pipe.init_buffer(&mut out, 2, tile * 4);
    for i in 0..a.len().div_ceil(tile) {
        let (at, n) = (a.start() + i * tile, tile.min(a.len() - i * tile));
        let t = inq.alloc_tensor::<f32>();
        data_copy_pad(&t, x.slice(at, n));
        inq.enque(t);
        let t = inq.deque::<f32>();
        let u = out.alloc_tensor::<f32>();
        vec::adds(&u, &t, 1.0, n);
        out.enque(u);
        inq.free_tensor(t);
        let u = out.deque::<f32>();
        data_copy_pad(y.slice(at, n), &u);
        out.free_tensor(u);
    }
    for i in 0..b.len().div_ceil(tile) {
        let (at, n) = (b.start() + i * tile, tile.min(b.len() - i * tile));
        let t = inq.alloc_tensor::<f32>();
        data_copy_pad(&t, w.slice(at, n));
        inq.enque(t);
        let t = inq.deque::<f32>();
        let u = out.alloc_tensor::<f32>();
        vec::muls(&u, &t, 2.0, n);
        out.enque(u);
        inq.free_tensor(t);
        let u = out.deque::<f32>();
        data_copy_pad(v.slice(at, n), &u);
        out.free_tensor(u);
    }
}
