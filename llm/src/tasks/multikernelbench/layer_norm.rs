use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (y, size) = unzip(of["x"].chunks(of.size("d").max(1)).flat_map(|row| {
        let d = row.len() as f64;
        let mean = row.iter().sum::<f64>() / d;
        let rstd = 1.0 / (row.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / d + of.number("eps")).sqrt();
        let one =
            move |(v, (g, b)): (&f64, (&f64, &f64))| ((v - mean) * rstd * g + b, (v.abs() + mean.abs()) * rstd * g + b.abs());
        row.iter().zip(of["gamma"].iter().zip(&of["beta"])).map(one).collect::<Vec<_>>()
    }));
    due_of("y", y, size)
}
