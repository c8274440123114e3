use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn logic_and_broadcast(
        #[shape(n, m, d)] a: &GlobalTensor<bool>,
        #[shape(m)] b: &GlobalTensor<bool>,
        y: &mut GlobalTensor<bool>,
    ) {
        for (i, r, t) in tiles((each(n), m, d)) {
            y.at(i, r, t).store(a.at(i, r, t).load() & b.at(r).load());
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let (m, d) = (of.size("m"), of.size("d"));
    due("y", of["a"].iter().enumerate().map(|(i, a)| a * of["b"][i / d % m]).collect())
}
