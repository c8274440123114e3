//! Mistakes that the simulator must report, with code, line, block and tile.

use super::build::*;
use crate::{Launch, RunError};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::*;
use jumar_dsl::ops::{BinaryOp, ReduceOp, UnaryOp};
use jumar_dsl::soc::Chip;
use ndarray::Array1;

/// Declarations that the faulty kernels share; `x` and `y` have 64 elements of `f32`.
struct Parts {
    x: ParamId,
    y: ParamId,
    q: QueueId,
    buf: BufId,
    a: TensorId,
    b: TensorId,
    i: VarId,
    f: VarId,
}

fn fault(stmts: impl FnOnce(&Parts) -> Vec<Stmt>) -> RunError {
    let mut k = Builder::new("faulty");
    let n = k.axis("n", false);
    let x = k.tensor("x", Role::In, DType::F32, std::slice::from_ref(&n));
    let y = k.tensor("y", Role::Out, DType::F32, &[n]);
    k.block_dim(4);
    let q = k.queue("in_x", TPosition::VecIn, 2, 256);
    let buf = k.buf("tmp", 512);
    let [a, b] = ["a", "b"].map(|t| k.local(t, DType::F32));
    let i = k.index("i");
    let f = k.var("f", ScalarTy::F32);
    let kernel = [k.lowered(stmts(&Parts {
        x,
        y,
        q,
        buf,
        a,
        b,
        i,
        f,
    }))];
    let x = Array1::from_elem(64, 1.0f32);
    let mut y = Array1::from_elem(64, 0.0f32);
    Launch::lowered(&kernel, Chip::default_chip())
        .input("x", &x)
        .output("y", &mut y)
        .run()
        .unwrap_err()
}

/// Checks code, line, block and tile of the fault, and a part of its message.
#[track_caller]
fn expect(error: &RunError, code: Code, line: u32, block: i64, tile: Option<i64>, part: &str) {
    let Some(f) = error.fault() else {
        panic!("refused: {error}")
    };
    assert_eq!(
        (f.code, f.line, f.block, f.tile),
        (code, line, Some(block), tile),
        "{error}"
    );
    assert!(error.message().contains(part), "{error}");
}

#[test]
fn a_reduction_of_poison_names_line_block_and_tile() {
    let error = fault(|p| {
        let only_second = Scalar::BlockIdx.bin(BinOp::Ge, 2);
        let count = Scalar::select(only_second, Scalar::Int(50), Scalar::Int(40));
        vec![
            get(p.b, p.buf),
            for_(
                p.i,
                3,
                vec![
                    alloc(p.a, p.q),
                    copy_in(p.a, p.x, 0, run(41)),
                    enque(p.a, p.q),
                    deque(p.a, p.q),
                    vector(VectorCall {
                        tmp: Some(at(p.b, 8)),
                        ..call(
                            ReduceOp::Sum,
                            at(p.b, 0),
                            vec![at(p.a, 0)],
                            super::build::count(count),
                        )
                    }),
                    free(p.a, p.q),
                ],
            ),
        ]
    });
    expect(
        &error,
        Code::J0802,
        7,
        2,
        Some(0),
        "`reduce_sum` reads element 41 of `a`, which was never written",
    );
    let text = error.to_string();
    assert!(
        text.starts_with("J0802: ")
            && text.ends_with("--> kernel `faulty`, line 7:9, block 2, tile 0"),
        "{text}"
    );
}

#[test]
fn poison_spreads_silently_and_is_caught_on_the_way_out() {
    let error = fault(|p| {
        vec![
            get(p.b, p.buf),
            alloc(p.a, p.q),
            copy_in(p.a, p.x, 0, run(20)),
            vector(call(UnaryOp::Exp, at(p.b, 0), vec![at(p.a, 0)], count(64))),
            vector(call(
                BinaryOp::Add,
                at(p.b, 0),
                vec![at(p.b, 0), at(p.b, 0)],
                count(64),
            )),
            copy_out(p.y, 0, p.b, run(20)),
            copy_out(p.y, 0, p.b, run(21)),
        ]
    });
    expect(
        &error,
        Code::J0802,
        7,
        0,
        None,
        "the copy to `y` reads element 20 of `b`",
    );
}

#[test]
fn a_scalar_read_of_poison_is_caught() {
    let error = fault(|p| vec![get(p.b, p.buf), get_value(p.f, p.b, 3)]);
    expect(
        &error,
        Code::J0802,
        2,
        0,
        None,
        "get_value reads an element of `b`",
    );
}

#[test]
fn queues_are_watched() {
    let error = fault(|p| vec![alloc(p.a, p.q), alloc(p.b, p.q), alloc(p.a, p.q)]);
    expect(
        &error,
        Code::J0803,
        3,
        0,
        None,
        "none of its 2 buffers is free",
    );
    let error = fault(|p| vec![deque(p.a, p.q)]);
    expect(&error, Code::J0803, 1, 0, None, "holds nothing");
    let error = fault(|p| {
        vec![
            alloc(p.a, p.q),
            alloc(p.b, p.q),
            enque(p.a, p.q),
            enque(p.b, p.q),
        ]
    });
    expect(&error, Code::J0803, 4, 0, None, "depth 1");
    let error = fault(|p| vec![get(p.b, p.buf), free(p.b, p.q)]);
    expect(&error, Code::J0803, 2, 0, None, "not from");
    let error = fault(|p| {
        vec![
            alloc(p.a, p.q),
            free(p.a, p.q),
            copy_in(p.a, p.x, 0, run(8)),
        ]
    });
    expect(
        &error,
        Code::J0803,
        3,
        0,
        None,
        "`a` is used by a copy after free_tensor",
    );
    let error = fault(|p| vec![copy_in(p.a, p.x, 0, run(8))]);
    expect(
        &error,
        Code::J0803,
        1,
        0,
        None,
        "`a` is used before it holds a tensor",
    );
}

#[test]
fn accesses_stay_inside() {
    let error = fault(|p| {
        vec![
            get(p.b, p.buf),
            for_(
                p.i,
                9,
                vec![copy_in(p.b, p.x, Scalar::from(p.i) * 10, run(10))],
            ),
        ]
    });
    expect(
        &error,
        Code::J0801,
        3,
        0,
        Some(6),
        "reaches element 69 of `x`, which has 64",
    );
    let error = fault(|p| vec![alloc(p.a, p.q), copy_in(p.a, p.x, 0, rows(2, 32, 40))]);
    expect(
        &error,
        Code::J0801,
        2,
        0,
        None,
        "over 72 elements of `a`, whose buffer has 64",
    );
    let error = fault(|p| {
        vec![
            get(p.b, p.buf),
            vector(call(UnaryOp::Abs, at(p.b, 64), vec![at(p.b, 0)], count(65))),
        ]
    });
    expect(
        &error,
        Code::J0801,
        2,
        0,
        None,
        "`abs` reaches over 65 elements of `b`, whose buffer has 64",
    );
    let error = fault(|p| {
        vec![
            get(p.b, p.buf),
            vector(call(UnaryOp::Abs, at(p.b, 8), vec![at(p.b, 0)], count(16))),
        ]
    });
    expect(
        &error,
        Code::J0801,
        2,
        0,
        None,
        "over part of its source `b`",
    );
    let error = fault(|p| {
        vec![
            get(p.b, p.buf),
            vector(call(UnaryOp::Abs, at(p.b, 2), vec![at(p.b, 64)], count(4))),
        ]
    });
    expect(
        &error,
        Code::J0801,
        2,
        0,
        None,
        "8 bytes behind the start of a data block",
    );
    let error = fault(|p| vec![get(p.b, p.buf), copy_out(p.x, 0, p.b, run(1))]);
    expect(&error, Code::J0801, 2, 0, None, "`x`, which is an input");
    let error = fault(|p| vec![get(p.b, p.buf), copy_in(p.b, p.x, -1, run(1))]);
    expect(&error, Code::J0801, 2, 0, None, "GM offset -1");
}

#[test]
fn scalars_that_cannot_be_computed_are_faults() {
    let error = fault(|p| {
        vec![
            let_(p.i, Scalar::Int(3)),
            let_(p.i, Scalar::from(p.i) / (Scalar::BlockIdx - 1)),
        ]
    });
    expect(&error, Code::J0804, 2, 1, None, "division by zero");
    let error = fault(|p| {
        vec![
            get(p.b, p.buf),
            vector(call(
                UnaryOp::Abs,
                at(p.b, 0),
                vec![at(p.b, 0)],
                Form::Counter {
                    n: Scalar::Int(-1),
                    strides: Strides::DENSE,
                },
            )),
        ]
    });
    expect(
        &error,
        Code::J0804,
        2,
        0,
        None,
        "the count of `abs` is -1, less than zero",
    );
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let kernel = [binary_kernel(BinaryOp::Add, DType::F32)];
    let (x, short, ints) = (
        Array1::from_elem(8, 1.0f32),
        Array1::from_elem(7, 1.0f32),
        Array1::from_elem(8, 1i32),
    );
    let launch = || Launch::lowered(&kernel, Chip::default_chip());
    let refused = |launch: Launch<'_>, code: Code, part: &str| {
        let error = launch.run().unwrap_err();
        assert!(
            error.fault().is_none() && error.code() == code && error.message().contains(part),
            "{error}"
        );
    };
    let mut z = Array1::from_elem(8, 0.0f32);
    refused(
        launch().input("x", &x).input("y", &x),
        Code::J0605,
        "tensor `z` of kernel `binary` was not bound",
    );
    refused(launch().input("w", &x), Code::J0605, "no tensor `w`");
    refused(
        launch().input("z", &x),
        Code::J0605,
        "`z` is an output and was bound as an input",
    );
    refused(
        launch().input("x", &x).input("x", &x),
        Code::J0605,
        "bound twice",
    );
    refused(
        launch()
            .input("x", &x)
            .input("y", &short)
            .output("z", &mut z),
        Code::J0603,
        "axis `n` is 8 in `x` and 7 in `y`",
    );
    refused(
        launch()
            .input("x", &x)
            .input("y", &x)
            .output("z", &mut z)
            .attr("eps", 1.0f32),
        Code::J0605,
        "no attribute `eps`",
    );
    let list = "no instance for (x: f32, y: i32, z: f32); it takes (x: f32, y: f32, z: f32)";
    refused(
        launch()
            .input("x", &x)
            .input("y", &ints)
            .output("z", &mut z),
        Code::J0605,
        list,
    );
}

#[test]
fn absurd_extents_are_faults_and_never_panics() {
    for n in [-1, 1 << 20, i64::MAX / 2, i64::MAX] {
        for form in [
            count(n),
            Form::Repeat {
                mask: Scalar::Int(64),
                repeat: Scalar::Int(n),
                strides: Strides::DENSE,
            },
            Form::Repeat {
                mask: Scalar::Int(n),
                repeat: Scalar::Int(2),
                strides: Strides::DENSE,
            },
            Form::Repeat {
                mask: Scalar::Int(8),
                repeat: Scalar::Int(2),
                strides: Strides {
                    dst_rep: n,
                    ..Strides::DENSE
                },
            },
        ] {
            let ops: [jumar_dsl::ops::Op; 4] = [
                UnaryOp::Exp.into(),
                ReduceOp::Max.into(),
                jumar_dsl::ops::LayoutOp::Brcb.into(),
                jumar_dsl::ops::LayoutOp::LocalCopy.into(),
            ];
            for op in ops {
                let error = std::panic::catch_unwind(|| {
                    fault(|p| {
                        // A broadcast to itself is refused in any case, so that each call here ends
                        // in a fault.
                        let reads_poison = get_value(p.f, p.b, 0);
                        vec![
                            get(p.b, p.buf),
                            vector(call(op, at(p.b, 0), vec![at(p.b, 0)], form.clone())),
                            reads_poison,
                        ]
                    })
                });
                assert!(
                    error.is_ok_and(|e| e.fault().is_some()),
                    "{} {form:?}",
                    op.name()
                );
            }
        }
        let error = fault(|p| {
            vec![
                get(p.b, p.buf),
                copy_in(p.b, p.x, 0, rows(n, 8, 8)),
                copy_in(p.b, p.x, 0, rows(2, 8, n)),
            ]
        });
        assert!(error.fault().is_some());
        let error = fault(|p| vec![get(p.b, p.buf), copy_in(p.b, p.x, n, run(n))]);
        assert_eq!(error.code(), Code::J0801);
    }
}
