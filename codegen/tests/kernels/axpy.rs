/// `y = alpha * x + y`, rows shorter than a data block included.
#[kernel]
#[instances(f16, f32)]
#[chips(ascend310p)]
pub fn axpy<T: Float>(#[shape(n.., d)] x: &GlobalTensor<T>, #[inplace] y: &mut GlobalTensor<T>, alpha: f32) {
    for r in row_tiles(x) {
        let v = r.load(x).cast::<f32>() * alpha + r.load(y).cast::<f32>();
        r.store(y, (v - v.row_max()).cast::<T>());
    }
}
