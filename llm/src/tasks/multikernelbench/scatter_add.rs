use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn scatter_add(
        #[shape(n, d)] x: &GlobalTensor<f32>,
        #[shape(n, k)]
        #[index(d)]
        idx: &GlobalTensor<i64>,
        #[shape(n, k)] updates: &GlobalTensor<f32>,
        #[shape(n, d)] y: &mut GlobalTensor<f32>,
    ) {
        for (r, t) in tiles((n, d)) {
            y.at(r, t).store(x.at(r, t).load());
        }
        for (i, t) in tiles((each(n), k)) {
            y.at(i, idx.at(i, t).load()).atomic_add(updates.at(i, t).load());
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let (d, k) = (of.size("d"), of.size("k"));
    let (mut y, mut size) = (of["x"].to_vec(), of.map("x", f64::abs));
    for (i, (at, v)) in of["idx"].iter().zip(&of["updates"]).enumerate() {
        let to = i / k * d + *at as usize;
        y[to] += v;
        size[to] += v.abs();
    }
    due_of("y", y, size)
}
