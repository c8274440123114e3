use jumar::prelude::*;

#[kernel]
pub fn relu(#[shape(4096)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    let local = LocalTensor::<f32>::new(VecCalc, 0, 512);
    for i in 0..8 {
        data_copy(&local, x.slice(i * 512, 512));
        set_flag::<MTE2_V>(0);
        wait_flag::<MTE2_V>(0);
        vec::relu(&local, &local, 512);
        set_flag::<V_MTE3>(0);
        wait_flag::<V_MTE3>(0);
        data_copy(y.slice(i * 512, 512), &local);
    }
}

fn main() {}
