//! 300 repeats in one call: the field has 8 bits.
//! runs: x = f32[19200]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(19200)] x: &GlobalTensor<f32>, #[shape(19200)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 76800);
    pipe.init_buffer(&mut out_y, 1, 76800);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 19200));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::muls(&y_local, &x_local, 2.0, lanes(64).repeats(300)); //- error: J0310
        //+ vec::muls(&y_local, &x_local, 2.0, lanes(64).repeats(150));
        //+ vec::muls(&y_local.at(9600), &x_local.at(9600), 2.0, lanes(64).repeats(150));
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 19200), &y_local);
        out_y.free_tensor(y_local);
    }
}
