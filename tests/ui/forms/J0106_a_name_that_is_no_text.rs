use jumar::prelude::*;

#[kernel]
pub fn copied(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let v = x.at(t).load();
        v.dump(n);
        y.at(t).store(v);
    }
}

fn main() {}
