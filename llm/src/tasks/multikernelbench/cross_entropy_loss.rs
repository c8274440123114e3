use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let each = of["predictions"].chunks(of.size("d")).zip(&of["targets"]).map(|(row, t)| {
        let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let own = row[*t as usize];
        (row.iter().map(|v| (v - top).exp()).sum::<f64>().ln() + top - own, top.abs() + own.abs() + 1.0)
    });
    let ((sum, size), n) = (each.fold((0.0, 0.0), |(a, b), (v, s)| (a + v, b + s)), of.size("n") as f64);
    due_of("loss", vec![sum / n], vec![size / n])
}
