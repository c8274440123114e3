//! Predicted times of row kernels, for `tests/cost.rs` and `benches/ratios.rs`.

use jumar::dsl::check::{check, CheckedKernel};
use jumar::dsl::cost::{estimate, Bound, Estimate};
use jumar::dsl::dtype::DType;
use jumar::dsl::front::parse_file;
use jumar::dsl::ir::{Dim, Scalar};
use jumar::dsl::tiling::{bind_attrs, bind_shapes, evaluate, Value};
use jumar::Chip;
use std::fmt::Write;

/// The kernels, by name and file.
pub const KERNELS: [(&str, &str); 3] = [
    ("softmax", include_str!("../../examples/04_softmax.rs")),
    ("rms_norm", include_str!("../../examples/05_rms_norm.rs")),
    (
        "layer_norm",
        include_str!("../../examples/06_layer_norm.rs"),
    ),
];

/// Predicted cycles of the vector unit for a row of `cols` elements.
pub struct Figure {
    pub kernel: &'static str,
    pub cols: usize,
    pub dtype: DType,
    /// Cycles of an early lowering, with one call and one scalar round trip for each row.
    pub before: f64,
    /// Predicted cycles of an expert's text.
    pub aim: f64,
    /// The limit, a little above the present cycles. Cycles in which sources wait for a bank of UB
    /// do not count.
    pub bound: f64,
    /// The limit of cycles in which sources wait for a bank: operands that alias, and columns
    /// beside rows.
    pub waits: f64,
}

const fn figure(
    kernel: &'static str,
    cols: usize,
    dtype: DType,
    [before, aim, bound, waits]: [f64; 4],
) -> Figure {
    Figure {
        kernel,
        cols,
        dtype,
        before,
        aim,
        bound,
        waits,
    }
}

/// The limits of each kernel, length and type.
pub const FIGURES: [Figure; 18] = [
    figure("softmax", 64, DType::F32, [427.0, 14.0, 12.6, 0.6]),
    figure("softmax", 64, DType::F16, [431.0, 17.0, 16.5, 0.6]),
    figure("softmax", 1000, DType::F32, [1330.0, 300.0, 293.1, 8.1]),
    figure("softmax", 1000, DType::F16, [1394.0, 360.0, 358.9, 8.1]),
    figure("softmax", 1024, DType::F32, [893.0, 290.0, 283.0, 8.1]),
    figure("softmax", 1024, DType::F16, [957.0, 350.0, 349.8, 8.1]),
    figure("rms_norm", 64, DType::F32, [256.0, 11.0, 10.3, 1.6]),
    figure("rms_norm", 64, DType::F16, [260.0, 15.0, 15.0, 1.6]),
    figure("rms_norm", 1000, DType::F32, [481.0, 250.0, 227.9, 16.1]),
    figure("rms_norm", 1000, DType::F16, [545.0, 310.0, 303.2, 16.1]),
    figure("rms_norm", 1024, DType::F32, [481.0, 245.0, 222.4, 16.1]),
    figure("rms_norm", 1024, DType::F16, [545.0, 305.0, 297.7, 16.1]),
    figure("layer_norm", 64, DType::F32, [500.0, 20.0, 15.4, 2.6]),
    figure("layer_norm", 64, DType::F16, [504.0, 25.0, 20.1, 2.6]),
    figure("layer_norm", 1000, DType::F32, [882.0, 400.0, 368.7, 24.1]),
    figure("layer_norm", 1000, DType::F16, [946.0, 460.0, 460.0, 24.1]),
    figure("layer_norm", 1024, DType::F32, [882.0, 390.0, 357.7, 24.1]),
    figure("layer_norm", 1024, DType::F16, [946.0, 450.0, 448.7, 24.1]),
];

/// Returns the rows of a launch; every core has many tiles.
const fn rows(cols: usize) -> usize {
    if cols < 256 {
        65_536
    } else {
        4096
    }
}

/// A launch of a kernel over several axes. Times are ratios to that in which memory moves each byte
/// of its tensors once.
pub struct Moved {
    pub kernel: &'static str,
    file: &'static str,
    /// Sizes of the axes, in the order of their names.
    pub sizes: &'static [i64],
    attrs: &'static [(&'static str, i64)],
    pub dtype: DType,
    /// Predicted ratio of an expert's text.
    pub aim: f64,
    /// The limit, a little above the present ratio.
    pub bound: f64,
}

/// The launches with their limits.
pub const MOVED: [Moved; 6] = [
    Moved {
        kernel: "mean_middle",
        file: include_str!("../../examples/08_mean_middle.rs"),
        sizes: &[64, 128, 4096],
        attrs: &[],
        dtype: DType::F32,
        aim: 1.2,
        bound: 1.12,
    },
    Moved {
        kernel: "column_sums",
        file: include_str!("../../examples/11_column_sums.rs"),
        sizes: &[4096, 4096],
        attrs: &[],
        dtype: DType::F16,
        aim: 1.3,
        bound: 2.3,
    },
    Moved {
        kernel: "norm_grad",
        file: include_str!("../../examples/14_norm_grad.rs"),
        sizes: &[4096, 4096],
        attrs: &[],
        dtype: DType::F16,
        aim: 1.3,
        bound: 1.22,
    },
    Moved {
        kernel: "mse",
        file: include_str!("../../examples/13_mse.rs"),
        sizes: &[16 << 20],
        attrs: &[],
        dtype: DType::F32,
        aim: 1.15,
        bound: 1.09,
    },
    // A group of somewhat more than 16384 elements is the largest that UB holds whole.
    Moved {
        kernel: "group_norm",
        file: include_str!("../../examples/16_group_norm.rs"),
        sizes: &[64, 256, 1024],
        attrs: &[("groups", 32)],
        dtype: DType::F16,
        aim: 1.4,
        bound: 1.95,
    },
    Moved {
        kernel: "group_norm",
        file: include_str!("../../examples/16_group_norm.rs"),
        sizes: &[64, 256, 1024],
        attrs: &[("groups", 32)],
        dtype: DType::F32,
        aim: 1.4,
        bound: 1.04,
    },
];

/// Returns the ratio of a launch to the time of its bytes, and the unit that bounds it.
pub fn over_bytes_moved(row: &Moved) -> (f64, Bound) {
    let kernel = checked_file(row.file);
    let (sig, chip) = (&kernel.kernel().sig, Chip::default_chip());
    let given: Vec<(&str, Value)> = row
        .attrs
        .iter()
        .map(|(name, value)| (*name, Value::Int(*value)))
        .collect();
    let attrs = bind_attrs(sig, None, &given).expect("attributes");
    let lowered = kernel
        .instances()
        .iter()
        .find(|l| l.binding() == [row.dtype])
        .expect("an instance");
    let tiling = evaluate(lowered, chip, row.sizes, &attrs).expect("a launch");
    let found = estimate(lowered, chip, &tiling).expect("an estimate");
    let elements = |dims: &[Dim]| dims.iter().map(|dim| size(dim, row.sizes)).product::<i64>();
    let bytes: i64 = sig
        .tensors()
        .map(|(id, _, _, ty)| elements(sig.shape(id)) * ty.resolve(&[row.dtype]).bytes())
        .sum();
    let moved = bytes as f64 * chip.clock_mhz as f64
        / chip.timing().expect("a chip with figures").memory_all;
    (found.cycles() / moved, found.bound().0)
}

/// Returns the size of an axis that has a name, or of a fixed one.
fn size(dim: &Dim, sizes: &[i64]) -> i64 {
    match dim {
        Dim::Axis { axis } | Dim::At { axis, .. } => sizes[axis.index()],
        Dim::Expr {
            size: Scalar::Int(n),
        } => *n,
        Dim::Expr { size } => panic!("a size without a name: {size:?}"),
    }
}

/// Checks the kernel of that name.
pub fn checked(name: &str) -> CheckedKernel {
    let (_, file) = KERNELS
        .iter()
        .find(|(kernel, _)| *kernel == name)
        .expect("a kernel of the table");
    checked_file(file)
}

/// Checks the kernel of a file.
pub fn checked_file(file: &str) -> CheckedKernel {
    let parsed = parse_file(file)
        .unwrap_or_else(|e| panic!("{}", e.0.message))
        .remove(0);
    let kernel = parsed.kernel.expect("a clean kernel");
    check(&kernel, Chip::default_chip()).unwrap_or_else(|d| panic!("{}", d[0].message))
}

/// Estimates a launch on an input `x` of that shape.
pub fn predicted(kernel: &CheckedKernel, shape: &[usize], dtype: DType) -> Estimate {
    let (sig, chip) = (&kernel.kernel().sig, Chip::default_chip());
    let attrs = bind_attrs(sig, None, &[]).expect("attributes have defaults");
    let shapes: Vec<Option<&[usize]>> = sig
        .params
        .iter()
        .map(|p| (p.name == "x").then_some(shape))
        .collect();
    let dims = bind_shapes(sig, &shapes, &attrs).expect("shapes that fit");
    let lowered = kernel
        .instances()
        .iter()
        .find(|l| l.binding() == [dtype])
        .expect("an instance");
    let tiling = evaluate(lowered, chip, &dims, &attrs).expect("a launch");
    estimate(lowered, chip, &tiling).expect("an estimate")
}

/// Returns the vector unit's cycles for a row, without those in which sources wait for a bank of
/// UB.
pub fn cycles_a_row(kernel: &CheckedKernel, cols: usize, dtype: DType) -> f64 {
    let [all, waits] = cycles_and_conflicts(kernel, cols, dtype);
    all - waits
}

/// Returns the vector unit's cycles for a row, and those of them in which sources wait for a bank
/// of UB.
pub fn cycles_and_conflicts(kernel: &CheckedKernel, cols: usize, dtype: DType) -> [f64; 2] {
    let found = predicted(kernel, &[rows(cols), cols], dtype);
    let share = found.share.expect("rows") as f64;
    [found.vector / share, found.conflicts / share]
}

/// Prints the limits beside the present cycles.
pub fn table() -> String {
    let mut text = format!(
        "{:<12} {:>5} {:<4} {:>8} {:>8} {:>8} {:>8}  predicted cycles a row (V), and those for shared banks\n",
        "kernel", "cols", "type", "before", "now", "banks", "aim"
    );
    for (name, _) in KERNELS {
        let kernel = checked(name);
        for f in FIGURES.iter().filter(|f| f.kernel == name) {
            let [all, waits] = cycles_and_conflicts(&kernel, f.cols, f.dtype);
            let (cols, dtype) = (f.cols, f.dtype.name());
            let _ = writeln!(
                text,
                "{name:<12} {cols:>5} {dtype:<4} {:>8.0} {:>8.1} {waits:>8.1} {:>8.0}",
                f.before,
                all - waits,
                f.aim
            );
        }
    }
    text
}
