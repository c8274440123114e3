//! The loop over all rows was never divided: every block stores every row.
//! runs: x = f32[40, 64]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(n, 64)] x: &GlobalTensor<f32>, #[shape(n, 64)] y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(8);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 2, 256);
    pipe.init_buffer(&mut out_y, 2, 256);
    for i in 0..n { //-
        let row = i; //-
    //+ for i in 0..share.len() {
    //+     let row = share.start() + i;
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(row * 64, 64));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::muls(&y_local, &x_local, 2.0, 64);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(row * 64, 64), &y_local); // error: J0505
        out_y.free_tensor(y_local);
    }
}
