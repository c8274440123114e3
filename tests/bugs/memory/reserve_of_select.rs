//! Buffers fill UB to the last byte; Select in tensor-scalar mode needs 8 KiB that the chip keeps for it.
//! runs: x = f32[300]
//! y: relu(x)
use jumar::prelude::*;

#[kernel]
pub fn relu(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(64);
    let tile = 24064; //-
    //+ let tile = 22528;
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut bits) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new()); // error: J0304
    pipe.init_buffer(&mut in_x, 1, tile * 4);
    pipe.init_buffer(&mut out_y, 1, tile * 4);
    pipe.init_buffer(&mut bits, 1, tile / 8);
    let mask = bits.get::<u8>();
    for i in 0..share.len().div_ceil(tile) {
        let at = share.start() + i * tile;
        let count = tile.min(share.len() - i * tile);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, count));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::gts(&mask, &x_local, 0.0, count.next_multiple_of(64));
        vec::selects(&y_local, &mask, &x_local, 0.0, count);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, count), &y_local);
        out_y.free_tensor(y_local);
    }
}
