//! A copy reads what the scalar unit has set, before it is written back.
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
        for i in 0..16 {
            let v = x.get_value(at + i);
            same.set_value(at + i, v);
        }
        //+ same.data_cache_clean_and_invalid(at);
        set_flag::<S_MTE2>(0);
        wait_flag::<S_MTE2>(0);
        data_copy(&a, same.slice(at, 16)); // error: J0416
        set_flag::<MTE2_V>(0);
        wait_flag::<MTE2_V>(0);
        vec::muls(&a, &a, 2.0, 16);
        set_flag::<V_MTE3>(0);
        wait_flag::<V_MTE3>(0);
        data_copy(y.slice(at, 16), &a);
        same.data_cache_clean_and_invalid(at); //-
        set_flag::<MTE3_MTE2>(0);
        wait_flag::<MTE3_MTE2>(0);
    }
}
