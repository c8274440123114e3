#[kernel]
pub fn weigh(#[shape(n.., d)] x: &GlobalTensor<f32>, #[shape(d)] gamma: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for r in row_tiles(x) {
        r.store(y, r.load(x) * r.load_row(gamma));
    }
}
