use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn gemv(
        #[shape(n, d)] a: &GlobalTensor<f32>,
        #[shape(d)] x: &GlobalTensor<f32>,
        #[shape(n)] y: &GlobalTensor<f32>,
        #[shape(n)] out: &mut GlobalTensor<f32>,
        alpha: f32,
        beta: f32,
    ) {
        for r in tiles(n) {
            let product = (a.at(r, ..).load() * x.at(..).load()).sum(d);
            out.at(r).store(product * alpha + y.at(r).load() * beta);
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let (alpha, beta) = (of.number("alpha"), of.number("beta"));
    let (out, size) = unzip(of["a"].chunks(of.size("d")).zip(&of["y"]).map(|(row, y)| {
        let (sum, size) = sums(row.iter().zip(&of["x"]).map(|(a, x)| a * x));
        (alpha * sum + beta * y, (alpha * size).abs() + (beta * y).abs())
    }));
    due_of("out", out, size)
}
