use jumar::prelude::*;

#[kernel]
pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let mut buf = TBuf::<VecCalc>::new();
    pipe.init_buffer(&mut buf, 1, 1024);
    for t in tiles(x) {
        t.store(y, t.load(x) * 2.0);
    }
}

fn main() {}
