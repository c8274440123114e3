//! What the examples share: random arrays from a seed, and the comparison with a reference in `f64`.
//!
//! The reference of an example is written with plain loops over `f64` and knows nothing of tiles, so that an
//! agreement is evidence. A tolerance is derived, never tuned: one rounding to the element type, and so many
//! roundings of `f32` before it.
#![forbid(unsafe_code)]

use bytemuck::Pod;
use jumar::ndarray::{ArrayD, IxDyn};
use jumar::prelude::*;

/// An element type as the examples need it.
pub trait Sample: Element + Pod {
    /// Distance from 1 to the next number.
    const EPSILON: f64;
    /// Smallest positive subnormal number.
    const TINY: f64;
    /// Name as a kernel writes it.
    const NAME: &'static str;
    /// The nearest number of the type.
    fn from_f64(value: f64) -> Self;
    /// The same number.
    fn to_f64(self) -> f64;
}

macro_rules! samples {
    ($($t:ident $epsilon:expr, $tiny:expr, $from:expr, $to:expr;)*) => {$(
        impl Sample for $t {
            const EPSILON: f64 = 1.0 / (1u64 << $epsilon) as f64;
            const TINY: f64 = $tiny;
            const NAME: &'static str = stringify!($t);
            fn from_f64(value: f64) -> Self {
                $from(value)
            }
            fn to_f64(self) -> f64 {
                $to(self)
            }
        }
    )*};
}
samples! {
    f16 10, 5.960_464_477_539_063e-8, f16::from_f64, f16::to_f64;
    bf16 7, 9.183_549_615_799_121e-41, bf16::from_f64, bf16::to_f64;
    f32 23, 1.401_298_464_324_817e-45, |v| v as f32, f64::from;
}

/// An array of the given shape with elements spread evenly over `low..high`; one seed, one array.
pub fn random<T: Sample>(shape: &[usize], low: f64, high: f64, seed: u64) -> ArrayD<T> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        // SplitMix64: short, and the same on every machine.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let unit = ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
        T::from_f64(low + (high - low) * unit)
    })
}

/// An array of zeros.
pub fn zeros<T: Sample>(shape: &[usize]) -> ArrayD<T> {
    ArrayD::from_shape_simple_fn(IxDyn(shape), || T::from_f64(0.0))
}

/// The elements as `f64`, row by row.
pub fn wide<T: Sample>(x: &ArrayD<T>) -> Vec<f64> {
    x.iter().map(|v| v.to_f64()).collect()
}

/// How far a result may be from the reference.
#[derive(Clone, Copy)]
pub struct Tolerance {
    /// Roundings of `f32` on the way, each worth half a unit in the last place.
    pub steps: f64,
    /// Size of the largest intermediate value where it exceeds the result (cancellation); else 0.
    pub scale: f64,
}

impl Tolerance {
    fn allows<T: Sample>(self, want: f64) -> f64 {
        let step = f64::from(f32::EPSILON) / 2.0;
        T::EPSILON * want.abs() / 2.0 + self.steps * step * want.abs().max(self.scale) + T::TINY
    }
}

/// Compares every element and prints one line on the worst one.
///
/// # Errors
/// The first element that is further from the reference than the tolerance allows.
pub fn compare<T: Sample>(
    what: &str,
    got: &ArrayD<T>,
    want: &[f64],
    tolerance: Tolerance,
) -> Result<(), String> {
    if got.len() != want.len() {
        return Err(format!(
            "{what}: {} elements, the reference has {}",
            got.len(),
            want.len()
        ));
    }
    let mut worst = (0.0f64, 0);
    for (i, (g, &w)) in got.iter().zip(want).enumerate() {
        let g = g.to_f64();
        let error = (g - w).abs();
        // Written so that a nan on one side only fails.
        if !(error <= tolerance.allows::<T>(w) || (g.is_nan() && w.is_nan()) || g == w) {
            return Err(format!(
                "{what}, {}: element {i} is {g:e}, the reference {w:e}",
                T::NAME
            ));
        }
        if error > worst.0 {
            worst = (error, i);
        }
    }
    let (error, at) = worst;
    println!("{what}, {:<4} {:>8} elements agree with f64; largest difference {error:.1e} (element {at})", T::NAME, got.len());
    Ok(())
}

// The programs call this crate by its name, here as well.
#[cfg(test)]
extern crate self as jumar_examples;

/// Each example is a module of the test program, too, so that one program is linked for all.
#[cfg(test)]
macro_rules! examples {
    ($($name:ident)*) => {
        $(mod $name;)*

        #[test]
        fn every_file_is_an_example() {
            let entries = std::fs::read_dir(env!("CARGO_MANIFEST_DIR")).expect("the folder");
            let names = entries.map(|e| e.expect("an entry").file_name().into_string().expect("a name"));
            let mut files: Vec<String> = names.filter_map(|n| n.strip_suffix(".rs").map(str::to_string)).collect();
            files.retain(|n| n != "lib");
            files.sort();
            assert_eq!(files, [$(stringify!($name)),*], "left: files, right: modules of examples/lib.rs");
        }

        mod runs {
            $(
                #[test]
                fn $name() {
                    super::$name::main().unwrap_or_else(|e| panic!("{e}"));
                }
            )*
        }
    };
}
#[cfg(test)]
examples! {
    add
    add_by_hand
    add_queue
    argmax
    batch_norm
    batch_norm_train
    bias_residual
    bilinear
    column_sums
    depthwise
    embedding
    flip_concat
    gated
    group_norm
    group_norm_grad
    layer_norm
    masked_select
    max_pool
    mean_middle
    mse
    norm_grad
    rms_norm
    scale_add
    scatter_add
    softmax
    softmax_middle
    softmax_online
    swish
    total
    transpose
}
