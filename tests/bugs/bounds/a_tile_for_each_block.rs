//! Each block takes the tile of its index, whether or not the tensor has as many.
//! runs: x = f32[300]
//! fails: x = f32[20000]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(64);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 256);
    pipe.init_buffer(&mut out_y, 1, 256);
    for i in 0..share.len().div_ceil(64) {
        let at = get_block_idx() * 64 + i * 64; //-
        //+ let at = share.start() + i * 64;
        let count = (share.len() - i * 64).min(64);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, count)); // warning: J0602
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::muls(&y_local, &x_local, 2.0, count);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, count), &y_local); // warning: J0602, error: J0505
        out_y.free_tensor(y_local);
    }
}
