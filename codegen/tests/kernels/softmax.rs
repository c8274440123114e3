#[kernel]
pub fn softmax<T: Float>(#[shape(n.., d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for r in row_tiles(x) {
        let v = r.load(x).cast::<f32>();
        let e = (v - v.row_max()).exp();
        r.store(y, (e / e.row_sum()).cast::<T>());
    }
}
