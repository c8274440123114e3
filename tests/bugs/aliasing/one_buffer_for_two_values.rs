//! Two intermediate values were given one TBuf: the second call overwrites what the third still reads.
//! runs: x = f32[64]
//! y: relu_plus_double(x)
use jumar::prelude::*;

#[kernel]
pub fn both(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut buf, mut more) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 1, 256);
    pipe.init_buffer(&mut out_y, 1, 256);
    pipe.init_buffer(&mut buf, 1, 256);
    pipe.init_buffer(&mut more, 1, 256);
    let (a, b) = (buf.get::<f32>(), buf.get::<f32>()); //-
    //+ let (a, b) = (buf.get::<f32>(), more.get::<f32>());
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 64));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        vec::maxs(&a, &x_local, 0.0, 64);
        vec::muls(&b, &x_local, 2.0, 64); // warning: J0415
        in_x.free_tensor(x_local);
        let y_local = out_y.alloc_tensor::<f32>();
        vec::add(&y_local, &a, &b, 64);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 64), &y_local);
        out_y.free_tensor(y_local);
    }
}
