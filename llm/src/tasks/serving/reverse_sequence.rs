use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let row = |(x, length): (&[f64], &f64)| {
        let (head, tail) = x.split_at(*length as usize);
        head.iter().rev().chain(tail).copied().collect::<Vec<f64>>()
    };
    due("y", of["x"].chunks(of.size("d")).zip(&of["lengths"]).flat_map(row).collect())
}
