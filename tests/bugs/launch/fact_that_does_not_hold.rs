//! A launch gives channels that the groups do not divide.
//! runs: x = f32[5, 12], groups = 3
//! fails: x = f32[5, 13], groups = 3
//! refused: J0604
//! y: group_sums(x, 3)
use jumar::prelude::*;

#[kernel]
pub fn group_sums(#[shape(n, c)] x: &GlobalTensor<f32>, groups: usize, #[shape(n, groups)] y: &mut GlobalTensor<f32>) {
    require(groups >= 1);
    require(c % groups == 0);
    let k = new_axis(c / groups);
    let x = x.view((n, groups, k));
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, .., ..).load().sum(k));
    }
}
