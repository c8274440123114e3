//! Device functions alone: each is made once, and all of its accesses are proved.

use super::*;
use crate::check::{check_library, found_in};
use crate::dtype::DType;
use crate::ir::{verify_lowered, Lowered, Ty};
use crate::lower::func::{Funcs, Reduce, Side};
use crate::lower::library::Over;
use crate::ops::{AxisReduceOp, BinaryOp};
use crate::soc::Arch;

const DTYPES: [DType; 3] = [DType::F32, DType::F16, DType::I32];

/// Lowers a kernel, and adds functions that it does not call.
fn with(funcs: Funcs) -> Lowered {
    let text = "#[kernel]\nfn relu(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\n    for t in tiles(x) {\n        y.at(t).store(x.at(t).load().relu());\n    }\n}";
    let kernel = crate::front::parse_file(text)
        .expect("Rust")
        .remove(0)
        .kernel
        .expect("a kernel");
    let mut lowered = lower(&kernel, 0, Chip::default_chip())
        .expect("a kernel that lowers")
        .lowered;
    lowered.funcs = funcs.all;
    lowered
}

#[test]
fn everything_that_a_function_does_is_proved() {
    let sides = [Side::Whole, Side::Column, Side::Row];
    for (dtype, lanes, arch) in [
        (DType::F32, 8, Arch::V220),
        (DType::F16, 16, Arch::V220),
        (DType::F32, 8, Arch::M200),
    ] {
        let mut funcs = Funcs::default();
        let one = Scalar::Float(1.0);
        funcs.reduce_folded(Reduce::Prod, Ty::Is(dtype), lanes, one);
        funcs.reduce_middle(Reduce::Prod, Ty::Is(dtype), lanes, false);
        for op in [Reduce::Sum, Reduce::Max, Reduce::Min] {
            funcs.reduce_rows(op, Ty::Is(dtype), lanes, arch);
            funcs.reduce_all(op, Ty::Is(dtype), lanes, arch);
            funcs.reduce_middle(op, Ty::Is(dtype), lanes, false);
            funcs.reduce_middle(op, Ty::Is(dtype), lanes, true);
        }
        for (a, b) in sides
            .into_iter()
            .flat_map(|a| sides.map(|b| (a, b)))
            .filter(|s| *s != (Side::Whole, Side::Whole))
        {
            funcs.broadcast(BinaryOp::Sub, [a, b], Ty::Is(dtype), lanes);
        }
        funcs.pad(Ty::Is(dtype), lanes);
        is_proved(dtype.name(), funcs);
    }
    let mut funcs = Funcs::default();
    for op in [Reduce::Sum, Reduce::Max, Reduce::Min, Reduce::Prod] {
        funcs.reduce_whole(op, Ty::Is(DType::I32), 8);
        funcs.reduce_all_whole(op, Ty::Is(DType::I32), 8);
        funcs.reduce_middle(op, Ty::Is(DType::I32), 8, false);
    }
    is_proved("i32", funcs);
}

#[test]
fn a_kernel_around_a_function_gives_it_all_that_it_asks_for() {
    for (over, dtype) in [Over::All, Over::Middle]
        .into_iter()
        .flat_map(|over| DTYPES.map(|dtype| (over, dtype)))
    {
        for op in [AxisReduceOp::Sum, AxisReduceOp::Max, AxisReduceOp::Min] {
            if let Err(found) = check_library(over, op, dtype, Chip::default_chip()) {
                let found: String = found
                    .iter()
                    .map(|d| format!("{} {}\n", d.code, d.message))
                    .collect();
                panic!("{op:?} over {over:?} of {dtype}:\n{found}");
            }
        }
    }
}

fn is_proved(name: &str, funcs: Funcs) {
    let lowered = with(funcs);
    verify_lowered(&lowered).unwrap_or_else(|f| panic!("{f}"));
    let found = found_in(&lowered);
    assert!(
        found.is_empty(),
        "{name}: {} findings\n{}",
        found.len(),
        found.join("\n")
    );
}
