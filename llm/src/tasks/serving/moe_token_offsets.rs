use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let of_row = |row: &[f64]| {
        let ends = running(row, 0.0, |sum, v| sum + v);
        if of.number("exclusive") == 1.0 {
            ends.iter().zip(row).map(|(end, v)| end - v).collect()
        } else {
            ends
        }
    };
    due("offsets", of["counts"].chunks(of.size("e")).flat_map(of_row).collect())
}
