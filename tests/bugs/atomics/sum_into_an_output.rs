//! Rows are added up in an output by copies that add; nobody has given what it holds when the kernel begins.
//! runs: x = f32[24, 64], y = f32[64] times 0
//! y: column_sums(x)
use jumar::prelude::*;

#[kernel]
pub fn sums(
    #[shape(n, 64)] x: &GlobalTensor<f32>,
    #[shape(64)] y: &mut GlobalTensor<f32>, //-
    //+ #[inplace] #[shape(64)] y: &mut GlobalTensor<f32>,
) {
    let share = split(n);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 2, 256);
    pipe.init_buffer(&mut out_y, 2, 256);
    for i in 0..share.len() {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice((share.start() + i) * 64, 64));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::adds(&y_local, &x_local, 0.0, 64);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        atomic_add(y.slice(0, 64), &y_local); //- error: J0211
        //+ atomic_add(y.slice(0, 64), &y_local);
        out_y.free_tensor(y_local);
    }
}
