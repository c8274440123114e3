//! GetValue reads the first element while the copy may still be on its way.
//! runs: x = f32[64]
//! y: minus_first(x)
use jumar::prelude::*;

#[kernel]
pub fn from_the_first(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 256);
    pipe.init_buffer(&mut out_y, 1, 256);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 64));
        let first = x_local.get_value(0); //- error: J0401
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        //+ let first = x_local.get_value(0);
        let y_local = out_y.alloc_tensor::<f32>();
        vec::adds(&y_local, &x_local, 0.0 - first, 64);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 64), &y_local);
        out_y.free_tensor(y_local);
    }
}
