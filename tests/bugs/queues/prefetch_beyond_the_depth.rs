//! Two tiles are put into a queue of depth 1 before one is taken out: double buffering is not depth.
//! runs: x = f32[128]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(128)] x: &GlobalTensor<f32>, #[shape(128)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new()); //-
    //+ let (mut in_x, mut out_y) = (TQue::<VecIn, 2>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 2, 256);
    pipe.init_buffer(&mut out_y, 2, 256);
    if get_block_idx() == 0 {
        let first = in_x.alloc_tensor::<f32>();
        data_copy(&first, x.slice(0, 64));
        in_x.enque(first);
        let second = in_x.alloc_tensor::<f32>();
        data_copy(&second, x.slice(64, 64));
        in_x.enque(second); // error: J0404
        for i in 0..2 {
            let x_local = in_x.deque::<f32>();
            let y_local = out_y.alloc_tensor::<f32>();
            vec::muls(&y_local, &x_local, 2.0, 64);
            in_x.free_tensor(x_local);
            out_y.enque(y_local);
            let y_local = out_y.deque::<f32>();
            data_copy(y.slice(i * 64, 64), &y_local);
            out_y.free_tensor(y_local);
        }
    }
}
