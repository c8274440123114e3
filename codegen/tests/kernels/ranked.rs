#[kernel]
#[instances(f16, f32)]
pub fn ranked<T: Float>(
    #[shape(n, d)] x: &GlobalTensor<T>,
    #[shape(n, k)] values: &mut GlobalTensor<T>,
    #[shape(n, k)] places: &mut GlobalTensor<i32>,
    #[shape(n, k)] shares: &mut GlobalTensor<T>,
    k: usize,
) {
    for r in tiles(n) {
        let (best, at) = x.at(r, ..).load().topk(d, k);
        values.at(r, ..).store(best);
        places.at(r, ..).store(at);
        shares.at(r, ..).store(best.cumsum(k));
    }
}
