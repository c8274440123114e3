//! The mean over an optional weight divides by `w.len()`, also where there is none.
//! runs: x = f32[9, 70]
//! y: times(x, 1)
use jumar::prelude::*;

#[kernel]
pub fn over_length(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(k)] w: Option<&GlobalTensor<f32>>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    let scale = 1.0 / w.len() as f32; //- error: J0103
    //+ let scale = if let Some(w) = w { 1.0 / w.len() as f32 } else { 1.0 };
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, ..).load() * scale);
    }
}
