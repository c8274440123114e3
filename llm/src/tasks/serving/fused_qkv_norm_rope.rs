use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (hq, hk, d) = (of.size("hq"), of.size("hk"), of.size("d"));
    let heads = hq + 2 * hk;
    let (mut q, mut k, mut v) = (Vec::new(), Vec::new(), Vec::new());
    for (i, head) in of["qkv"].chunks(d).enumerate() {
        let (own, weight) = match i % heads {
            at if at < hq => (&mut q, &of["q_weight"]),
            at if at < hq + hk => (&mut k, &of["k_weight"]),
            _ => {
                v.extend_from_slice(head);
                continue;
            }
        };
        let pairs: Vec<(f64, f64)> = head.iter().map(|v| (*v, v.abs())).collect();
        let rstd = rstd(&pairs, of.number("epsilon"));
        let u: Vec<f64> = head.iter().zip(weight).map(|(v, w)| v * rstd * w).collect();
        let (cos, sin) = of["cos_sin_cache"][of["positions"][i / heads] as usize * d..][..d].split_at(d / 2);
        own.extend(rotated(&u, cos, sin, |i| (i, d / 2 + i)));
    }
    Due::default().and_pairs("q", q).and_pairs("k", k).and("v", v)
}
