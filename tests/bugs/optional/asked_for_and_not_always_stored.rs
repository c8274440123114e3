//! An output that was asked for is stored where another tensor is given, too, and otherwise holds what it held.
//! runs: x = f32[9, 70], top = f32[9]
//! y: times(x, 1)
//! top: row_max(x)
use jumar::prelude::*;

#[kernel]
pub fn shifted(
    #[shape(n, d)] x: &GlobalTensor<f32>,
    #[shape(d)] w: Option<&GlobalTensor<f32>>,
    #[shape(n)] top: Option<&mut GlobalTensor<f32>>,
    #[shape(n, d)] y: &mut GlobalTensor<f32>,
) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        y.at(r, ..).store(v);
        if let Some(top) = top {
            if let Some(w) = w { // error: J0210
                top.at(r).store((v * w.at(..).load()).amax(d));
            }
            //+ else {
            //+     top.at(r).store(v.amax(d));
            //+ }
        }
    }
}
