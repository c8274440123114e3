//! Reductions over all axes and over a middle one, called directly: compares the simulator with
//! loops over integers, on which all orders of a sum agree. The memory after each row is poison,
//! and the source must stay unchanged.

use half::f16;
use jumar_dsl::check::{check_library, CheckedKernel};
use jumar_dsl::dtype::DType;
use jumar_dsl::lower::library::Over;
use jumar_dsl::ops::AxisReduceOp;
use jumar_dsl::soc::Chip;
use jumar_runtime::{Array, Launch};

const OPS: [AxisReduceOp; 3] = [AxisReduceOp::Sum, AxisReduceOp::Max, AxisReduceOp::Min];
const DTYPES: [DType; 3] = [DType::F32, DType::F16, DType::I32];

/// Lengths below, at and beyond data blocks, repeats, the limits of steps and half of UB.
const LENGTHS: &[usize] = &[
    1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 100, 127, 128, 129, 191, 192, 255, 256, 257, 511, 512,
    513, 1000, 1023, 1024, 1025, 2047, 4095, 4096, 4097, 10_000,
];

fn kernel(over: Over, op: AxisReduceOp, dtype: DType) -> CheckedKernel {
    let text = |found: Vec<_>| {
        found
            .iter()
            .map(|d: &jumar_dsl::diag::Diagnostic| d.message.clone() + "\n")
            .collect::<String>()
    };
    check_library(over, op, dtype, Chip::default_chip())
        .unwrap_or_else(|found| panic!("{op:?} of {dtype}: {}", text(found)))
}

/// Makes integers so small that all sums of them are exact in f16.
fn numbers(n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| ((i * 7919 + i / 13) % 5) as f64 - 2.0 + f64::from(u8::from(i * 31 % 97 == 3)))
        .collect()
}

fn together(op: AxisReduceOp, values: impl Iterator<Item = f64>) -> f64 {
    let step = |a: f64, b: f64| match op {
        AxisReduceOp::Sum => a + b,
        AxisReduceOp::Max => a.max(b),
        AxisReduceOp::Min => a.min(b),
        other => panic!("no function of the library for {other:?}"),
    };
    values.reduce(step).expect("something to reduce")
}

fn array(dtype: DType, shape: &[usize], values: &[f64]) -> Array {
    let shape = ndarray::IxDyn(shape);
    let values = ndarray::ArrayView::from_shape(shape, values).expect("as many numbers");
    match dtype {
        DType::F16 => values.mapv(f16::from_f64).into(),
        DType::F32 => values.mapv(|v| v as f32).into(),
        DType::I32 => values.mapv(|v| v as i32).into(),
        DType::Bf16
        | DType::Bool
        | DType::I8
        | DType::I64
        | DType::I16
        | DType::U8
        | DType::U16
        | DType::U32
        | DType::Bits => {
            panic!("{dtype} is not reduced")
        }
    }
}

/// Runs the function on `x`.
fn run(
    kernel: &CheckedKernel,
    dtype: DType,
    shape: &[usize],
    result: &[usize],
    x: &[f64],
) -> Vec<f64> {
    let x = array(dtype, shape, x);
    let [mut y, mut same] =
        [result, shape].map(|shape| Array::zeros(dtype, shape).expect("a shape"));
    let launch = Launch::new(kernel)
        .pipes(true)
        .input("x", &x)
        .output("y", &mut y)
        .output("same", &mut same);
    launch
        .run()
        .unwrap_or_else(|e| panic!("{dtype}, {shape:?}: {e}"));
    assert_eq!(same.to_f64(), x.to_f64(), "{dtype}, {shape:?}: the source");
    y.to_f64()
}

#[test]
fn all_elements_become_one() {
    for (dtype, op) in DTYPES
        .into_iter()
        .flat_map(|dtype| OPS.map(|op| (dtype, op)))
    {
        let kernel = kernel(Over::All, op, dtype);
        for n in LENGTHS {
            let x = numbers(*n);
            let want = together(op, x.iter().copied());
            assert_eq!(
                run(&kernel, dtype, &[*n], &[1], &x),
                [want],
                "{op:?} of {n} {dtype}"
            );
        }
    }
}

#[test]
fn rows_of_a_middle_axis_become_one() {
    let shapes = [1, 2, 5, 9, 300].into_iter().flat_map(|outer| {
        let rows = [1, 2, 3, 4, 5, 7, 8, 17, 33, 64, 100, 500].into_iter();
        rows.flat_map(move |rows| [1, 8, 9, 16, 64, 72, 100, 520].map(|cols| [outer, rows, cols]))
    });
    let shapes: Vec<_> = shapes
        .filter(|[outer, rows, cols]: &[usize; 3]| {
            outer * rows * cols.next_multiple_of(16) <= 16_000
        })
        .collect();
    for (dtype, op) in DTYPES
        .into_iter()
        .flat_map(|dtype| OPS.map(|op| (dtype, op)))
    {
        let kernel = kernel(Over::Middle, op, dtype);
        for [outer, rows, cols] in &shapes {
            let x = numbers(outer * rows * cols);
            let at =
                |o: usize, c: usize| together(op, (0..*rows).map(|r| x[(o * rows + r) * cols + c]));
            let want: Vec<f64> = (0..*outer)
                .flat_map(|o| (0..*cols).map(move |c| (o, c)))
                .map(|(o, c)| at(o, c))
                .collect();
            let got = run(
                &kernel,
                dtype,
                &[*outer, *rows, *cols],
                &[*outer, *cols],
                &x,
            );
            assert_eq!(got, want, "{op:?} over [{outer}, {rows}, {cols}] {dtype}");
        }
    }
}

/// Makes numbers whose sum is different in every order.
fn fractions(n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| f64::from(((i * 7919 + 13) % 1009) as f32 * 1.1 - 300.0))
        .collect()
}

/// Sums by one tree of neighbours.
fn tree(mut values: Vec<f32>) -> f32 {
    while values.len() > 1 {
        values = values
            .chunks(2)
            .map(|pair| {
                pair.iter()
                    .copied()
                    .reduce(|a, b| a + b)
                    .expect("one or two")
            })
            .collect();
    }
    values[0]
}

/// Adds the two halves, and an odd last element to the first one. Then splits at the largest power
/// of two.
fn in_halves(values: Vec<f32>) -> f32 {
    let half = values.len() / 2;
    if half == 0 {
        return values[0];
    }
    let mut left: Vec<f32> = (0..half).map(|i| values[i] + values[i + half]).collect();
    left[0] = values[2 * half..]
        .iter()
        .fold(left[0], |sum, last| sum + last);
    while left.len() > 1 {
        let behind = left.split_off(left.len().next_power_of_two() / 2);
        left.iter_mut().zip(behind).for_each(|(a, b)| *a += b);
    }
    left[0]
}

#[test]
fn sums_over_axes_follow_the_documented_order_bit_by_bit() {
    let kernels = [Over::All, Over::Middle].map(|over| kernel(over, AxisReduceOp::Sum, DType::F32));
    for n in LENGTHS {
        let x = fractions(*n);
        let want = tree(x.iter().map(|v| *v as f32).collect());
        assert_eq!(
            run(&kernels[0], DType::F32, &[*n], &[1], &x),
            [f64::from(want)],
            "{n}"
        );
    }
    // Outer indices one by one, as repeats, and beside rows as repeats.
    for [outer, rows, cols] in [
        [1, 2, 8],
        [1, 3, 8],
        [1, 100, 9],
        [3, 9, 300],
        [9, 5, 20],
        [9, 17, 64],
        [9, 64, 16],
        [2, 500, 8],
    ] {
        let x = fractions(outer * rows * cols);
        let row = |o: usize, c: usize| {
            (0..rows)
                .map(|r| x[(o * rows + r) * cols + c] as f32)
                .collect()
        };
        let want: Vec<f64> = (0..outer * cols)
            .map(|i| f64::from(in_halves(row(i / cols, i % cols))))
            .collect();
        let got = run(
            &kernels[1],
            DType::F32,
            &[outer, rows, cols],
            &[outer, cols],
            &x,
        );
        assert_eq!(got, want, "[{outer}, {rows}, {cols}]");
    }
}
