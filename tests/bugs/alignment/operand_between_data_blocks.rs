//! A vector call begins at element 4 of a tensor: 16 bytes into a data block.
//! runs: x = f32[68]
//! y: skip(x, 4)
use jumar::prelude::*;

#[kernel]
pub fn behind_the_header(#[shape(68)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 288);
    pipe.init_buffer(&mut out_y, 1, 256);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(0, 68)); //-
        //+ data_copy_pad(&x_local, x.slice(4, 64));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::muls(&y_local, &x_local.at(4), 1.0, 64); //- error: J0307
        //+ vec::muls(&y_local, &x_local, 1.0, 64);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 64), &y_local);
        out_y.free_tensor(y_local);
    }
}
