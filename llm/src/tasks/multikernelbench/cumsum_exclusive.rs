use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let row = |row: &[f64]| {
        let sums = running(row, 0.0, |sum, v| sum + v);
        std::iter::once(0.0).chain(sums).take(row.len()).collect::<Vec<_>>()
    };
    due_of_rows("y", of["x"].chunks(of.size("d")).flat_map(row).collect(), of.size("d"))
}
