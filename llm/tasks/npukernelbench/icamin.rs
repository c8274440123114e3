#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn icamin(#[shape(m, 2)] x: &GlobalTensor<f32>, n: usize, incx: usize, #[shape()] result: &mut GlobalTensor<i32>) {
        require(n * incx <= m + incx - 1);
        require(incx >= 1);
        let (flat, k) = (new_axis(2 * m), new_axis(n));
        let x = x.view(flat);
        let mut least = across_cores::<f32>((), f32::INFINITY);
        for t in tiles(k) {
            least = least.min((x.at(t * (2 * incx)).load().abs() + x.at(t * (2 * incx) + 1).load().abs()).amin(t));
        }
        let mut place = across_cores::<i32>((), i32::MAX);
        for t in tiles(k) {
            let v = x.at(t * (2 * incx)).load().abs() + x.at(t * (2 * incx) + 1).load().abs();
            place = place.min(v.eq(least).select(t.iota(), i32::MAX).amin(t));
        }
        result.at().store(place.lt(i32::MAX).select(place + 1, 0));
    }
}
