#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, f32, i32)]
    pub fn clip_by_value<T: Number>(
        x: &GlobalTensor<T>,
        #[shape(1)] clip_value_min: &GlobalTensor<T>,
        #[shape(1)] clip_value_max: &GlobalTensor<T>,
        y: &mut GlobalTensor<T>,
    ) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load().max(clip_value_min.at(0).load()).min(clip_value_max.at(0).load()));
        }
    }
}
