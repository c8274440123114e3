use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn is_inf<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<bool>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load().is_inf());
        }
    }
}

pub fn reference(of: &Given) -> Due {
    due("y", of.map("x", |x| f64::from(x.is_infinite())))
}
