//! Three queues of 48 KiB seem to fit 192 KiB of UB; each of them has two buffers.
//! runs: a = f32[300], b = f32[300]
//! y: plus(a, b)
use jumar::prelude::*;

#[kernel]
pub fn add(#[shape(n)] a: &GlobalTensor<f32>, #[shape(n)] b: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(64);
    let tile = 12288; //-
    //+ let tile = 4096;
    let mut pipe = TPipe::new();
    let (mut in_a, mut in_b, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new()); // error: J0304
    pipe.init_buffer(&mut in_a, 2, tile * size_of::<f32>());
    pipe.init_buffer(&mut in_b, 2, tile * size_of::<f32>());
    pipe.init_buffer(&mut out_y, 2, tile * size_of::<f32>());
    for i in 0..share.len().div_ceil(tile) {
        let at = share.start() + i * tile;
        let count = tile.min(share.len() - i * tile);
        let (a_local, b_local) = (in_a.alloc_tensor::<f32>(), in_b.alloc_tensor::<f32>());
        data_copy_pad(&a_local, a.slice(at, count));
        data_copy_pad(&b_local, b.slice(at, count));
        in_a.enque(a_local);
        in_b.enque(b_local);
        let (a_local, b_local) = (in_a.deque::<f32>(), in_b.deque::<f32>());
        let y_local = out_y.alloc_tensor::<f32>();
        vec::add(&y_local, &a_local, &b_local, count);
        in_a.free_tensor(a_local);
        in_b.free_tensor(b_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, count), &y_local);
        out_y.free_tensor(y_local);
    }
}
