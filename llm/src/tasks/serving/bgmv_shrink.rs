use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (h, k) = (of.size("h"), of.size("k"));
    let one = |(at, y): (usize, &f64)| {
        let (i, j) = (at / k, at % k);
        if of["ids"][i] < 0.0 {
            return (*y, y.abs());
        }
        let a = &of["a"][(of["ids"][i] as usize * k + j) * h..][..h];
        sums(a.iter().zip(&of["x"][i * h..]).map(|(a, x)| a * x * of.number("scale")))
    };
    let (y, size) = unzip(of["y"].iter().enumerate().map(one));
    due_of("y", y, size)
}
