#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn isamax(#[shape(m)] x: &GlobalTensor<f32>, n: usize, incx: usize, #[shape()] result: &mut GlobalTensor<i32>) {
        require(n * incx <= m + incx - 1);
        require(incx >= 1);
        let k = new_axis(n);
        let mut top = across_cores::<f32>((), -1.0);
        for t in tiles(k) {
            top = top.max(x.at(t * incx).load().abs().amax(t));
        }
        let mut place = across_cores::<i32>((), i32::MAX);
        for t in tiles(k) {
            place = place.min(x.at(t * incx).load().abs().eq(top).select(t.iota(), i32::MAX).amin(t));
        }
        result.at().store(place.lt(i32::MAX).select(place + 1, 0));
    }
}
