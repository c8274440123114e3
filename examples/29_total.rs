//! A barrier at queue level: blocks that hand results to one another.
//!
//! Each block adds up its share and stores the sum to a workspace, where every block has a data
//! block. Behind `sync_all`, block 0 adds up all of them. Blocks without elements store a zero.
//! They must reach the barrier, too, or the other blocks wait for ever.
//!
//! The order of the sum depends on the number of blocks and never on their speed: one chip gives
//! the same bits in each run.
//!
//! Emitted text: `jumar emit examples/29_total.rs --out total` writes `total.cpp`, with `SyncAll`
//! between the two loops. Behind it stands a branch of block 0 alone.
//!
//! Run: `cargo run -p jumar-examples --bin total`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Tolerance};
use std::error::Error;

/// `y` is the sum of all elements of `x`.
#[kernel]
pub fn total(x: &GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {
    let share = split(x.len()).unit(128);
    let parts = workspace::<f32>(get_block_num() * 8);
    let tile = fit_tile(512);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    let (mut sum_buf, mut tile_buf, mut work_buf) = (
        TBuf::<VecCalc>::new(),
        TBuf::<VecCalc>::new(),
        TBuf::<VecCalc>::new(),
    );
    pipe.init_buffer(&mut in_x, 2, tile * size_of::<f32>());
    pipe.init_buffer(&mut out_y, 1, 32);
    pipe.init_buffer(&mut sum_buf, 1, 32);
    pipe.init_buffer(&mut tile_buf, 1, 32);
    pipe.init_buffer(&mut work_buf, 1, tile / 16);
    let (sum, of_tile, work) = (
        sum_buf.get::<f32>(),
        tile_buf.get::<f32>(),
        work_buf.get::<f32>(),
    );

    vec::duplicate(&sum, 0.0, 8);
    for i in 0..share.len().div_ceil(tile) {
        let n = tile.min(share.len() - i * tile);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(share.start() + i * tile, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        vec::reduce_sum(&of_tile, &x_local, &work, n);
        vec::add(&sum, &sum, &of_tile, 1);
        in_x.free_tensor(x_local);
    }
    let part = out_y.alloc_tensor::<f32>();
    vec::local_copy(&part, &sum, 8);
    out_y.enque(part);
    let part = out_y.deque::<f32>();
    data_copy(parts.slice(get_block_idx() * 8, 8), &part);
    out_y.free_tensor(part);

    sync_all();

    if get_block_idx() == 0 {
        vec::duplicate(&sum, 0.0, 8);
        for i in 0..parts.len().div_ceil(tile) {
            let n = tile.min(parts.len() - i * tile);
            let x_local = in_x.alloc_tensor::<f32>();
            data_copy_pad(&x_local, parts.slice(i * tile, n));
            in_x.enque(x_local);
            let x_local = in_x.deque::<f32>();
            vec::reduce_sum(&of_tile, &x_local, &work, n);
            vec::add(&sum, &sum, &of_tile, 1);
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

fn run(shape: &[usize]) -> Result<(), Box<dyn Error>> {
    let x = random::<f32>(shape, -1.0, 4.0, 1);
    let mut y = zeros::<f32>(&[1]);
    total.bind()?.input("x", &x).output("y", &mut y).run()?;
    let want: f64 = wide(&x).iter().sum();
    // Each addition to a sum rounds, by half a step of a partial sum. No partial sum exceeds the
    // sum of absolute values.
    let scale = wide(&x).iter().map(|v| v.abs()).sum::<f64>().max(1.0);
    Ok(compare(
        &format!("total {shape:?}"),
        &y,
        &[want],
        Tolerance { steps: 64.0, scale },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // No element, fewer than there are blocks, and many.
    for shape in [&[0][..], &[1], &[40], &[129], &[7, 11, 13], &[1_000_003]] {
        run(shape)?;
    }
    Ok(())
}
