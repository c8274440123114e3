use jumar::prelude::*;

#[kernel]
pub fn convert(x: &GlobalTensor<f16>, y: &mut GlobalTensor<bf16>) {
    for t in tiles(x) {
        t.store(y, t.load(x).cast::<bf16>());
    }
}

fn main() {}
