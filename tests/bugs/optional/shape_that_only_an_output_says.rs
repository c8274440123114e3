//! How many columns there are is said by an output that may be left out.
//! runs: x = f32[9], k = 3
//! y: times(x, 1)
use jumar::prelude::*;

#[kernel]
pub fn repeated(
    #[shape(n)] x: &GlobalTensor<f32>,
    #[shape(n)] y: &mut GlobalTensor<f32>,
    #[shape(n, k)] rows: Option<&mut GlobalTensor<f32>>, // error: J0109
    //+ k: usize,
) {
    for t in tiles(n) {
        let v = x.at(t).load();
        y.at(t).store(v);
        if let Some(rows) = rows {
            rows.at(t, ..).store(v.expand(k));
        }
    }
}
