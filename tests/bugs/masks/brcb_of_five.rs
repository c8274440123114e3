//! Brcb of five elements: a repeat of it takes eight.
//! runs: x = f32[8]
//! y: each_eight_times(x)
use jumar::prelude::*;

#[kernel]
pub fn spread(#[shape(8)] x: &GlobalTensor<f32>, #[shape(8, 8)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 32);
    pipe.init_buffer(&mut out_y, 1, 256);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 8));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::brcb(&y_local, &x_local, 5); //- error: J0310
        //+ vec::brcb(&y_local, &x_local, 8);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 64), &y_local);
        out_y.free_tensor(y_local);
    }
}
