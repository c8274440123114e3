//! Accepted kernels on the simulator with few and many blocks, and with little UB, since another
//! chip cuts them otherwise.
//!
//! An element is exact under three conditions: no op of the kernel rounds small halves, the
//! interpreter finds that the order of the sums does not matter, and it finds equal results on
//! several cuts. Then all chips must give that result. Other elements may differ by the
//! interpreter's bound, and by the roundings of recurrences. Where a step function follows such
//! roundings, nothing is compared.

use crate::differential::agree::{run, simulated, Case, Tensor};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::ir::{dim_size, BinOp, Role, Scalar, StmtKind, TileExpr, TileStmt, UnOp};
use jumar::dsl::ops::{AxisReduceOp, BinaryOp, Op, UnaryOp};
use jumar::dsl::soc::Chip;
use jumar::dsl::tiling::Value;
use jumar::runtime::tile::{Cut, Tile};
use jumar::runtime::{Array, Overflow};
use std::sync::LazyLock;

/// The default chip, one with a single core, and one with three cores and 24 KB of UB.
static CHIPS: LazyLock<[Chip; 3]> = LazyLock::new(|| {
    let chip = Chip::default_chip();
    let reserved = chip.ub_reserved_bytes();
    [
        chip.clone(),
        Chip {
            vector_cores: 1,
            ..chip.clone()
        },
        Chip {
            vector_cores: 3,
            ub_bytes: reserved + 24 * 1024,
            ..chip.clone()
        },
    ]
});

/// Sizes of the axes in their order; the first one is cut on every chip.
const SIZES: [i64; 3] = [3_001, 37, 5];

/// Allowed roundings of an open order, as a part of the largest element.
const SLACK: f64 = 1.0 / 512.0;

/// Numbers of elements that were compared to the bit, within a bound, and not at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    pub exact: u64,
    pub bounded: u64,
    pub open: u64,
}

/// Runs a kernel of named axes on every chip. `None` where a chip or a launch refuses it.
pub fn compared(text: &str, seed: u64) -> Result<Option<Compared>, String> {
    let mut first: Option<(Vec<Array>, Vec<Vec<f64>>)> = None;
    let mut counts = Compared::default();
    for chip in CHIPS.iter() {
        let Some(case) = case(text, chip, seed) else {
            return Ok(None);
        };
        let kernel = case.checked()?;
        let Ok(arrays) = simulated(&case, &kernel, Overflow::InfNan) else {
            return Ok(None);
        };
        let Some((before, errors)) = &first else {
            let errors = errors(&case, &kernel)?;
            first = Some((arrays, errors));
            continue;
        };
        for (((tensor, a), b), errors) in case
            .tensors
            .iter()
            .zip(before)
            .zip(&arrays)
            .zip(errors)
            .filter(|(((t, _), _), _)| t.written)
        {
            let (a, b) = (a.to_f64(), b.to_f64());
            let most = a
                .iter()
                .chain(&b)
                .filter(|v| v.is_finite())
                .fold(0.0f64, |most, v| most.max(v.abs()));
            for (at, (a, b)) in a.into_iter().zip(b).enumerate() {
                let error = errors.get(at).copied().unwrap_or(f64::INFINITY);
                match error {
                    0.0 => counts.exact += 1,
                    e if e.is_finite() => counts.bounded += 1,
                    _ => counts.open += 1,
                }
                let allowed = error.is_infinite()
                    || error > 0.0 && (a - b).abs() <= 2.0 * error + SLACK * most;
                if !same(a, b) && !allowed {
                    return Err(format!(
                        "element {at} of `{}` is {a:e} with {} cores and {b:e} with {} and {} bytes of UB, which may be off by {error:e}",
                        tensor.name, CHIPS[0].vector_cores, chip.vector_cores, chip.ub_bytes
                    ));
                }
            }
        }
    }
    Ok(Some(counts))
}

/// True for equal numbers; the order of a sum decides the sign of 0.
fn same(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

/// True if a quotient, a function or a mean may round. Sums, products and comparisons of small
/// halves are exact.
fn rounds(kernel: &CheckedKernel) -> bool {
    let mut found = false;
    let Some(body) = kernel.kernel().tiles() else {
        return false;
    };
    body.walk(&mut |s| {
        s.scalars(&mut |scalar| {
            scalar.walk(&mut |part| {
                found |= matches!(
                    part,
                    Scalar::Bin(BinOp::Div, ..) | Scalar::Un(UnOp::Sqrt, _)
                )
            })
        });
        let StmtKind::Do(TileStmt::Def { expr, .. }) = &s.kind else {
            return;
        };
        found |= match expr {
            TileExpr::Op {
                op: Op::Binary(op), ..
            } => *op == BinaryOp::Div,
            TileExpr::Op {
                op: Op::Unary(op), ..
            } => !matches!(op, UnaryOp::Abs | UnaryOp::Neg | UnaryOp::Relu),
            TileExpr::Reduce { op, .. } => *op == AxisReduceOp::Mean,
            _ => false,
        };
    });
    found
}

/// True if a step function, such as `floor` or a comparison, may enlarge roundings.
fn steps(kernel: &CheckedKernel) -> bool {
    let mut found = false;
    let Some(body) = kernel.kernel().tiles() else {
        return false;
    };
    body.walk(&mut |s| {
        let StmtKind::Do(TileStmt::Def { expr, .. }) = &s.kind else {
            return;
        };
        found |= match expr {
            TileExpr::Round { .. } | TileExpr::Truncate { .. } => true,
            TileExpr::Cast { mode, .. } => mode.is_some(),
            TileExpr::Op { op, .. } => matches!(op, Op::Compare(_)),
            TileExpr::Reduce { op, .. } => {
                matches!(op, AxisReduceOp::ArgMax | AxisReduceOp::ArgMin)
            }
            _ => false,
        };
    });
    found
}

/// Returns how far each element may differ on another chip: 0 where the interpreter has no error
/// for it and finds it on other cuts, too.
fn errors(case: &Case, kernel: &CheckedKernel) -> Result<Vec<Vec<f64>>, String> {
    let on = |cut| {
        let tile = Tile::new(cut, true);
        run(case, kernel, Overflow::InfNan, Some(&tile)).map(|arrays| (arrays, tile.errors()))
    };
    let (whole, carried) = on(Cut::Whole)?;
    let others = [Cut::Halves, Cut::Uneven(1), Cut::Uneven(2)]
        .map(on)
        .into_iter()
        .collect::<Result<Vec<_>, String>>()?;
    let rounds = rounds(kernel);
    let least = if rounds && steps(kernel) {
        f64::INFINITY
    } else {
        f64::MIN_POSITIVE
    };
    let of = |nth: usize, tensor: &Tensor| {
        let carried: Vec<&[f64]> = std::iter::once(&carried)
            .chain(others.iter().map(|(_, carried)| carried))
            .filter_map(|carried| {
                carried
                    .iter()
                    .find(|(name, _)| *name == tensor.name)
                    .map(|(_, errors)| &errors[..])
            })
            .collect();
        let other: Vec<Vec<f64>> = others
            .iter()
            .map(|(arrays, _)| arrays[nth].to_f64())
            .collect();
        let one = |(at, v): (usize, f64)| {
            // A cut of one iteration has no order between iterations, so the bounds of all cuts
            // count.
            let error = carried
                .iter()
                .filter_map(|errors| errors.get(at))
                .fold(0.0f64, |most, error| most.max(*error));
            if error == 0.0 && (rounds || !other.iter().all(|all| same(all[at], v))) {
                least
            } else {
                error
            }
        };
        whole[nth]
            .to_f64()
            .into_iter()
            .enumerate()
            .map(one)
            .collect()
    };
    Ok(case
        .tensors
        .iter()
        .enumerate()
        .map(|(nth, tensor)| of(nth, tensor))
        .collect())
}

/// Makes a case of the kernel, where it is accepted and each size is an axis.
fn case(text: &str, chip: &'static Chip, seed: u64) -> Option<Case> {
    let file = jumar::load::check_text("kernel.rs", text, Some(chip));
    let kernel = file
        .kernels()
        .iter()
        .flat_map(|k| &k.checked)
        .next()
        .filter(|_| !file.has_errors())?;
    let sig = &kernel.kernel().sig;
    let size = |dim: &jumar::dsl::ir::Dim| match dim_size(dim) {
        Scalar::Axis(axis) => SIZES.get(axis.index()).map(|n| *n as usize),
        _ => None,
    };
    let mut tensors = Vec::new();
    for (id, param, role, ty) in sig.tensors() {
        let shape = sig
            .shape(id)
            .iter()
            .map(size)
            .collect::<Option<Vec<usize>>>()?;
        tensors.push(Tensor {
            name: param.name.clone(),
            dtype: ty.resolve(&sig.instances[0]),
            shape,
            written: role != Role::In,
        });
    }
    let attr = |ty| match ty {
        jumar::dsl::ir::ScalarTy::F32 => Value::F32(0.5),
        jumar::dsl::ir::ScalarTy::I32 => Value::I32(2),
        jumar::dsl::ir::ScalarTy::Index => Value::Int(2),
        jumar::dsl::ir::ScalarTy::Bool => Value::Bool(seed.is_multiple_of(2)),
    };
    let attrs = sig
        .attrs()
        .map(|(_, param, ty, _)| (param.name.clone(), attr(ty)))
        .collect();
    Some(Case {
        name: sig.name.clone(),
        chip,
        text: text.to_string(),
        tensors,
        attrs,
        exact: true,
        seed,
    })
}
