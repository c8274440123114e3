use crate::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    /// The derivative of gelu with tanh.
    fn slope_tanh(g: Tile<f32>) -> Tile<f32> {
        let s = ((g * g * 0.071_354_814 + 1.595_769_1) * g).sigmoid();
        s + g * s * (1.0 - s) * (g * g * 0.214_064_44 + 1.595_769_1)
    }

    /// The derivative of gelu with erf.
    fn slope_erf(g: Tile<f32>) -> Tile<f32> {
        (g * -0.707_106_77).erfc() * 0.5 + g * (g * g * -0.5).exp() * 0.398_942_3
    }

    #[kernel]
    pub fn ge_glu_grad_v2<T: Float>(
        #[shape(n.., d)] dy: &GlobalTensor<T>,
        #[shape(n.., 2 * d)] x: &GlobalTensor<T>,
        #[shape(n.., d)] gelu: &GlobalTensor<T>,
        #[shape(n.., 2 * d)] dx: &mut GlobalTensor<T>,
        approximate: bool,
        activate_left: bool,
    ) {
        let two = new_axis(2);
        let (x, dx) = (x.view((n, two, d)), dx.view((n, two, d)));
        let gate = if activate_left { 0 } else { 1 };
        for (r, t) in tiles((n, d)) {
            let (g, v) = (x.at(r, gate, t).load().wide(), dy.at(r, t).load().wide());
            let slope = if approximate { slope_tanh(g) } else { slope_erf(g) };
            dx.at(r, gate, t).store((v * x.at(r, 1 - gate, t).load().wide() * slope).cast::<T>());
            dx.at(r, 1 - gate, t).store((v * gelu.at(r, t).load().wide()).cast::<T>());
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let (d, gate) = (of.size("d"), if of.number("activate_left") == 1.0 { 0 } else { 1 });
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
