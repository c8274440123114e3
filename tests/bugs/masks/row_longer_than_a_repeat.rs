//! WholeReduceSum of rows of 100 f32: a repeat has 64 lanes.
//! runs: x = f32[4, 100]
//! y: row_sums(x)
use jumar::prelude::*;

#[kernel]
pub fn row_sums(#[shape(4, 100)] x: &GlobalTensor<f32>, #[shape(4)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut work_buf) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 2, 416);
    pipe.init_buffer(&mut out_y, 2, 32);
    pipe.init_buffer(&mut work_buf, 1, 64);
    let work = work_buf.get::<f32>();
    if get_block_idx() == 0 {
        for r in 0..4 {
            let x_local = in_x.alloc_tensor::<f32>();
            data_copy_pad(&x_local, x.slice(r * 100, 100));
            in_x.enque(x_local);
            let x_local = in_x.deque::<f32>();
            let y_local = out_y.alloc_tensor::<f32>();
            vec::whole_reduce_sum(&y_local, &x_local, lanes(100).repeats(1)); //- error: J0310
            //+ vec::reduce_sum(&y_local, &x_local, &work, 100);
            in_x.free_tensor(x_local);
            out_y.enque(y_local);
            let y_local = out_y.deque::<f32>();
            data_copy_pad(y.slice(r, 1), &y_local);
            out_y.free_tensor(y_local);
        }
    }
}
