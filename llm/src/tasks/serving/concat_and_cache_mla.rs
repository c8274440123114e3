use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (c, p) = (of.size("c"), of.size("p"));
    let mut cache = of["kv_cache"].to_vec();
    let rows = of["kv_c"].chunks(c).zip(of["k_pe"].chunks(p));
    for (slot, (kv, pe)) in of["slot_mapping"].iter().zip(rows).filter(|(slot, _)| **slot >= 0.0) {
        cache[*slot as usize * (c + p)..][..c + p].copy_from_slice(&[kv, pe].concat());
    }
    due("kv_cache", cache)
}
