//! Two tensors are alive at once in a queue with one buffer: the second AllocTensor waits for ever.
//! runs: a = f32[64], b = f32[64]
//! y: plus(a, b)
use jumar::prelude::*;

#[kernel]
pub fn add(#[shape(64)] a: &GlobalTensor<f32>, #[shape(64)] b: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut inputs, mut out_y) = (TQue::<VecIn, 2>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut inputs, 1, 256); //-
    //+ pipe.init_buffer(&mut inputs, 2, 256);
    pipe.init_buffer(&mut out_y, 1, 256);
    if get_block_idx() == 0 {
        let a_local = inputs.alloc_tensor::<f32>();
        data_copy(&a_local, a.slice(0, 64));
        inputs.enque(a_local);
        let b_local = inputs.alloc_tensor::<f32>(); // error: J0408
        data_copy(&b_local, b.slice(0, 64));
        inputs.enque(b_local);
        let (a_local, b_local) = (inputs.deque::<f32>(), inputs.deque::<f32>());
        let y_local = out_y.alloc_tensor::<f32>();
        vec::add(&y_local, &a_local, &b_local, 64);
        inputs.free_tensor(a_local);
        inputs.free_tensor(b_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 64), &y_local);
        out_y.free_tensor(y_local);
    }
}
