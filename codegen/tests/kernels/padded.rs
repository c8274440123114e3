/// Rows with others before and behind them, scaled.
#[kernel]
pub fn padded(
    #[shape(n, d)] x: &GlobalTensor<f32>,
    #[shape(m = n + pads[0] + pads[1], d)] y: &mut GlobalTensor<f32>,
    pads: [usize; 2],
    #[default([1.0, 0.0])] scale: [f32; 2],
    #[default([0])] src: [i32; 1],
) {
    for (r, t) in tiles((m, d)) {
        y.at(r, t).store(x.at(r - pads[0], t).load_or(0.0) * scale[0] + (scale[1] + src[0] as f32));
    }
}
