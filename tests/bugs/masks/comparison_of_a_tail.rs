//! A comparison works on whole repeats, 128 elements for 100; the buffers hold 104.
//! runs: x = f32[100]
//! y: relu(x)
use jumar::prelude::*;

#[kernel]
pub fn relu(#[shape(100)] x: &GlobalTensor<f32>, #[shape(100)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut bits) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 1, 416); //-
    //+ pipe.init_buffer(&mut in_x, 1, 512);
    pipe.init_buffer(&mut out_y, 1, 512);
    pipe.init_buffer(&mut bits, 1, 32);
    let mask = bits.get::<u8>();
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(0, 100));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::gts(&mask, &x_local, 0.0, 100); // error: J0310
        vec::selects(&y_local, &mask, &x_local, 0.0, 100);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(0, 100), &y_local);
        out_y.free_tensor(y_local);
    }
}
