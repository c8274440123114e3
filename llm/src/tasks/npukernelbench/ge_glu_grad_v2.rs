use crate::tasks::reference::*;
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
        #[shape(a.., d, b..)] dy: &GlobalTensor<T>,
        #[shape(a.., m @ dim, b..)] x: &GlobalTensor<T>,
        #[shape(a.., d, b..)] gelu: &GlobalTensor<T>,
        #[shape(a.., m, b..)] dx: &mut GlobalTensor<T>,
        dim: i32,
        approximate: bool,
        activate_left: bool,
    ) {
        require(m == 2 * d);
        let two = new_axis(2);
        let (x, dx) = (x.view((a, two, d, b)), dx.view((a, two, d, b)));
        let gate = if activate_left { 0 } else { 1 };
        for (i, r, t) in tiles((a, d, b)) {
            let (g, v) = (x.at(i, gate, r, t).load().wide(), dy.at(i, r, t).load().wide());
            let slope = if approximate { slope_tanh(g) } else { slope_erf(g) };
            dx.at(i, gate, r, t).store((v * x.at(i, 1 - gate, r, t).load().wide() * slope).cast::<T>());
            dx.at(i, 1 - gate, r, t).store((v * gelu.at(i, r, t).load().wide()).cast::<T>());
        }
    }
}

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
