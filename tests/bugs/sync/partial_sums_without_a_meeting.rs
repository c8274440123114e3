//! Block 0 adds up what all blocks leave in the workspace, without waiting for them.
//! runs: x = f32[1000]
//! y: sum(x)
use jumar::prelude::*;

#[kernel]
pub fn total(#[shape(n)] x: &GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {
    require(n <= 4096);
    let share = split(n).unit(64);
    let parts = workspace::<f32>(get_block_num() * 8);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut work_buf, mut sum_buf) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 1, 16384);
    pipe.init_buffer(&mut out_y, 1, 32);
    pipe.init_buffer(&mut work_buf, 1, 1024);
    pipe.init_buffer(&mut sum_buf, 1, 32);
    let (work, sum) = (work_buf.get::<f32>(), sum_buf.get::<f32>());
    let part = out_y.alloc_tensor::<f32>();
    vec::duplicate(&part, 0.0, 8);
    if share.len() > 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(share.start(), share.len()));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        vec::reduce_sum(&part, &x_local, &work, share.len());
        in_x.free_tensor(x_local);
    }
    out_y.enque(part);
    let part = out_y.deque::<f32>();
    data_copy(parts.slice(get_block_idx() * 8, 8), &part);
    out_y.free_tensor(part);
    //+ sync_all();
    if get_block_idx() == 0 {
        vec::duplicate(&sum, 0.0, 8);
        for b in 0..get_block_num() {
            let x_local = in_x.alloc_tensor::<f32>();
            data_copy(&x_local, parts.slice(b * 8, 8)); // fault: J0802
            in_x.enque(x_local);
            let x_local = in_x.deque::<f32>();
            vec::add(&sum, &sum, &x_local, 8);
            in_x.free_tensor(x_local);
        }
        let all = out_y.alloc_tensor::<f32>();
        vec::local_copy(&all, &sum, 8);
        out_y.enque(all);
        let all = out_y.deque::<f32>();
        data_copy_pad(y.slice(0, 1), &all);
        out_y.free_tensor(all);
    }
}
