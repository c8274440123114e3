use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    // With t = e^s the integrand is smooth and decreases, so Simpson's rule converges.
    let f = |s: f64| if s.abs() < 1e-9 { 1.0 + s / 2.0 } else { -s / (-s).exp_m1() };
    let one = |x: f64| {
        let (end, steps) = (x.ln().max(-80.0), 2000);
        let h = end / f64::from(steps);
        let weight = |i: i32| if i == 0 || i == steps { 1.0 } else { f64::from(2 + i % 2 * 2) };
        -(0..=steps).map(|i| weight(i) * f(h * f64::from(i))).sum::<f64>() * h / 3.0
    };
    let size = of.map("x", |x| 1.65 + x.max(1.0).ln().powi(2) / 2.0);
    due_of("y", of.map("x", one), size)
}
