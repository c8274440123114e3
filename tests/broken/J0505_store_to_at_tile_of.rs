use jumar::prelude::*;

#[kernel]
fn k(
    #[shape(n)]
    #[index(m)]
    i: &GlobalTensor<i64>,
    #[shape(n, d)] x: &GlobalTensor<f32>,
    #[shape(m, d)] y: &mut GlobalTensor<f32>,
    #[shape(m)] z: &GlobalTensor<f32>,
) {
    for t in tiles(n) {
        y.at(i.at(t).load(), ..).store(x.at(t, ..).load());
    }
}
