//! Axpy adds to its destination, which was just allocated and holds nothing.
//! runs: x = f32[64]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn doubled(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 256);
    pipe.init_buffer(&mut out_y, 1, 256);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 64));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        //+ vec::duplicate(&y_local, 0.0, 64);
        vec::axpy(&y_local, &x_local, 2.0, 64);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 64), &y_local); // fault: J0802
        out_y.free_tensor(y_local);
    }
}
