use jumar::prelude::*;

#[kernel]
#[instances((f16, f32), (f16, f32))]
fn k<T: Float, G: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<G>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load().cast::<f32>().cast::<G>());
    }
}
