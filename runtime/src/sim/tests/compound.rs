//! Compares two steps in one instruction with the two steps on numbers: whole, under masks with
//! strides, and in place of a source.

use super::ops::array;
use crate::sim::vector::Action;
use crate::{Launch, Overflow, RunError};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::lower::lower;
use jumar_dsl::ops::{narrowed, CompoundOp, Op};
use jumar_dsl::soc::Chip;

/// The elements of each tensor.
const N: usize = 512;

/// Runs some calls in a kernel whose block 0 holds `x`, `y` and `z` in UB, as `a`, `b` and `c`, and
/// stores `c` to `z`.
fn run(dtype: DType, calls: &str, fills: bool, given: [&[f64]; 3]) -> Result<Vec<f64>, RunError> {
    run_on([dtype; 2], calls, fills, given, Overflow::InfNan)
}

/// As `run`, with a `z` of another type than the others.
fn run_on(
    [dtype, to]: [DType; 2],
    calls: &str,
    fills: bool,
    [x, y, z]: [&[f64]; 3],
    overflow: Overflow,
) -> Result<Vec<f64>, RunError> {
    let held = if fills {
        format!("data_copy(&c, z.slice(0, {N}));")
    } else {
        String::new()
    };
    let text = format!(
        "#[kernel]\nfn k(#[shape({N})] x: &GlobalTensor<{dtype}>, #[shape({N})] y: &GlobalTensor<{dtype}>, #[inplace] #[shape({N})] z: &mut GlobalTensor<{to}>) {{\n\
         if get_block_idx() == 0 {{\nlet (a, b) = (LocalTensor::<{dtype}>::new(VecCalc, 0, {N}), LocalTensor::<{dtype}>::new(VecCalc, 4096, {N}));\n\
         let c = LocalTensor::<{to}>::new(VecCalc, 8192, {N});\ndata_copy(&a, x.slice(0, {N})); data_copy(&b, y.slice(0, {N})); {held}\n\
         set_flag::<MTE2_V>(0); wait_flag::<MTE2_V>(0);\n{calls}\nset_flag::<V_MTE3>(0); wait_flag::<V_MTE3>(0);\ndata_copy(z.slice(0, {N}), &c);\n}}\n}}\n"
    );
    let parsed = parse_file(&text)
        .unwrap_or_else(|(d, _)| panic!("{}\n{text}", d.message))
        .remove(0);
    let kernel = parsed
        .kernel
        .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics));
    let lowered = lower(&kernel, 0, Chip::default_chip())
        .unwrap_or_else(|_| panic!("a queue kernel lowers"))
        .lowered;
    let [x, y] = [x, y].map(|v| array(dtype, v));
    let mut z = array(to, z);
    let kernels = std::slice::from_ref(&lowered);
    Launch::lowered(kernels, Chip::default_chip())
        .overflow(overflow)
        .input("x", &x)
        .input("y", &y)
        .inout("z", &mut z)
        .run()?;
    Ok(z.to_f64())
}

/// Computes an op on one element of each, with a scalar; `round` is that of a step of 32 bits.
fn meant(op: CompoundOp, [a, b, d]: [f64; 3], s: f64) -> f64 {
    let round = |v: f64| f64::from(v as f32);
    match op {
        CompoundOp::AddRelu => round(a + b).max(0.0),
        CompoundOp::SubRelu => round(a - b).max(0.0),
        CompoundOp::LeakyRelu if a.is_sign_negative() => round(a * s),
        CompoundOp::LeakyRelu => a,
        CompoundOp::Axpy => round(round(a * s) + d),
        CompoundOp::MulAddDst => round(round(a * b) + d),
        CompoundOp::FusedMulAdd => round(round(a * d) + b),
        CompoundOp::FusedMulAddRelu => round(round(a * d) + b).max(0.0),
        CompoundOp::AddReluCast
        | CompoundOp::SubReluCast
        | CompoundOp::MulCast
        | CompoundOp::CastDequant => {
            unreachable!("these give another type")
        }
    }
}

fn rows() -> Vec<(&'static str, CompoundOp, DType)> {
    let each = Op::all().filter_map(|def| match def.op {
        Op::Compound(op) => Some((def, op)),
        _ => None,
    });
    let all = each.flat_map(|(def, op)| def.v220.iter().map(move |dtype| (def.name, op, *dtype)));
    all.filter(|(_, op, dtype)| narrowed(*op, *dtype).is_empty() && *op != CompoundOp::CastDequant)
        .collect()
}

/// Returns the calls that give another type, with their types.
fn narrowing() -> Vec<(CompoundOp, [DType; 2])> {
    let ops = [
        CompoundOp::AddReluCast,
        CompoundOp::SubReluCast,
        CompoundOp::MulCast,
    ];
    let pairs = ops.into_iter().flat_map(|op| {
        op.def()
            .v220
            .iter()
            .flat_map(move |from| narrowed(op, *from).iter().map(move |to| (op, [*from, *to])))
    });
    pairs.collect()
}

/// Computes the result of two elements of the operands' type: a number of 32 bits, converted to
/// `to`.
fn given(op: CompoundOp, to: DType, a: f64, b: f64) -> f64 {
    let v = match op {
        CompoundOp::AddReluCast => a + b,
        CompoundOp::SubReluCast => a - b,
        _ => a * b,
    };
    let v = f64::from(v as f32);
    match to {
        _ if v.is_nan() || op != CompoundOp::MulCast && v <= 0.0 => 0.0,
        DType::F16 if v.is_infinite() => v,
        DType::F16 => array(to, &[v.min(65504.0)]).to_f64()[0],
        _ => v.round_ties_even().clamp(-128.0, 127.0),
    }
}

#[test]
fn what_gives_another_type_rounds_once() {
    let mut found = 0;
    for (op, [from, to]) in narrowing() {
        let scale = if from == DType::I16 { 0.01 } else { 9.0 };
        let scaled = |seed: usize| {
            numbers(from, seed)
                .iter()
                .map(|v| v * scale)
                .collect::<Vec<_>>()
        };
        let [x, y] = [1, 2].map(|seed| array(from, &scaled(seed)).to_f64());
        let z = array(to, &numbers(to, 3)).to_f64();
        let (name, lanes) = (op.def().name, 256 / from.bytes() as usize);
        let blocks = 8 * to.bytes() / from.bytes();
        let strided = |from: &str, extent: &str| {
            format!("vec::{name}(&c.blocks(1, {blocks}), &{from}, &b, {extent});")
        };
        let at = |of: &dyn Fn(usize) -> Option<usize>| -> Vec<f64> {
            (0..N)
                .map(|i| of(i).map_or(z[i], |k| given(op, to, x[k], y[i])))
                .collect()
        };
        for (call, is) in [
            (
                format!("vec::{name}(&c, &a, &b, 300);"),
                at(&|i| (i < 300).then_some(i)),
            ),
            (
                strided("a", "lanes(13).repeats(2)"),
                at(&|i| (i < 2 * lanes && i % lanes < 13).then_some(i)),
            ),
            (
                strided("a.blocks(1, 0)", "bits(5, 0).repeats(2)"),
                at(&|i| (i < 2 * lanes && [0, 2].contains(&(i % lanes))).then_some(i % lanes)),
            ),
            (
                strided("a", "counter(200)"),
                at(&|i| (i < 200).then_some(i)),
            ),
        ] {
            let got = run_on([from, to], &call, true, [&x, &y, &z], Overflow::InfNan)
                .unwrap_or_else(|e| panic!("{call}: {e}"));
            assert_eq!(got, is, "{call} of {from}");
            found += 1;
        }
    }
    assert_eq!(found, 7 * 4);
}

#[test]
fn whole_numbers_are_scaled_to_halves() {
    let x: Vec<f64> = (0..N)
        .map(|i| (i * 7919 % 90_001) as f64 - 40_000.0)
        .collect();
    let (scale, z) = (array(DType::F16, &[0.3]).to_f64()[0], vec![-1.0; N]);
    let scaled =
        |v: f64, scale: f64| array(DType::F16, &[f64::from((v * scale) as f32)]).to_f64()[0];
    for (call, takes) in [
        (
            "vec::cast_dequant(&c, &a, 0.3, 300);",
            &(|i: usize| i < 300) as &dyn Fn(usize) -> bool,
        ),
        (
            "vec::cast_dequant(&c.blocks(1, 4), &a, 0.3, lanes(13).repeats(3));",
            &|i| i < 192 && i % 64 < 13,
        ),
        (
            "vec::cast_dequant(&c.blocks(1, 4), &a, 0.3, bits(0x9, 0).repeats(2));",
            &|i| i < 128 && [0, 3].contains(&(i % 64)),
        ),
        (
            "vec::cast_dequant(&c.blocks(1, 4), &a, 0.3, counter(200));",
            &|i| i < 200,
        ),
    ] {
        let got = run_on(
            [DType::I32, DType::F16],
            call,
            true,
            [&x, &x, &z],
            Overflow::InfNan,
        )
        .unwrap_or_else(|e| panic!("{call}: {e}"));
        let want: Vec<f64> = (0..N)
            .map(|i| if takes(i) { scaled(x[i], scale) } else { z[i] })
            .collect();
        assert_eq!(got, want, "{call}");
    }
    // Rows of the table of boundary values, of scale 1.
    let (low, high) = (f64::from(i32::MIN), f64::from(i32::MAX));
    for (v, wanted, saturated) in [
        (0.0, 0.0, 0.0),
        (65504.0, 65504.0, 65504.0),
        (high, f64::INFINITY, 65504.0),
        (low, f64::NEG_INFINITY, -65504.0),
    ] {
        for (overflow, wanted) in [(Overflow::InfNan, wanted), (Overflow::Saturate, saturated)] {
            let call = format!("vec::cast_dequant(&c, &a, 1.0, {N});");
            let got = run_on(
                [DType::I32, DType::F16],
                &call,
                true,
                [&vec![v; N], &x, &z],
                overflow,
            )
            .expect("a run")[0];
            assert_eq!(got, wanted, "{v}, {overflow:?}");
        }
    }
}

/// Checks rows of asc-devkit's tables of boundary values; `MAX` is that of the type.
#[test]
fn what_leaves_its_type_ends_where_the_documentation_says() {
    use CompoundOp::{AddRelu, AddReluCast, MulCast, SubRelu, SubReluCast};
    let (inf, nan, h, f) = (f64::INFINITY, f64::NAN, 65504.0, f64::from(f32::MAX));
    let (f32s, f16s, i16s) = (
        [DType::F32, DType::F16],
        [DType::F16, DType::I8],
        [DType::I16, DType::I8],
    );
    for (op, types, a, b, wanted, saturated) in [
        (AddReluCast, f32s, -0.0, -0.0, 0.0, 0.0),
        (AddReluCast, f32s, inf, -f, inf, h),
        (AddReluCast, f32s, f, f, inf, h),
        (AddReluCast, f32s, -f, -f, 0.0, 0.0),
        (AddReluCast, f32s, f, 0.0, h, h),
        (AddReluCast, f32s, inf, -inf, 0.0, 0.0),
        (AddReluCast, f32s, nan, 1.0, 0.0, 0.0),
        (AddReluCast, f16s, inf, h, 127.0, 127.0),
        (AddReluCast, f16s, -inf, h, 0.0, 0.0),
        (AddReluCast, f16s, nan, h, 0.0, 0.0),
        (AddReluCast, i16s, 32767.0, 32767.0, 127.0, 127.0),
        (AddReluCast, i16s, -32768.0, -32768.0, 0.0, 0.0),
        (SubReluCast, f32s, -0.0, 0.0, 0.0, 0.0),
        (SubReluCast, f32s, f, -f, inf, h),
        (SubReluCast, f32s, inf, inf, 0.0, 0.0),
        (SubReluCast, f16s, 0.0, -inf, 127.0, 127.0),
        (SubReluCast, i16s, 32767.0, -32768.0, 127.0, 127.0),
        (SubReluCast, i16s, -32768.0, 32767.0, 0.0, 0.0),
        (AddRelu, [DType::I16; 2], 32767.0, 32767.0, 32767.0, 32767.0),
        (AddRelu, [DType::I16; 2], -32768.0, -32768.0, 0.0, 0.0),
        (
            SubRelu,
            [DType::I16; 2],
            32767.0,
            -32768.0,
            32767.0,
            32767.0,
        ),
        (SubRelu, [DType::I16; 2], -32768.0, 32767.0, 0.0, 0.0),
        (MulCast, f16s, h, h, 127.0, 127.0),
        (MulCast, f16s, inf, -h, -128.0, -128.0),
        (MulCast, f16s, 0.0, -inf, 0.0, 0.0),
        (MulCast, f16s, nan, 2.0, 0.0, 0.0),
    ] {
        let call = format!("vec::{}(&c, &a, &b, {N});", op.def().name);
        for (overflow, wanted) in [(Overflow::InfNan, wanted), (Overflow::Saturate, saturated)] {
            let got = run_on(
                types,
                &call,
                true,
                [&vec![a; N], &vec![b; N], &vec![1.0; N]],
                overflow,
            )
            .expect("a run")[0];
            assert_eq!(
                got.to_bits(),
                wanted.to_bits(),
                "{op:?} of {a} and {b}, {overflow:?}"
            );
        }
    }
}

fn numbers(dtype: DType, seed: usize) -> Vec<f64> {
    let scale = if dtype == DType::I16 { 3000.0 } else { 1.0 };
    let of = |i: usize| (((i * 7919 + seed * 104_729) % 4001) as f64 / 333.0 - 6.0) * scale;
    array(dtype, &(0..N).map(of).collect::<Vec<_>>()).to_f64()
}

#[test]
fn each_is_its_two_steps() {
    let mut found = 0;
    for (name, op, dtype) in rows() {
        let [x, y, z] = [1, 2, 3].map(|seed| numbers(dtype, seed));
        let s = array(dtype, &[-0.7]).to_f64()[0];
        let second = if matches!(op, CompoundOp::LeakyRelu | CompoundOp::Axpy) {
            "-0.7"
        } else {
            "&b"
        };
        let lanes = 256 / dtype.bytes() as usize;
        let wanted = |of: &dyn Fn(usize) -> Option<[f64; 3]>| -> Vec<f64> {
            let each = (0..N)
                .map(|i| of(i).map_or(z[i], |v| meant(op, v, s)))
                .collect::<Vec<_>>();
            array(dtype, &each).to_f64()
        };
        for (call, is) in [
            (format!("vec::{name}(&c, &a, {second}, 300);"), wanted(&|i| (i < 300).then_some([x[i], y[i], z[i]]))),
            (
                format!("vec::{name}(&c, &a, {second}, lanes(13).repeats(2));"),
                wanted(&|i| (i < 2 * lanes && i % lanes < 13).then_some([x[i], y[i], z[i]])),
            ),
            (
                format!(
                    "vec::{name}(&c.blocks(2, 16), &a.blocks(2, 16), {}, lanes({lanes}).repeats(1));",
                    second.replace("&b", "&b.blocks(2, 16)")
                ),
                wanted(&|i| (i < 2 * lanes && (i / (lanes / 8)).is_multiple_of(2)).then_some([x[i], y[i], z[i]])),
            ),
            (format!("vec::{name}(&c, &c, {second}, counter(200));"), wanted(&|i| (i < 200).then_some([z[i], y[i], z[i]]))),
        ] {
            let got = run(dtype, &call, true, [&x, &y, &z]).unwrap_or_else(|e| panic!("{call}: {e}"));
            assert_eq!(got, is, "{call} of {dtype}");
            found += 1;
        }
    }
    assert_eq!(found, (7 * 2 + 2) * 4);
}

/// Checks the boundary values of asc-devkit's table, in inf/nan mode: the sign of zero counts.
#[test]
fn a_leaky_relu_takes_the_product_of_what_has_a_sign() {
    let inf = f64::INFINITY;
    for (x, slope, wanted) in [
        (0.0, "-65504.0", 0.0f64),
        (0.0, "f32::INFINITY", 0.0),
        (-0.0, "-65504.0", 0.0),
        (-0.0, "65504.0", -0.0),
        (-0.0, "f32::INFINITY", f64::NAN),
        (-65504.0, "f32::INFINITY", -inf),
        (65504.0, "f32::INFINITY", 65504.0),
        (-inf, "0.0", f64::NAN),
        (-inf, "-0.5", inf),
        (inf, "-0.5", inf),
        (f64::NAN, "0.5", f64::NAN),
    ] {
        let z = vec![1.0; N];
        let got = run(
            DType::F32,
            &format!("vec::leaky_relus(&c, &a, {slope}, {N});"),
            true,
            [&vec![x; N], &z, &z],
        )
        .expect("a run")[0];
        let same = got.to_bits() == wanted.to_bits() || got.is_nan() && wanted.is_nan();
        assert!(same, "{x} by {slope}: {got}, wanted {wanted}");
    }
}

#[test]
fn what_is_added_to_must_hold_values() {
    let z = vec![1.0; N];
    for (name, _, dtype) in rows() {
        let second = if ["axpy", "leaky_relus"].contains(&name) {
            "2.0"
        } else {
            "&b"
        };
        let holds = Op::by_name(name).expect("a row").contract().held;
        let found = run(
            dtype,
            &format!("vec::{name}(&c, &a, {second}, {N});"),
            false,
            [&z, &z, &z],
        );
        assert_eq!(
            found.err().map(|e| e.code()),
            holds.then_some(Code::J0802),
            "{name}"
        );
    }
}

/// Only the types on the pages of AddReluCast, SubReluCast and MulCast have a meaning.
#[test]
fn a_call_that_narrows_takes_the_types_of_its_page() {
    let relu: &[(DType, DType)] = &[
        (DType::F16, DType::I8),
        (DType::I16, DType::I8),
        (DType::F32, DType::F16),
    ];
    let pages = [
        (CompoundOp::AddReluCast, relu),
        (CompoundOp::SubReluCast, relu),
        (CompoundOp::MulCast, &[(DType::F16, DType::I8)]),
    ];
    for (op, page) in pages {
        for (first, second) in DType::ALL
            .into_iter()
            .flat_map(|a| DType::ALL.map(|b| (a, b)))
        {
            for dst in DType::ALL {
                let takes =
                    Action::new(Op::Compound(op), dst, &[first, second], None, false).is_some();
                assert_eq!(
                    takes,
                    first == second && page.contains(&(first, dst)),
                    "{op:?} of {first} and {second} to {dst}"
                );
            }
        }
    }
}
