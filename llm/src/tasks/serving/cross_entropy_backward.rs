use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (v, smoothing) = (of.size("v"), of.number("smoothing"));
    let (mut dx, mut sizes) = (Vec::new(), Vec::new());
    for (i, row) in of["logits"].chunks(v).enumerate() {
        let target = of["target"][i];
        let g = if target == of.number("ignore_index") { 0.0 } else { of["dloss"][i] };
        let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = row.iter().map(|x| (x - top).exp()).sum();
        for (j, x) in row.iter().enumerate() {
            let (p, hit) = ((x - top).exp() / sum, if target == j as f64 { 1.0 - smoothing } else { 0.0 });
            dx.push(g * (p - hit - smoothing / v as f64));
            sizes.push(g * (p + hit + smoothing / v as f64));
        }
    }
    due_of("dx", dx, sizes)
}
