use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (m, h, d) = (of.size("m"), of.size("h"), of.size("d"));
    let of_head = |(i, head): (usize, &[f64])| {
        let at = i / h * m;
        rotated(head, &of["cos"][at..at + m], &of["sin"][at..at + m], |i| (i, m + i))
    };
    Due::default().and_pairs("y", of["x"].chunks(d).enumerate().flat_map(of_head).collect())
}
