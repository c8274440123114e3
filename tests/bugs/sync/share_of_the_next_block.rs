//! Each block stores its share doubled, then adds the elements eight further on: the last of them are those of the next block, for which nothing waits.
//! runs: x = f32[256]
//! y: double_plus_eight_behind(x)
use jumar::prelude::*;

#[kernel]
pub fn doubled_sums(#[shape(256)] x: &GlobalTensor<f32>, #[shape(248)] y: &mut GlobalTensor<f32>) {
    let doubled = workspace::<f32>(256);
    let share = split(32);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 2>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 2, 32);
    pipe.init_buffer(&mut out_y, 2, 32);
    for i in 0..share.len() {
        let at = (share.start() + i) * 8;
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(at, 8));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::muls(&y_local, &x_local, 2.0, 8);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(doubled.slice(at, 8), &y_local);
        out_y.free_tensor(y_local);
    }
    //+ sync_all();
    for i in 0..share.len() {
        let at = (share.start() + i) * 8;
        if at < 248 {
            let (a_local, b_local) = (in_x.alloc_tensor::<f32>(), in_x.alloc_tensor::<f32>());
            data_copy(&a_local, doubled.slice(at, 8));
            data_copy(&b_local, doubled.slice(at + 8, 8)); // fault: J0802
            in_x.enque(a_local);
            in_x.enque(b_local);
            let (a_local, b_local) = (in_x.deque::<f32>(), in_x.deque::<f32>());
            let y_local = out_y.alloc_tensor::<f32>();
            vec::add(&y_local, &a_local, &b_local, 8);
            in_x.free_tensor(a_local);
            in_x.free_tensor(b_local);
            out_y.enque(y_local);
            let y_local = out_y.deque::<f32>();
            data_copy(y.slice(at, 8), &y_local);
            out_y.free_tensor(y_local);
        }
    }
}
