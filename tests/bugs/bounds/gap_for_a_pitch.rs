//! From row to row of GM stands the gap between them, as AscendC counts `srcStride`, in the place of the pitch.
//! runs: x = f32[8, 32]
//! y: first_columns(x, 20)
use jumar::prelude::*;

#[kernel]
pub fn crop(#[shape(8, 32)] x: &GlobalTensor<f32>, #[shape(8, 20)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 8 * 24 * 4);
    pipe.init_buffer(&mut out_y, 1, 8 * 24 * 4);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(0, 20).rows(8, 12)); //- error: J0310
        //+ data_copy_pad(&x_local, x.slice(0, 20).rows(8, 32));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::adds(&y_local, &x_local, 0.0, 8 * 24);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(0, 20).rows(8, 20), &y_local.rows(24));
        out_y.free_tensor(y_local);
    }
}
