use jumar::prelude::*;

#[kernel]
pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let mut buf = TBuf::<VecCalc>::new();
    pipe.init_buffer(&mut buf, 1, 1024);
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() * 2.0);
    }
}

fn main() {}
