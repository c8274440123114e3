use jumar::prelude::*;

#[kernel]
pub fn k(#[shape(n)] x: &GlobalTensor<bf16>, #[shape(n)] w: &GlobalTensor<bf16>, #[shape(n)] y: &mut GlobalTensor<bf16>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load() + w.at(t).load());
    }
}
