//! WholeReduceMax without its index, on a chip that gives both or none.
//! runs: x = f32[64]
//! y: eight_max(x)
use jumar::prelude::*;

#[kernel]
#[chips(ascend310p)]
pub fn maxima(#[shape(64)] x: &GlobalTensor<f32>, #[shape(8)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 256);
    pipe.init_buffer(&mut out_y, 1, 32);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 64));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::duplicate(&y_local, 0.0, 8);
        vec::whole_reduce_max(&y_local, &x_local, lanes(8).repeats(8)); //- error: J0309 J0502
        //+ vec::block_reduce_max(&y_local, &x_local, lanes(64).repeats(1));
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 8), &y_local);
        out_y.free_tensor(y_local);
    }
}
