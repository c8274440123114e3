use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let c = (8.0 / std::f64::consts::PI).sqrt();
    let (z, size) = unzip(of.zip(("dy", "x"), |dy, x| {
        let e = (-c * (x + 0.044715 * x.powi(3))).exp();
        let (u, v) = (1.0 / (1.0 + e), x * c * (1.0 + 3.0 * 0.044715 * x * x) * e / (1.0 + e).powi(2));
        (dy * (u + v), dy.abs() * (u + v.abs()))
    }));
    due_of("z", z, size)
}
