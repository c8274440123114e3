//! A buffer for f32 values was sized with the bytes of the f16 input.
//! runs: x = f16[300]
//! fails: x = f16[30000]
//! y: exp(x)
use jumar::prelude::*;

#[kernel]
pub fn exponential(#[shape(n)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(64);
    let tile = 1024;
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut wide_buf) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 2, tile * size_of::<f16>());
    pipe.init_buffer(&mut out_y, 2, tile * size_of::<f32>());
    pipe.init_buffer(&mut wide_buf, 1, tile * size_of::<f16>()); //-
    //+ pipe.init_buffer(&mut wide_buf, 1, tile * size_of::<f32>());
    let wide = wide_buf.get::<f32>();
    for i in 0..share.len().div_ceil(tile) {
        let at = share.start() + i * tile;
        let count = tile.min(share.len() - i * tile);
        let x_local = in_x.alloc_tensor::<f16>();
        data_copy_pad(&x_local, x.slice(at, count));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f16>();
        vec::cast(&wide, &x_local, RoundMode::None, count); // warning: J0602, fault: J0801
        in_x.free_tensor(x_local);
        let y_local = out_y.alloc_tensor::<f32>();
        vec::exp(&y_local, &wide, count); // warning: J0602
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at, count), &y_local);
        out_y.free_tensor(y_local);
    }
}
