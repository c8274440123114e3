#[kernel]
pub fn weigh(#[shape(n.., d)] x: &GlobalTensor<f32>, #[shape(d)] gamma: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, ..).load() * gamma.at(..).load());
    }
}
