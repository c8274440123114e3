use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (e, k) = (of.size("e"), of.size("k"));
    let (mut weights, mut ids) = (Vec::new(), Vec::new());
    for row in of["gating"].chunks(e) {
        let best = &falling(row)[..k];
        let top = row[best[0]];
        let of_all = row.iter().map(|v| (v - top).exp()).sum::<f64>();
        let of_best = best.iter().map(|at| (row[*at] - top).exp()).sum::<f64>();
        let sum = if of.number("renormalize") == 1.0 { of_best } else { of_all };
        weights.extend(best.iter().map(|at| (row[*at] - top).exp() / sum));
        ids.extend(best.iter().map(|at| *at as f64));
    }
    due("weights", weights).and("ids", ids)
}
