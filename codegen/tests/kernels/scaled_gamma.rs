//! Nine dtype instances, two parameters that share classes, an in-place output, a column output,
//! and names that C++ and AscendC use for something else.

#[kernel]
fn scaled_gamma<T: Float, G: Float>(
    #[shape(n.., d)] x: &GlobalTensor<T>,
    #[shape(d)] gamma: &GlobalTensor<G>,
    #[inplace] y: &mut GlobalTensor<T>,
    #[shape(n..)] peak: &mut GlobalTensor<f32>,
    #[default(1.5)] max: f32,
    #[default(true)] tiling: bool,
) {
    for r in tiles(n) {
        let v = x.at(r, ..).load().cast::<f32>();
        let g = gamma.at(..).load().cast::<f32>();
        let half = v.amax(d);
        peak.at(r).store(half);
        y.at(r, ..).store((v * g + y.at(r, ..).load().cast::<f32>() * max).cast::<T>());
    }
}
