use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let byte = |pair: &[f64]| pair[0].rem_euclid(16.0) + 16.0 * pair[1].rem_euclid(16.0);
    due("y", of["x"].chunks(2).map(byte).collect())
}
