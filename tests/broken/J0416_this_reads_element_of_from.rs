use jumar::prelude::*;

#[kernel]
fn k(
    #[inplace]
    #[shape(1024)]
    y: &mut GlobalTensor<f32>,
    flag: bool,
    turns: usize,
) {
    let w = workspace::<f32>(64);
    let share = split(4).block_dim(4);
    let b = share.start().min(3);
    let at = b * 256;
    let mut pipe = TPipe::new();
    let mut c = TBuf::<VecCalc>::new();
    pipe.init_buffer(&mut c, 1, 512);
    let o = c.get::<f32>();
    let t = o.at(64);
    vec::duplicate(&o, 1.0, 64);
    pipe_barrier::<PIPE_ALL>();
    let a = y.get_value(at);
    data_copy(y.slice(at, 8), &o);
    set_flag::<MTE3_S>(0);
    wait_flag::<MTE3_S>(0);
    let b = y.get_value(at + 1);
}
