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
