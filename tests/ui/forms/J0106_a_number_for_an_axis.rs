use jumar::prelude::*;

#[kernel]
pub fn copied(#[shape(4, n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for (i, t) in tiles((each(4), n)) {
        y.at(i, t).store(x.at(i, t).load());
    }
}

fn main() {}
