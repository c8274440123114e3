//! `n / 64` repeats leave out what is behind the last whole one.
//! runs: x = f32[100]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(100)] x: &GlobalTensor<f32>, #[shape(100)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 416);
    pipe.init_buffer(&mut out_y, 1, 416);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(0, 100));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::muls(&y_local, &x_local, 2.0, lanes(64).repeats(1));
        //+ vec::muls(&y_local.at(64), &x_local.at(64), 2.0, lanes(36).repeats(1));
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(0, 100), &y_local); // fault: J0802
        out_y.free_tensor(y_local);
    }
}
