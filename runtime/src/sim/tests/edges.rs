//! Tests each limit of a copy, a vector call or an element: the last right value and the first
//! wrong one.

use super::build::*;
use crate::{Array, Launch};
use jumar_dsl::dtype::{DType, RoundMode};
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::*;
use jumar_dsl::ops::{BinaryOp, CompareOp, CopyOp, LayoutOp, Op, ReduceOp, UnaryOp};
use jumar_dsl::soc::Chip;

/// The operands of a kernel on one block. `x` has 4096 elements of `f32`, `a` 131072 bytes, and
/// `h` 2048 elements of `f16`.
struct Parts {
    x: ParamId,
    y: ParamId,
    a: TensorId,
    b: TensorId,
    h: TensorId,
    /// The buffer of `b` as mask bits.
    m: TensorId,
    f: VarId,
}

/// Returns the message of the fault that a kernel ends in; empty without a fault.
fn outcome(stmts: impl FnOnce(&Parts) -> Vec<Stmt>) -> String {
    let mut k = Builder::new("edges");
    let n = k.axis("n", false);
    let x = k.tensor("x", Role::In, DType::F32, std::slice::from_ref(&n));
    let y = k.tensor("y", Role::InOut, DType::F32, &[n]);
    let (big, small, halves) = (
        k.buf("big", 131_072),
        k.buf("small", 2048),
        k.buf("halves", 2048),
    );
    let [a, b] = ["a", "b"].map(|t| k.local(t, DType::F32));
    let h = k.local("h", DType::F16);
    let m = k.local("m", DType::Bits);
    let f = k.var("f", ScalarTy::F32);
    let body = stmts(&Parts {
        x,
        y,
        a,
        b,
        h,
        m,
        f,
    });
    let kernel = [k.lowered(
        [
            vec![get(a, big), get(b, small), get(h, halves), get(m, small)],
            body,
        ]
        .concat(),
    )];
    let [x, mut y] = [(); 2].map(|()| Array::zeros(DType::F32, &[4096]).unwrap());
    let run = Launch::lowered(&kernel, Chip::default_chip())
        .input("x", &x)
        .inout("y", &mut y)
        .run();
    run.err()
        .map(|e| e.message().to_string())
        .unwrap_or_default()
}

/// Compares an outcome with a part of the expected message, or with none.
#[track_caller]
fn hold(what: &str, found: &str, wanted: &str) {
    let right = if wanted.is_empty() {
        found.is_empty()
    } else {
        found.contains(wanted)
    };
    assert!(right, "{what}: `{found}`, wanted `{wanted}`");
}

#[test]
fn copies_reach_to_the_last_element_on_both_sides() {
    let shape = |rows: i64, cols: i64, gm_stride: i64, ub_pitch: i64| CopyShape {
        rows: rows.into(),
        cols: cols.into(),
        gm_stride: gm_stride.into(),
        ub_pitch: ub_pitch.into(),
    };
    // Form, offset in `x` and in `a`, shape.
    for (op, offset, local, (rows, cols, gm_stride, pitch), wanted) in [
        (CopyOp::InPad, 0, 0, (1, 4096, 0, 0), ""),
        (
            CopyOp::InPad,
            0,
            0,
            (1, 4097, 0, 0),
            "reaches element 4096 of `x`, which has 4096",
        ),
        (CopyOp::InPad, 4088, 0, (1, 8, 0, 0), ""),
        (CopyOp::InPad, 4089, 0, (1, 8, 0, 0), "reaches element 4096"),
        (CopyOp::InPad, 0, 0, (2, 8, 4088, 8), ""),
        (CopyOp::InPad, 0, 0, (2, 8, 4089, 8), "reaches element 4096"),
        (CopyOp::InPad, 0, 32_760, (1, 8, 0, 0), ""),
        (
            CopyOp::InPad,
            0,
            32_760,
            (1, 9, 0, 0),
            "over 16 elements of `a`, whose buffer has 8",
        ),
        (CopyOp::InPad, 0, 0, (2, 8, 8, 32_760), ""),
        (
            CopyOp::InPad,
            0,
            0,
            (2, 8, 8, 32_768),
            "over 32776 elements of `a`",
        ),
        (CopyOp::InPad, 0, 8, (1, 8, 0, 0), ""),
        (
            CopyOp::InPad,
            0,
            4,
            (1, 8, 0, 0),
            "16 bytes behind the start",
        ),
        (CopyOp::InPad, 0, 0, (4095, 1, 1, 8), ""),
        (
            CopyOp::InPad,
            0,
            0,
            (4096, 1, 1, 8),
            "moves 4096 rows of 4 bytes; at most 4095",
        ),
        (CopyOp::InPad, 0, 0, (2, 8, 8, 16), ""),
        (CopyOp::InPad, 0, 0, (2, 8, 8, 12), "a pitch of 12"),
        (CopyOp::InPad, 0, 0, (2, 9, 9, 16), ""),
        (CopyOp::InPad, 0, 0, (2, 9, 9, 8), "a pitch of 8"),
        (CopyOp::InPad, 0, 0, (2, 8, 8, 8), ""),
        (CopyOp::InPad, 0, 0, (2, 8, 7, 8), "a distance of 7"),
        (CopyOp::InPad, 0, 0, (2, 8, 9, 8), ""),
        (CopyOp::In, 0, 0, (2, 8, 16, 8), ""),
        (CopyOp::In, 0, 0, (2, 8, 12, 8), "a distance of 12"),
        (CopyOp::In, 0, 0, (2, 8, 8, 8), ""),
        // The strides of one row do not matter.
        (CopyOp::In, 0, 0, (1, 8, 3, 3), ""),
        (CopyOp::InPad, 0, 0, (0, 8, 8, 8), ""),
        (CopyOp::InPad, 9999, 0, (0, 8, 8, 8), ""),
        (CopyOp::InPad, 9999, 0, (1, 0, 0, 0), ""),
        (CopyOp::InPad, -1, 0, (1, 8, 0, 0), "GM offset -1"),
        (CopyOp::InPad, 0, 0, (-1, 8, 8, 8), "row count -1"),
        (CopyOp::InPad, 0, 0, (1, -1, 0, 0), "row length -1"),
        (CopyOp::InPad, 0, 0, (2, 8, -1, 8), "GM stride -1"),
        (CopyOp::InPad, 0, 0, (2, 8, 8, -1), "UB pitch -1"),
    ] {
        let found = outcome(|p| {
            vec![copy_at(
                op,
                at(p.a, local),
                p.x,
                offset,
                shape(rows, cols, gm_stride, pitch),
            )]
        });
        hold(
            &format!(
                "{op:?} of {rows} x {cols}, {gm_stride} and {pitch} apart, {offset} to {local}"
            ),
            &found,
            wanted,
        );
    }
}

#[test]
fn rows_with_a_number_before_and_behind_them_fill_whole_data_blocks() {
    // Offset in `x` and in `a`, shape with the elements before each row.
    for (offset, local, (rows, cols, lead), wanted) in [
        (0, 0, (1, 8, 0), ""),
        (0, 0, (1, 8, 7), ""),
        (
            0,
            0,
            (1, 8, 8),
            "puts 32 bytes before the rows of `a`, which are fewer than 32",
        ),
        (0, 0, (1, 8, -1), "a lead of -1"),
        (4095, 0, (1, 1, 7), ""),
        (4095, 0, (1, 2, 6), "reaches element 4096"),
        (0, 32_760, (1, 3, 5), ""),
        (
            0,
            32_760,
            (1, 4, 5),
            "over 16 elements of `a`, whose buffer has 8",
        ),
        (0, 0, (2, 9, 7), ""),
        (0, 0, (2, 10, 7), "a pitch of 16"),
        (0, 0, (0, 9, 7), ""),
        (0, 0, (1, 0, 7), ""),
    ] {
        let found = outcome(|p| {
            let views = [
                View::local(p.a, local).rows(16),
                View::gm(p.x, offset).rows(cols),
            ];
            let [ub, gm] = views.map(Arg::from);
            let extent = Extent::Rows {
                rows: rows.into(),
                cols: cols.into(),
            };
            let led = instr(
                CopyOp::InLead,
                extent,
                [ub, gm, Scalar::Float(7.0).into(), Scalar::Int(lead).into()],
            );
            // The filler around the elements has a value, so it may be stored.
            let blocks = (lead + cols + 7) / 8 * 8 * i64::from(rows * cols > 0);
            vec![
                led,
                copy_at(CopyOp::OutPad, at(p.a, local), p.y, 0, run(blocks)),
            ]
        });
        hold(
            &format!("{rows} x {cols} behind {lead}, {offset} to {local}"),
            &found,
            wanted,
        );
    }
}

#[test]
fn vector_calls_stay_in_their_buffers_and_repeats() {
    let repeat = |mask: i64, repeat: i64, rep: i64| Form::Repeat {
        mask: mask.into(),
        repeat: repeat.into(),
        strides: Strides {
            dst_rep: rep,
            src0_rep: rep,
            src1_rep: rep,
            ..Strides::DENSE
        },
    };
    // Tensor `b` holds 512 elements: 8 repeats of 64.
    for (form, offset, wanted) in [
        (count(512), 0, ""),
        (
            count(513),
            0,
            "over 513 elements of `b`, whose buffer has 512",
        ),
        (count(504), 8, ""),
        (
            count(505),
            8,
            "over 505 elements of `b`, whose buffer has 504",
        ),
        (count(0), 0, ""),
        (count(-1), 0, "the count of `abs` is -1"),
        (repeat(64, 8, 8), 0, ""),
        (repeat(64, 9, 8), 0, "over 576 elements"),
        (repeat(1, 9, 8), 0, "over 513 elements"),
        (
            repeat(64, 8, 8),
            8,
            "over 512 elements of `b`, whose buffer has 504",
        ),
        (repeat(64, 7, 9), 0, ""),
        (repeat(64, 8, 9), 0, "over 568 elements"),
        (
            repeat(65, 1, 8),
            0,
            "the mask of `abs` is 65, a repeat has 64",
        ),
        (repeat(-1, 1, 8), 0, "the mask of `abs` is -1"),
        (repeat(1, -1, 8), 0, "the repeat of `abs` is -1"),
        (
            Form::Repeat {
                mask: 9.into(),
                repeat: 1.into(),
                strides: Strides {
                    dst_blk: 0,
                    ..Strides::DENSE
                },
            },
            0,
            "block stride of the destination of `abs` is 0",
        ),
        (repeat(8, 64, 1), 0, ""),
        // The later of two overlapping repeats reads what the earlier one wrote.
        (repeat(9, 2, 1), 0, "what a later repeat reads of `b`"),
        (repeat(8, 255, 0), 0, "what a later repeat reads of `b`"),
    ] {
        let filled = |p: &Parts| copy_in(p.b, p.x, 0, run(512));
        let found = outcome(|p| {
            let abs = vector(call(
                UnaryOp::Abs,
                at(p.b, offset),
                vec![at(p.b, offset)],
                form.clone(),
            ));
            vec![filled(p), abs]
        });
        hold(&format!("{form:?} from {offset}"), &found, wanted);
    }
}

#[test]
fn operands_are_the_same_or_apart() {
    let part = "over part of its source `b`";
    for (dst, src0, src1, n, wanted) in [
        (0, 0, 0, 64, ""),
        (0, 64, 64, 64, ""),
        (0, 64, 64, 65, part),
        (64, 0, 0, 64, ""),
        (64, 0, 0, 65, part),
        (0, 0, 64, 64, ""),
        (0, 0, 56, 64, part),
        (0, 56, 0, 64, part),
        (128, 0, 64, 64, ""),
        (128, 0, 72, 64, part),
        // Sources may overlap one another.
        (256, 0, 8, 64, ""),
    ] {
        let found = outcome(|p| {
            let add = vector(call(
                BinaryOp::Add,
                at(p.b, dst),
                vec![at(p.b, src0), at(p.b, src1)],
                count(n),
            ));
            vec![copy_in(p.b, p.x, 0, run(512)), add]
        });
        hold(
            &format!("{n} elements of {src0} and {src1} to {dst}"),
            &found,
            wanted,
        );
    }
}

#[test]
fn what_was_never_written_is_found_at_the_first_element_that_is_read() {
    let through: [(&str, Op); 2] = [
        ("exp", UnaryOp::Exp.into()),
        ("local_copy", LayoutOp::LocalCopy.into()),
    ];
    for (name, op) in through {
        for (written, stored, wanted) in [
            (64, 64, ""),
            (63, 64, "reads element 63 of `b`"),
            (63, 63, ""),
            (0, 1, "reads element 0"),
        ] {
            let found = outcome(|p| {
                let copied = if written > 0 {
                    vec![copy_in(p.a, p.x, 0, run(written))]
                } else {
                    Vec::new()
                };
                let moved = vector(call(op, at(p.b, 0), vec![at(p.a, 0)], count(64)));
                [copied, vec![moved, copy_out(p.y, 0, p.b, run(stored))]].concat()
            });
            hold(
                &format!("{name} of {written}, {stored} stored"),
                &found,
                wanted,
            );
        }
    }
    // Through a type of another width, whose elements are at other addresses.
    for (written, stored, wanted) in [
        (64, 64, ""),
        (63, 64, "reads element 63 of `b`"),
        (63, 63, ""),
        (2, 3, "reads element 2"),
        // One element alone fills its data block.
        (1, 8, ""),
    ] {
        let found = outcome(|p| {
            let there = cast(at(p.h, 0), at(p.a, 0), RoundMode::Rint, 64);
            let back = cast(at(p.b, 0), at(p.h, 0), RoundMode::None, 64);
            vec![
                copy_in(p.a, p.x, 0, run(written)),
                there,
                back,
                copy_out(p.y, 0, p.b, run(stored)),
            ]
        });
        hold(
            &format!("casts of {written}, {stored} stored"),
            &found,
            wanted,
        );
    }
    for (from, written, reduced, wanted) in [
        (0, 64, 64, ""),
        (0, 63, 64, "reads element 63 of `a`"),
        (0, 63, 63, ""),
        (8, 64, 64, "reads element 0 of `a`"),
    ] {
        let found = outcome(|p| {
            let sum = call(ReduceOp::Sum, at(p.b, 0), vec![at(p.a, 0)], count(reduced));
            vec![
                copy_at(CopyOp::InPad, at(p.a, from), p.x, 0, run(written)),
                vector(VectorCall {
                    tmp: Some(at(p.b, 8)),
                    ..sum
                }),
            ]
        });
        hold(
            &format!("a sum of {reduced}, {written} written"),
            &found,
            wanted,
        );
    }
    for (index, wanted) in [(7, ""), (8, "get_value reads an element of `b`")] {
        let found = outcome(|p| vec![copy_in(p.b, p.x, 0, run(8)), get_value(p.f, p.b, index)]);
        hold(&format!("element {index}"), &found, wanted);
    }
}

#[test]
fn masks_and_blocks_lie_apart_from_their_sources() {
    // In bytes of one buffer: the mask of so many elements, and the first of them.
    for (mask, source, n, wanted) in [
        (0, 0, 64, "writes its mask over its source `b`"),
        (224, 0, 64, "writes its mask over its source"),
        (256, 0, 64, ""),
        (0, 32, 64, ""),
        (0, 32, 256, ""),
        (0, 32, 320, "writes its mask over its source"),
        (0, 64, 320, ""),
    ] {
        let found = outcome(|p| {
            let compare = call(
                CompareOp::Gt.with_scalar(),
                at(p.m, mask),
                vec![at(p.b, source / 4)],
                count(n),
            );
            vec![
                copy_in(p.b, p.x, 0, run(512)),
                vector(VectorCall {
                    scalar: Some(Scalar::Float(0.0)),
                    ..compare
                }),
            ]
        });
        hold(
            &format!("{n} elements from {source}, their mask at {mask}"),
            &found,
            wanted,
        );
    }
    // Elements of one buffer: 16 become 16 data blocks.
    for (dst, src, wanted) in [
        (8, 0, "over its source"),
        (16, 0, ""),
        (0, 120, "over its source"),
        (0, 128, ""),
    ] {
        let found = outcome(|p| {
            let form = Form::Eights {
                repeat: 2.into(),
                strides: Strides::DENSE,
            };
            vec![
                copy_in(p.b, p.x, 0, run(512)),
                vector(call(LayoutOp::Brcb, at(p.b, dst), vec![at(p.b, src)], form)),
            ]
        });
        hold(
            &format!("blocks at {dst} of elements at {src}"),
            &found,
            wanted,
        );
    }
}

#[test]
fn bytes_of_a_mask_are_written_one_by_one() {
    let compare = |p: &Parts, n: i64| {
        let compare = call(
            CompareOp::Gt.with_scalar(),
            at(p.m, 0),
            vec![at(p.a, 0)],
            count(n),
        );
        vec![
            copy_in(p.a, p.x, 0, run(512)),
            vector(VectorCall {
                scalar: Some(Scalar::Float(0.0)),
                ..compare
            }),
        ]
    };
    for (n, byte, wanted) in [
        (64, 7, ""),
        (64, 8, "get_value reads an element of `m`"),
        (128, 15, ""),
        (128, 16, "get_value reads"),
    ] {
        let found = outcome(|p| [compare(p, n), vec![get_value(p.f, p.m, byte)]].concat());
        hold(&format!("byte {byte} of {n} bits"), &found, wanted);
    }
    // Bits that the scalar unit writes select as those of a compare do.
    for (set, wanted) in [(8, ""), (7, "reads element 56 of `a`")] {
        let found = outcome(|p| {
            let select = call(
                LayoutOp::Select,
                at(p.a, 1024),
                vec![at(p.m, 0), at(p.a, 0), at(p.a, 64)],
                count(64),
            );
            let out = copy_at(CopyOp::OutPad, at(p.a, 1024), p.y, 0, run(64));
            let bytes = (0..set).map(|i| set_value(p.m, i, Scalar::I32(255)));
            let first = vec![copy_in(p.a, p.x, 0, run(512))];
            [first, bytes.collect(), vec![vector(select), out]].concat()
        });
        hold(&format!("{set} bytes of a mask"), &found, wanted);
    }
}

#[test]
fn a_row_that_was_never_written_is_named() {
    for (rows, pitch, wanted) in [
        (1, 8, ""),
        (2, 16, "reads row 1, element 3 of `a`"),
        (2, 8, "reads element 11 of `a`"),
    ] {
        let found = outcome(|p| {
            let shape = CopyShape {
                rows: rows.into(),
                cols: 8.into(),
                gm_stride: 8.into(),
                ub_pitch: pitch.into(),
            };
            let second = copy_at(CopyOp::InPad, at(p.a, pitch), p.x, 0, run(3));
            vec![
                second,
                copy_in(p.a, p.x, 0, run(8)),
                copy_out(p.y, 0, p.a, shape),
            ]
        });
        hold(&format!("{rows} rows, {pitch} apart"), &found, wanted);
    }
}

#[test]
fn elements_lie_inside_their_buffer() {
    for (index, wanted) in [
        (0, ""),
        (511, ""),
        (512, "set_value takes the element behind the end of `b`"),
        (513, "starts at element 513 of `b`, which has 512"),
        (-1, "starts at element -1 of `b`"),
    ] {
        let found = outcome(|p| {
            vec![
                set_value(p.b, index, Scalar::Float(1.0)),
                get_value(p.f, p.b, index),
            ]
        });
        hold(&format!("element {index}"), &found, wanted);
    }
}

#[test]
fn elements_of_each_type_are_set_got_and_stored_as_they_are() {
    for (dtype, values) in [
        (
            DType::F32,
            [1.5, -0.25, 1.701_411_834_604_692_3e38, 65_504.0],
        ),
        (DType::F16, [1.5, -0.25, 65_504.0, 0.000_061_035_156_25]),
        (DType::Bf16, [1.5, -0.25, 128.0, 255.0]),
        (DType::I32, [1.0, -7.0, 16_777_216.0, -2_147_483_648.0]),
    ] {
        let mut k = Builder::new("elements");
        let n = k.axis("n", false);
        let y = k.tensor("y", Role::Out, dtype, &[n]);
        let buf = k.buf("buf", 64);
        let a = k.local("a", dtype);
        let ty = if dtype.is_float() {
            ScalarTy::F32
        } else {
            ScalarTy::I32
        };
        let v = k.var("v", ty);
        let number = |v: f64| {
            if dtype.is_float() {
                Scalar::Float(v as f32)
            } else {
                Scalar::I32(v as i32)
            }
        };
        let set = values
            .iter()
            .zip(0..)
            .map(|(value, i)| set_value(a, i, number(*value)));
        // Each element moves through a variable to a second place.
        let moved = (0..4).flat_map(|i| [get_value(v, a, i), set_value(a, 7 - i, v.into())]);
        let stmts = [get(a, buf)]
            .into_iter()
            .chain(set)
            .chain(moved)
            .chain([copy_out(y, 0, a, run(8))]);
        let kernel = [k.lowered(stmts.collect())];
        let mut y = Array::zeros(dtype, &[8]).unwrap();
        Launch::lowered(&kernel, Chip::default_chip())
            .output("y", &mut y)
            .run()
            .unwrap();
        let wanted: Vec<f64> = values.into_iter().chain(values.into_iter().rev()).collect();
        assert_eq!(y.to_f64(), wanted, "{}", dtype.name());
    }
}
