use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    pub enum Reduction {
        None,
        Mean,
        Sum,
    }

    #[kernel]
    pub fn cross_entropy_loss_grad<T: Float>(
        #[shape(rows = match reduction { Reduction::None => n, Reduction::Mean | Reduction::Sum => 1 })] grad_loss: &GlobalTensor<T>,
        #[shape(n, d)] log_prob: &GlobalTensor<T>,
        #[shape(n)]
        #[index(d)]
        target: &GlobalTensor<i64>,
        #[shape(d)] weight: Option<&GlobalTensor<f32>>,
        ignore_index: i32,
        reduction: Reduction,
        label_smoothing: f32,
        #[shape(n, d)] dx: &mut GlobalTensor<T>,
    ) {
        let mut weights = across_cores::<f32>((), 0.0);
        for r in tiles(n) {
            let at = target.at(r).load();
            weights += at.cast::<i32>().eq(ignore_index).select(0.0, weight.or_full(1.0).at(at).load()).sum(r);
        }
        let mut all = across_cores::<f32>((), 0.0);
        for t in tiles(d) {
            all += weight.or_full(1.0).at(t).load().sum(t);
        }
        for (r, t) in tiles((n, d)) {
            let at = target.at(r).load();
            let w = at.cast::<i32>().eq(ignore_index).select(0.0, weight.or_full(1.0).at(at).load());
            let kept = at.cast::<i32>().eq(ignore_index).select(0.0, full(r, 1.0));
            let g = match reduction {
                Reduction::None => kept * grad_loss.at(r + 0).load().wide(),
                Reduction::Mean => kept * (grad_loss.at(0).load().wide() / weights),
                Reduction::Sum => kept * grad_loss.at(0).load().wide(),
            };
            let hit = t.iota().expand(r).eq(at.cast::<i32>()).select(1.0, 0.0);
            let p = log_prob.at(r, t).load().wide().exp();
            let own = (p - hit) * (w * (1.0 - label_smoothing));
            let smooth = (p * all - weight.or_full(1.0).at(t).load()) * (label_smoothing / d as f32);
            dx.at(r, t).store(((own + smooth) * g).cast::<T>());
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
    let smoothing = of.number("label_smoothing");
    let one = |j: usize| of.get("weight").map_or(1.0, |w| w[j]);
    let all: f64 = (0..d).map(one).sum();
    let (dx, size) = unzip(of["log_prob"].iter().enumerate().map(|(i, p)| {
        let target = of["target"][i / d];
        let kept = f64::from(u8::from(target != of.number("ignore_index")));
        let g = kept / weights * of["grad_loss"][if of.name("reduction") == "none" { i / d } else { 0 }];
        let hit = f64::from(u8::from(target == (i % d) as f64));
        let (own, smooth) = ((1.0 - smoothing) * weight(target), smoothing / d as f64);
        let (e, w) = (p.exp(), one(i % d));
        (g * (own * (e - hit) + smooth * (e * all - w)), g * (own * (e + hit) + smooth * (e * all + w)))
    }));
    due_of("dx", dx, size)
}
