use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    due("xs", vec![0.0; of["xs"].len()])
}
