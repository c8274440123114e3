use jumar::prelude::*;

#[kernel]
pub fn narrow(x: &GlobalTensor<f32>, y: &mut GlobalTensor<bf16>) {
    for t in tiles(x) {
        t.store(y, t.load(x).cast_with::<bf16>(RoundMode::Odd));
    }
}

fn main() {}
