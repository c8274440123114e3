use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let x: Vec<(f64, f64)> = of.map("x", |x| x).iter().map(|x| (*x, x.abs())).collect();
    let rows: Vec<Moments> = x.chunks(d).map(|row| moments(row, of.number("epsilon"))).collect();
    let one = |i: usize| {
        let (r, g) = (&rows[i / d], of.get("gamma").map_or(1.0, |g| g[i % d]));
        let b = of.get("beta").map_or(0.0, |b| b[i % d]);
        ((x[i].0 - r.mean) * r.rstd * g + b, (x[i].1 + r.size) * r.rstd * g.abs() + b.abs())
    };
    let (y, size) = unzip((0..x.len()).map(one));
    due_of("y", y, size).and_moments(&rows)
}
