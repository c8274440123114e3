use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (z, size) = unzip(of.zip(("dy", "x"), |dy, x| {
        let e = (-1.702 * x.abs()).exp();
        let (sum, size) = sums([e, 1.702 * x * e, (1.702 * (x - x.abs())).exp()]);
        (dy * sum / (1.0 + e).powi(2), dy.abs() * size / (1.0 + e).powi(2))
    }));
    due_of("z", z, size)
}
