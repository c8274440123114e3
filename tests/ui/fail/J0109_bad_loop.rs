use jumar::prelude::*;

#[kernel]
pub fn maybe(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, double: bool) {
    if double {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load() * 2.0);
        }
    }
}

fn main() {}
