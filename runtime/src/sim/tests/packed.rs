//! Appended elements with one planted mistake: each statement that computes a place or a count is
//! needed as it is.

use crate::tile::Tile;
use crate::{Array, Launch, RunError};
use jumar_dsl::check::{check, found_in, CheckedKernel};
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::{
    verify_lowered, walk_stmts, Instr, Lowered, QueueStmt, Scalar, ScalarTy, StmtKind,
};
use jumar_dsl::ops::{CopyOp, LayoutOp, Op, ScalarOp};
use jumar_dsl::soc::Chip;
use ndarray::Array1;

const TEXT: &str = "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape()] count: &mut GlobalTensor<i32>) {
    for t in tiles(n).size(64) { let v = x.at(t).load(); y.append(v, v.gt(0.0)); }
    count.at().store(y.appended()); }";

/// Lengths and capacities: one element, several tiles of one block, several blocks, more elements
/// than the capacity.
const SHAPES: &[(usize, usize)] = &[
    (1, 1),
    (65, 65),
    (300, 300),
    (1000, 1000),
    (1000, 300),
    (1000, 0),
];

fn kernel() -> CheckedKernel {
    let parsed = parse_file(TEXT)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0);
    let kernel = parsed
        .kernel
        .unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
    check(&kernel, Chip::default_chip()).unwrap_or_else(|d| panic!("{}", d[0].message))
}

/// Returns the result of a launch on positive numbers, except for every third and every seventh
/// one; the last one is positive.
fn run(launch: Launch<'_>, (n, cap): (usize, usize)) -> Result<[Vec<f64>; 2], RunError> {
    let number = |i: usize| {
        if i + 1 < n && (i % 3 == 1 || i % 7 == 2) {
            -1.0
        } else {
            (i + 1) as f32
        }
    };
    let x: Array = Array1::from_iter((0..n).map(number)).into_dyn().into();
    let mut y: Array = Array1::from_elem(cap, -7.0f32).into_dyn().into();
    let mut count = Array::zeros(DType::I32, &[]).expect("integers");
    launch
        .input("x", &x)
        .output("y", &mut y)
        .output("count", &mut count)
        .run()?;
    Ok([y.to_f64(), count.to_f64()])
}

/// True for a statement that computes places or counts of elements.
fn is_of_interest(names: &[bool], s: &Stmt) -> bool {
    let mut named = s.sets().is_some_and(|v| names[v.index()]);
    s.scalars(&mut |e| e.walk(&mut |n| named |= matches!(n, Scalar::Var(v) if names[v.index()])));
    let ops = |op: Op| {
        matches!(
            op,
            Op::Layout(LayoutOp::GatherBits)
                | Op::Copy(CopyOp::PackPad)
                | Op::Scalar(ScalarOp::GetIndex)
        )
    };
    named
        || s.waits().is_some()
        || s.is_meeting()
        || matches!(&s.kind, StmtKind::Do(QueueStmt::Instr { instr: Instr { op, .. } }) if ops(*op))
}

/// Changes the `nth` statement of interest in its `way`: removes it, or changes one of its numbers.
/// Returns `None` where there is no such change.
fn change(stmts: &mut Vec<Stmt>, names: &[bool], nth: &mut usize, way: usize) -> Option<String> {
    for i in 0..stmts.len() {
        if is_of_interest(names, &stmts[i]) {
            if *nth == 0 {
                return changed(stmts, i, way);
            }
            *nth -= 1;
        }
        for list in stmts[i].children_mut().into_iter().flatten() {
            if let Some(what) = change(list, names, nth, way) {
                return Some(what);
            }
        }
    }
    None
}

fn changed(stmts: &mut Vec<Stmt>, i: usize, way: usize) -> Option<String> {
    let what = format!("{:?}", stmts[i].kind);
    let Some(way) = way.checked_sub(1) else {
        stmts.remove(i);
        return Some(format!("without {what}"));
    };
    let (mut at, mut done) = (0, None);
    stmts[i].scalars_mut(&mut |s| {
        // Copies of one number are adjacent, and any of them may be read.
        let step = if what.contains("GetIndex") { 8 } else { 1 };
        for more in [step, -step] {
            if at == way && s.ty() == ScalarTy::Index && done.is_none() {
                *s = s.clone() + more;
                done = Some(format!("{more} more in number {way} of {what}"));
            }
            at += 1;
        }
    });
    done
}

#[test]
fn a_mistake_in_where_elements_go_is_found() {
    let kernel = kernel();
    let right = &kernel.instances()[0];
    let known = found_in(right);
    let tile = Tile::default();
    let wanted: Vec<_> = SHAPES
        .iter()
        .map(|s| run(Launch::new(&kernel).backend(&tile), *s).expect("a right kernel"))
        .collect();
    let shows = |lowered: &Lowered| {
        let run = |shape| {
            run(
                Launch::lowered(std::slice::from_ref(lowered), kernel.chip()).pipes(true),
                shape,
            )
        };
        SHAPES
            .iter()
            .zip(&wanted)
            .any(|(shape, wanted)| run(*shape).ok().as_ref() != Some(wanted))
    };
    assert!(!shows(right), "the right kernel is wrong");
    let body = &right.variants[0].body;
    let names: Vec<bool> = body
        .vars
        .iter()
        .map(|v| v.name.starts_with("y_") && v.name != "y_room")
        .collect();
    let (mut made, mut alive) = (0, Vec::new());
    let mut of_interest = 0;
    walk_stmts(&body.stmts, &mut |s| {
        of_interest += usize::from(is_of_interest(&names, s))
    });
    for nth in 0..of_interest {
        for way in 0..12 {
            let mut lowered = right.clone();
            let Some(what) = change(
                &mut lowered.variants[0].body.stmts,
                &names,
                &mut nth.clone(),
                way,
            ) else {
                continue;
            };
            made += 1;
            let refused = || found_in(&lowered).iter().any(|f| !known.contains(f));
            if verify_lowered(&lowered).is_ok() && !refused() && !shows(&lowered) {
                alive.push(what);
            }
        }
    }
    assert!(
        made > 40,
        "only {made} mistakes in {of_interest} statements"
    );
    assert!(
        alive.is_empty(),
        "{} of {made}:\n{}",
        alive.len(),
        alive.join("\n")
    );
}
