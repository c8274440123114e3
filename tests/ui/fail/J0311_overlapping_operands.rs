use jumar::prelude::*;

#[kernel]
pub fn pairs(#[shape(2048)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    let share = split(x.len()).unit(8);
    let (at, n) = (share.start(), share.len());
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut tmp) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 1, 8192);
    pipe.init_buffer(&mut out_y, 1, 8192);
    pipe.init_buffer(&mut tmp, 1, 512);
    let x_local = in_x.alloc_tensor::<f32>();
    data_copy_pad(&x_local, x.slice(at, n));
    in_x.enque(x_local);
    let x_local = in_x.deque::<f32>();
    let y_local = out_y.alloc_tensor::<f32>();
    let sums = tmp.get::<f32>();
    vec::duplicate(&sums, 1.0, 128);
    vec::add(&sums.at(8), &sums, &sums, 64);
    vec::muls(&y_local, &x_local, 2.0, n);
    in_x.free_tensor(x_local);
    out_y.enque(y_local);
    let y_local = out_y.deque::<f32>();
    data_copy_pad(y.slice(at, n), &y_local);
    out_y.free_tensor(y_local);
}

fn main() {}
