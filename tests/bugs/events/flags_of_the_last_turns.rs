//! The flags of the last two turns are set, too, though no turn behind them waits: the first turns did not wait either.
//! runs: x = f32[300]
//! y: relu(x)
use jumar::prelude::*;

#[kernel]
pub fn relu(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(64);
    let tile = 32;
    let turns = share.len().div_ceil(tile);
    for i in 0..turns {
        let at = share.start() + i * tile;
        let count = tile.min(share.len() - i * tile);
        let local = LocalTensor::<f32>::new(VecCalc, i % 2 * 128, tile);
        if i > 1 {
            wait_flag::<MTE3_MTE2>(i % 2);
        }
        data_copy_pad(&local, x.slice(at, count));
        set_flag::<MTE2_V>(0);
        wait_flag::<MTE2_V>(0);
        vec::maxs(&local, &local, 0.0, count);
        set_flag::<V_MTE3>(0);
        wait_flag::<V_MTE3>(0);
        data_copy_pad(y.slice(at, count), &local);
        set_flag::<MTE3_MTE2>(i % 2); //- error: J0413
        //+ if i + 2 < turns {
        //+     set_flag::<MTE3_MTE2>(i % 2);
        //+ }
    }
}
