use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    pub enum QuantMode {
        Static,
        Dynamic,
    }

    #[kernel]
    #[instances(f16, bf16, i32)]
    pub fn dequant_swiglu_quant<T: Number>(
        #[shape(n, w)] x: &GlobalTensor<T>,
        #[shape(w)] weight_scale: Option<&GlobalTensor<f32>>,
        #[shape(n)] activation_scale: Option<&GlobalTensor<f32>>,
        #[shape(w)] bias: Option<&GlobalTensor<i32>>,
        #[shape(w / 2)] quant_scale: Option<&GlobalTensor<f32>>,
        #[shape(w / 2)] quant_offset: Option<&GlobalTensor<f32>>,
        #[shape(n, d = w / 2)] y: &mut GlobalTensor<i8>,
        #[shape(n)] scale: &mut GlobalTensor<f32>,
        activate_left: bool,
        quant_mode: QuantMode,
    ) {
        require(w % 2 == 0);
        let gate = if activate_left { 0 } else { d };
        for r in tiles(n) {
            let s = activation_scale.or_full(1.0).at(r).load();
            let (at, of) = (d.indices() + gate, d.indices() + d - gate);
            let g = x.at(r, at).load().wide().cast::<f32>() * weight_scale.or_full(1.0).at(at).load() * s;
            let v = x.at(r, of).load().wide().cast::<f32>() * weight_scale.or_full(1.0).at(of).load() * s;
            let g = g + bias.or_full(0).at(at).load().cast::<f32>();
            let h = g.silu() * (v + bias.or_full(0).at(of).load().cast::<f32>());
            match quant_mode {
                QuantMode::Static => {
                    scale.at(r).store(full(r, 1.0));
                    let u = h / quant_scale.or_full(1.0).at(d.indices()).load();
                    y.at(r, ..).store((u + quant_offset.or_full(0.0).at(d.indices()).load()).cast::<i8>());
                }
                QuantMode::Dynamic => {
                    let top = h.abs().amax(d) / 127.0;
                    scale.at(r).store(top);
                    y.at(r, ..).store((h / top).cast::<i8>());
                }
            }
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let d = of.size("w") / 2;
    let or = |name: &str, i: usize, otherwise: f64| of.get(name).map_or(otherwise, |v| v[i]);
    let left = of.number("activate_left") == 1.0;
    let (mut y, mut scales) = (Vec::new(), Vec::new());
    for (r, row) in of["x"].chunks(2 * d).enumerate() {
        let t = |i: usize| {
            let scaled = row[i] * or("weight_scale", i, 1.0) * or("activation_scale", r, 1.0);
            sums([scaled, or("bias", i, 0.0)])
        };
        let h: Vec<(f64, f64)> = (0..d)
            .map(|j| {
                let ((g, g_size), (v, v_size)) = if left { (t(j), t(j + d)) } else { (t(j + d), t(j)) };
                let gate = 1.0 / (1.0 + (-g).exp());
                (g * gate * v, g_size * gate * (1.0 + g_size) * v_size)
            })
            .collect();
        if of.name("quant_mode") == "dynamic" {
            let (top, size) = h.iter().fold((0.0f64, 0.0f64), |(t, s), (v, size)| (t.max(v.abs()), s.max(*size)));
            scales.push((top / 127.0, size / 127.0));
            y.extend(h.iter().map(|(v, s)| (v / top * 127.0, (s + v.abs() * size / top) / top * 127.0)));
        } else {
            scales.push((1.0, 1.0));
            let quantized = |(j, (v, size)): (usize, &(f64, f64))| {
                let (scale, offset) = (or("quant_scale", j, 1.0), or("quant_offset", j, 0.0));
                (v / scale + offset, size / scale + offset.abs())
            };
            y.extend(h.iter().enumerate().map(quantized));
        }
    }
    Due::default().and_pairs("y", y).and_pairs("scale", scales)
}
