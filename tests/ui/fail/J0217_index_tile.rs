use jumar::prelude::*;

#[kernel]
pub fn embedding(#[shape(n)] ids: &GlobalTensor<i64>, #[shape(m, d)] table: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t, ..).store(table.at(ids.at(t).load(), ..).load());
    }
}

fn main() {}
