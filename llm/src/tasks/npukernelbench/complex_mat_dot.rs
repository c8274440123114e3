use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (z, size) = unzip(of["x"].chunks(2).zip(of["y"].chunks(2)).flat_map(|(x, y)| {
        let (re, im) = (sums([x[0] * y[0], -x[1] * y[1]]), sums([x[0] * y[1], x[1] * y[0]]));
        [re, im]
    }));
    due_of("z", z, size)
}
