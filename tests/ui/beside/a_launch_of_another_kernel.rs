//! The launch of a wrong kernel takes anything; that of a right one is rustc's to judge.

use jumar::ndarray::arr1;
use jumar::prelude::*;
use jumar::Simulator;

#[kernel]
pub fn wrong(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load().exponential());
    }
}

#[kernel]
pub fn right(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, factor: f32) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() * factor);
    }
}

fn main() {
    let (x, mut y) = (arr1(&[1.0f32]), arr1(&[0.0f32]));
    let _ = wrong.launch(&Simulator, &x, &mut y);
    let _ = right.launch(&Simulator, &x, &mut y, true);
}
