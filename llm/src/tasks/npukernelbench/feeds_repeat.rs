use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (d, size) = (of.size("d"), of.size("size"));
    let rows = of["x"].chunks(d).zip(&of["times"]).flat_map(|(row, times)| row.repeat(*times as usize));
    due("y", rows.chain(std::iter::repeat(0.0)).take(size * d).collect())
}
