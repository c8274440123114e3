use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn batch_norm(
        #[shape(n, c, p..)] x: &GlobalTensor<f32>,
        #[shape(c)] gamma: &GlobalTensor<f32>,
        #[shape(c)] beta: &GlobalTensor<f32>,
        y: &mut GlobalTensor<f32>,
        eps: f32,
    ) {
        let one_of = 1.0 / (n * p) as f32;
        let mut sum = across_cores::<f32>(c, 0.0);
        for (i, t) in tiles((n, p)) {
            sum += x.at(i, .., t).load().sum((i, t));
        }
        let mean = sum * one_of;
        let mut squares = across_cores::<f32>(c, 0.0);
        for (i, t) in tiles((n, p)) {
            squares += (x.at(i, .., t).load() - mean).square().sum((i, t));
        }
        let scale = gamma.at(..).load() / (squares * one_of + eps).sqrt();
        for (i, t) in tiles((n, p)) {
            y.at(i, .., t).store((x.at(i, .., t).load() - mean) * scale + beta.at(..).load());
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let (x, c, p) = (&of["x"], of.size("c"), of.size("p"));
    let (mut mean, mut variance) = (vec![0.0; c], vec![0.0; c]);
    let count = (x.len() / c) as f64;
    x.iter().enumerate().for_each(|(i, v)| mean[i / p % c] += v / count);
    x.iter().enumerate().for_each(|(i, v)| variance[i / p % c] += (v - mean[i / p % c]).powi(2) / count);
    let scale = |i: usize| of["gamma"][i] / (variance[i] + of.number("eps")).sqrt();
    let one = |(i, v): (usize, &f64)| {
        let j = i / p % c;
        ((v - mean[j]) * scale(j) + of["beta"][j], (v.abs() + mean[j].abs()) * scale(j) + of["beta"][j].abs())
    };
    let (y, size) = unzip(x.iter().enumerate().map(one));
    due_of("y", y, size)
}
