use jumar::prelude::*;

#[kernel]
fn k(
    #[shape(c)] at: &GlobalTensor<i64>,
    #[shape(n, d)] x: &GlobalTensor<f32>,
    #[inplace]
    #[shape(n, d)]
    y: &mut GlobalTensor<f32>,
) {
    require(c >= 2);
    require(n >= 1);
    let k = at.at(0).load().scalar().max(0).min(n - 1);
    for i in each(n) {
        y.at(i, ..).store(x.at(i, ..).load() + y.at(k, ..).load());
    }
}
