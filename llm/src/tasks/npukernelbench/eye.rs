use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (rows, columns) = (of.size("rows"), of.size("columns"));
    let one = |i: usize| f64::from(u8::from(i / columns % rows == i % columns));
    due("y", (0..of.size("batch") * rows * columns).map(one).collect())
}
