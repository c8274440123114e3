use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, f32)]
    pub fn tril<T: Float>(#[shape(n.., h, w)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, diagonal: i32) {
        for (i, r, t) in tiles((each(n), h, w)) {
            let keep = t.iota().expand(r).le(r.iota() + diagonal);
            y.at(i, r, t).store(keep.select(x.at(i, r, t).load(), 0.0));
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let (h, w) = (of.size("h"), of.size("w"));
    let kept = |i: usize| (i % w) as f64 <= (i / w % h) as f64 + of.number("diagonal");
    due("y", of["x"].iter().enumerate().map(|(i, x)| if kept(i) { *x } else { 0.0 }).collect())
}
