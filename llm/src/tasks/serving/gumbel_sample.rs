use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let v = of.size("v");
    let best = |(i, row): (usize, &[f64])| {
        let by = of["temperature"][i];
        let score = |j: usize| if by == 0.0 { row[j] } else { row[j] / by + of["noise"][i * v + j] };
        (1..v).fold(0, |best, j| if score(j) > score(best) { j } else { best }) as f64
    };
    due("tokens", of["logits"].chunks(v).enumerate().map(best).collect())
}
