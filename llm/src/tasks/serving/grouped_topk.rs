use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (e, k) = (of.size("e"), of.size("k"));
    let (groups, best_groups) = (of.size("groups"), of.size("best_groups"));
    let (mut weights, mut ids) = (Vec::new(), Vec::new());
    for row in of["gating"].chunks(e) {
        let p: Vec<f64> = row.iter().map(|v| 1.0 / (1.0 + (-v).exp())).collect();
        let mut s: Vec<f64> = p.iter().zip(&of["bias"]).map(|(p, bias)| p + bias).collect();
        let worth = |group: &[f64]| falling(group)[..2].iter().map(|at| group[*at]).sum::<f64>();
        let worths: Vec<f64> = s.chunks(e / groups).map(worth).collect();
        for group in &falling(&worths)[best_groups..] {
            s[group * (e / groups)..][..e / groups].fill(f64::NEG_INFINITY);
        }
        let best = &falling(&s)[..k];
        let sum = if of.number("renormalize") == 1.0 { best.iter().map(|at| p[*at]).sum() } else { 1.0 };
        weights.extend(best.iter().map(|at| p[*at] / sum * of.number("scale")));
        ids.extend(best.iter().map(|at| *at as f64));
    }
    due("weights", weights).and("ids", ids)
}
