//! The input is copied into a TBuf, which has no event between MTE2 and the vector unit.
//! runs: x = f32[64]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let mut out_y = TQue::<VecOut, 1>::new();
    let mut x_buf = TBuf::<VecCalc>::new(); //-
    pipe.init_buffer(&mut x_buf, 1, 256); //-
    //+ let mut in_x = TQue::<VecIn, 1>::new();
    //+ pipe.init_buffer(&mut in_x, 1, 256);
    pipe.init_buffer(&mut out_y, 1, 256);
    if get_block_idx() == 0 {
        let x_local = x_buf.get::<f32>(); //-
        //+ let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 64)); // error: J0406
        //+ in_x.enque(x_local);
        //+ let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::muls(&y_local, &x_local, 2.0, 64);
        //+ in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 64), &y_local);
        out_y.free_tensor(y_local);
    }
}
