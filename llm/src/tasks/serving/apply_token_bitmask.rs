use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let v = of.size("v");
    let one = |(i, x): (usize, &f64)| {
        let word = of["mask"][i / v * v.div_ceil(32) + i % v / 32] as i32 as u32;
        if word >> (i % v % 32) & 1 == 1 { *x } else { f64::NEG_INFINITY }
    };
    due("logits", of["logits"].iter().enumerate().map(one).collect())
}
