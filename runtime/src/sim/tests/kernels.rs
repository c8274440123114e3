//! Whole kernels: flat tiles, rows with broadcast in counter mode, casts, compare and select,
//! padding.

use super::build::*;
use crate::{Launch, Overflow};
use half::{bf16, f16};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::{DType, RoundMode};
use jumar_dsl::ir::*;
use jumar_dsl::ops::{BinaryOp, BinaryScalarOp, CompareOp, CopyOp, LayoutOp, ReduceOp, UnaryOp};
use jumar_dsl::soc::Chip;
use ndarray::{Array1, Array2, Axis as Along};
use std::sync::atomic::{AtomicI64, Ordering};

fn chip() -> &'static Chip {
    Chip::default_chip()
}

#[test]
fn flat_add_covers_every_element_once_for_every_tail() {
    let kernel = [binary_kernel(BinaryOp::Add, DType::F32)];
    for n in [0usize, 1, 7, 8, 9, 383, 384, 385, 4096, 100_003] {
        let x = Array1::from_iter((0..n).map(|i| i as f32 * 0.5));
        let y = Array1::from_iter((0..n).map(|i| 1.0 - i as f32));
        let mut z = Array1::from_elem(n, f32::NAN);
        let done = AtomicI64::new(0);
        let count = |_| {
            done.fetch_add(1, Ordering::Relaxed);
        };
        let launch = Launch::lowered(&kernel, chip())
            .input("x", &x)
            .input("y", &y)
            .output("z", &mut z)
            .progress(count);
        let report = launch.run().unwrap();
        assert_eq!(z, &x + &y, "n = {n}");
        assert_eq!(report.blocks, (n.div_ceil(8) as i64).clamp(1, 48));
        assert_eq!(done.load(Ordering::Relaxed), report.blocks);
        assert_eq!(report.turns == 0, n == 0);
    }
}

#[test]
fn half_sums_round_once_and_overflow_as_asked() {
    let kernel = [binary_kernel(BinaryOp::Add, DType::F16)];
    let x = Array1::from_iter((0..5000u32).map(|i| f16::from_bits((i * 13 % 0x7c00) as u16)));
    let y = x.mapv(|v| f16::from_f32(v.to_f32() * -0.37 + 3.0));
    for (overflow, beyond) in [
        (Overflow::InfNan, f16::INFINITY),
        (Overflow::Saturate, f16::MAX),
    ] {
        let (mut x, y) = (x.clone(), &y);
        x[4999] = f16::MAX;
        let mut y = y.clone();
        y[4999] = f16::MAX;
        let mut z = Array1::from_elem(5000, f16::NAN);
        let launch = Launch::lowered(&kernel, chip())
            .input("x", &x)
            .input("y", &y)
            .output("z", &mut z);
        launch.overflow(overflow).run().unwrap();
        assert_eq!(z[4999], beyond);
        for i in 0..4999 {
            assert_eq!(
                z[i],
                f16::from_f64(x[i].to_f64() + y[i].to_f64()),
                "element {i}"
            );
        }
    }
}

/// Makes softmax over rows as the lowering does: one tile of rows, a broadcast column in data
/// blocks, counter mode.
pub fn softmax_kernel(tile_rows: i64, dtype: DType) -> Lowered {
    let mut k = Builder::new("softmax");
    let (n, d) = (k.axis("n", true), k.axis("d", false));
    let x = k.tensor("x", Role::In, dtype, &[n.clone(), d.clone()]);
    let y = k.tensor("y", Role::Out, dtype, &[n, d]);
    let total = k.host("rows_total", Scalar::Axis(AxisId(0)));
    let cols = k.host("cols", Scalar::Axis(AxisId(1)));
    let pitch = k.host("pitch", Scalar::from(cols).align_up(32 / dtype.bytes()));
    let blocks = k.host("block_dim", Scalar::from(total).min(8).max(1));
    let share = k.host("share", Scalar::from(total).ceil_div(blocks));
    k.block_dim(blocks);
    let elems = Scalar::from(pitch) * tile_rows;
    let in_x = k.queue("in_x", TPosition::VecIn, 2, elems.clone() * dtype.bytes());
    let out_y = k.queue("out_y", TPosition::VecOut, 2, elems.clone() * dtype.bytes());
    let wide_buf = k.buf("wide", elems.clone() * 4);
    let col_buf = k.buf("col", 4 * (tile_rows + 8));
    let blocks_buf = k.buf("blocks", 32 * (tile_rows + 8));
    let work_buf = k.buf("work", 1024);
    let [xl, yl] = ["x_local", "y_local"].map(|t| k.local(t, dtype));
    let [wide, col, spread, work] =
        ["wide", "col", "blocks", "work"].map(|t| k.local(t, DType::F32));
    let [start, length, tile, from, len, r] =
        ["block_start", "block_length", "tile", "start", "len", "r"].map(|v| k.index(v));
    let row = |t: TensorId| at(t, Scalar::from(r) * pitch);
    let all = || count(Scalar::from(len) * pitch);
    let reduce = |op: ReduceOp| {
        let call = call(op, at(col, r), vec![row(wide)], count(cols));
        for_(
            r,
            len,
            vec![vector(VectorCall {
                tmp: Some(at(work, 0)),
                ..call
            })],
        )
    };
    let broadcast = |op: BinaryOp| {
        let strides = Strides {
            dst_blk: 1,
            src0_blk: 1,
            src1_blk: 0,
            dst_rep: 8,
            src0_rep: 8,
            src1_rep: 0,
        };
        let form = Form::Eights {
            repeat: Scalar::from(len).ceil_div(8),
            strides: Strides::DENSE,
        };
        let block = at(spread, Scalar::from(r) * 8);
        vec![
            vector(call(LayoutOp::Brcb, at(spread, 0), vec![at(col, 0)], form)),
            for_(
                r,
                len,
                vec![vector(call(
                    op,
                    row(wide),
                    vec![row(wide), block],
                    Form::Counter {
                        n: cols.into(),
                        strides,
                    },
                ))],
            ),
        ]
    };
    let mut body = vec![
        let_(from, Scalar::from(start) + Scalar::from(tile) * tile_rows),
        let_(
            len,
            (Scalar::from(length) - Scalar::from(tile) * tile_rows).min(tile_rows),
        ),
        alloc(xl, in_x),
        copy_in(xl, x, Scalar::from(from) * cols, rows(len, cols, pitch)),
        enque(xl, in_x),
        deque(xl, in_x),
    ];
    body.push(match dtype {
        DType::F32 => vector(call(
            LayoutOp::LocalCopy,
            at(wide, 0),
            vec![at(xl, 0)],
            all(),
        )),
        _ => cast(
            at(wide, 0),
            at(xl, 0),
            RoundMode::None,
            Scalar::from(len) * pitch,
        ),
    });
    body.extend([free(xl, in_x), reduce(ReduceOp::Max)]);
    body.extend(broadcast(BinaryOp::Sub));
    body.extend([
        vector(call(UnaryOp::Exp, at(wide, 0), vec![at(wide, 0)], all())),
        reduce(ReduceOp::Sum),
    ]);
    body.extend(broadcast(BinaryOp::Div));
    body.push(alloc(yl, out_y));
    body.push(match dtype {
        DType::F32 => vector(call(
            LayoutOp::LocalCopy,
            at(yl, 0),
            vec![at(wide, 0)],
            all(),
        )),
        _ => cast(
            at(yl, 0),
            at(wide, 0),
            RoundMode::Rint,
            Scalar::from(len) * pitch,
        ),
    });
    let out = copy_out(y, Scalar::from(from) * cols, yl, rows(len, cols, pitch));
    body.extend([enque(yl, out_y), deque(yl, out_y), out, free(yl, out_y)]);
    k.lowered(vec![
        get(wide, wide_buf),
        get(col, col_buf),
        get(spread, blocks_buf),
        get(work, work_buf),
        let_(start, Scalar::BlockIdx * share),
        let_(
            length,
            Scalar::from(share).min(Scalar::from(total) - Scalar::from(start)),
        ),
        for_(tile, Scalar::from(length).ceil_div(tile_rows), body),
    ])
}

fn softmax_f64(x: &Array2<f64>) -> Array2<f64> {
    let mut y = x.clone();
    for mut row in y.axis_iter_mut(Along(0)) {
        let max = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        row.mapv_inplace(|v| (v - max).exp());
        let sum = row.sum();
        row.mapv_inplace(|v| v / sum);
    }
    y
}

#[test]
fn softmax_of_rows_agrees_with_f64_whatever_the_padding() {
    for (rows, cols) in [(1, 1), (3, 5), (17, 64), (50, 100), (9, 1000), (64, 129)] {
        let x = Array2::from_shape_fn((rows, cols), |(r, c)| {
            ((r * 37 + c * 11) % 23) as f32 * 0.4 - 4.0
        });
        let want = softmax_f64(&x.mapv(f64::from));

        let kernel = [softmax_kernel(8, DType::F32)];
        let mut y = Array2::from_elem((rows, cols), f32::NAN);
        Launch::lowered(&kernel, chip())
            .input("x", &x)
            .output("y", &mut y)
            .run()
            .unwrap();
        for (got, want) in y.iter().zip(&want) {
            assert!(
                (f64::from(*got) - want).abs() <= 1e-6 * want,
                "{rows}x{cols}: {got} {want}"
            );
        }

        let kernel = [softmax_kernel(8, DType::Bf16)];
        let x = x.mapv(bf16::from_f32);
        let want = softmax_f64(&x.mapv(bf16::to_f64));
        let mut y = Array2::from_elem((rows, cols), bf16::NAN);
        Launch::lowered(&kernel, chip())
            .input("x", &x)
            .output("y", &mut y)
            .run()
            .unwrap();
        for (got, want) in y.iter().zip(&want) {
            assert!(
                (got.to_f64() - want).abs() <= 0.004 * want,
                "{rows}x{cols}: {got} {want}"
            );
        }
    }
}

/// Makes `y = x > limit ? x * 2 : x` with a compare and a select, `n` elements in one tile.
fn clip_kernel(n: i64, compared: i64) -> Lowered {
    let mut k = Builder::new("clip");
    let axis = k.axis("n", false);
    let x = k.tensor("x", Role::In, DType::F32, std::slice::from_ref(&axis));
    let y = k.tensor("y", Role::Out, DType::F32, &[axis]);
    let in_x = k.queue("in_x", TPosition::VecIn, 1, n * 4);
    let out_y = k.queue("out_y", TPosition::VecOut, 1, n * 4);
    let (two, bits) = (k.buf("two", n * 4), k.buf("bits", n / 8 + 32));
    let [xl, yl, double] = ["x_local", "y_local", "double"].map(|t| k.local(t, DType::F32));
    let mask = k.local("mask", DType::Bits);
    let scaled = VectorCall {
        scalar: Some(Scalar::Float(2.0)),
        ..call(
            BinaryScalarOp::Muls,
            at(double, 0),
            vec![at(xl, 0)],
            count(n),
        )
    };
    let limit = VectorCall {
        scalar: Some(Scalar::Float(0.5)),
        ..call(
            CompareOp::Gt.with_scalar(),
            at(mask, 0),
            vec![at(xl, 0)],
            count(compared),
        )
    };
    k.lowered(vec![
        get(double, two),
        get(mask, bits),
        alloc(xl, in_x),
        copy_in(xl, x, 0, run(n)),
        enque(xl, in_x),
        deque(xl, in_x),
        vector(scaled),
        vector(limit),
        alloc(yl, out_y),
        vector(call(
            LayoutOp::Select,
            at(yl, 0),
            vec![at(mask, 0), at(double, 0), at(xl, 0)],
            count(n),
        )),
        free(xl, in_x),
        enque(yl, out_y),
        deque(yl, out_y),
        copy_out(y, 0, yl, run(n)),
        free(yl, out_y),
    ])
}

#[test]
fn compare_and_select_choose_by_bits() {
    for n in [3usize, 64, 77, 3000] {
        let kernel = [clip_kernel(n as i64, n as i64)];
        let x = Array1::from_iter((0..n).map(|i| (i % 7) as f32 * 0.2));
        let mut y = Array1::from_elem(n, f32::NAN);
        Launch::lowered(&kernel, chip())
            .input("x", &x)
            .output("y", &mut y)
            .run()
            .unwrap();
        assert_eq!(y, x.mapv(|v| if v > 0.5 { v * 2.0 } else { v }));
    }
}

#[test]
fn mask_bits_behind_the_count_are_poison() {
    let kernel = [clip_kernel(77, 75)];
    let x = Array1::from_elem(77, 1.0f32);
    let mut y = Array1::from_elem(77, 0.0f32);
    let error = Launch::lowered(&kernel, chip())
        .input("x", &x)
        .output("y", &mut y)
        .run()
        .unwrap_err();
    assert_eq!(
        (error.code(), error.fault().map(|f| f.line)),
        (Code::J0802, Some(14))
    );
    assert!(
        error.message().contains("element 75 of `y_local`"),
        "{error}"
    );
}

#[test]
fn plain_data_copy_drops_what_is_no_data_block() {
    let mut k = Builder::new("plain");
    let axis = k.axis("n", false);
    let x = k.tensor("x", Role::In, DType::F16, std::slice::from_ref(&axis));
    let y = k.tensor("y", Role::InOut, DType::F16, &[axis]);
    let buf = k.buf("tmp", 128);
    let t = k.local("t", DType::F16);
    let shape = run(40);
    let kernel = [k.lowered(vec![
        get(t, buf),
        copy(CopyOp::In, t, x, 0, shape.clone()),
        copy(CopyOp::Out, t, y, 0, shape),
    ])];
    let x = Array1::from_iter((0..40).map(|i| f16::from_f32(i as f32)));
    let mut y = Array1::from_elem(40, f16::ZERO);
    Launch::lowered(&kernel, chip())
        .input("x", &x)
        .inout("y", &mut y)
        .run()
        .unwrap();
    assert_eq!(y.as_slice().unwrap()[..32], x.as_slice().unwrap()[..32]);
    assert!(y.iter().skip(32).all(|v| *v == f16::ZERO));
}

#[test]
fn tensors_are_updated_in_place_and_facts_are_checked_first() {
    let mut k = Builder::new("scale");
    let axis = k.axis("n", false);
    let x = k.tensor("x", Role::InOut, DType::I32, std::slice::from_ref(&axis));
    let factor = k.attr("factor", ScalarTy::I32, Some(Scalar::I32(3)));
    let host_factor = k.host("factor", Scalar::Attr(factor, ScalarTy::I32));
    let even = Scalar::Attr(factor, ScalarTy::I32)
        .bin(BinOp::Rem, Scalar::I32(2))
        .bin(BinOp::Eq, Scalar::I32(1));
    k.require(even, "factor % 2 == 1");
    let buf = k.buf("tmp", 400);
    let t = k.local("t", DType::I32);
    let scaled = VectorCall {
        scalar: Some(host_factor.into()),
        ..call(BinaryScalarOp::Muls, at(t, 0), vec![at(t, 0)], count(100))
    };
    let kernel = [k.lowered(vec![
        get(t, buf),
        copy_in(t, x, 0, run(100)),
        vector(scaled),
        copy_out(x, 0, t, run(100)),
    ])];
    let mut data = Array1::from_iter(0..100i32);
    Launch::lowered(&kernel, chip())
        .inout("x", &mut data)
        .run()
        .unwrap();
    assert_eq!(data, Array1::from_iter((0..100).map(|i| i * 3)));
    let error = Launch::lowered(&kernel, chip())
        .inout("x", &mut data)
        .attr("factor", 4)
        .run()
        .unwrap_err();
    assert_eq!(
        (error.code(), error.message()),
        (Code::J0604, "kernel `scale` requires factor % 2 == 1")
    );
    assert_eq!(data[99], 297);
}
