use jumar::prelude::*;

#[kernel]
fn k(
    #[shape(n)]
    #[index(m)]
    i: &GlobalTensor<i32>,
    #[shape(m, d)] x: &GlobalTensor<f32>,
    #[shape(n, d)] y: &mut GlobalTensor<f32>,
) {
    for t in tiles(n) {
        let at = i.at(t).load() + 1;
        y.at(t, ..).store(x.at(at, ..).load());
    }
}
