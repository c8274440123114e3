#[kernel]
#[instances((f16, f32), (f32, f32))]
pub fn choose<T: Float, G: Float>(
    #[shape(rows, cols)] args: &GlobalTensor<T>,
    #[shape(rows, cols)] class: &GlobalTensor<G>,
    #[inplace] #[shape(rows, cols)] tiling: &mut GlobalTensor<T>,
    #[shape(rows, cols)] sizes: &mut GlobalTensor<i32>,
    limit: f32,
    #[default(3)] turns: i32,
    #[default(true)] keep: bool,
    #[default(2)] factor: usize,
) {
    for t in tiles(args) {
        let a = args.at(t).load().cast::<f32>();
        let b = class.at(t).load().cast::<f32>();
        let c = tiling.at(t).load().cast::<f32>();
        let m = a.gt(b);
        let chosen = m.select(a.max(c), limit);
        let small = chosen.lt(0.5).select(b, chosen);
        let k = small.cast_with::<i32>(RoundMode::Floor);
        tiling.at(t).store(small.relu().cast::<T>());
        sizes.at(t).store(k + turns);
    }
}
