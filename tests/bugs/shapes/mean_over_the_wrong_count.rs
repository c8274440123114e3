//! A batch norm reduces channels and asks for the mean of an axis that the tile does not have.
//! runs: x = f32[4, 3, 70]
//! y: channel_sums(x)
use jumar::prelude::*;

#[kernel]
pub fn channel_sums(#[shape(b, c, p)] x: &GlobalTensor<f32>, #[shape(c)] y: &mut GlobalTensor<f32>) {
    for i in each(c) {
        let mut s = full((), 0.0);
        for j in each(b) {
            s = s + x.at(j, i, ..).load().sum(b); //- error: J0206
            //+ s = s + x.at(j, i, ..).load().sum(p);
        }
        y.at(i).store(s);
    }
}
