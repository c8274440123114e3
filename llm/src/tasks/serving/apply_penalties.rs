use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let v = of.size("v");
    let one = |(i, x): (usize, &f64)| {
        let (r, count) = (i / v, of["counts"][i]);
        let by = if count > 0.0 || of["in_prompt"][i] != 0.0 { of["repetition"][r] } else { 1.0 };
        let scaled = if *x > 0.0 { x / by } else { x * by };
        sums([scaled, -count * of["frequency"][r], if count > 0.0 { -of["presence"][r] } else { 0.0 }])
    };
    let (y, size) = unzip(of["logits"].iter().enumerate().map(one));
    due_of("logits", y, size)
}
