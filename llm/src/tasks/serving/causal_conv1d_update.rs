use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let (mut x, mut state) = (of["x"].iter().map(|v| (*v, v.abs())).collect::<Vec<_>>(), of["conv_state"].to_vec());
    for (i, s) in of["state_indices"].iter().enumerate().filter(|(_, s)| **s >= 0.0) {
        for j in 0..d {
            let at = |k: usize| (*s as usize * 3 + k) * d + j;
            let new = of["x"][i * d + j];
            let all = [state[at(0)], state[at(1)], state[at(2)], new];
            let bias = of.get("bias").map_or(0.0, |bias| bias[j]);
            let terms = all.iter().enumerate().map(|(k, v)| v * of["weight"][k * d + j]).chain([bias]);
            let (sum, size) = sums(terms);
            let gate = if of.number("silu") == 1.0 { 1.0 / (1.0 + (-sum).exp()) } else { 1.0 };
            x[i * d + j] = (sum * gate, size);
            (0..3).for_each(|k| state[at(k)] = all[k + 1]);
        }
    }
    Due::default().and_pairs("x", x).and("conv_state", state)
}
