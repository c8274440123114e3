//! The author promises that no two rows update one state, and two slots are one; a row without a state has slot -1.
//! runs: slots = i32[5]{4, 0, -1, 1, 3}, x = f32[5, 70], state = f32[5, 70]
//! fails: slots = i32[5]{4, 0, -1, 0, 3}, x = f32[5, 70], state = f32[5, 70]
//! state: advanced(slots, x, state)
use jumar::prelude::*;

#[kernel]
pub fn advance(#[shape(b)] slots: &GlobalTensor<i32>, #[shape(b, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(s, d)] state: &mut GlobalTensor<f32>) {
    for (i, t) in tiles((each(b), d)) {
        let slot = slots.at(i).load().scalar();
        if slot >= 0 {
            let at = slot as usize;
            assume(0 <= at && at < s);
            let old = state.at(at, t).load(); // fault: J0809
            state.at(at, t).store_disjoint(old * 0.5 + x.at(i, t).load());
        }
    }
}
