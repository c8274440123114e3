use jumar::prelude::*;

#[kernel]
pub fn scale(x: &GlobalTensor<bf16>, y: &mut GlobalTensor<bf16>) {
    for t in tiles(x) {
        t.store(y, t.load(x) * 2.0);
    }
}

fn main() {}
