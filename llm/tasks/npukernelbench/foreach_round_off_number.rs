#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn foreach_round_off_number<T: Float>(xs: &[GlobalTensor<T>], mode: i32, ys: &mut [GlobalTensor<T>]) {
        for (x, y) in zip((xs, ys)) {
            for t in tiles(x) {
                let v = x.at(t).load().wide();
                let r = if mode == 1 {
                    v.round()
                } else if mode == 2 {
                    v.floor()
                } else if mode == 3 {
                    v.ceil()
                } else if mode == 4 {
                    v.sign() * (v.abs() + 0.5).floor()
                } else if mode == 5 {
                    v.trunc()
                } else {
                    v.frac()
                };
                y.at(t).store(r.cast::<T>());
            }
        }
    }
}
