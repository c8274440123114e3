use jumar::prelude::*;

#[kernel]
fn k<T: Float>(x: &GlobalTensor<T>, w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, s: f32, n: usize, flag: bool) {
    for t in tiles(x) {
        let h = x.at(t).load();
        let v = h.cast::<f32>();
        let w = w.at(t).load();
        y.at(t).store(v);
        if flag {
            let u = h * w;
        }
    }
}
