use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let t: Vec<f64> = (0..of["a"].len()).map(|i| if of["sel"][i] != 0.0 { of["a"][i] } else { of["b"][i] }).collect();
    let row = |row: &[f64]| {
        let sum: f64 = row.iter().map(|v| v.exp()).sum();
        row.iter().map(|v| v.exp() / sum).collect::<Vec<_>>()
    };
    due("y", t.chunks(d).flat_map(row).collect())
}
