use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let [lr, decay, beta1, beta2, eps, wd] =
        ["lr", "ema_decay", "beta1", "beta2", "eps", "weight_decay"].map(|name| of.number(name));
    let (k, decoupled) = (of["step"][0], of.name("mode") == "adam_w");
    let [first, second] = [beta1, beta2].map(|beta| if of.number("bias_correction") == 1.0 { 1.0 - beta.powf(k) } else { 1.0 });
    let mut due = [(); 4].map(|()| Vec::new());
    for i in 0..of["grad"].len() {
        let p = of["var"][i];
        let (g, g_size) = sums([of["grad"][i], if decoupled { 0.0 } else { wd * p }]);
        let (m, m_size) = (beta1 * of["m"][i] + (1.0 - beta1) * g, beta1 * of["m"][i].abs() + (1.0 - beta1) * g_size);
        let (v, v_size) = (beta2 * of["v"][i] + (1.0 - beta2) * g * g, beta2 * of["v"][i] + (1.0 - beta2) * g_size * g_size);
        let scale = 1.0 / first / ((v / second).sqrt() + eps);
        let (more, scaled) = (if decoupled { wd * p } else { 0.0 }, v_size / v);
        let (new, new_size) = (p - lr * (m * scale + more), p.abs() + lr * (m_size * scale * scaled + more.abs()));
        let s = (decay * of["s"][i] + (1.0 - decay) * new, decay * of["s"][i].abs() + (1.0 - decay) * new_size);
        due.iter_mut().zip([(new, new_size), (m, m_size), (v, v_size), s]).for_each(|(list, pair)| list.push(pair));
    }
    let [var, m, v, s] = due;
    Due::default().and_pairs("var", var).and_pairs("m", m).and_pairs("v", v).and_pairs("s", s)
}
