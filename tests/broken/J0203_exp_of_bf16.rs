use jumar::prelude::*;

#[kernel]
pub fn k(x: &GlobalTensor<bf16>, y: &mut GlobalTensor<bf16>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load().exp());
    }
}
