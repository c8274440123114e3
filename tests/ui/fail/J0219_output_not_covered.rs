use jumar::prelude::*;

#[kernel]
pub fn shifted(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, k: usize) {
    require(k <= n);
    for t in tiles(k..n) {
        y.at(t).store(x.at(t - k).load());
    }
}

fn main() {}
