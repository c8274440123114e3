/// A product with an optional factor, and half of it, in an element type for each.
#[kernel]
#[instances((f16, f32, f16), (f16, f16, f32), (f32, f16, f16), (f32, f32, f32))]
pub fn told<T: Float, W: Float, U: Float>(#[shape(n)] x: &GlobalTensor<T>, #[shape(n)] weight: Option<&GlobalTensor<W>>, #[shape(n)] y: &mut GlobalTensor<T>,
    #[shape(n)] part: Option<&mut GlobalTensor<U>>) {
    for t in tiles(n) {
        let v = x.at(t).load().cast::<f32>() * weight.or_full(0.1).at(t).load().cast::<f32>();
        y.at(t).store(v.cast::<T>());
        if let Some(part) = part {
            part.at(t).store((v * 0.5).cast::<U>());
        }
    }
}
