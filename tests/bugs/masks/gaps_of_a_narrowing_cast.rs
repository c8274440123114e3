//! A cast from f32 to f16 by repeats leaves each repeat of f16 half full; what is copied out is taken as dense.
//! runs: x = f32[256]
//! y: times(x, 1)
use jumar::prelude::*;

#[kernel]
pub fn narrowed(#[shape(256)] x: &GlobalTensor<f32>, #[shape(256)] y: &mut GlobalTensor<f16>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 1024);
    pipe.init_buffer(&mut out_y, 1, 1024);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 256));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f16>();
        vec::cast(&y_local, &x_local, RoundMode::Rint, lanes(64).repeats(4)); //-
        //+ vec::cast(&y_local.blocks(1, 4), &x_local, RoundMode::Rint, lanes(64).repeats(4));
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f16>();
        data_copy(y.slice(0, 256), &y_local); // fault: J0802
        out_y.free_tensor(y_local);
    }
}
