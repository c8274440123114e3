use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let of_row = |(i, row): (usize, &[f64])| {
        // The group of a row is the first one that ends behind it.
        let group = of["ends"].iter().take_while(|end| **end <= i as f64).count();
        let smooth = &of["smooth"][group * d..];
        let one = |((g, u), s): ((&f64, &f64), &f64)| g / (1.0 + (-g).exp()) * u * s;
        let v: Vec<(f64, f64)> = row[..d].iter().zip(&row[d..]).zip(smooth).map(one).map(|v| (v, v.abs())).collect();
        quantized(&v)
    };
    let (y, scale): (Vec<_>, Vec<_>) = of["x"].chunks(2 * d).enumerate().map(of_row).unzip();
    Due::default().and_pairs("y", y.concat()).and_pairs("scale", scale)
}
