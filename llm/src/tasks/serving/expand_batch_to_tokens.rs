use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (mut y, mut lo) = (Vec::new(), 0);
    for (x, end) in of["x"].iter().zip(&of["ends"]) {
        y.extend(vec![*x; *end as usize - lo]);
        lo = *end as usize;
    }
    due("y", y)
}
