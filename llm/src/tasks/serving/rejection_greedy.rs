use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (mut y, mut lo) = (Vec::new(), 0);
    for (i, end) in of["ends"].iter().enumerate() {
        let hi = *end as usize;
        let (draft, target) = (&of["draft"][lo..hi], &of["target"][lo..hi]);
        let same = draft.iter().zip(target).take_while(|(d, t)| d == t).count();
        let mut row = vec![-1.0; of.size("most") + 1];
        let own = target.iter().chain([&of["bonus"][i]]);
        row.iter_mut().zip(own.take(same + 1)).for_each(|(y, t)| *y = *t);
        y.extend(row);
        lo = hi;
    }
    due("y", y)
}
