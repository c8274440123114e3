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

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let (mut probs, mut sizes, mut sum, mut size, mut weights) = (Vec::new(), Vec::new(), 0.0, 0.0, 0.0);
    let (smoothing, mut each) = (of.number("label_smoothing"), Vec::new());
    let mut lse = Vec::new();
    for (row, target) in of["x"].chunks(d).zip(&of["target"]) {
        let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let log = row.iter().map(|v| (v - top).exp()).sum::<f64>().ln();
        lse.push((top + log, top.abs() + log.abs() + 1.0));
        probs.extend(row.iter().map(|v| v - top - log));
        sizes.extend(row.iter().map(|v| v.abs() + top.abs() + log + 1.0));
        if *target != of.number("ignore_index") {
            let w = |j: usize| of.get("weight").map_or(1.0, |w| w[j]);
            let part = |j: usize, of: f64| [-of * w(j) * (row[j] - top - log), of * w(j) * (row[j].abs() + top.abs() + log + 1.0)];
            let smooth = (0..d).map(|j| part(j, smoothing / d as f64));
            let all = smooth.chain([part(*target as usize, 1.0 - smoothing)]);
            let [loss, about] = all.fold([0.0; 2], |sum, part| [sum[0] + part[0], sum[1] + part[1]]);
            sum += loss;
            size += about;
            weights += w(*target as usize);
            each.push((loss, about));
        } else {
            each.push((0.0, 0.0));
        }
    }
    let over = if of.name("reduction") == "mean" { weights } else { 1.0 };
    let scale = of.number("lse_square_scale") / lse.len() as f64;
    let (squares, about) = lse.iter().fold((0.0, 0.0), |(s, m), (v, size)| (s + v * v, m + size * size));
    let whole = vec![(sum / over, size / over)];
    let losses = Due::default().and_pairs("loss", if of.name("reduction") == "none" { each } else { whole }).and_of("log_prob", probs, sizes);
    losses.and_of("zloss", vec![squares * scale], vec![about * scale]).and_pairs("lse", lse)
}
