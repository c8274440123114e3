use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<bf16>, y: &mut GlobalTensor<bf16>) {
    for t in tiles(x) {
        let v = full::<bf16>(t, 4.5e-41);
        y.at(t).store(v);
    }
}
