//! Vector add without TPipe: tensors at addresses of UB, two of each in turn, and every event by hand.
//!
//! This is what AscendC calls static tensors. TPipe and its queues take some hundred nanoseconds to set up and decide what waits for
//! what; here the author does. The checker runs the flags for small launches and follows what each pipe touches: leave one
//! `wait_flag` out, take a wrong id, let two tensors overlap, and the kernel does not compile.
//!
//! Flags go both ways. Forwards, `MTE2_V` and `V_MTE3`: what was copied in has arrived, what was computed is there. Backwards, `V_MTE2`
//! and `MTE3_V`: the buffer may be filled again. The first turns have nothing to wait for, so the flags backwards are set before the loop
//! and taken back behind it.
//!
//! Run with `cargo run -p jumar-examples --bin add_by_hand`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// `z = x + y`.
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
    // Asked to watch the pipes, the simulator stops at accesses that no flag orders.
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
