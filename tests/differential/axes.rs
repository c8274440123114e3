//! Library functions for reductions along all axes and along a middle one, on simulator and emitted
//! C++.

use super::agree::{disagreement, simulated, Case, Tensor};
use jumar::dsl::check::check_library;
use jumar::dsl::dtype::DType;
use jumar::dsl::lower::library::Over;
use jumar::dsl::ops::AxisReduceOp;
use jumar::dsl::soc::Chip;
use jumar::held::Held;
use jumar::runtime::Overflow;

/// Returns shapes of inputs with those of results.
fn shapes(over: Over) -> Vec<(Vec<usize>, Vec<usize>)> {
    match over {
        Over::All => [1, 8, 63, 65, 200, 1000, 4097]
            .map(|n| (vec![n], vec![1]))
            .into(),
        Over::Middle => [
            [1, 1, 9],
            [9, 17, 64],
            [2, 500, 8],
            [3, 64, 72],
            [300, 3, 5],
            [4, 7, 520],
        ]
        .map(|[outer, rows, cols]| (vec![outer, rows, cols], vec![outer, cols]))
        .into(),
    }
}

fn tensors(dtype: DType, shape: &[usize], result: &[usize]) -> Vec<Tensor> {
    let all = [
        ("x", shape, false),
        ("y", result, true),
        ("same", shape, true),
    ];
    all.map(|(name, shape, written)| Tensor {
        name: name.to_string(),
        dtype,
        shape: shape.to_vec(),
        written,
    })
    .into()
}

/// Returns the difference of one function, if there is any.
pub fn judge((over, op, dtype): &(Over, AxisReduceOp, DType)) -> Option<String> {
    let chip = Chip::default_chip();
    let kernel = check_library(*over, *op, *dtype, chip)
        .unwrap_or_else(|found| panic!("{}", found[0].message));
    shapes(*over).into_iter().find_map(|(shape, result)| {
        let name = format!("{op:?} of {dtype} over {over:?} of {shape:?}");
        let (tensors, text, attrs) = (tensors(*dtype, &shape, &result), String::new(), Vec::new());
        let case = Case {
            name,
            chip,
            text,
            tensors,
            attrs,
            exact: false,
            seed: 1,
        };
        let runs = [
            (Held::default(), Overflow::InfNan),
            (Held::new(Some(7), false), Overflow::Saturate),
        ];
        let why = runs.iter().find_map(|(cpp, overflow)| {
            // Readers that refuse a launch alike would count as equal.
            let refused = simulated(&case, &kernel, *overflow).err();
            refused.or_else(|| disagreement(&case, &kernel, cpp, *overflow))
        })?;
        Some(format!("{}: {why}", case.name))
    })
}
