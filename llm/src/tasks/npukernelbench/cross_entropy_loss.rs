use crate::tasks::reference::*;

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
