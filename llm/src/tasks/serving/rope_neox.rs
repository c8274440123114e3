use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let m = of.size("m");
    let turned = |name: &str, heads: usize| -> Vec<(f64, f64)> {
        let of_head = |(i, head): (usize, &[f64])| {
            let at = i / heads * m;
            rotated(head, &of["cos"][at..at + m], &of["sin"][at..at + m], |i| (i, m + i))
        };
        of[name].chunks(2 * m).enumerate().flat_map(of_head).collect()
    };
    Due::default().and_pairs("q", turned("q", of.size("h"))).and_pairs("k", turned("k", of.size("g")))
}
