//! Whether the output is given is asked of the input beside it.
//! runs: x = f32[9, 70], w = f32[70], scaled = f32[9, 70]
//! y: times(x, 2)
//! scaled: times_columns(x, w)
use jumar::prelude::*;

#[kernel]
pub fn scaled(
    #[shape(n, d)] x: &GlobalTensor<f32>,
    #[shape(d)] w: Option<&GlobalTensor<f32>>,
    #[shape(n, d)] scaled: Option<&mut GlobalTensor<f32>>,
    #[shape(n, d)] y: &mut GlobalTensor<f32>,
) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        y.at(r, ..).store(v * 2.0);
        if let Some(w) = w {
            scaled.at(r, ..).store(v * w.at(..).load()); //- error: J0103
            //+ if let Some(scaled) = scaled {
            //+     scaled.at(r, ..).store(v * w.at(..).load());
            //+ }
        }
        //+ else if let Some(scaled) = scaled {
        //+     scaled.at(r, ..).store(v);
        //+ }
    }
}
