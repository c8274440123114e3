use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (x, c, p) = (&of["x"], of.size("c"), of.size("p"));
    let (mut mean, mut variance) = (vec![0.0; c], vec![0.0; c]);
    let count = (x.len() / c) as f64;
    x.iter().enumerate().for_each(|(i, v)| mean[i / p % c] += v / count);
    x.iter().enumerate().for_each(|(i, v)| variance[i / p % c] += (v - mean[i / p % c]).powi(2) / count);
    let scale = |i: usize| of["gamma"][i] / (variance[i] + of.number("eps")).sqrt();
    let one = |(i, v): (usize, &f64)| {
        let j = i / p % c;
        ((v - mean[j]) * scale(j) + of["beta"][j], (v.abs() + mean[j].abs()) * scale(j) + of["beta"][j].abs())
    };
    let (y, size) = unzip(x.iter().enumerate().map(one));
    due_of("y", y, size)
}
