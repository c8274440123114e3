use crate::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn top_k_v3(
        #[shape(n.., m)] x: &GlobalTensor<f16>,
        #[shape(n.., k)] values: &mut GlobalTensor<f16>,
        #[shape(n.., k)] indices: &mut GlobalTensor<i32>,
        k: usize,
        largest: bool,
    ) {
        require(k <= m);
        let sign = if largest { 1.0 } else { -1.0 };
        for r in tiles(n) {
            let (best, at) = (x.at(r, ..).load() * sign).topk(m, k);
            values.at(r, ..).store(best * sign);
            indices.at(r, ..).store(at);
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let (m, k) = (of.size("m"), of.size("k"));
    let sign = if of.number("largest") == 1.0 { 1.0 } else { -1.0 };
    let (mut values, mut indices) = (Vec::new(), Vec::new());
    for row in of["x"].chunks(m) {
        let mut order: Vec<usize> = (0..m).collect();
        // Of equal ones the first comes first.
        order.sort_by(|a, b| (sign * row[*b]).total_cmp(&(sign * row[*a])));
        values.extend(order[..k].iter().map(|at| row[*at]));
        indices.extend(order[..k].iter().map(|at| *at as f64));
    }
    due("values", values).and("indices", indices)
}
