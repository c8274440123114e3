use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let mut pairs = Vec::new();
    for (x, dy) in of["x"].chunks(2 * d).zip(of["dy"].chunks(d)) {
        let s = |gate: f64| 1.0 / (1.0 + (-gate).exp());
        let of_gate = |j: usize| {
            let (gate, g) = (x[j], dy[j] * x[d + j]);
            (g * s(gate) * (1.0 + gate * (1.0 - s(gate))), g.abs() * s(gate) * (1.0 + gate.abs()))
        };
        let of_up = |j: usize| {
            let (gate, g) = (x[j], dy[j] * x[j] * s(x[j]));
            (g, g.abs() * (1.0 + gate.abs()))
        };
        pairs.extend((0..d).map(of_gate));
        pairs.extend((0..d).map(of_up));
    }
    Due::default().and_pairs("dx", pairs)
}
