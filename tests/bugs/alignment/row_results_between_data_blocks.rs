//! The sum of each row of a tile is written to the row's own element: offset `j` of a destination that must begin at a data block.
//! runs: x = f32[16, 64]
//! y: row_max(x)
use jumar::prelude::*;

#[kernel]
pub fn row_max(#[shape(16, 64)] x: &GlobalTensor<f32>, #[shape(16)] y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut work_buf) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 1, 4096);
    pipe.init_buffer(&mut out_y, 1, 64);
    pipe.init_buffer(&mut work_buf, 1, 256);
    let work = work_buf.get::<f32>();
    if get_block_idx() == 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(0, 1024));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        for j in 0..16 { //-
            vec::max(&work, &x_local.at(j * 64), &x_local.at(j * 64 + 32), 32); //-
            vec::block_reduce_max(&y_local.at(j), &work, lanes(32).repeats(1)); //- error: J0307, warning: J0602
        } //-
        //+ vec::whole_reduce_max(&y_local, &x_local, lanes(64).repeats(16));
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(0, 16), &y_local);
        out_y.free_tensor(y_local);
    }
}
