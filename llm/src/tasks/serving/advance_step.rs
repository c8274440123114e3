use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (m, size) = (of.size("m"), of.number("block_size"));
    let slot = |(i, p): (usize, &f64)| of["blocks"][i * m + (p / size).floor() as usize] * size + p % size;
    let slots = of["lengths"].iter().enumerate().map(slot).collect();
    let due = due("tokens", of["sampled"].to_vec()).and("positions", of["lengths"].to_vec());
    due.and("lengths", of.map("lengths", |p| p + 1.0)).and("slots", slots)
}
