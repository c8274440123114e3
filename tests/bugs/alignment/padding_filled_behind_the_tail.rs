//! What lies behind a tail of any length is filled by a Duplicate that begins there.
//! runs: x = f32[13]
//! y: max(x)
use jumar::prelude::*;

#[kernel]
pub fn largest(#[shape(n)] x: &GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {
    require(n >= 1);
    require(n <= 64);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut wide_buf) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 1, 256);
    pipe.init_buffer(&mut out_y, 1, 32);
    pipe.init_buffer(&mut wide_buf, 1, 256);
    let wide = wide_buf.get::<f32>();
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(0, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        vec::muls(&wide, &x_local, 1.0, n); //-
        vec::duplicate(&wide.at(n), f32::NEG_INFINITY, 64 - n); //- error: J0307
        //+ vec::duplicate(&wide, f32::NEG_INFINITY, 64);
        //+ vec::muls(&wide, &x_local, 1.0, n);
        in_x.free_tensor(x_local);
        let y_local = out_y.alloc_tensor::<f32>();
        vec::whole_reduce_max(&y_local, &wide, lanes(64).repeats(1));
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(0, 1), &y_local);
        out_y.free_tensor(y_local);
    }
}
