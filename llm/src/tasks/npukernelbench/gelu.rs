use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let c = (8.0 / std::f64::consts::PI).sqrt();
    due("y", of.map("x", |x| x / (1.0 + (-c * (x + 0.044715 * x.powi(3))).exp())))
}
