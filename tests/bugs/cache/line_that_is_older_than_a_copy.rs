//! The scalar unit reads a line again after a copy has stored there: it finds what its cache has held since.
//! runs: x = f32[64]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn doubled(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let same = workspace::<f32>(64);
    let share = split(4);
    let a = LocalTensor::<f32>::new(VecCalc, 0, 16);
    for part in 0..share.len() {
        let at = (share.start() + part) * 16;
        data_copy(&a, x.slice(at, 16));
        set_flag::<MTE2_MTE3>(0);
        wait_flag::<MTE2_MTE3>(0);
        data_copy(same.slice(at, 16), &a);
        set_flag::<MTE3_S>(0);
        wait_flag::<MTE3_S>(0);
        let factor = (same.get_value(at) * 0.0 + 2.0).min(2.0);
        pipe_barrier::<PIPE_ALL>();
        vec::muls(&a, &a, factor, 16);
        set_flag::<V_MTE3>(0);
        wait_flag::<V_MTE3>(0);
        data_copy(same.slice(at, 16), &a);
        pipe_barrier::<PIPE_ALL>();
        //+ same.data_cache_clean_and_invalid(at);
        for i in 0..16 {
            let v = same.get_value(at + i); // error: J0416
            y.set_value(at + i, v);
        }
        y.data_cache_clean_and_invalid(at);
    }
}
