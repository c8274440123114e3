use crate::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    pub enum Reduction {
        Mean,
        Sum,
    }

    #[kernel]
    pub fn cross_entropy_loss_grad<T: Float>(
        #[shape()] grad_loss: &GlobalTensor<T>,
        #[shape(n, d)] log_prob: &GlobalTensor<T>,
        #[shape(n)]
        #[index(d)]
        target: &GlobalTensor<i64>,
        #[shape(d)] weight: Option<&GlobalTensor<f32>>,
        ignore_index: i32,
        reduction: Reduction,
        #[shape(n, d)] dx: &mut GlobalTensor<T>,
    ) {
        let mut weights = across_cores::<f32>((), 0.0);
        for r in tiles(n) {
            let at = target.at(r).load();
            weights += at.cast::<i32>().eq(ignore_index).select(0.0, weight.or_full(1.0).at(at).load()).sum(r);
        }
        for (r, t) in tiles((n, d)) {
            let at = target.at(r).load();
            let w = at.cast::<i32>().eq(ignore_index).select(0.0, weight.or_full(1.0).at(at).load());
            let g = w * grad_loss.at().load().wide();
            let g = match reduction {
                Reduction::Mean => g / weights,
                Reduction::Sum => g,
            };
            let hit = t.iota().expand(r).eq(at.cast::<i32>()).select(1.0, 0.0);
            dx.at(r, t).store(((log_prob.at(r, t).load().wide().exp() - hit) * g).cast::<T>());
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let weight = |target: f64| match target == of.number("ignore_index") {
        true => 0.0,
        false => of.get("weight").map_or(1.0, |w| w[target as usize]),
    };
    let weights: f64 = match of.name("reduction") {
        "mean" => of["target"].iter().map(|t| weight(*t)).sum(),
        _ => 1.0,
    };
    let (dx, size) = unzip(of["log_prob"].iter().enumerate().map(|(i, p)| {
        let target = of["target"][i / d];
        let g = of["grad_loss"][0] * weight(target) / weights;
        let hit = f64::from(u8::from(target == (i % d) as f64));
        (g * (p.exp() - hit), g * (p.exp() + hit))
    }));
    due_of("dx", dx, size)
}
