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
