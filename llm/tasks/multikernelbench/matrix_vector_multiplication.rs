#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn matrix_vector_multiplication(
        #[shape(n, d)] a: &GlobalTensor<f32>,
        #[shape(d, 1)] b: &GlobalTensor<f32>,
        #[shape(n, 1)] y: &mut GlobalTensor<f32>,
    ) {
        let (b, y) = (b.view(d), y.view(n));
        for r in tiles(n).split(d) {
            y.at(r).store((a.at(r, ..).load() * b.at(..).load()).sum(d));
        }
    }
}
