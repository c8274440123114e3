//! The write-back begins at the last element that was set; it goes from there to the end of the line.
//! runs: x = f32[64]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn doubled(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let share = split(4);
    for part in 0..share.len() {
        let at = (share.start() + part) * 16;
        for i in 0..16 {
            let v = x.get_value(at + i);
            y.set_value(at + i, v * 2.0); // error: J0416
        }
        y.data_cache_clean_and_invalid(at + 15); //-
        //+ y.data_cache_clean_and_invalid(at);
    }
}
