use crate::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn foreach_sub_list<T: Number>(
        xs: &[GlobalTensor<T>],
        zs: &[GlobalTensor<T>],
        #[shape(1)] alpha: &GlobalTensor<T>,
        ys: &mut [GlobalTensor<T>],
    ) {
        let k = alpha.at(0).load().wide();
        for (x, z, y) in zip((xs, zs, ys)) {
            for t in tiles(x) {
                let v = x.at(t).load().wide() - k * z.at(t).load().wide();
                y.at(t).store(v.cast::<T>());
            }
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let k = of["alpha"][0];
    due("ys", of.zip(("xs", "zs"), |a, b| a - k * b))
}
