#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, f32, i32)]
    pub fn cross<T: Number>(
        #[shape(a.., m @ dim, b..)] x1: &GlobalTensor<T>,
        #[shape(a.., m @ dim, b..)] x2: &GlobalTensor<T>,
        dim: i32,
        #[shape(a.., m @ dim, b..)] y: &mut GlobalTensor<T>,
    ) {
        require(m == 3);
        for (i, t) in tiles((each(a), b)) {
            for k in 0..3 {
                let (p, q) = ((k + 1) % 3, (k + 2) % 3);
                let left = x1.at(i, p, t).load().wide() * x2.at(i, q, t).load().wide();
                let right = x1.at(i, q, t).load().wide() * x2.at(i, p, t).load().wide();
                y.at(i, k, t).store((left - right).cast::<T>());
            }
        }
    }
}
