//! i32 is cast to f16 in one call: that is a dequantisation with a scale, and no plain cast.
//! runs: x = i32[64]
//! y: times(x, 1)
use jumar::prelude::*;

#[kernel]
pub fn narrowed(#[shape(64)] x: &GlobalTensor<i32>, #[shape(64)] y: &mut GlobalTensor<f16>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut wide_buf) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 1, 256);
    pipe.init_buffer(&mut out_y, 1, 128);
    pipe.init_buffer(&mut wide_buf, 1, 256);
    let wide = wide_buf.get::<f32>();
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<i32>();
        data_copy(&x_local, x.slice(0, 64));
        in_x.enque(x_local);
        let x_local = in_x.deque::<i32>();
        let y_local = out_y.alloc_tensor::<f16>();
        vec::cast(&y_local, &x_local, RoundMode::None, 64); //- error: J0204
        //+ vec::cast(&wide, &x_local, RoundMode::None, 64);
        //+ vec::cast(&y_local, &wide, RoundMode::Rint, 64);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f16>();
        data_copy(y.slice(0, 64), &y_local);
        out_y.free_tensor(y_local);
    }
}
