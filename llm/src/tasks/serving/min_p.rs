use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let one = |(row, least): (&[f64], &f64)| {
        let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        row.iter().map(|x| if (x - top).exp() < *least { f64::NEG_INFINITY } else { *x }).collect::<Vec<f64>>()
    };
    due("logits", of["logits"].chunks(of.size("v")).zip(&of["least"]).flat_map(one).collect())
}
