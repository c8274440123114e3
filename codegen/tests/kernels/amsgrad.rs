/// A running mean of squares, and where it is given its maximum so far: both are updated in place.
#[kernel]
#[instances(f16, f32)]
pub fn amsgrad<T: Float>(g: &GlobalTensor<T>, #[inplace] v: &mut GlobalTensor<T>, #[inplace] top: Option<&mut GlobalTensor<T>>) {
    for t in tiles(g) {
        let g = g.at(t).load().wide();
        let w = v.at(t).load().wide() * 0.9 + g * g * 0.1;
        v.at(t).store(w.cast::<T>());
        if let Some(top) = top {
            top.at(t).store(top.at(t).load().wide().max(w).cast::<T>());
        }
    }
}
