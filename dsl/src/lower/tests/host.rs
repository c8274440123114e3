//! Scalars that the host can compute, and scalars that a core gets.

use super::*;
use crate::dtype::DType;
use crate::ir::{
    AxisId, BinOp, BufDecl, ChipFact, ParamId, ScalarTy, SpanId, Stage, TPosition, Ty, UnOp,
};
use Host;

fn sample() -> Kernel {
    kernel("#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, s: f32, u: usize) { for t in tiles(x) { y.at(t).store(x.at(t).load() * s * u); } }")
}

const N: Scalar = Scalar::Axis(AxisId(0));

#[test]
fn multiples_are_those_of_all_operands() {
    let kernel = sample();
    let binding = Binding::new(&[], Chip::default_chip());
    let mut host = Host::new(&kernel, &binding, Chip::default_chip(), Vec::new());
    let tile: Scalar = {
        let var = host.fresh("tile", ScalarTy::Index);
        host.multiples.insert(var, 24);
        var.into()
    };
    for (s, by) in [
        (Scalar::Int(0), 0),
        (Scalar::Int(-12), 12),
        (Scalar::Int(i64::MIN), 1 << 62),
        (N, 1),
        (N * 8, 8),
        (N * 8 * 4, 32),
        (tile.clone() * 2, 48),
        (tile.clone() * Scalar::SizeOf(Ty::Is(DType::F16)), 48),
        (Scalar::SizeOf(Ty::Is(DType::F32)), 4),
        (tile.clone() * 2 + 32, 16),
        (tile.clone() - 7, 1),
        (tile.clone().min(36), 12),
        (tile.clone().max(N), 1),
        (N.align_up(32), 32),
        (N.ceil_div(8), 1),
        (tile.clone() / 8, 1),
        (tile.clone() % 16, 1),
        (
            Scalar::select(Scalar::Bool(true), tile.clone(), Scalar::Int(16)),
            8,
        ),
        (Scalar::Int(1 << 62) * tile.clone() * tile, 0),
    ] {
        assert_eq!(host.multiple_of(&s), by, "{s:?}");
    }
}

#[test]
fn a_scalar_is_as_late_as_its_latest_leaf() {
    let kernel = sample();
    let binding = Binding::new(&[], Chip::default_chip());
    let mut host = Host::new(&kernel, &binding, Chip::default_chip(), Vec::new());
    let (given, device, solved) = (
        host.define("a", ScalarTy::Index, N * 2),
        host.fresh("b", ScalarTy::Index),
        host.fresh("c", ScalarTy::Index),
    );
    host.mark_field(solved);
    for (s, stage) in [
        (Scalar::Int(1), Stage::Const),
        (Scalar::Int(1) + Scalar::Bool(true), Stage::Const),
        (N, Stage::Host),
        (Scalar::Attr(ParamId(3), ScalarTy::Index) * 2, Stage::Host),
        (Scalar::Chip(ChipFact::VectorCores), Stage::Host),
        (given.into(), Stage::Host),
        (solved.into(), Stage::Host),
        (Scalar::BlockIdx, Stage::Block),
        (Scalar::BlockDim, Stage::Block),
        (device.into(), Stage::Block),
        (N.min(device), Stage::Block),
        (
            Scalar::select(Scalar::Bool(true), N, Scalar::BlockIdx),
            Stage::Block,
        ),
    ] {
        assert_eq!(host.stage(&s), stage, "{s:?}");
    }
}

#[test]
fn a_core_gets_no_axis_and_no_division_of_the_host() {
    let kernel = sample();
    let binding = Binding::new(&[], Chip::default_chip());
    let mut host = Host::new(&kernel, &binding, Chip::default_chip(), Vec::new());
    let root = Scalar::un(UnOp::Sqrt, Scalar::cast(ScalarTy::F32, N));
    let sizes = [
        N,
        N * 8,
        N.ceil_div(3),
        N % Scalar::Axis(AxisId(1)),
        Scalar::BlockIdx * N.align_up(8),
        Scalar::Attr(ParamId(3), ScalarTy::Index) + 1,
        root,
    ];
    for s in sizes {
        let on_core = host.on_device(&s, "size");
        let mut late = 0;
        on_core.walk(&mut |n| {
            let host_leaf = matches!(
                n,
                Scalar::Axis(_)
                    | Scalar::Attr(..)
                    | Scalar::Chip(_)
                    | Scalar::Cast(..)
                    | Scalar::Un(UnOp::Sqrt, _)
            );
            let division = matches!(
                n,
                Scalar::Bin(
                    BinOp::Div | BinOp::Rem | BinOp::CeilDiv | BinOp::AlignUp,
                    ..
                )
            );
            late += usize::from(host_leaf || division);
        });
        assert_eq!(late, 0, "{s:?} became {on_core:?}");
        assert_eq!(
            host.inline(&on_core),
            host.inline(&s),
            "{s:?} keeps its value"
        );
    }
    // A division by a value that only the core knows stays on the core.
    let share = N / Scalar::BlockDim;
    assert!(
        matches!(host.on_device(&share, "share"), Scalar::Bin(BinOp::Div, _, by) if *by == Scalar::BlockDim)
    );
}

#[test]
fn one_host_expression_is_one_variable() {
    let kernel = sample();
    let binding = Binding::new(&[], Chip::default_chip());
    let mut host = Host::new(&kernel, &binding, Chip::default_chip(), Vec::new());
    let first = host.define("a", ScalarTy::Index, N.ceil_div(8));
    assert_eq!(host.define("b", ScalarTy::Index, N.ceil_div(8)), first);
    assert_eq!(host.define("c", ScalarTy::Index, first.into()), first);
    assert_ne!(host.define("d", ScalarTy::Index, N.ceil_div(16)), first);
    assert_eq!(host.steps.len(), 2);
    let names = ["a", "a", "x"]
        .map(|name| host.fresh(name, ScalarTy::Index))
        .map(|v| host.vars[v.index()].name.clone());
    assert_eq!(names, ["a_2", "a_3", "x_2"]);
}

#[test]
fn the_footprint_gathers_what_has_one_extent() {
    let kernel = sample();
    let binding = Binding::new(&[], Chip::default_chip());
    let mut host = Host::new(&kernel, &binding, Chip::default_chip(), Vec::new());
    let tile = Scalar::Var(host.fresh("tile", ScalarTy::Index));
    let sizes = [
        tile.clone() * 64,
        Scalar::Int(32).bin(BinOp::Mul, tile.clone()),
        tile.clone() * 16 * Scalar::SizeOf(Ty::Is(DType::F16)),
        Scalar::Int(10),
        Scalar::Int(32),
    ];
    let buf = |bytes: Scalar| BufDecl {
        name: String::new(),
        position: TPosition::VecCalc,
        bytes,
        purpose: String::new(),
        span: SpanId(0),
    };
    let body = queue::Body {
        bufs: sizes.map(buf).to_vec(),
        ..Default::default()
    };
    assert_eq!(host.footprint(&body), tile * 128 + 64);
}
