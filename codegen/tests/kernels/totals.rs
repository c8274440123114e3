#[kernel]
pub fn totals(#[shape(n, d)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {
    for r in tiles(n) {
        y.at(r).store(x.at(r, ..).load().sum(d));
    }
}
