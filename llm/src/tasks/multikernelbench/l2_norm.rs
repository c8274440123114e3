use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn l2_norm(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for r in tiles(n) {
            let v = x.at(r, ..).load();
            y.at(r, ..).store(v / (v * v).sum(d).sqrt());
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let row = |row: &[f64]| {
        let norm = row.iter().map(|v| v * v).sum::<f64>().sqrt();
        row.iter().map(|v| v / norm).collect::<Vec<_>>()
    };
    due("y", of["x"].chunks(of.size("d")).flat_map(row).collect())
}
