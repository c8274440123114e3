use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let x: Vec<(f64, f64)> = of.zip(("a", "b"), |a, b| sums([a * b * of["c"][0]]));
    let rows: Vec<Moments> = x.chunks(d).map(|row| moments(row, of["add"][0])).collect();
    let one = |i: usize| {
        let (r, g, b) = (&rows[i / d], of["gamma"][i % d], of["beta"][i % d]);
        ((x[i].0 - r.mean) * r.rstd * g + b, (x[i].1 + r.size) * r.rstd * g + b)
    };
    let (y, size) = unzip((0..x.len()).map(one));
    due_of("y", y, size)
}
