use crate::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn foreach_add_scalar<T: Number>(
        xs: &[GlobalTensor<T>],
        #[shape(1)] scalar: &GlobalTensor<T>,
        ys: &mut [GlobalTensor<T>],
    ) {
        let s = scalar.at(0).load().wide();
        for (x, y) in zip((xs, ys)) {
            for t in tiles(x) {
                let v = x.at(t).load().wide();
                y.at(t).store((v + s).cast::<T>());
            }
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let s = of["scalar"][0];
    due("ys", of.map("xs", |v| v + s))
}
