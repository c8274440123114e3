use crate::tasks::reference::*;

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
