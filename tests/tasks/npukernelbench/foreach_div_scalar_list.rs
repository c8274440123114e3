use crate::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn foreach_div_scalar_list<T: Float>(
        #[list(l)] xs: &[GlobalTensor<T>],
        #[shape(l)] scalars: &GlobalTensor<T>,
        ys: &mut [GlobalTensor<T>],
    ) {
        for (i, (x, y)) in zip((xs, ys)).enumerate() {
            let s = scalars.at(i).load().wide();
            for t in tiles(x) {
                let v = x.at(t).load().wide();
                y.at(t).store((v / s).cast::<T>());
            }
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let s = of["scalars"][of.number("item") as usize];
    due("ys", of.map("xs", |v| v / s))
}
