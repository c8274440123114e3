//! Rows are added up by repeats of stride 0 into one destination, which each repeat reads again.
//! runs: x = f32[4, 64]
//! y: column_sums(x)
use jumar::prelude::*;

#[kernel]
pub fn column_sums(#[shape(4, 64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 1024);
    pipe.init_buffer(&mut out_y, 1, 256);
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 256));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::duplicate(&y_local, 0.0, 64);
        vec::add(&y_local.blocks(1, 0), &x_local, &y_local.blocks(1, 0), lanes(64).repeats(4)); //- error: J0311
        //+ for r in 0..4 {
        //+     vec::add(&y_local, &y_local, &x_local.at(r * 64), 64);
        //+ }
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 64), &y_local);
        out_y.free_tensor(y_local);
    }
}
