use jumar::prelude::*;

#[kernel]
pub fn shifted(#[shape(b, n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for (i, t) in tiles((each(b), n)).size((_, 64)) {
        y.at(i + 1, t).store(x.at(i, t).load());
    }
}

fn main() {}
