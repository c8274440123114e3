use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let [lr, beta1, beta2, eps, decay] = ["lr", "beta1", "beta2", "eps", "weight_decay"].map(|name| of.number(name));
    let [first, second] = ["correction1", "correction2"].map(|name| of.number(name));
    let (mut params, mut ms, mut vs) = (Vec::new(), Vec::new(), Vec::new());
    for (i, (p, g)) in of.zip(("params", "grads"), |p, g| (p, g)).into_iter().enumerate() {
        let (m, m_size) = sums([beta1 * of["ms"][i], (1.0 - beta1) * g]);
        let (v, v_size) = sums([beta2 * of["vs"][i], (1.0 - beta2) * g * g]);
        let rate = lr / first / ((v / second).sqrt() + eps);
        params.push((p * (1.0 - lr * decay) - rate * m, p.abs() + rate * m_size));
        ms.push((m, m_size));
        vs.push((v, v_size));
    }
    Due::default().and_pairs("params", params).and_pairs("ms", ms).and_pairs("vs", vs)
}
