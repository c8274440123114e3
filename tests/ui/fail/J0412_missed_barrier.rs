use jumar::prelude::*;

#[kernel]
pub fn total(#[shape(n)] x: &GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(8);
    let parts = workspace::<f32>(get_block_num() * 8);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    pipe.init_buffer(&mut in_x, 1, 8192);
    pipe.init_buffer(&mut out_y, 1, 8192);
    let len = share.len().min(2048);
    let t = in_x.alloc_tensor::<f32>();
    data_copy_pad(&t, x.slice(share.start(), len));
    in_x.enque(t);
    let t = in_x.deque::<f32>();
    let o = out_y.alloc_tensor::<f32>();
    vec::duplicate(&o, 0.0, 8);
    vec::reduce_sum(&o, &t, &o.at(64), len);
    in_x.free_tensor(t);
    out_y.enque(o);
    let o = out_y.deque::<f32>();
    if share.len() > 0 {
        data_copy_pad(parts.slice(get_block_idx() * 8, 8), &o);
        sync_all();
    }
    out_y.free_tensor(o);
    if get_block_idx() == 0 {
        let t = in_x.alloc_tensor::<f32>();
        let all = parts.len().min(2048);
        data_copy_pad(&t, parts.slice(0, all));
        in_x.enque(t);
        let t = in_x.deque::<f32>();
        let o = out_y.alloc_tensor::<f32>();
        vec::reduce_sum(&o, &t, &o.at(64), all);
        in_x.free_tensor(t);
        out_y.enque(o);
        let o = out_y.deque::<f32>();
        data_copy_pad(y.slice(0, 1), &o);
        out_y.free_tensor(o);
    }
}

fn main() {}
