use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let row = of.size("h") * of.size("d");
    let d = of.size("d");
    let written = |cache: &str, new: &str, scale: &str| {
        let mut cache = of[cache].to_vec();
        for (slot, new) in of["slot_mapping"].iter().zip(of[new].chunks(row)).filter(|(slot, _)| **slot >= 0.0) {
            let new = new.iter().enumerate().map(|(i, v)| v / of[scale][i / d]);
            cache[*slot as usize * row..][..row].iter_mut().zip(new).for_each(|(old, new)| *old = new);
        }
        cache
    };
    let keys = written("key_cache", "key", "key_scale");
    due("key_cache", keys).and("value_cache", written("value_cache", "value", "value_scale"))
}
