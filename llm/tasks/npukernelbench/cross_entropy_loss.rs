#[kernels]
pub mod answer {
    use jumar::prelude::*;

    pub enum Reduction {
        None,
        Mean,
        Sum,
    }

    #[kernel]
    pub fn cross_entropy_loss<T: Float>(
        #[shape(n, d)] x: &GlobalTensor<T>,
        #[shape(n)]
        #[index(d)]
        target: &GlobalTensor<i64>,
        #[shape(d)] weight: Option<&GlobalTensor<f32>>,
        ignore_index: i32,
        reduction: Reduction,
        label_smoothing: f32,
        lse_square_scale: f32,
        #[shape(rows = match reduction { Reduction::None => n, Reduction::Mean | Reduction::Sum => 1 })] loss: &mut GlobalTensor<T>,
        #[shape(n, d)] log_prob: &mut GlobalTensor<T>,
        #[shape(1)] zloss: Option<&mut GlobalTensor<T>>,
        #[shape(n)] lse: Option<&mut GlobalTensor<T>>,
    ) {
        let mut losses = workspace::<f32>(n);
        let mut sum = across_cores::<f32>((), 0.0);
        let mut weights = across_cores::<f32>((), 0.0);
        let mut squares = across_cores::<f32>((), 0.0);
        for r in tiles(n) {
            let v = x.at(r, ..).load().wide();
            let top = v.amax(d);
            let e = v - top;
            let log = e.exp().sum(d).ln();
            let p = e - log;
            let all = top + log;
            if let Some(lse) = lse {
                lse.at(r).store(all.cast::<T>());
            }
            squares += (all * all).sum(r);
            log_prob.at(r, ..).store(p.cast::<T>());
            let at = target.at(r).load().cast::<i32>();
            let w = at.eq(ignore_index).select(0.0, weight.or_full(1.0).at(target.at(r).load()).load());
            let kept = at.eq(ignore_index).select(0.0, full(r, 1.0));
            let smooth = (p * weight.or_full(1.0).at(..).load()).sum(d) * kept;
            let loss = -(p.pick(d, at) * w * (1.0 - label_smoothing) + smooth * (label_smoothing / d as f32));
            losses.at(r).store(loss);
            sum += loss.sum(r);
            weights += w.sum(r);
        }
        match reduction {
            Reduction::None => {
                for r in tiles(n) {
                    loss.at(r + 0).store(losses.at(r).load().cast::<T>());
                }
            }
            Reduction::Mean => loss.at(0).store((sum / weights).cast::<T>()),
            Reduction::Sum => loss.at(0).store(sum.cast::<T>()),
        }
        if let Some(zloss) = zloss {
            zloss.at(0).store((squares * (lse_square_scale / n as f32)).cast::<T>());
        }
    }
}
