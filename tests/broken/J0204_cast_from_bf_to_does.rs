use jumar::prelude::*;

#[kernel]
#[instances(bf16, f16)]
fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<f16>) {
    for t in tiles(x) {
        let v = x.at(t).load().cast::<f16>();
        y.at(t).store(v);
    }
}
