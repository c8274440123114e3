//! A call adds to each element the one eight before it, in place: a later repeat reads what an earlier one has written.
//! runs: x = f32[128]
//! y: plus_eight_before(x)
use jumar::prelude::*;

#[kernel]
pub fn shifted(#[shape(128)] x: &GlobalTensor<f32>, #[shape(128)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 512);
    pipe.init_buffer(&mut out_y, 1, 512);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 128));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::muls(&y_local, &x_local, 1.0, 128);
        vec::add(&y_local.at(8), &y_local.at(8), &y_local, 120); //- error: J0311
        //+ vec::add(&y_local.at(8), &y_local.at(8), &x_local, 120);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 128), &y_local);
        out_y.free_tensor(y_local);
    }
}
