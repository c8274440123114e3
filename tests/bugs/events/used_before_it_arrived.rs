//! The vector unit computes on what MTE2 has not brought yet: no event is set and waited for.
//! runs: x = f32[300]
//! y: relu(x)
use jumar::prelude::*;

#[kernel]
pub fn relu(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(64);
    let tile = 32;
    let local = LocalTensor::<f32>::new(VecCalc, 0, tile);
    set_flag::<MTE3_MTE2>(0);
    for i in 0..share.len().div_ceil(tile) {
        let at = share.start() + i * tile;
        let count = tile.min(share.len() - i * tile);
        wait_flag::<MTE3_MTE2>(0);
        data_copy_pad(&local, x.slice(at, count));
        //+ set_flag::<MTE2_V>(0);
        //+ wait_flag::<MTE2_V>(0);
        vec::maxs(&local, &local, 0.0, count); // error: J0414
        set_flag::<V_MTE3>(0);
        wait_flag::<V_MTE3>(0);
        data_copy_pad(y.slice(at, count), &local);
        set_flag::<MTE3_MTE2>(0);
    }
    wait_flag::<MTE3_MTE2>(0);
}
