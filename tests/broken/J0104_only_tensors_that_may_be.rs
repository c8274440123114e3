use jumar::prelude::*;

#[kernel]
fn k<T: Float>(
    #[shape(n)] x: &GlobalTensor<f32>,
    #[shape(n)] y: &mut GlobalTensor<f32>,
    #[shape(n)] z: Option<&mut GlobalTensor<T>>,
) {
    for t in tiles(n) {
        let v = x.at(t).load().cast::<f32>();
        y.at(t).store(v);
        if let Some(z) = z {
            z.at(t).store(v.cast::<T>());
        }
    }
}
