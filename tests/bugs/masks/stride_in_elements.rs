//! Repeat strides count data blocks; they were given in elements, 512 for rows of 512 f32.
//! runs: x = f32[4, 512]
//! y: first_columns(x, 64)
use jumar::prelude::*;

#[kernel]
pub fn head(#[shape(4, 512)] x: &GlobalTensor<f32>, #[shape(4, 64)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 8192);
    pipe.init_buffer(&mut out_y, 1, 1024);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 2048));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::muls(&y_local, &x_local.blocks(1, 512), 1.0, lanes(64).repeats(4)); //- error: J0310
        //+ vec::muls(&y_local, &x_local.blocks(1, 64), 1.0, lanes(64).repeats(4));
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 256), &y_local);
        out_y.free_tensor(y_local);
    }
}
