//! All items store their sum to one tensor, of which the last one would stay.
//! runs: xs.0 = f32[70], xs.1 = f32[3, 5], y = f32[1] {4}
//! y: sum_of_two(xs.0, xs.1)
use jumar::prelude::*;

#[kernel]
pub fn total(#[shape(n..)] xs: &[GlobalTensor<f32>], #[shape(1)] #[inplace] y: &mut GlobalTensor<f32>) {
    for x in zip(xs) {
        let mut s = across_cores::<f32>((), 0.0);
        for t in tiles(n) {
            s += x.at(t).load().sum(t);
        }
        y.at(0).store(s); //- error: J0109
        //+ y.at(0).atomic_add(s);
    }
}
