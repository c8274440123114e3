//! Static tensors: no TPipe, tensors at addresses of UB, and every event by hand.
//!
//! TPipe and its queues take some hundred nanoseconds to set up, and decide which pipe waits for
//! which. Here the author does. Two buffers for each tensor alternate. The checker runs the flags
//! for small launches and follows the accesses of each pipe. A missing `wait_flag`, a wrong id or
//! overlapping tensors do not compile.
//!
//! Forward flags, `MTE2_V` and `V_MTE3`, say that a copy has arrived and a result is there.
//! Backward flags, `V_MTE2` and `MTE3_V`, say that a buffer may be filled again. The first
//! iterations have nothing to wait for. So the backward flags are set before the loop and awaited
//! behind it.
//!
//! Emitted text: `jumar emit examples/30_add_by_hand.rs --out add_by_hand` writes the `SetFlag` and
//! `WaitFlag` of the source, in its order. `PipeBarrier<PIPE_ALL>` at the end replaces the wait of
//! a TPipe.
//!
//! Run: `cargo run -p jumar-examples --bin add_by_hand`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Adds two tensors: `z = x + y`.
#[kernel]
#[instances(f16, f32)]
pub fn add_by_hand<T: Float>(x: &GlobalTensor<T>, y: &GlobalTensor<T>, z: &mut GlobalTensor<T>) {
    let share = split(x.len()).unit(16);
    let tile = 2048;
    let bytes = tile * size_of::<T>();
    set_flag::<V_MTE2>(0);
    set_flag::<V_MTE2>(1);
    set_flag::<MTE3_V>(0);
    set_flag::<MTE3_V>(1);
    for i in 0..share.len().div_ceil(tile) {
        let n = tile.min(share.len() - i * tile);
        let at = share.start() + i * tile;
        let turn = i % 2;
        let x_local = LocalTensor::<T>::new(VecIn, turn * bytes, tile);
        let y_local = LocalTensor::<T>::new(VecIn, (2 + turn) * bytes, tile);
        let z_local = LocalTensor::<T>::new(VecOut, (4 + turn) * bytes, tile);

        wait_flag::<V_MTE2>(turn);
        data_copy_pad(&x_local, x.slice(at, n));
        data_copy_pad(&y_local, y.slice(at, n));
        set_flag::<MTE2_V>(turn);

        wait_flag::<MTE2_V>(turn);
        wait_flag::<MTE3_V>(turn);
        vec::add(&z_local, &x_local, &y_local, n);
        set_flag::<V_MTE2>(turn);
        set_flag::<V_MTE3>(turn);

        wait_flag::<V_MTE3>(turn);
        data_copy_pad(z.slice(at, n), &z_local);
        set_flag::<MTE3_V>(turn);
    }
    wait_flag::<V_MTE2>(0);
    wait_flag::<V_MTE2>(1);
    wait_flag::<MTE3_V>(0);
    wait_flag::<MTE3_V>(1);
}

fn run<T: Sample>(shape: &[usize]) -> Result<(), Box<dyn Error>> {
    let (x, y) = (
        random::<T>(shape, -4.0, 4.0, 1),
        random::<T>(shape, -4.0, 4.0, 2),
    );
    let mut z = zeros::<T>(shape);
    // With `pipes(true)` the simulator stops at accesses that no flag orders.
    add_by_hand
        .bind()?
        .pipes(true)
        .input("x", &x)
        .input("y", &y)
        .output("z", &mut z)
        .run()?;
    let want: Vec<f64> = wide(&x).iter().zip(wide(&y)).map(|(x, y)| x + y).collect();
    // One addition in the element type; the sum may cancel, and the error is relative to its terms.
    Ok(compare(
        &format!("add_by_hand {shape:?}"),
        &z,
        &want,
        Tolerance {
            steps: 1.0,
            scale: 8.0,
        },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    for shape in [&[1_000_003][..], &[5], &[0], &[7, 11, 13]] {
        run::<f16>(shape)?;
        run::<f32>(shape)?;
    }
    Ok(())
}
