use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let whole = |v: f64| match of.number("mode") as i32 {
        1 => v.round_ties_even(),
        2 => v.floor(),
        3 => v.ceil(),
        4 => v.round(),
        5 => v.trunc(),
        _ => v - v.trunc(),
    };
    due("ys", of.map("xs", whole))
}
