use jumar::prelude::*;

#[kernel]
fn k(
    #[shape(
        a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25
    )]
    x: &GlobalTensor<f32>,
    y: &mut GlobalTensor<f32>,
) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load());
    }
}
