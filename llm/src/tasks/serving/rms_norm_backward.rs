use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let (mut dx, mut sizes) = (Vec::new(), Vec::new());
    let (mut dg, mut dg_size) = (vec![0.0; d], vec![0.0; d]);
    for (r, rstd) in of["rstd"].iter().enumerate() {
        let dy = &of["dy"][r * d..][..d];
        let h: Vec<f64> = of["x"][r * d..][..d].iter().map(|x| x * rstd).collect();
        let u: Vec<f64> = dy.iter().zip(&of["gamma"]).map(|(dy, gamma)| dy * gamma).collect();
        let (b, b_size) = sums(u.iter().zip(&h).map(|(u, h)| u * h / d as f64));
        dx.extend(u.iter().zip(&h).map(|(u, h)| (u - h * b) * rstd));
        sizes.extend(u.iter().zip(&h).map(|(u, h)| (u.abs() + h.abs() * b_size) * rstd));
        for j in 0..d {
            dg[j] += dy[j] * h[j];
            dg_size[j] += (dy[j] * h[j]).abs();
        }
    }
    due_of("dx", dx, sizes).and_of("dgamma", dg, dg_size)
}
