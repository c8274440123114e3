use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (scale, alpha) = (1.050_700_987_355_480_5, 1.673_263_242_354_377_2);
    due_about("y", of.map("x", |x| scale * if x > 0.0 { x } else { alpha * x.exp_m1() }), scale * alpha)
}
