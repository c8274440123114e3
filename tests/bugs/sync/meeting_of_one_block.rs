//! The barrier stands in the branch of block 0: the others never come.
//! runs: x = f32[300]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    if get_block_idx() == 0 { //-
        sync_all(); //- error: J0412
    } //-
    //+ sync_all();
    let share = split(n).unit(64);
    let tile = 32;
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 2, tile * size_of::<f32>());
    pipe.init_buffer(&mut out_y, 2, tile * size_of::<f32>());
    for i in 0..share.len().div_ceil(tile) {
        let at = share.start() + i * tile;
        let count = tile.min(share.len() - i * tile);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, count));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::muls(&y_local, &x_local, 2.0, count);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, count), &y_local);
        out_y.free_tensor(y_local);
    }
}
