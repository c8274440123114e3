use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (m, h) = (of.size("m"), of.size("h"));
    let of_head = |(i, head): (usize, &[f64])| {
        let at = i / h * m;
        rotated(head, &of["cos"][at..at + m], &of["sin"][at..at + m], |i| (2 * i, 2 * i + 1))
    };
    Due::default().and_pairs("y", of["x"].chunks(2 * m).enumerate().flat_map(of_head).collect())
}
