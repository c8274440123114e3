use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let turned = |name: &str, heads: usize| -> Vec<(f64, f64)> {
        let of_head = |(i, head): (usize, &[f64])| {
            let (cos, sin) = of["cos_sin_cache"][of["positions"][i / heads] as usize * d..][..d].split_at(d / 2);
            rotated(head, cos, sin, |i| (i, d / 2 + i))
        };
        of[name].chunks(d).enumerate().flat_map(of_head).collect()
    };
    Due::default().and_pairs("q", turned("q", of.size("h"))).and_pairs("k", turned("k", of.size("g")))
}
