//! A mask a row and a mask a column are joined: an attention mask that was never expanded.
//! runs: q = bool[9], k = bool[70]
//! y: outer_and(q, k)
use jumar::prelude::*;

#[kernel]
pub fn joined(#[shape(n)] q: &GlobalTensor<bool>, #[shape(d)] k: &GlobalTensor<bool>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let (rows, columns) = (q.at(r).load(), k.at(..).load());
        y.at(r, ..).store((rows & columns).select(full((r, d), 1.0), 0.0)); //- error: J0206
        //+ y.at(r, ..).store(rows.select(columns.select(1.0, 0.0).expand(r), 0.0));
    }
}
