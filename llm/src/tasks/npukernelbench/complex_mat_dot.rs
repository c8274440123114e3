use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn complex_mat_dot(
        #[shape(n.., 2)] x: &GlobalTensor<f32>,
        #[shape(n.., 2)] y: &GlobalTensor<f32>,
        #[shape(n.., 2)] z: &mut GlobalTensor<f32>,
    ) {
        let m = new_axis(2 * n);
        let (x, y, z) = (x.view(m), y.view(m), z.view(m));
        for t in tiles(n) {
            let (a, b) = (x.at(t * 2).load(), x.at(t * 2 + 1).load());
            let (c, d) = (y.at(t * 2).load(), y.at(t * 2 + 1).load());
            z.at(t * 2).store(a * c - b * d);
            z.at(t * 2 + 1).store(a * d + b * c);
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let (z, size) = unzip(of["x"].chunks(2).zip(of["y"].chunks(2)).flat_map(|(x, y)| {
        let (re, im) = (sums([x[0] * y[0], -x[1] * y[1]]), sums([x[0] * y[1], x[1] * y[0]]));
        [re, im]
    }));
    due_of("z", z, size)
}
