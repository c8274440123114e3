#[kernel]
pub fn totals(#[shape(n, d)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {
    for r in row_tiles(x) {
        r.store_col(y, r.load(x).row_sum());
    }
}
