use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let [lr, beta1, beta2, decay] = ["lr", "beta1", "beta2", "weight_decay"].map(|name| of.number(name));
    let (mut params, mut ms) = (Vec::new(), Vec::new());
    for (i, (p, g)) in of.zip(("p", "grad"), |p, g| (p, g)).into_iter().enumerate() {
        let c = beta1 * of["m"][i] + (1.0 - beta1) * g;
        let sign = if c == 0.0 { 0.0 } else { c.signum() };
        params.push(sums([p * (1.0 - lr * decay), -lr * sign]));
        ms.push(sums([beta2 * of["m"][i], (1.0 - beta2) * g]));
    }
    Due::default().and_pairs("p", params).and_pairs("m", ms)
}
