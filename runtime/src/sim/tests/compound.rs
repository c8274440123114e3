//! Two steps in one instruction, against the same two steps on numbers: whole, under masks with strides, and in place of a source.

use super::ops::array;
use crate::{Array, Launch, RunError};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::lower::lower;
use jumar_dsl::ops::{CompoundOp, Op};
use jumar_dsl::soc::Chip;

/// Elements of each tensor.
const N: usize = 512;

/// A kernel whose block 0 holds `x`, `y` and `z` in UB, as `a`, `b` and `c`, for some calls, and stores `c` to `z`.
fn run(dtype: DType, calls: &str, fills: bool, [x, y, z]: [&[f64]; 3]) -> Result<Vec<f64>, RunError> {
    let held = if fills { format!("data_copy(&c, z.slice(0, {N}));") } else { String::new() };
    let text = format!(
        "#[kernel]\nfn k(#[shape({N})] x: &GlobalTensor<{dtype}>, #[shape({N})] y: &GlobalTensor<{dtype}>, #[inplace] #[shape({N})] z: &mut GlobalTensor<{dtype}>) {{\n\
         if get_block_idx() == 0 {{\nlet (a, b) = (LocalTensor::<{dtype}>::new(VecCalc, 0, {N}), LocalTensor::<{dtype}>::new(VecCalc, 4096, {N}));\n\
         let c = LocalTensor::<{dtype}>::new(VecCalc, 8192, {N});\ndata_copy(&a, x.slice(0, {N})); data_copy(&b, y.slice(0, {N})); {held}\n\
         set_flag::<MTE2_V>(0); wait_flag::<MTE2_V>(0);\n{calls}\nset_flag::<V_MTE3>(0); wait_flag::<V_MTE3>(0);\ndata_copy(z.slice(0, {N}), &c);\n}}\n}}\n"
    );
    let parsed = parse_file(&text).unwrap_or_else(|(d, _)| panic!("{}\n{text}", d.message)).remove(0);
    let kernel = parsed.kernel.unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics));
    let lowered = lower(&kernel, 0, Chip::default_chip()).unwrap_or_else(|_| panic!("a queue kernel lowers")).lowered;
    let [x, y, mut z]: [Array; 3] = [x, y, z].map(|v| array(dtype, v));
    let kernels = std::slice::from_ref(&lowered);
    Launch::lowered(kernels, Chip::default_chip()).input("x", &x).input("y", &y).inout("z", &mut z).run()?;
    Ok(z.to_f64())
}

/// What an op makes of one element of each, with a scalar; `round` is that of a step of 32 bits.
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
    }
}

fn rows() -> Vec<(&'static str, CompoundOp, DType)> {
    let each = Op::all().filter_map(|def| match def.op {
        Op::Compound(op) => Some((def, op)),
        _ => None,
    });
    each.flat_map(|(def, op)| def.v220.iter().map(move |dtype| (def.name, op, *dtype))).collect()
}

fn numbers(dtype: DType, seed: usize) -> Vec<f64> {
    let of = |i: usize| ((i * 7919 + seed * 104_729) % 4001) as f64 / 333.0 - 6.0;
    array(dtype, &(0..N).map(of).collect::<Vec<_>>()).to_f64()
}

#[test]
fn each_is_its_two_steps() {
    let mut found = 0;
    for (name, op, dtype) in rows() {
        let [x, y, z] = [1, 2, 3].map(|seed| numbers(dtype, seed));
        let s = array(dtype, &[-0.7]).to_f64()[0];
        let second = if matches!(op, CompoundOp::LeakyRelu | CompoundOp::Axpy) { "-0.7" } else { "&b" };
        let lanes = 256 / dtype.bytes() as usize;
        let wanted = |of: &dyn Fn(usize) -> Option<[f64; 3]>| -> Vec<f64> {
            let each = (0..N).map(|i| of(i).map_or(z[i], |v| meant(op, v, s))).collect::<Vec<_>>();
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
    assert_eq!(found, 7 * 2 * 4);
}

/// The boundary values of asc-devkit's table, in inf/nan mode: the sign of zero counts as one.
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
        let got =
            run(DType::F32, &format!("vec::leaky_relus(&c, &a, {slope}, {N});"), true, [&vec![x; N], &z, &z]).expect("a run")[0];
        let same = got.to_bits() == wanted.to_bits() || got.is_nan() && wanted.is_nan();
        assert!(same, "{x} by {slope}: {got}, wanted {wanted}");
    }
}

#[test]
fn what_is_added_to_must_hold_values() {
    let z = vec![1.0; N];
    for (name, _, dtype) in rows() {
        let second = if ["axpy", "leaky_relus"].contains(&name) { "2.0" } else { "&b" };
        let holds = Op::by_name(name).expect("a row").contract().held;
        let found = run(dtype, &format!("vec::{name}(&c, &a, {second}, {N});"), false, [&z, &z, &z]);
        assert_eq!(found.err().map(|e| e.code()), holds.then_some(Code::J0802), "{name}");
    }
}
