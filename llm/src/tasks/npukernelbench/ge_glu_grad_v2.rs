use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (d, gate) = (of.size("d") * of.size("b"), if of.number("activate_left") == 1.0 { 0 } else { 1 });
    let slope = |g: f64| match of.number("approximate") == 1.0 {
        true => {
            let c = (2.0 / std::f64::consts::PI).sqrt();
            let t = (c * (g + 0.044715 * g.powi(3))).tanh();
            (0.5 * (1.0 + t), 0.5 * g * (1.0 - t * t) * c * (1.0 + 3.0 * 0.044715 * g * g))
        }
        false => {
            let normal = (-g * g / 2.0).exp() / std::f64::consts::TAU.sqrt();
            (0.5 * libm::erfc(-g / std::f64::consts::SQRT_2), g * normal)
        }
    };
    let one = |(i, x): (usize, &f64)| {
        let (row, half, t) = (i / (2 * d), i / d % 2, i % d);
        let dy = of["dy"][row * d + t];
        if half == gate {
            let (a, (u, v)) = (of["x"][(row * 2 + 1 - gate) * d + t], slope(*x));
            (dy * a * (u + v), (dy * a).abs() * (1.0 + v.abs()))
        } else {
            let v = dy * of["gelu"][row * d + t];
            (v, v.abs())
        }
    };
    let (dx, size) = unzip(of["x"].iter().enumerate().map(one));
    due_of("dx", dx, size)
}
