use jumar::prelude::*;

#[kernels]
mod powers {
    use jumar::prelude::*;

    fn power(v: Tile<f32>) -> Tile<f32> {
        power(v) * v
    }

    #[kernel]
    pub fn cube(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for t in tiles(x) {
            y.at(t).store(power(x.at(t).load()));
        }
    }
}

fn main() {}
