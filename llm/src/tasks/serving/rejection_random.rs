use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let v = of.size("v");
    let is_accepted = |j: usize| {
        let at = j * v + of["draft"][j] as usize;
        of["draft_probs"][at] > 0.0 && of["target_probs"][at] / of["draft_probs"][at] >= of["uniform"][j]
    };
    let (mut y, mut lo) = (Vec::new(), 0);
    for (i, end) in of["ends"].iter().enumerate() {
        let hi = *end as usize;
        let taken = (lo..hi).take_while(|j| is_accepted(*j)).count();
        let next = if lo + taken == hi { of["bonus"][i] } else { of["recovered"][lo + taken] };
        let mut row = of["draft"][lo..lo + taken].to_vec();
        row.push(next);
        row.resize(of.size("most") + 1, -1.0);
        y.extend(row);
        lo = hi;
    }
    due("y", y)
}
