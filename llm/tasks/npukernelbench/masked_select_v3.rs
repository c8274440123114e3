#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16, f32, i32, i8, i16, u8, i64, bool)]
    pub fn masked_select_v3<T: Element>(
        #[shape(n..)] x: &GlobalTensor<T>,
        #[shape(n..)] mask: &GlobalTensor<bool>,
        #[inplace]
        #[shape(room)]
        y: &mut GlobalTensor<T>,
        #[shape()] count: &mut GlobalTensor<i32>,
    ) {
        for t in tiles(n) {
            y.append(x.at(t).load(), mask.at(t).load());
        }
        count.at().store(y.appended());
    }
}
