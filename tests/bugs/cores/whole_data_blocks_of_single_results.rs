//! Each row's result is written as a whole data block: seven elements of the next rows with it.
//! runs: x = f32[40, 64]
//! y: row_sums(x)
use jumar::prelude::*;

#[kernel]
pub fn row_sums(#[shape(40, 64)] x: &GlobalTensor<f32>, #[shape(40)] y: &mut GlobalTensor<f32>) {
    let share = split(40).unit(8);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 2, 256);
    pipe.init_buffer(&mut out_y, 2, 32);
    for i in 0..share.len() {
        let row = share.start() + i;
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(row * 64, 64));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::duplicate(&y_local, 0.0, 8);
        vec::whole_reduce_sum(&y_local, &x_local, lanes(64).repeats(1));
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(row, 8), &y_local); //- error: J0411, warning: J0602
        //+ data_copy_pad(y.slice(row, 1), &y_local);
        out_y.free_tensor(y_local);
    }
}
