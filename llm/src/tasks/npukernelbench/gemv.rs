use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (alpha, beta) = (of.number("alpha"), of.number("beta"));
    let (out, size) = unzip(of["a"].chunks(of.size("d")).zip(&of["y"]).map(|(row, y)| {
        let (sum, size) = sums(row.iter().zip(&of["x"]).map(|(a, x)| a * x));
        (alpha * sum + beta * y, (alpha * size).abs() + (beta * y).abs())
    }));
    due_of("out", out, size)
}
