#[kernel]
pub fn defaults(
    #[shape(n, 4)] x: &GlobalTensor<f32>,
    y: &mut GlobalTensor<f32>,
    given: i32,
    #[default(2)] whole: f32,
    #[default(-0.5)] least: f32,
    #[default(-7)] small: i32,
    #[default(9)] large: usize,
    #[default(true)] flag: bool,
) {
    for t in tiles(x) {
        let v = x.at(t).load().max(least) * whole + (given + small) as f32;
        if flag {
            y.at(t).store(v + large as f32);
        } else {
            y.at(t).store(v);
        }
    }
}
