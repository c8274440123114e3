//! Loops over rows that run as batches give the elements, poison and faults of single iterations.

use super::build::*;
use crate::{Array, Launch};
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::*;
use jumar_dsl::ops::{BinaryOp, BinaryScalarOp, Op, ReduceOp, UnaryOp};
use jumar_dsl::soc::Chip;

/// The start of an operand in the buffer, in elements, and its step from iteration to iteration.
type Walk = (i64, i64);

/// A loop of one vector call over a buffer of 2048 elements whose first `written` ones hold values.
struct Case {
    op: Op,
    form: Form,
    dst: Walk,
    srcs: [Walk; 2],
    turns: i64,
    written: i64,
}

const ELEMS: i64 = 2048;

/// Makes the loop; `plain` puts a statement beside the call, which prevents a batch.
fn kernel(case: &Case, dtype: DType, plain: bool) -> Lowered {
    let mut k = Builder::new("rows");
    let n = k.axis("n", false);
    let x = k.tensor("x", Role::In, dtype, std::slice::from_ref(&n));
    let y = k.tensor("y", Role::Out, dtype, std::slice::from_ref(&n));
    let z = k.tensor("z", Role::InOut, dtype, &[n]);
    let q = k.queue("in_x", TPosition::VecIn, 1, ELEMS * dtype.bytes());
    let work_buf = k.buf("work", 64);
    let [a, out] = ["a", "out"].map(|t| k.local(t, dtype));
    let work = k.local("work", dtype);
    let [i, extra] = ["i", "extra"].map(|v| k.index(v));
    let walk = |(from, step): Walk| at(a, Scalar::from(i) * step + from);
    let srcs = case.srcs[..case.op.contract().sources()]
        .iter()
        .map(|s| walk(*s))
        .collect();
    let scalar = case
        .op
        .contract()
        .has_number()
        .then_some(Scalar::Float(1.5));
    let tmp = matches!(case.op, Op::Reduce(_)).then(|| at(work, 0));
    let call = VectorCall {
        scalar,
        tmp,
        ..call(case.op, walk(case.dst), srcs, case.form.clone())
    };
    let (extra, mut body) = (let_(extra, 0), vec![vector(call)]);
    let mut stmts = vec![
        get(work, work_buf),
        alloc(a, q),
        copy_in(a, x, 0, run(case.written)),
    ];
    // The statements keep their lines: they are in the loop, or after it.
    if plain {
        body.push(extra);
        stmts.push(for_(i, case.turns, body));
    } else {
        stmts.extend([for_(i, case.turns, body), extra]);
    }
    // The last value of the loop variable is part of the outcome.
    stmts.extend([
        enque(a, q),
        deque(out, q),
        copy_out(z, Scalar::from(i), out, run(1)),
        copy_out(y, 0, out, run(ELEMS)),
    ]);
    k.lowered(stmts)
}

/// Returns the outputs, or the fault with its place.
fn outcome(case: &Case, dtype: DType, plain: bool) -> Result<[Vec<u64>; 2], String> {
    let kernel = [kernel(case, dtype, plain)];
    let values: Vec<f64> = (0..ELEMS)
        .map(|i| ((i * 7919) % 1009) as f64 / 64.0 - 7.0)
        .collect();
    let x = super::ops::array(dtype, &values);
    let [mut y, mut z] = [(); 2].map(|()| Array::zeros(dtype, &[ELEMS as usize]).unwrap());
    let launch = Launch::lowered(&kernel, Chip::default_chip());
    launch
        .input("x", &x)
        .output("y", &mut y)
        .inout("z", &mut z)
        .run()
        .map_err(|e| e.to_string())?;
    Ok([y, z].map(|a| a.to_f64().into_iter().map(f64::to_bits).collect()))
}

fn strides(dst_blk: i64, src0_blk: i64, src1_blk: i64, reps: [i64; 3]) -> Strides {
    let [dst_rep, src0_rep, src1_rep] = reps;
    Strides {
        dst_blk,
        src0_blk,
        src1_blk,
        dst_rep,
        src0_rep,
        src1_rep,
    }
}

/// Adds element-wise loops: row length, steps of operands, iterations.
fn elementwise(cases: &mut Vec<Case>) {
    let add: Op = BinaryOp::Add.into();
    let walks: [(Walk, [Walk; 2]); 9] = [
        // Disjoint rows, in place, over a row that stays, onto one row, and against the direction
        // of the loop.
        ((1024, 64), [(0, 64), (512, 64)]),
        ((0, 128), [(0, 128), (1024, 64)]),
        ((0, 64), [(0, 64), (1920, 0)]),
        ((0, 0), [(0, 0), (64, 64)]),
        ((960, -64), [(1984, -64), (960, -64)]),
        // An iteration reads what the one before wrote, and rows overlap in some iterations.
        ((64, 64), [(0, 64), (1024, 64)]),
        ((0, 64), [(512, 0), (1024, 64)]),
        // Unaligned in every second iteration, and beyond the end in a late one.
        ((0, 4), [(1024, 64), (1024, 64)]),
        ((1024, 128), [(0, 64), (0, 64)]),
    ];
    for (dst, srcs) in walks {
        for n in [0, 1, 33, 64, 128, 1024] {
            let case = |op, form| Case {
                op,
                form,
                dst,
                srcs,
                turns: 9,
                written: ELEMS,
            };
            cases.push(case(add, count(n)));
            cases.push(case(UnaryOp::Abs.into(), count(n)));
            cases.push(case(BinaryScalarOp::Muls.into(), count(n)));
            let block = strides(1, 1, 0, [8, 8, 0]);
            cases.push(case(
                add,
                Form::Counter {
                    n: n.into(),
                    strides: block,
                },
            ));
            cases.push(case(
                add,
                Form::Counter {
                    n: n.into(),
                    strides: strides(2, 1, 1, [16, 8, 8]),
                },
            ));
            let form = |mask| Form::Repeat {
                mask: Scalar::Int(mask),
                repeat: Scalar::Int(2),
                strides: block,
            };
            cases.extend([case(add, form(n)), case(add, form(13))]);
        }
    }
}

/// Adds reductions: row length, steps of rows and results, iterations.
fn reductions(cases: &mut Vec<Case>) {
    let walks: [(Walk, Walk); 6] = [
        ((1900, 1), (0, 64)),
        ((1024, 8), (0, 112)),
        ((1900, 1), (960, -64)),
        ((1900, 0), (0, 64)),
        // Results overwrite later rows, and rows are not aligned.
        ((64, 64), (0, 64)),
        ((1900, 1), (0, 5)),
    ];
    for (dst, src) in walks {
        for n in [1, 3, 33, 64, 100, 192] {
            for op in [ReduceOp::Sum, ReduceOp::Max] {
                let case = |form| Case {
                    op: op.into(),
                    form,
                    dst,
                    srcs: [src; 2],
                    turns: 9,
                    written: ELEMS,
                };
                cases.push(case(count(n)));
                cases.push(case(Form::Counter {
                    n: n.into(),
                    strides: Strides::DENSE,
                }));
                let form = |mask, repeat| Form::Repeat {
                    mask: Scalar::Int(mask),
                    repeat: Scalar::Int(repeat),
                    strides: Strides::DENSE,
                };
                cases.extend([case(form(n, 1)), case(form(13, 2))]);
            }
        }
    }
}

#[test]
fn batches_give_the_elements_poison_and_faults_of_turns_one_by_one() {
    let mut cases = Vec::new();
    elementwise(&mut cases);
    reductions(&mut cases);
    let (mut results, mut faults) = (0, 0);
    for case in &mut cases {
        // Poison begins inside of a row in the middle.
        let runs = [
            (DType::F32, ELEMS),
            (DType::F32, 1600),
            (DType::F16, ELEMS),
            (DType::F16, 300),
            (DType::I32, 1600),
        ];
        for (dtype, written) in runs {
            case.written = written;
            let (op, form) = (case.op.name(), &case.form);
            let text = format!(
                "{op} {form:?} on {dtype}, {:?} from {:?}, {written} written",
                case.dst, case.srcs
            );
            let (want, got) = (outcome(case, dtype, true), outcome(case, dtype, false));
            assert_eq!(got, want, "{text}");
            *(if want.is_ok() {
                &mut results
            } else {
                &mut faults
            }) += 1;
        }
    }
    assert!(
        results > 500 && faults > 500,
        "{results} results and {faults} faults"
    );
}
