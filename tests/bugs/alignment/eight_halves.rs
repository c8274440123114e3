//! Eight elements are a data block of f32; of f16 they are half of one.
//! runs: x = f16[8]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(8)] x: &GlobalTensor<f16>, #[shape(8)] y: &mut GlobalTensor<f16>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 32);
    pipe.init_buffer(&mut out_y, 1, 32);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f16>();
        data_copy(&x_local, x.slice(0, 8)); //- error: J0306
        //+ data_copy_pad(&x_local, x.slice(0, 8));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f16>();
        let y_local = out_y.alloc_tensor::<f16>();
        vec::muls(&y_local, &x_local, 2.0, 8);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f16>();
        data_copy(y.slice(0, 8), &y_local); //- error: J0306
        //+ data_copy_pad(y.slice(0, 8), &y_local);
        out_y.free_tensor(y_local);
    }
}
