//! GatherMask has patterns 1 to 7; 8 was meant as "every eighth".
//! runs: x = f32[64]
//! y: every(x, 4)
use jumar::prelude::*;

#[kernel]
pub fn every_fourth(#[shape(64)] x: &GlobalTensor<f32>, #[shape(16)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 256);
    pipe.init_buffer(&mut out_y, 1, 64);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 64));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::gather_mask(&y_local, &x_local, 8, 64); //- error: J0310
        //+ vec::gather_mask(&y_local, &x_local, 3, 64);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 16), &y_local);
        out_y.free_tensor(y_local);
    }
}
