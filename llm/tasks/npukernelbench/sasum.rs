#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, f32)]
    pub fn sasum<T: Float>(#[shape(m)] x: &GlobalTensor<T>, n: usize, incx: usize, #[shape()] result: &mut GlobalTensor<f32>) {
        require(n * incx <= m + incx - 1);
        require(incx >= 1);
        let k = new_axis(n);
        let mut sum = across_cores::<f32>((), 0.0);
        for t in tiles(k) {
            sum += x.at(t * incx).load().wide().abs().sum(t);
        }
        result.at().store(sum);
    }
}
