//! Nine dtype instances, two parameters that share classes, in-place output, a column output, and names that C++ and
//! AscendC use for something else.

#[kernel]
fn scaled_gamma<T: Float, G: Float>(
    #[shape(n.., d)] x: &GlobalTensor<T>,
    #[shape(d)] gamma: &GlobalTensor<G>,
    #[inplace] y: &mut GlobalTensor<T>,
    #[shape(n..)] peak: &mut GlobalTensor<f32>,
    #[default(1.5)] max: f32,
    #[default(true)] tiling: bool,
) {
    for r in row_tiles(x) {
        let v = r.load(x).cast::<f32>();
        let g = r.load_row(gamma).cast::<f32>();
        let half = v.row_max();
        r.store_col(peak, half);
        r.store(y, (v * g + r.load(y).cast::<f32>() * max).cast::<T>());
    }
}
