//! Each core sets the flag before it has stored what the others wait for.
//! runs: x = f32[256]
//! y: double_plus_eight_behind(x)
use jumar::prelude::*;

#[kernel]
pub fn doubled_sums(#[shape(256)] x: &GlobalTensor<f32>, #[shape(248)] y: &mut GlobalTensor<f32>) {
    let doubled = workspace::<f32>(256);
    let share = split(32);
    let (a, b) = (LocalTensor::<f32>::new(VecCalc, 0, 8), LocalTensor::<f32>::new(VecCalc, 32, 8));
    cross_core_set_flag::<0, PIPE_MTE3>(0); //-
    for i in 0..share.len() {
        let at = (share.start() + i) * 8;
        data_copy(&a, x.slice(at, 8));
        set_flag::<MTE2_V>(0);
        wait_flag::<MTE2_V>(0);
        vec::muls(&a, &a, 2.0, 8);
        set_flag::<V_MTE3>(0);
        wait_flag::<V_MTE3>(0);
        data_copy(doubled.slice(at, 8), &a);
        set_flag::<MTE3_MTE2>(0);
        wait_flag::<MTE3_MTE2>(0);
    }
    //+ cross_core_set_flag::<0, PIPE_MTE3>(0);
    cross_core_wait_flag(0);
    for i in 0..share.len() {
        let at = (share.start() + i) * 8;
        if at < 248 {
            data_copy(&a, doubled.slice(at, 8));
            data_copy(&b, doubled.slice(at + 8, 8)); // fault: J0809
            set_flag::<MTE2_V>(0);
            wait_flag::<MTE2_V>(0);
            vec::add(&a, &a, &b, 8);
            set_flag::<V_MTE3>(0);
            wait_flag::<V_MTE3>(0);
            data_copy(y.slice(at, 8), &a);
            set_flag::<MTE3_MTE2>(0);
            wait_flag::<MTE3_MTE2>(0);
        }
    }
}
