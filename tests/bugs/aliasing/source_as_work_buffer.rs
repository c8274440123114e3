//! ReduceMax is given its source to work in.
//! runs: x = f32[64]
//! y: max(x)
use jumar::prelude::*;

#[kernel]
pub fn largest(#[shape(64)] x: &GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut work_buf) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 1, 256);
    pipe.init_buffer(&mut out_y, 1, 64);
    pipe.init_buffer(&mut work_buf, 1, 64);
    let work = work_buf.get::<f32>();
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 64));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::reduce_max(&y_local, &x_local, &x_local, 64); //- error: J0311
        //+ vec::reduce_max(&y_local, &x_local, &work, 64);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(0, 1), &y_local);
        out_y.free_tensor(y_local);
    }
}
