//! ReduceMax was given one data block to work in, for a tile of 8192 elements.
//! runs: x = f32[300]
//! y: max(x)
use jumar::prelude::*;

#[kernel]
pub fn largest(#[shape(n)] x: &GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {
    require(n >= 1);
    require(n <= 8192);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut work_buf) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 1, 32768);
    pipe.init_buffer(&mut out_y, 1, 32);
    pipe.init_buffer(&mut work_buf, 1, 32); //-
    //+ pipe.init_buffer(&mut work_buf, 1, 1024);
    let work = work_buf.get::<f32>();
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(0, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::reduce_max(&y_local, &x_local, &work, n); // warning: J0602, fault: J0801
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(0, 1), &y_local);
        out_y.free_tensor(y_local);
    }
}
