use jumar::prelude::*;

#[kernel]
pub fn convert(x: &GlobalTensor<f16>, y: &mut GlobalTensor<bf16>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load().cast::<bf16>());
    }
}

fn main() {}
