//! Runs every row of the op table on the machine. Results are compared with `f64` and with the
//! table of boundary values.

use super::build::*;
use crate::{Array, Launch, Overflow};
use half::{bf16, f16};
use jumar_dsl::dtype::{cast_modes, DType, RoundMode};
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::*;
use jumar_dsl::ops::{
    BinaryOp, BinaryScalarOp, CompareOp, CompareScalarOp, CopyOp, LayoutOp, Op, UnaryOp,
};
use jumar_dsl::soc::{Arch, Chip};
use ndarray::ArrayD;

/// Makes a kernel of one block and one call: it loads the sources, runs the call, and stores the
/// result.
pub fn one_call(
    op: Op,
    dst: DType,
    srcs: &[DType],
    n: i64,
    change: impl FnOnce(&mut VectorCall),
) -> Lowered {
    let mut k = Builder::new("one_call");
    let axis = k.axis("n", false);
    let params: Vec<ParamId> = srcs
        .iter()
        .enumerate()
        .map(|(i, d)| {
            k.tensor(
                ["x", "y", "w"][i],
                Role::In,
                *d,
                std::slice::from_ref(&axis),
            )
        })
        .collect();
    // A reduction writes one element of it.
    let out = k.tensor("z", Role::InOut, dst, &[axis]);
    let work_buf = k.buf("work", 8192);
    let work = k.local("work", srcs.first().copied().unwrap_or(dst));
    let mut stmts = vec![get(work, work_buf)];
    let mut refs = Vec::new();
    for (param, dtype) in params.iter().zip(srcs) {
        let buf = k.buf("src", n * dtype.bytes());
        let t = k.local("src", *dtype);
        stmts.extend([get(t, buf), copy_in(t, *param, 0, run(n))]);
        refs.push(at(t, 0));
    }
    let buf = k.buf("dst", n * dst.bytes());
    let t = k.local("dst", dst);
    stmts.push(get(t, buf));
    let mut vector_call = call(op, at(t, 0), refs, count(n));
    if matches!(op, Op::Reduce(_)) {
        vector_call.tmp = Some(at(work, 0));
    }
    change(&mut vector_call);
    let results = if matches!(op, Op::Reduce(_)) { 1 } else { n };
    stmts.extend([vector(vector_call), copy_out(out, 0, t, run(results))]);
    k.lowered(stmts)
}

pub fn array(dtype: DType, values: &[f64]) -> Array {
    let shape = ndarray::IxDyn(&[values.len()]);
    match dtype {
        DType::F16 => ArrayD::from_shape_fn(shape, |i| f16::from_f64(values[i[0]])).into(),
        DType::Bf16 => ArrayD::from_shape_fn(shape, |i| bf16::from_f64(values[i[0]])).into(),
        DType::F32 => ArrayD::from_shape_fn(shape, |i| values[i[0]] as f32).into(),
        DType::I32 | DType::Bits => ArrayD::from_shape_fn(shape, |i| values[i[0]] as i32).into(),
        DType::Bool => ArrayD::from_shape_fn(shape, |i| values[i[0]] > 0.0).into(),
        DType::I8 => ArrayD::from_shape_fn(shape, |i| values[i[0]] as i8).into(),
        DType::I64 => ArrayD::from_shape_fn(shape, |i| values[i[0]] as i64).into(),
        DType::I16 => ArrayD::from_shape_fn(shape, |i| values[i[0]] as i16).into(),
        DType::U8 => ArrayD::from_shape_fn(shape, |i| values[i[0]] as u8).into(),
        DType::U16 => ArrayD::from_shape_fn(shape, |i| values[i[0]] as u16).into(),
        DType::U32 => ArrayD::from_shape_fn(shape, |i| values[i[0]] as u32).into(),
    }
}

/// Runs a kernel of [`one_call`] and returns its output.
pub fn evaluate(kernel: Lowered, srcs: &[Array], dst: DType, overflow: Overflow) -> Vec<f64> {
    let n = srcs.first().map_or(64, Array::len);
    let mut z = Array::zeros(dst, &[n]).unwrap();
    let kernel = [kernel];
    let mut launch = Launch::lowered(&kernel, Chip::default_chip())
        .overflow(overflow)
        .inout("z", &mut z);
    for (name, src) in ["x", "y", "w"].iter().zip(srcs) {
        launch = launch.input(name, src);
    }
    launch.run().unwrap();
    z.to_f64()
}

/// Returns the distance in units in the last place of `dtype` at the rounded exact result.
fn ulps(dtype: DType, got: f64, exact: f64) -> f64 {
    let nearest = array(dtype, &[exact]).to_f64()[0];
    if got == nearest || (got.is_nan() && nearest.is_nan()) {
        return 0.0;
    }
    let next = match dtype {
        DType::F16 => f16::from_bits(f16::from_f64(nearest.abs()).to_bits() + 1).to_f64(),
        DType::Bf16 => bf16::from_bits(bf16::from_f64(nearest.abs()).to_bits() + 1).to_f64(),
        DType::F32 => f64::from(f32::from_bits((nearest.abs() as f32).to_bits() + 1)),
        DType::I32
        | DType::Bool
        | DType::I8
        | DType::I64
        | DType::I16
        | DType::U8
        | DType::U16
        | DType::U32
        | DType::Bits => nearest.abs() + 1.0,
    };
    (got - exact).abs() / (next - nearest.abs())
}

fn random(n: usize, seed: u64, low: f64, high: f64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..n).map(|_| low + (high - low) * next()).collect()
}

#[test]
fn element_wise_rows_stay_within_their_tolerance_of_f64() {
    const N: usize = 2500;
    let mut rows = 0;
    for def in Op::all() {
        for dtype in def.v220 {
            // Reductions, comparisons and movement are tested elsewhere.
            let Some(real) = def.real else { continue };
            let positive = real(-1.0, 1.0).is_nan();
            let (low, high) = match dtype {
                DType::I32 | DType::I16 => (-40_000.0, 40_000.0),
                _ if positive => (0.001, 90.0),
                _ => (-9.0, 9.0),
            };
            let x = array(*dtype, &random(N, 1 + rows, low, high));
            let y = array(*dtype, &random(N, 1000 + rows, low, high));
            let (a, b) = (x.to_f64(), y.to_f64());
            let s: f64 = if dtype.is_float() { 0.75 } else { 12_345.0 };
            let scalar = if dtype.is_float() {
                Scalar::Float(s as f32)
            } else {
                Scalar::I32(s as i32)
            };
            let wrap = |v: f64| match dtype {
                DType::I32 => f64::from(v as i64 as i32),
                DType::I16 => f64::from(v as i64 as i16),
                _ => v,
            };
            let second = |i: usize| if def.contract.has_number() { s } else { b[i] };
            let exact: Vec<f64> = a
                .iter()
                .enumerate()
                .map(|(i, a)| wrap(real(*a, second(i))))
                .collect();
            let srcs = vec![*dtype; def.op.contract().sources()];
            let kernel = one_call(def.op, *dtype, &srcs, N as i64, |c| {
                c.scalar = def.op.contract().has_number().then_some(scalar);
            });
            let got = evaluate(kernel, &[x, y][..srcs.len()], *dtype, Overflow::InfNan);
            // One rounding to 16 bits hides an error far below a unit of it, but such an error may
            // push it over a tie.
            let allowed = 0.5 + f64::from(def.ulp);
            for (i, (got, exact)) in got.iter().zip(&exact).enumerate() {
                let distance = ulps(*dtype, *got, *exact);
                assert!(
                    distance <= allowed,
                    "{} {dtype} element {i}: {got} for {exact}, {distance} ulp",
                    def.name
                );
            }
            rows += 1;
        }
    }
    assert!(rows >= 40, "only {rows} rows were tested");
}

#[test]
fn comparisons_write_the_bits_that_select_reads() {
    const N: usize = 700;
    let mut values: Vec<f64> = random(N, 5, -1.0, 1.0)
        .iter()
        .map(|v| (v * 4.0).round())
        .collect();
    values[..3].copy_from_slice(&[f64::NAN, f64::INFINITY, -0.0]);
    let x = array(DType::F32, &values);
    let y = array(
        DType::F32,
        &random(N, 6, -1.0, 1.0)
            .iter()
            .map(|v| (v * 4.0).round())
            .collect::<Vec<_>>(),
    );
    let (a, b) = (x.to_f64(), y.to_f64());
    type Pair = (CompareOp, CompareScalarOp, fn(f64, f64) -> bool);
    let all: [Pair; 6] = [
        (CompareOp::Gt, CompareScalarOp::Gt, |a, b| a > b),
        (CompareOp::Ge, CompareScalarOp::Ge, |a, b| a >= b),
        (CompareOp::Lt, CompareScalarOp::Lt, |a, b| a < b),
        (CompareOp::Le, CompareScalarOp::Le, |a, b| a <= b),
        (CompareOp::Eq, CompareScalarOp::Eq, |a, b| a == b),
        // With a nan every mode gives 0, NE included (table of boundary values).
        (CompareOp::Ne, CompareScalarOp::Ne, |a, b| {
            a != b && !a.is_nan() && !b.is_nan()
        }),
    ];
    for (op, with_scalar, holds) in all {
        for scalar in [None, Some(1.0)] {
            let mut k = Builder::new("choose");
            let axis = k.axis("n", false);
            let (p, q) = (
                k.tensor("x", Role::In, DType::F32, std::slice::from_ref(&axis)),
                k.tensor("y", Role::In, DType::F32, std::slice::from_ref(&axis)),
            );
            let out = k.tensor("z", Role::InOut, DType::F32, &[axis]);
            let bufs = ["x", "y", "z"].map(|b| k.buf(b, N as i64 * 4));
            let bits = k.buf("bits", 128);
            let [xl, yl, zl] = ["x", "y", "z"].map(|t| k.local(t, DType::F32));
            let mask = k.local("mask", DType::Bits);
            let n = N as i64;
            let compare = match scalar {
                None => call(op, at(mask, 0), vec![at(xl, 0), at(yl, 0)], count(n)),
                Some(s) => VectorCall {
                    scalar: Some(Scalar::Float(s)),
                    ..call(with_scalar, at(mask, 0), vec![at(xl, 0)], count(n))
                },
            };
            let select = call(
                LayoutOp::SelectScalar,
                at(zl, 0),
                vec![at(mask, 0), at(xl, 0)],
                count(n),
            );
            let kernel = k.lowered(vec![
                get(xl, bufs[0]),
                get(yl, bufs[1]),
                get(zl, bufs[2]),
                get(mask, bits),
                copy_in(xl, p, 0, run(n)),
                copy_in(yl, q, 0, run(n)),
                vector(compare),
                vector(VectorCall {
                    scalar: Some(Scalar::Float(-99.0)),
                    ..select
                }),
                copy_out(out, 0, zl, run(n)),
            ]);
            let got = evaluate(
                kernel,
                &[x.clone(), y.clone()],
                DType::F32,
                Overflow::InfNan,
            );
            for i in 0..N {
                let other = scalar.map_or(b[i], f64::from);
                assert_eq!(
                    got[i],
                    if holds(a[i], other) { a[i] } else { -99.0 },
                    "{op:?} element {i}"
                );
            }
        }
    }
}

#[test]
fn casts_between_widths_work_over_their_source_where_no_repeat_reads_what_an_earlier_one_wrote() {
    // Elements, offset of the narrow operand in elements, and whether the narrow one is the
    // destination.
    let tried = |n: i64, narrow_at: i64, narrows: bool| {
        let mut k = Builder::new("in_place");
        let axis = k.axis("n", false);
        let (from, to) = if narrows {
            (DType::F32, DType::F16)
        } else {
            (DType::F16, DType::F32)
        };
        let x = k.tensor("x", Role::In, from, std::slice::from_ref(&axis));
        let z = k.tensor("z", Role::Out, to, &[axis]);
        let buf = k.buf("both", 4 * n);
        let [wide, narrow] = [DType::F32, DType::F16].map(|d| k.local("both", d));
        let operands = (at(wide, 0), at(narrow, narrow_at));
        let (src, dst) = if narrows {
            operands
        } else {
            (operands.1, operands.0)
        };
        let stmts = vec![
            get(wide, buf),
            get(narrow, buf),
            copy_at(CopyOp::InPad, src.clone(), x, 0, run(n)),
            cast(dst.clone(), src, RoundMode::None, n),
            copy_at(CopyOp::OutPad, dst, z, 0, run(n)),
        ];
        let kernel = [k.lowered(stmts)];
        let values: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let (x, mut z) = (
            array(from, &values),
            Array::zeros(to, &[n as usize]).unwrap(),
        );
        let run = Launch::lowered(&kernel, Chip::default_chip())
            .input("x", &x)
            .output("z", &mut z)
            .run();
        run.map(|_| z.to_f64() == values)
    };
    assert_eq!(tried(1000, 0, true), Ok(true));
    assert_eq!(tried(160, 160, false), Ok(true));
    assert_eq!(tried(64, 0, false), Ok(true));
    for (n, narrow_at, narrows) in [(65, 0, false), (160, 160, true), (1000, 16, false)] {
        let error = tried(n, narrow_at, narrows).unwrap_err();
        assert!(
            error.message().contains("over part of its source"),
            "{error}"
        );
    }
}

#[test]
fn every_cast_of_the_chip_rounds_as_its_mode_says() {
    const N: usize = 600;
    for from in DType::ALL {
        for to in DType::ALL {
            for mode in cast_modes(Arch::V220, from, to) {
                let x = array(from, &random(N, 9, -70.0, 70.0));
                let kernel = one_call(LayoutOp::Cast.into(), to, &[from], N as i64, |c| {
                    c.mode = Some(*mode)
                });
                let got = evaluate(kernel, std::slice::from_ref(&x), to, Overflow::InfNan);
                for (v, got) in x.to_f64().into_iter().zip(got) {
                    let whole = !to.is_float() || from == to;
                    let exact = match mode {
                        RoundMode::None | RoundMode::Rint if whole => v.round_ties_even(),
                        RoundMode::Floor if whole => v.floor(),
                        RoundMode::Ceil if whole => v.ceil(),
                        RoundMode::Round if whole => v.round(),
                        RoundMode::Trunc if whole => v.trunc(),
                        _ => v,
                    };
                    // A tensor of bool is one of uint8_t.
                    let exact = if matches!(to, DType::Bool | DType::U8) {
                        exact.max(0.0)
                    } else {
                        exact
                    };
                    let ok = match mode {
                        _ if whole => got == exact,
                        RoundMode::None | RoundMode::Rint => got == array(to, &[v]).to_f64()[0],
                        RoundMode::Floor => got <= v && ulps(to, got, v) < 1.0,
                        RoundMode::Ceil => got >= v && ulps(to, got, v) < 1.0,
                        RoundMode::Trunc => got.abs() <= v.abs() && ulps(to, got, v) < 1.0,
                        RoundMode::Round => ulps(to, got, v) <= 0.5,
                        RoundMode::Odd => {
                            got == v
                                || (ulps(to, got, v) < 1.0 && f16::from_f64(got).to_bits() & 1 == 1)
                        }
                    };
                    assert!(ok, "{from} to {to} {mode:?}: {v} gives {got}");
                }
            }
        }
    }
}

/// Checks rows of asc-devkit's table of boundary values: op, dtype, sources, result in inf/nan
/// mode, result when saturating.
#[test]
fn boundary_values_are_those_of_the_documentation() {
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    const H: f64 = 65504.0;
    const F: f64 = f32::MAX as f64;
    let (h, f, i, s) = (DType::F16, DType::F32, DType::I32, DType::I16);
    let (low, high) = (f64::from(i32::MIN), f64::from(i32::MAX));
    let (least, most) = (f64::from(i16::MIN), f64::from(i16::MAX));
    let unary = |op: UnaryOp| Op::from(op);
    let binary = |op: BinaryOp| Op::from(op);
    let scalar = |op: BinaryScalarOp| Op::from(op);
    let rows: Vec<(Op, DType, Vec<f64>, f64, f64)> = vec![
        (unary(UnaryOp::Exp), h, vec![H], INF, H),
        (unary(UnaryOp::Exp), h, vec![-INF], 0.0, 0.0),
        (unary(UnaryOp::Exp), f, vec![F], INF, INF),
        (unary(UnaryOp::Exp), f, vec![NAN], NAN, NAN),
        (unary(UnaryOp::Ln), h, vec![-H], NAN, 0.0),
        (unary(UnaryOp::Ln), h, vec![-0.0], -INF, -H),
        (unary(UnaryOp::Ln), f, vec![-INF], NAN, NAN),
        (unary(UnaryOp::Sqrt), h, vec![-0.0], -0.0, -0.0),
        (unary(UnaryOp::Sqrt), f, vec![-F], NAN, NAN),
        (unary(UnaryOp::Rsqrt), h, vec![0.0], INF, H),
        (unary(UnaryOp::Rsqrt), f, vec![-0.0], -INF, -INF),
        (unary(UnaryOp::Reciprocal), h, vec![-0.0], -INF, -H),
        (unary(UnaryOp::Reciprocal), f, vec![-INF], -0.0, -0.0),
        (unary(UnaryOp::Relu), h, vec![-0.0], 0.0, 0.0),
        (unary(UnaryOp::Relu), h, vec![NAN], NAN, 0.0),
        (unary(UnaryOp::Relu), i, vec![low], 0.0, 0.0),
        (unary(UnaryOp::Abs), h, vec![-INF], INF, H),
        (unary(UnaryOp::Abs), f, vec![-0.0], 0.0, 0.0),
        (binary(BinaryOp::Add), h, vec![-H, -H], -INF, -H),
        (binary(BinaryOp::Add), i, vec![high, high], -2.0, high),
        (binary(BinaryOp::Add), i, vec![low, low], 0.0, low),
        (binary(BinaryOp::Sub), i, vec![low, high], 1.0, low),
        (binary(BinaryOp::Sub), h, vec![-H, -H], 0.0, 0.0),
        (binary(BinaryOp::Mul), h, vec![-H, H], -INF, -H),
        (binary(BinaryOp::Mul), i, vec![low, high], low, low),
        (binary(BinaryOp::Mul), i, vec![high, high], 1.0, high),
        (binary(BinaryOp::Div), h, vec![-H, 0.0], -INF, -H),
        (binary(BinaryOp::Div), h, vec![-H, NAN], NAN, 0.0),
        (binary(BinaryOp::Div), h, vec![H, -INF], -0.0, -0.0),
        (binary(BinaryOp::Max), h, vec![-H, -0.0], -0.0, -0.0),
        (binary(BinaryOp::Max), h, vec![0.0, -0.0], 0.0, 0.0),
        (binary(BinaryOp::Max), h, vec![H, NAN], NAN, 0.0),
        (binary(BinaryOp::Max), h, vec![-H, INF], INF, H),
        (binary(BinaryOp::Min), h, vec![0.0, -0.0], -0.0, -0.0),
        (binary(BinaryOp::Min), h, vec![NAN, -INF], NAN, 0.0),
        (binary(BinaryOp::Min), i, vec![low, high], low, low),
        (scalar(BinaryScalarOp::Adds), h, vec![H, H], INF, H),
        (scalar(BinaryScalarOp::Adds), h, vec![0.0, NAN], NAN, 0.0),
        (scalar(BinaryScalarOp::Adds), i, vec![low, low], 0.0, low),
        (scalar(BinaryScalarOp::Muls), h, vec![-H, H], -INF, -H),
        (scalar(BinaryScalarOp::Muls), h, vec![0.0, -0.0], -0.0, -0.0),
        (scalar(BinaryScalarOp::Maxs), h, vec![0.0, -0.0], 0.0, 0.0),
        (scalar(BinaryScalarOp::Maxs), h, vec![NAN, -INF], NAN, 0.0),
        (scalar(BinaryScalarOp::Mins), h, vec![0.0, -0.0], -0.0, -0.0),
        (scalar(BinaryScalarOp::Mins), i, vec![low, low], low, low),
        (binary(BinaryOp::Add), s, vec![most, most], -2.0, most),
        (binary(BinaryOp::Sub), s, vec![least, most], 1.0, least),
        (binary(BinaryOp::Mul), s, vec![least, most], least, least),
        (binary(BinaryOp::Mul), s, vec![most, most], 1.0, most),
        (unary(UnaryOp::Neg), s, vec![least], least, most),
        (
            scalar(BinaryScalarOp::Adds),
            s,
            vec![least, least],
            0.0,
            least,
        ),
        (
            scalar(BinaryScalarOp::Maxs),
            s,
            vec![least, least],
            least,
            least,
        ),
    ];
    for (op, dtype, values, inf_nan, saturate) in rows {
        let srcs: Vec<Array> = values[..op.contract().sources()]
            .iter()
            .map(|v| array(dtype, &[*v; 16]))
            .collect();
        let last = values[values.len() - 1];
        let last = if dtype.is_float() {
            Scalar::Float(last as f32)
        } else {
            Scalar::I32(last as i32)
        };
        for (overflow, want) in [(Overflow::InfNan, inf_nan), (Overflow::Saturate, saturate)] {
            let kernel = one_call(op, dtype, &vec![dtype; srcs.len()], 16, |c| {
                c.scalar = op.contract().has_number().then(|| last.clone());
            });
            let got = evaluate(kernel, &srcs, dtype, overflow)[0];
            let same = got == want && got.is_sign_negative() == want.is_sign_negative()
                || got.is_nan() && want.is_nan();
            assert!(
                same,
                "{} {dtype} of {values:?} in {overflow:?}: {got}, the table says {want}",
                op.name()
            );
        }
    }
}

/// Checks rows of that table for Cast, in every mode of the pair.
#[test]
fn boundary_values_of_casts_are_those_of_the_documentation() {
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    const F: f64 = f32::MAX as f64;
    let (h, b, f, i) = (DType::F16, DType::Bf16, DType::F32, DType::I32);
    let (low, high) = (f64::from(i32::MIN), f64::from(i32::MAX));
    let (half, brain) = (65504.0, bf16::MAX.to_f64());
    for (from, to, value, inf_nan, saturate) in [
        (h, i, half, half, half),
        (h, i, NAN, 0.0, 0.0),
        (h, i, -INF, low, low),
        (h, f, INF, INF, INF),
        (h, f, NAN, NAN, NAN),
        (b, i, brain, high, high),
        (b, i, -INF, low, low),
        (b, f, -brain, -brain, -brain),
        (f, b, F, INF, brain),
        (f, b, -0.0, -0.0, -0.0),
        (f, b, -INF, -INF, -brain),
        (f, b, NAN, NAN, 0.0),
        (f, h, -F, -INF, -half),
        (f, h, INF, INF, half),
        (f, h, NAN, NAN, 0.0),
        (f, i, F, high, high),
        (f, i, -INF, low, low),
        (f, i, NAN, 0.0, 0.0),
        (f, f, -0.0, 0.0, 0.0),
        (f, f, -F, -F, -F),
        (f, f, INF, INF, INF),
        (f, f, NAN, NAN, NAN),
        (i, f, low, low, low),
    ] {
        for mode in cast_modes(Arch::V220, from, to) {
            // The table names no mode. The largest float lies in the last binade of bf16, where
            // rounding down does not overflow; half overflows in every mode.
            let x = array(from, &[value; 16]);
            for (overflow, want) in [(Overflow::InfNan, inf_nan), (Overflow::Saturate, saturate)] {
                let down = matches!(mode, RoundMode::Floor | RoundMode::Trunc);
                let want = if value == F && to == b && down {
                    brain
                } else {
                    want
                };
                let kernel = one_call(LayoutOp::Cast.into(), to, &[from], 16, |c| {
                    c.mode = Some(*mode)
                });
                let got = evaluate(kernel, std::slice::from_ref(&x), to, overflow)[0];
                let same = got == want && got.is_sign_negative() == want.is_sign_negative()
                    || got.is_nan() && want.is_nan();
                assert!(same, "{from} to {to} {mode:?} of {value} in {overflow:?}: {got}, the table says {want}");
            }
        }
    }
}

#[test]
fn repeats_with_a_mask_leave_the_other_lanes_alone() {
    let strides = Strides {
        dst_blk: 1,
        src0_blk: 1,
        src1_blk: 0,
        dst_rep: 8,
        src0_rep: 8,
        src1_rep: 1,
    };
    let form = Form::Repeat {
        mask: Scalar::Int(50),
        repeat: Scalar::Int(2),
        strides,
    };
    let kernel = one_call(
        BinaryOp::Add.into(),
        DType::F32,
        &[DType::F32, DType::F32],
        128,
        |c| {
            c.form = form;
            // The destination is the first source, so that lanes outside of the mask keep a written
            // value.
            c.dst = c.srcs[0].clone();
        },
    );
    // The call above no longer writes `dst`, so the test stores the source instead.
    let mut kernel = kernel;
    let body = &mut kernel.variants[0].body;
    let [.., Stmt {
        kind: StmtKind::Do(QueueStmt::Instr { instr: call }),
        ..
    }, Stmt {
        kind: StmtKind::Do(QueueStmt::Instr { instr: out }),
        ..
    }] = &mut body.stmts[..]
    else {
        unreachable!("the call stands before the last copy")
    };
    let written = call
        .dst()
        .and_then(View::tensor)
        .expect("a call writes a tensor");
    out.args[1] = View::local(written, 0).into();
    let x: Vec<f64> = (0..128).map(f64::from).collect();
    let y: Vec<f64> = (0..128).map(|i| f64::from(i) * 1000.0).collect();
    let got = evaluate(
        kernel,
        &[array(DType::F32, &x), array(DType::F32, &y)],
        DType::F32,
        Overflow::InfNan,
    );
    for (i, got) in got.into_iter().enumerate() {
        let (repeat, lane) = (i / 64, i % 64);
        let added = if lane < 50 {
            y[repeat * 8 + lane % 8]
        } else {
            0.0
        };
        assert_eq!(got, x[i] + added, "element {i}");
    }
}

#[test]
fn an_index_is_rounded_once_and_leaves_its_type_as_results_do() {
    let run = |dtype, first: Scalar, overflow| {
        let kernel = one_call(LayoutOp::CreateVecIndex.into(), dtype, &[], 64, |c| {
            c.scalar = Some(first)
        });
        evaluate(kernel, &[], dtype, overflow)
    };
    let both = |dtype, first: Scalar| {
        [Overflow::InfNan, Overflow::Saturate].map(|o| run(dtype, first.clone(), o))
    };
    for dtype in [DType::F16, DType::F32] {
        for first in [0.0, -3.0, 0.1, 2040.0, 8190.0] {
            let start = array(dtype, &[first]).to_f64()[0];
            let exact: Vec<f64> = (0..64).map(|i| start + f64::from(i)).collect();
            let nearest = array(dtype, &exact).to_f64();
            assert_eq!(
                both(dtype, Scalar::Float(first as f32)),
                [nearest.clone(), nearest],
                "{dtype} from {first}"
            );
        }
    }
    let wide = both(DType::F16, Scalar::Float(65472.0)).map(|z| (z[32], z[63]));
    assert_eq!(wide, [(65504.0, f64::INFINITY), (65504.0, 65504.0)]);
    let most = f64::from(i32::MAX);
    let whole = both(DType::I32, Scalar::I32(i32::MAX - 9)).map(|z| (z[9], z[10]));
    assert_eq!(whole, [(most, f64::from(i32::MIN)), (most, most)]);
}
