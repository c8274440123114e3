use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let (mut dx, mut sizes) = (Vec::new(), Vec::new());
    for (dy, y) in of["dy"].chunks(d).zip(of["y"].chunks(d)) {
        let (s, size) = sums(dy.iter().copied());
        dx.extend(dy.iter().zip(y).map(|(dy, y)| dy - y.exp() * s));
        sizes.extend(dy.iter().zip(y).map(|(dy, y)| dy.abs() + y.exp() * size));
    }
    due_of("dx", dx, sizes)
}
