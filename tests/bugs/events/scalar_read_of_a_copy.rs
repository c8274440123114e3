//! An element is read as a scalar while the copy that brings it is under way: no event from MTE2 to the scalar unit stands between.
//! runs: x = f32[300]
//! y: minus_first(x)
use jumar::prelude::*;

#[kernel]
pub fn minus_first(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    require(n > 0);
    let share = split(n).unit(64);
    let tile = 32;
    let head = LocalTensor::<f32>::new(VecCalc, 0, tile);
    let local = LocalTensor::<f32>::new(VecCalc, 128, tile);
    data_copy_pad(&head, x.slice(0, 1));
    //+ set_flag::<MTE2_S>(0);
    //+ wait_flag::<MTE2_S>(0);
    let first = head.get_value(0); // error: J0414
    for i in 0..share.len().div_ceil(tile) {
        let at = share.start() + i * tile;
        let count = tile.min(share.len() - i * tile);
        data_copy_pad(&local, x.slice(at, count));
        set_flag::<MTE2_V>(0);
        wait_flag::<MTE2_V>(0);
        vec::adds(&local, &local, -first, count);
        set_flag::<V_MTE3>(0);
        wait_flag::<V_MTE3>(0);
        data_copy_pad(y.slice(at, count), &local);
        pipe_barrier::<PIPE_ALL>();
    }
}
