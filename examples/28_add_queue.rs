//! The queue level: TPipe, TQue and TBuf as AscendC has them.
//!
//! Here the author decides about buffers. Two conveniences remain: `split` gives this block its
//! share of the elements, and `fit_tile` the largest tile for which all buffers fit in UB. The host
//! computes both. The protocol is checked: a missing `deque`, a second `free_tensor`, or
//! `data_copy` on a length that is no multiple of 32 bytes does not compile.
//!
//! `add_queue` adds in the element type, which the vector cores do for f16 and f32. They have no
//! Add for bf16, so `add_queue_wide` casts to f32 in two TBufs and back. A TBuf has no events: only
//! pipe V uses it.
//!
//! Emitted text: `jumar emit examples/28_add_queue.rs --out add_queue` writes two projects. In
//! `add_queue/add_queue.cpp` each call is one of the source; `CopyIn`, `Compute` and `CopyOut`
//! group them.
//!
//! Run: `cargo run -p jumar-examples --bin add_queue`.

use jumar::prelude::*;
use jumar::KernelDef;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Adds in the element type: `z = x + y`.
#[kernel]
#[instances(f16, f32)]
pub fn add_queue<T: Float>(x: &GlobalTensor<T>, y: &GlobalTensor<T>, z: &mut GlobalTensor<T>) {
    let share = split(x.len()).unit(16);
    let tile_length = fit_tile(128);
    let bytes = tile_length * size_of::<T>();
    let mut pipe = TPipe::new();
    let (mut in_x, mut in_y) = (TQue::<VecIn, 1>::new(), TQue::<VecIn, 1>::new());
    let mut out_z = TQue::<VecOut, 1>::new();
    pipe.init_buffer(&mut in_x, 2, bytes);
    pipe.init_buffer(&mut in_y, 2, bytes);
    pipe.init_buffer(&mut out_z, 2, bytes);
    for i in 0..share.len().div_ceil(tile_length) {
        let n = tile_length.min(share.len() - i * tile_length);
        let at = share.start() + i * tile_length;

        let (x_local, y_local) = (in_x.alloc_tensor::<T>(), in_y.alloc_tensor::<T>());
        data_copy_pad(&x_local, x.slice(at, n));
        data_copy_pad(&y_local, y.slice(at, n));
        in_x.enque(x_local);
        in_y.enque(y_local);

        let (x_local, y_local) = (in_x.deque::<T>(), in_y.deque::<T>());
        let z_local = out_z.alloc_tensor::<T>();
        vec::add(&z_local, &x_local, &y_local, n);
        out_z.enque(z_local);
        in_x.free_tensor(x_local);
        in_y.free_tensor(y_local);

        let z_local = out_z.deque::<T>();
        data_copy_pad(z.slice(at, n), &z_local);
        out_z.free_tensor(z_local);
    }
}

/// Adds in f32 and rounds once: `z = x + y`.
#[kernel]
#[instances(f16, bf16)]
pub fn add_queue_wide<T: Float>(x: &GlobalTensor<T>, y: &GlobalTensor<T>, z: &mut GlobalTensor<T>) {
    let share = split(x.len()).unit(16);
    let tile_length = fit_tile(128);
    let bytes = tile_length * size_of::<T>();
    let mut pipe = TPipe::new();
    let (mut in_x, mut in_y) = (TQue::<VecIn, 1>::new(), TQue::<VecIn, 1>::new());
    let mut out_z = TQue::<VecOut, 1>::new();
    let (mut x_buf, mut y_buf) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 2, bytes);
    pipe.init_buffer(&mut in_y, 2, bytes);
    pipe.init_buffer(&mut out_z, 2, bytes);
    pipe.init_buffer(&mut x_buf, 1, tile_length * size_of::<f32>());
    pipe.init_buffer(&mut y_buf, 1, tile_length * size_of::<f32>());
    let (x_wide, y_wide) = (x_buf.get::<f32>(), y_buf.get::<f32>());
    for i in 0..share.len().div_ceil(tile_length) {
        let n = tile_length.min(share.len() - i * tile_length);
        let at = share.start() + i * tile_length;

        let (x_local, y_local) = (in_x.alloc_tensor::<T>(), in_y.alloc_tensor::<T>());
        data_copy_pad(&x_local, x.slice(at, n));
        data_copy_pad(&y_local, y.slice(at, n));
        in_x.enque(x_local);
        in_y.enque(y_local);

        let (x_local, y_local) = (in_x.deque::<T>(), in_y.deque::<T>());
        vec::cast(&x_wide, &x_local, RoundMode::None, n);
        vec::cast(&y_wide, &y_local, RoundMode::None, n);
        in_x.free_tensor(x_local);
        in_y.free_tensor(y_local);
        vec::add(&x_wide, &x_wide, &y_wide, n);
        let z_local = out_z.alloc_tensor::<T>();
        vec::cast(&z_local, &x_wide, RoundMode::Rint, n);
        out_z.enque(z_local);

        let z_local = out_z.deque::<T>();
        data_copy_pad(z.slice(at, n), &z_local);
        out_z.free_tensor(z_local);
    }
}

fn run<T: Sample>(kernel: &'static KernelDef, shape: &[usize]) -> Result<(), Box<dyn Error>> {
    let (x, y) = (
        random::<T>(shape, -4.0, 4.0, 1),
        random::<T>(shape, -4.0, 4.0, 2),
    );
    let mut z = zeros::<T>(shape);
    kernel
        .bind()?
        .input("x", &x)
        .input("y", &y)
        .output("z", &mut z)
        .run()?;
    let want: Vec<f64> = wide(&x).iter().zip(wide(&y)).map(|(x, y)| x + y).collect();
    // One addition in f32; the sum may cancel, and the error is relative to its terms.
    Ok(compare(
        &format!("{} {shape:?}", kernel.name()),
        &z,
        &want,
        Tolerance {
            steps: 1.0,
            scale: 8.0,
        },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    for shape in [&[100_003][..], &[5], &[0], &[7, 11, 13]] {
        run::<f16>(&add_queue, shape)?;
        run::<f32>(&add_queue, shape)?;
        run::<f16>(&add_queue_wide, shape)?;
        run::<bf16>(&add_queue_wide, shape)?;
    }
    Ok(())
}
