use jumar::prelude::*;

#[kernel]
pub fn marks(y: &mut GlobalTensor<i32>) {
    let share = split(y.len());
    for i in 0..share.len() {
        y.set_value(share.start() + i, 1);
    }
}

fn main() {}
