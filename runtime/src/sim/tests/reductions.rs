//! Checks order, rounding and boundary values of reductions.

use super::ops::{array, evaluate, one_call};
use crate::{Array, Launch, Overflow};
use half::f16;
use jumar_dsl::dtype::DType;
use jumar_dsl::ops::ReduceOp;
use jumar_dsl::soc::Chip;

fn reduce(op: ReduceOp, dtype: DType, values: &[f64], overflow: Overflow) -> f64 {
    let kernel = one_call(op.into(), dtype, &[dtype], values.len() as i64, |_| ());
    let x: Array = array(dtype, values);
    evaluate(kernel, &[x], dtype, overflow)[0]
}

/// Sums in the documented order: a tree of neighbours in each repeat. Then the repeats are added in
/// order.
fn sum_in_order(values: &[f64], lanes: usize, round: impl Fn(f64) -> f64 + Copy) -> f64 {
    fn tree(values: &[f64], round: impl Fn(f64) -> f64 + Copy) -> f64 {
        let next: Vec<f64> = values
            .chunks(2)
            .map(|p| {
                if p.len() == 2 {
                    round(p[0] + p[1])
                } else {
                    p[0]
                }
            })
            .collect();
        if next.len() == 1 {
            next[0]
        } else {
            tree(&next, round)
        }
    }
    values
        .chunks(lanes)
        .map(|c| if c.len() == 1 { c[0] } else { tree(c, round) })
        .reduce(|a, b| round(a + b))
        .unwrap()
}

#[test]
fn sums_follow_the_documented_order_bit_by_bit() {
    let value = |i: usize| ((i * 7919) % 1009) as f64 / 64.0 - 7.0;
    for n in [
        1usize, 2, 3, 63, 64, 65, 100, 128, 129, 1000, 1024, 1025, 5000,
    ] {
        let values: Vec<f64> = (0..n).map(value).collect();
        let half = array(DType::F16, &values).to_f64();
        let want = sum_in_order(&half, 128, |v| f16::from_f64(v).to_f64());
        assert_eq!(
            reduce(ReduceOp::Sum, DType::F16, &half, Overflow::InfNan),
            want,
            "f16, n = {n}"
        );
        let single: Vec<f64> = values.iter().map(|v| f64::from(*v as f32 * 1.1)).collect();
        let want = sum_in_order(&single, 64, |v| f64::from(v as f32));
        assert_eq!(
            reduce(ReduceOp::Sum, DType::F32, &single, Overflow::InfNan),
            want,
            "f32, n = {n}"
        );
        let (max, min) = (
            half.iter().copied().fold(f64::MIN, f64::max),
            half.iter().copied().fold(f64::MAX, f64::min),
        );
        assert_eq!(
            reduce(ReduceOp::Max, DType::F16, &half, Overflow::InfNan),
            max
        );
        assert_eq!(
            reduce(ReduceOp::Min, DType::F16, &half, Overflow::InfNan),
            min
        );
    }
}

/// Checks rows of asc-devkit's table of boundary values for half: 256 elements, the listed ones at
/// the front or the end.
#[test]
fn boundary_values_of_half_reductions_are_those_of_the_documentation() {
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    const H: f64 = 65504.0;
    let front = |special: &[f64]| {
        let mut v = vec![1.0; 256];
        v[..special.len()].copy_from_slice(special);
        v
    };
    let end = |special: f64| {
        let mut v = vec![1.0; 256];
        v[255] = special;
        v
    };
    use ReduceOp::{Max, Min, Sum};
    let rows: Vec<(ReduceOp, Vec<f64>, f64, f64)> = vec![
        (Sum, vec![-H; 256], -INF, -H),
        (Sum, vec![INF; 256], INF, H),
        (Sum, vec![NAN; 256], NAN, 0.0),
        (Sum, front(&[INF, -INF, NAN]), NAN, 252.0),
        (Sum, front(&[INF, -INF]), NAN, 254.0),
        (Sum, front(&[INF, NAN]), NAN, 254.0),
        (Sum, end(-INF), -INF, -65248.0),
        (Sum, end(NAN), NAN, 254.0),
        (Max, front(&[INF, -INF, NAN]), NAN, 1.0),
        (Max, front(&[INF, -INF]), INF, H),
        (Max, front(&[INF, NAN]), NAN, 1.0),
        (Max, end(INF), INF, H),
        (Max, end(NAN), NAN, 1.0),
        (Min, front(&[INF, NAN]), NAN, 0.0),
        (Min, front(&[INF, -INF]), -INF, -H),
        (Min, end(INF), 1.0, 1.0),
        (Min, end(NAN), NAN, 0.0),
    ];
    for (op, values, inf_nan, saturate) in rows {
        for (overflow, want) in [(Overflow::InfNan, inf_nan), (Overflow::Saturate, saturate)] {
            let got = reduce(op, DType::F16, &values, overflow);
            let same = got == want || got.is_nan() && want.is_nan();
            let special: Vec<&f64> = values.iter().filter(|v| **v != 1.0).take(3).collect();
            assert!(
                same,
                "{op:?} with {special:?} in {overflow:?}: {got}, the table says {want}"
            );
        }
    }
    assert!(reduce(Sum, DType::F16, &[-0.0; 256], Overflow::InfNan).is_sign_negative());
    assert!(reduce(Sum, DType::F32, &[-0.0; 100], Overflow::InfNan).is_sign_negative());
}

#[test]
fn on_inference_chips_repeats_are_added_as_a_tree() {
    // Repeat sums of 2^24, 1, 1 and 1: in order each 1 is lost, the tree keeps two of them.
    let mut values = vec![0.0; 256];
    values[0] = 16_777_216.0;
    for repeat in 1..4 {
        values[repeat * 64] = 1.0;
    }
    assert_eq!(
        reduce(ReduceOp::Sum, DType::F32, &values, Overflow::InfNan),
        16_777_216.0
    );
    let kernel = [one_call(
        ReduceOp::Sum.into(),
        DType::F32,
        &[DType::F32],
        256,
        |_| (),
    )];
    let (x, mut z) = (
        array(DType::F32, &values),
        Array::zeros(DType::F32, &[256]).unwrap(),
    );
    let chip = Chip::by_name("ascend310p").unwrap();
    Launch::lowered(&kernel, chip)
        .input("x", &x)
        .inout("z", &mut z)
        .run()
        .unwrap();
    assert_eq!(z.to_f64()[0], 16_777_218.0);
}
