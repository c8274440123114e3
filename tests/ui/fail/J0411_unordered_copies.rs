use jumar::prelude::*;

#[kernel]
pub fn relu(#[shape(4096)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 2, 64);
    pipe.init_buffer(&mut out_y, 2, 64);
    for i in 0..256 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(i * 16, 16));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::relu(&y_local, &x_local, 16);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(i * 8, 16), &y_local);
        out_y.free_tensor(y_local);
    }
}

fn main() {}
