use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let bad = of["xs"].iter().any(|v| !v.is_finite());
    let found = if bad { 1.0 } else { of["found_inf"][0] };
    due("xs", of.map("xs", |v| v * of["inv_scale"][0])).and("found_inf", vec![found])
}
