//! A factor that an attribute chooses is loaded under a condition that only a core knows, and nothing says that it is there.
//! runs: x = f32[5, 70], s = f32[3] {1, 2, 3}, k = 1
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn scaled(
    #[shape(n, d)] x: &GlobalTensor<f32>,
    #[shape(m)] s: &GlobalTensor<f32>,
    k: usize,
    #[shape(n, d)] y: &mut GlobalTensor<f32>,
) {
    //+ require(k < m);
    for (r, t) in tiles((each(n), d)) {
        if r > 0 {
            y.at(r, t).store(x.at(r, t).load() * s.at(k).load()); // error: J0216
        } else {
            y.at(r, t).store(x.at(r, t).load() * 2.0);
        }
    }
}
