/// `y = alpha * x + beta`, where the numbers are elements of the tensors.
#[kernel]
pub fn blended<T: Number>(x: &GlobalTensor<T>, alpha: T, #[default(-1)] beta: T, y: &mut GlobalTensor<T>) {
    for t in tiles(x) {
        y.at(t).store((x.at(t).load().wide() * alpha + beta).cast::<T>());
    }
}
