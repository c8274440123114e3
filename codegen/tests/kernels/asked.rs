/// Rows less their largest element; on request these, and the sums of columns.
#[kernel]
#[instances(f16, f32)]
pub fn asked<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n)] top: Option<&mut GlobalTensor<T>>, #[shape(n, d)] y: &mut GlobalTensor<T>,
    #[shape(d)] sums: Option<&mut GlobalTensor<f32>>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load().cast::<f32>();
        let most = v.amax(d);
        y.at(r, ..).store((v - most).cast::<T>());
        if let Some(top) = top {
            top.at(r).store(most.cast::<T>());
        }
        if let Some(sums) = sums {
            sums.at(..).atomic_add(v.sum(r));
        }
    }
}
