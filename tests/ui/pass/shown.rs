//! A tile of every kind is shown under a name.

use jumar::prelude::*;

#[kernels]
mod seen {
    use jumar::prelude::*;

    fn look<T: Float>(v: Tile<T>, d: Axis) -> Tile<T> {
        v.dump("given");
        v.wide().sum(d).dump("sum");
        v
    }

    #[kernel]
    #[deterministic]
    pub fn shown<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
        for r in tiles(n) {
            let v = look(x.at(r, ..).load(), d);
            v.wide().gt(0.0).select(1, 0).dump("positive");
            y.at(r, ..).store(v);
        }
    }
}

fn main() {
    let _ = &seen::shown;
}
