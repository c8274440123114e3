use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let page = of.number("page") as usize;
    let (mut slots, mut next) = (Vec::new(), 0);
    for (i, (lo, hi)) in of.zip(("before", "after"), |lo, hi| (lo as usize, hi as usize)).into_iter().enumerate() {
        let whole = lo.div_ceil(page) * page;
        slots.extend((lo..hi.min(whole).max(lo)).map(|p| of["last"][i] + 1.0 + (p - lo) as f64));
        let new = |p: usize| of["free"][next + (p - whole) / page] * page as f64 + (p % page) as f64;
        slots.extend((whole..hi.max(whole)).map(new));
        next += hi.div_ceil(page) - lo.div_ceil(page);
    }
    due("slots", slots)
}
