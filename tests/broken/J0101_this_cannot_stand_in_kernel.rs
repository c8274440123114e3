use jumar::prelude::*;

#[kernel]
fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] w: Option<&GlobalTensor<f32>>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let mut v = x.at(t).load();
        if let Some(w) = w {
            v = v * w.at(t).load();
        }
        if let Some(1) = w {
            v = v * 2.0;
        }
        y.at(t).store(v);
    }
}
