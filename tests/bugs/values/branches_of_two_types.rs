//! An if gives f16 in one branch and f32 in the other.
//! runs: x = f16[70], precise = true
//! y: exp(x)
use jumar::prelude::*;

#[kernel]
pub fn exponential(#[shape(n)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f32>, precise: bool) {
    for t in tiles(n) {
        let v = x.at(t).load();
        let e = if precise { v.cast::<f32>().exp() } else { v.exp() }; //- error: J0201
        //+ let e = if precise { v.cast::<f32>().exp() } else { v.exp().cast::<f32>() };
        y.at(t).store(e);
    }
}
