/// `y = alpha * x + y`, rows shorter than a data block included.
#[kernel]
#[instances(f16, f32)]
#[chips(ascend310p)]
pub fn axpy<T: Float>(#[shape(n.., d)] x: &GlobalTensor<T>, #[inplace] y: &mut GlobalTensor<T>, alpha: f32) {
    for r in tiles(n) {
        let v = x.at(r, ..).load().cast::<f32>() * alpha + y.at(r, ..).load().cast::<f32>();
        y.at(r, ..).store((v - v.amax(d)).cast::<T>());
    }
}
