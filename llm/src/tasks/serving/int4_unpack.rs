use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (h, g) = (of.size("h"), of.size("g"));
    let one = |i: usize| {
        let (row, j) = (i / (2 * h), i % (2 * h));
        let byte = of["x"][row * h + j / 2] as u8;
        let half = if j % 2 == 0 { byte & 15 } else { byte >> 4 };
        let (number, group) = (if half < 8 { f64::from(half) } else { f64::from(half) - 16.0 }, row * g + j / (2 * h / g));
        (number + of["offset"][group]) * of["scale"][group]
    };
    due("y", (0..2 * of["x"].len()).map(one).collect())
}
