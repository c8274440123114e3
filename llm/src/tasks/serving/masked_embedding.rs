use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (m, d) = (of.size("m"), of.size("d"));
    let row = |id: &f64| {
        let at = id - of.number("start");
        let own = at >= 0.0 && at < m as f64;
        if own { of["table"][at as usize * d..][..d].to_vec() } else { vec![0.0; d] }
    };
    due("y", of["ids"].iter().flat_map(row).collect())
}
