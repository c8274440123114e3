//! Shared code of the examples: random arrays from a seed, and the comparison with a reference.
//!
//! The reference of an example consists of plain loops over `f64` and knows nothing of tiles, so
//! agreement is evidence. A tolerance is derived, never tuned: one rounding to the element type,
//! and a number of roundings of `f32` before it.
#![forbid(unsafe_code)]

use bytemuck::Pod;
use jumar::ndarray::{ArrayD, IxDyn};
use jumar::prelude::*;

/// An element type of arrays in the examples.
pub trait Sample: Element + Pod {
    /// Distance from 1 to the next number.
    const EPSILON: f64;
    /// Smallest positive subnormal number.
    const TINY: f64;
    /// Name of the type in a kernel.
    const NAME: &'static str;
    /// Returns the nearest number of the type.
    fn from_f64(value: f64) -> Self;
    /// Returns the number as `f64`, exactly.
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

/// Returns an array with elements spread evenly over `low..high`; a seed names one array.
pub fn random<T: Sample>(shape: &[usize], low: f64, high: f64, seed: u64) -> ArrayD<T> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        // SplitMix64: short, and equal on every machine.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let unit = ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
        T::from_f64(low + (high - low) * unit)
    })
}

/// Returns an array of zeros.
pub fn zeros<T: Sample>(shape: &[usize]) -> ArrayD<T> {
    ArrayD::from_shape_simple_fn(IxDyn(shape), || T::from_f64(0.0))
}

/// Returns the elements as `f64`, row by row.
pub fn wide<T: Sample>(x: &ArrayD<T>) -> Vec<f64> {
    x.iter().map(|v| v.to_f64()).collect()
}

/// The largest distance of a result from its reference.
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
        // A comparison with a nan is false, so a nan on one side only fails.
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

// The examples call this crate by its name; as modules of the test program they do so, too.
#[cfg(test)]
extern crate self as jumar_examples;

/// Makes each example a module of the test program, too, so that one program is linked for all.
#[cfg(test)]
macro_rules! examples {
    ($($file:literal $name:ident)*) => {
        $(#[path = $file] mod $name;)*

        #[test]
        fn every_file_is_an_example() {
            let entries = std::fs::read_dir(env!("CARGO_MANIFEST_DIR")).expect("the folder");
            let names = entries.map(|e| e.expect("an entry").file_name().into_string().expect("a name"));
            let mut files: Vec<String> = names.filter(|n| n.ends_with(".rs") && n != "lib.rs").collect();
            files.sort();
            assert_eq!(files, [$($file),*], "left: files, right: modules of examples/lib.rs");
            let readme = include_str!("README.md");
            let missing: Vec<_> = files.iter().filter(|file| !readme.contains(&format!("]({file})"))).collect();
            assert!(missing.is_empty(), "examples/README.md has no row for {missing:?}");
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
    "01_add.rs" add
    "02_scale_add.rs" scale_add
    "03_swish.rs" swish
    "04_softmax.rs" softmax
    "05_rms_norm.rs" rms_norm
    "06_layer_norm.rs" layer_norm
    "07_argmax.rs" argmax
    "08_mean_middle.rs" mean_middle
    "09_softmax_middle.rs" softmax_middle
    "10_batch_norm.rs" batch_norm
    "11_column_sums.rs" column_sums
    "12_softmax_online.rs" softmax_online
    "13_mse.rs" mse
    "14_norm_grad.rs" norm_grad
    "15_bias_residual.rs" bias_residual
    "16_group_norm.rs" group_norm
    "17_transpose.rs" transpose
    "18_max_pool.rs" max_pool
    "19_depthwise.rs" depthwise
    "20_flip_concat.rs" flip_concat
    "21_bilinear.rs" bilinear
    "22_embedding.rs" embedding
    "23_scatter_add.rs" scatter_add
    "24_masked_select.rs" masked_select
    "25_gated.rs" gated
    "26_batch_norm_train.rs" batch_norm_train
    "27_group_norm_grad.rs" group_norm_grad
    "28_add_queue.rs" add_queue
    "29_total.rs" total
    "30_add_by_hand.rs" add_by_hand
}
