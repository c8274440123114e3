use jumar::prelude::*;

#[kernel]
fn k(
    #[shape(n)] x: &GlobalTensor<f32>,
    #[inplace]
    #[shape(n)]
    y: &mut GlobalTensor<f32>,
) {
    require(n >= 3);
    for (i, t) in tiles((each(0..3), 3..n)) {
        y.at(t).store(x.at(t).load() * i as f32);
    }
}
