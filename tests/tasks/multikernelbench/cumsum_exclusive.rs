use crate::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn cumsum_exclusive(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        require(d >= 1);
        for r in tiles(n) {
            // Before each turn an element is the sum of `step` of them, the last of which is the one before it.
            let mut v = x.at(r, d.indices() - 1).load_or(0.0);
            let mut step = 1;
            for _ in 0..31 {
                if step < d {
                    let from = d.iota() - step as i32;
                    v = v + from.ge(0).select(v.pick(d, from.max(0).min(d - 1)), 0.0);
                    step *= 2;
                }
            }
            y.at(r, ..).store(v);
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let row = |row: &[f64]| {
        let sums = running(row, 0.0, |sum, v| sum + v);
        std::iter::once(0.0).chain(sums).take(row.len()).collect::<Vec<_>>()
    };
    due("y", of["x"].chunks(of.size("d")).flat_map(row).collect())
}
