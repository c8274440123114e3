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
