use jumar::prelude::*;

#[kernel]
pub fn positive(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let m = x.at(t).load().gt(0.0);
        m.dump("m");
        y.at(t).store(m.select(1.0, 0.0));
    }
}

fn main() {}
