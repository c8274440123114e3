//! The result stands in a TBuf and is copied to GM from there, with no event between the vector unit and MTE3.
//! runs: x = f32[64]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let mut in_x = TQue::<VecIn, 1>::new();
    pipe.init_buffer(&mut in_x, 1, 256);
    let mut y_buf = TBuf::<VecCalc>::new(); //-
    pipe.init_buffer(&mut y_buf, 1, 256); //-
    //+ let mut out_y = TQue::<VecOut, 1>::new();
    //+ pipe.init_buffer(&mut out_y, 1, 256);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 64));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = y_buf.get::<f32>(); //-
        //+ let y_local = out_y.alloc_tensor::<f32>();
        vec::muls(&y_local, &x_local, 2.0, 64);
        in_x.free_tensor(x_local);
        //+ out_y.enque(y_local);
        //+ let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 64), &y_local); // error: J0406
        //+ out_y.free_tensor(y_local);
    }
}
