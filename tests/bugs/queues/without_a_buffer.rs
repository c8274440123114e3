//! InitBuffer was forgotten for the second input.
//! runs: a = f32[64], b = f32[64]
//! y: plus(a, b)
use jumar::prelude::*;

#[kernel]
pub fn add(#[shape(64)] a: &GlobalTensor<f32>, #[shape(64)] b: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_a, mut in_b, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new()); // error: J0410
    pipe.init_buffer(&mut in_a, 1, 256);
    //+ pipe.init_buffer(&mut in_b, 1, 256);
    pipe.init_buffer(&mut out_y, 1, 256);
    if get_block_idx() == 0 {
        let (a_local, b_local) = (in_a.alloc_tensor::<f32>(), in_b.alloc_tensor::<f32>());
        data_copy(&a_local, a.slice(0, 64));
        data_copy(&b_local, b.slice(0, 64));
        in_a.enque(a_local);
        in_b.enque(b_local);
        let (a_local, b_local) = (in_a.deque::<f32>(), in_b.deque::<f32>());
        let y_local = out_y.alloc_tensor::<f32>();
        vec::add(&y_local, &a_local, &b_local, 64);
        in_a.free_tensor(a_local);
        in_b.free_tensor(b_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 64), &y_local);
        out_y.free_tensor(y_local);
    }
}
