use crate::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn add_rms_norm_quant<T: Float>(
        #[shape(n.., d)] x1: &GlobalTensor<T>,
        #[shape(n.., d)] x2: &GlobalTensor<T>,
        #[shape(d)] gamma: &GlobalTensor<T>,
        #[shape(d)] scale: &GlobalTensor<f32>,
        #[shape(d)] zero_point: Option<&GlobalTensor<i32>>,
        y: &mut GlobalTensor<i8>,
        x: &mut GlobalTensor<T>,
        epsilon: f32,
        div_mode: bool,
    ) {
        for r in tiles(n) {
            let v = x1.at(r, ..).load().wide() + x2.at(r, ..).load().wide();
            let u = v / ((v * v).mean(d) + epsilon).sqrt() * gamma.at(..).load().wide();
            let s = scale.at(..).load();
            let q = if div_mode { u / s } else { u * s } + zero_point.or_full(0).at(..).load().cast::<f32>();
            x.at(r, ..).store(v.cast::<T>());
            y.at(r, ..).store(q.cast::<i8>());
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let x: Vec<(f64, f64)> = of.zip(("x1", "x2"), |a, b| sums([a, b]));
    let rstd: Vec<f64> = x.chunks(d).map(|row| rstd(row, of.number("epsilon"))).collect();
    let (y, size) = unzip((0..x.len()).map(|i| {
        let s = of["scale"][i % d];
        let scale = rstd[i / d] * of["gamma"][i % d] * if of.number("div_mode") == 1.0 { 1.0 / s } else { s };
        let zero = of.get("zero_point").map_or(0.0, |z| z[i % d]);
        (x[i].0 * scale + zero, x[i].1 * scale + zero.abs())
    }));
    due_of("y", y, size).and_pairs("x", x)
}
