//! i32 is compared on a chip that compares floats only.
//! runs: x = i32[64]
//! y: relu(x)
use jumar::prelude::*;

#[kernel]
#[chips(ascend310p)]
pub fn relu(#[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {
    require(n % 8 == 0);
    for t in tiles(n) {
        let v = x.at(t).load();
        y.at(t).store(v.gt(0).select(v, 0)); //- error: J0203
        //+ y.at(t).store(v.max(0));
    }
}
