use jumar::prelude::*;

#[kernel]
fn k(#[shape(64)] z: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, flag: bool, turns: usize) {
    let share = split(n).unit(8);
    let (at, len) = (share.start(), share.len().min(2048));
    let (t, u) = (LocalTensor::<f32>::new(VecCalc, 0, 64), LocalTensor::<f32>::new(VecCalc, 256, 64));
    vec::duplicate(&t, 0.0, 64);
    let s = t.get_value(63);
    pipe_barrier::<PIPE_ALL>();
    let o = LocalTensor::<f32>::new(VecOut, 1024, 2048);
    vec::duplicate(&o, 0.0, len);
    set_flag::<V_MTE3>(0);
    wait_flag::<V_MTE3>(0);
    data_copy_pad(y.slice(at, len), &o);
}
