#[kernel]
pub fn softmax<T: Float>(#[shape(n.., d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load().cast::<f32>();
        let e = (v - v.amax(d)).exp();
        y.at(r, ..).store((e / e.sum(d)).cast::<T>());
    }
}
