use jumar::prelude::*;

#[kernel]
pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, k: usize) {
    for t in tiles(n) {
        let mut v = x.at(t).load();
        for i in 0..=k {
            v = v + 1.0;
        }
        y.at(t).store(v);
    }
}
