use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    due("y", of.map("x", |x| x.max(of["clip_value_min"][0]).min(of["clip_value_max"][0])))
}
