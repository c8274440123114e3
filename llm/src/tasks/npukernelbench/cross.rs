use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let b = of.size("b");
    let one = |i: usize| {
        let at = |k: usize| i / (3 * b) * 3 * b + k % 3 * b + i % b;
        let (p, q) = (at(i / b % 3 + 1), at(i / b % 3 + 2));
        sums([of["x1"][p] * of["x2"][q], -of["x1"][q] * of["x2"][p]])
    };
    let (y, size) = unzip((0..of["x1"].len()).map(one));
    due_of("y", y, size)
}
