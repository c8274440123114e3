//! f16 is cast to f32 in the same TBuf, seen under two element types.
//! runs: x = f16[128]
//! y: times(x, 1)
use jumar::prelude::*;

#[kernel]
pub fn widened(#[shape(128)] x: &GlobalTensor<f16>, #[shape(128)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut buf) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 1, 256);
    pipe.init_buffer(&mut out_y, 1, 512);
    pipe.init_buffer(&mut buf, 1, 512);
    let (narrow, wide) = (buf.get::<f16>(), buf.get::<f32>());
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f16>();
        data_copy(&x_local, x.slice(0, 128));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f16>();
        vec::muls(&narrow, &x_local, 1.0, 128); //-
        vec::cast(&wide, &narrow, RoundMode::None, 128); //- error: J0311
        //+ vec::cast(&wide, &x_local, RoundMode::None, 128);
        in_x.free_tensor(x_local);
        let y_local = out_y.alloc_tensor::<f32>();
        vec::muls(&y_local, &wide, 1.0, 128);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 128), &y_local);
        out_y.free_tensor(y_local);
    }
}
