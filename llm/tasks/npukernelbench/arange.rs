#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn arange<T: Number>(
        #[shape()] start: &GlobalTensor<T>,
        #[shape()] step: &GlobalTensor<T>,
        n: usize,
        #[shape(n)] y: &mut GlobalTensor<T>,
    ) {
        for t in tiles(n) {
            let i = t.iota().cast::<T::Wide>();
            y.at(t).store((i * step.at().load().wide() + start.at().load().wide()).cast::<T>());
        }
    }
}
