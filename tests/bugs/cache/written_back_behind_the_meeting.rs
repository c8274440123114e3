//! Each block leaves its sum in a line of its own, and writes the line back after all have met.
//! runs: x = f32[64]
//! y: sum(x)
use jumar::prelude::*;

#[kernel]
pub fn total(#[shape(64)] x: &GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {
    let sums = workspace::<f32>(64);
    let share = split(4).block_dim(4);
    let pipe = TPipe::new();
    let mut sum = 0.0;
    for i in 0..share.len() * 16 {
        let v = x.get_value(share.start() * 16 + i);
        sum = sum + v;
    }
    let own = get_block_idx() * 16;
    sums.set_value(own, sum); // fault: J0809
    //+ sums.data_cache_clean_and_invalid(own);
    sync_all();
    sums.data_cache_clean_and_invalid(own); //-
    if get_block_idx() == 0 {
        let mut all = 0.0;
        for b in 0..4 {
            let v = sums.get_value(b * 16);
            all = all + v;
        }
        y.set_value(0, all);
        y.data_cache_clean_and_invalid(0);
    }
}
