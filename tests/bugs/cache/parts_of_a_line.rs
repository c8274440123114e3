//! Each block has 8 elements of its own, half a line: the write-back of one takes what the next one has written.
//! runs: x = f32[64]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn doubled(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let share = split(8); //-
    //+ let share = split(8).unit(2);
    for part in 0..share.len() {
        let at = (share.start() + part) * 8;
        for i in 0..8 {
            let v = x.get_value(at + i);
            y.set_value(at + i, v * 2.0); // error: J0416
        }
        y.data_cache_clean_and_invalid(at);
    }
}
