//! Copies that add to GM: sums of several blocks. Mistakes in a lowered kernel are found.

use super::build::*;
use crate::{Launch, RunError};
use jumar_dsl::check::check;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::*;
use jumar_dsl::ops::contract::Access;
use jumar_dsl::ops::{CopyOp, LayoutOp};
use jumar_dsl::soc::Chip;
use ndarray::{Array1, Array2};

const SCATTER: &str = "#[kernel]
pub fn scatter(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m, d)] y: &mut GlobalTensor<f32>, m: usize) {
    for r in tiles(n) { y.at(ids.at(r).load(), ..).atomic_add(x.at(r, ..).load()); }
}";

/// Sums 40 rows of ones into 3 rows, by the kernel with a change to its lowered form.
fn scattered(change: impl Fn(&mut Vec<Stmt>)) -> Result<Array2<f32>, RunError> {
    let kernel = parse_file(SCATTER)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0)
        .kernel
        .expect("a kernel");
    let kernel =
        check(&kernel, Chip::default_chip()).unwrap_or_else(|d| panic!("{}", d[0].message));
    let mut lowered = kernel.instances()[0].clone();
    lowered
        .variants
        .iter_mut()
        .for_each(|v| change(&mut v.body.stmts));
    let ids = Array1::from_shape_fn(40, |i| (i % 3) as i32);
    let (x, mut y) = (
        Array2::<f32>::ones((40, 9)),
        Array2::<f32>::from_elem((3, 9), 7.0),
    );
    let lowered = [lowered];
    let launch = Launch::lowered(&lowered, Chip::default_chip()).pipes(true);
    launch
        .input("ids", &ids)
        .input("x", &x)
        .output("y", &mut y)
        .attr("m", 3i64)
        .run()?;
    Ok(y)
}

fn change_all(stmts: &mut Vec<Stmt>, keep: &dyn Fn(&Stmt) -> bool) {
    stmts.retain(keep);
    for s in stmts {
        s.children_mut()
            .into_iter()
            .flatten()
            .for_each(|inner| change_all(inner, keep));
    }
}

#[track_caller]
fn found(change: impl Fn(&mut Vec<Stmt>)) -> (Code, String) {
    let error = scattered(change).expect_err("a planted mistake");
    let fault = error.fault().unwrap_or_else(|| panic!("refused: {error}"));
    (fault.code, fault.message.clone())
}

#[test]
fn rows_with_one_index_are_all_added_to_zeros() {
    let y = scattered(|_| ()).unwrap();
    for (row, want) in y.rows().into_iter().zip([14.0, 13.0, 13.0]) {
        assert!(row.iter().all(|v| *v == want), "{row}");
    }
}

#[test]
fn a_sum_that_no_zeros_lie_under_is_found() {
    let is_plain = |s: &Stmt| matches!(&s.kind, StmtKind::Do(QueueStmt::Instr { instr }) if instr.accessed(Access::Write).any(|v| v.global().is_some()));
    let (code, message) = found(|stmts| change_all(stmts, &|s| !is_plain(s)));
    assert_eq!(code, Code::J0802);
    assert!(
        message.starts_with(
            "block 0 adds to element 0 ([0, 0]) of output `y`, to which nothing was stored before"
        ),
        "{message}"
    );
}

#[test]
fn a_sum_that_does_not_wait_for_the_zeros_is_found() {
    let (code, message) = found(|stmts| change_all(stmts, &|s| !s.is_meeting()));
    assert_eq!(code, Code::J0809);
    assert!(
        message.contains("adds to element") && message.contains("of `y`, which block 0 stores"),
        "{message}"
    );
}

#[test]
fn a_row_that_is_stored_instead_of_added_is_found() {
    fn plain(stmts: &mut [Stmt]) {
        walk_stmts_mut(stmts, &mut |s| {
            if let StmtKind::Do(QueueStmt::Instr { instr }) = &mut s.kind {
                if instr.op == CopyOp::AddPad.into() {
                    instr.op = CopyOp::OutPad.into();
                }
            }
        });
    }
    let (code, message) = found(|stmts| plain(stmts));
    assert_eq!(code, Code::J0809, "{message}");
}

/// Runs four blocks. Each does to `z` what a case does with a buffer of ones.
fn blocks(stmts: impl Fn(ParamId, TensorId) -> Vec<Stmt>) -> Result<Array2<f32>, RunError> {
    let mut k = Builder::new("added");
    let dims = [k.axis("n", false), k.axis("d", false)];
    let z = k.tensor("z", Role::InOut, DType::F32, &dims);
    k.block_dim(4);
    let (buf, a) = (k.buf("tmp", 64), k.local("a", DType::F32));
    let ones = VectorCall {
        scalar: Some(Scalar::Float(1.0)),
        ..call(LayoutOp::Duplicate, at(a, 0), vec![], count(16))
    };
    let kernel = k.lowered([vec![get(a, buf), vector(ones)], stmts(z, a)].concat());
    let mut z = Array2::<f32>::from_elem((4, 16), 0.5);
    Launch::lowered(std::slice::from_ref(&kernel), Chip::default_chip())
        .inout("z", &mut z)
        .run()?;
    Ok(z)
}

fn does(op: CopyOp, z: ParamId, from: impl Into<Scalar>, a: TensorId) -> Stmt {
    copy(op, a, z, from, run(16))
}

#[test]
fn what_blocks_add_meets_and_keeps_what_was_there() {
    let z = blocks(|z, a| vec![does(CopyOp::AddPad, z, 0, a), does(CopyOp::Add, z, 0, a)]).unwrap();
    assert!(
        z.row(0).iter().all(|v| *v == 8.5) && z.row(1).iter().all(|v| *v == 0.5),
        "{z}"
    );
    // The tensor holds ones and halves.
    let z = blocks(|z, a| {
        vec![
            does(CopyOp::MaxPad, z, 0, a),
            does(CopyOp::Max, z, 0, a),
            does(CopyOp::Min, z, 16, a),
            does(CopyOp::MinPad, z, 16, a),
        ]
    });
    let z = z.unwrap();
    assert!(
        z.row(0).iter().all(|v| *v == 1.0) && z.row(1).iter().all(|v| *v == 0.5),
        "{z}"
    );
    // Blocks may store equal values to one element.
    let z =
        blocks(|z, a| vec![does(CopyOp::AnyPad, z, 16, a), does(CopyOp::Any, z, 16, a)]).unwrap();
    assert!(z.row(1).iter().all(|v| *v == 1.0), "{z}");
}

#[test]
fn what_one_block_adds_no_other_one_stores_or_loads() {
    let own = || Scalar::BlockIdx * 16;
    for (one, all) in [
        (CopyOp::OutPad, CopyOp::AddPad),
        (CopyOp::AddPad, CopyOp::OutPad),
        (CopyOp::AnyPad, CopyOp::AddPad),
        // Two blocks break the promise to store an element once.
        (CopyOp::DisjointPad, CopyOp::Disjoint),
        (CopyOp::InPad, CopyOp::AddPad),
        (CopyOp::InPad, CopyOp::MaxPad),
        (CopyOp::OutPad, CopyOp::MinPad),
        (CopyOp::Add, CopyOp::Max),
        (CopyOp::MaxPad, CopyOp::MinPad),
    ] {
        let error =
            blocks(|z, a| vec![does(one, z, own(), a), does(all, z, 48, a)]).expect_err("a race");
        assert_eq!(error.code(), Code::J0809, "{one:?} and {all:?}");
    }
}

/// Stores to the first of eight elements with `store_any`, on simulator and interpreter.
fn stored_again(x: [f32; 8]) -> [Result<(), Code>; 2] {
    let text = "#[kernel]
pub fn k(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(m)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) { y.at(ids.at(t).load()).store_any(x.at(t).load()); }
}";
    let kernel = parse_file(text)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0)
        .kernel
        .expect("a kernel");
    let kernel =
        check(&kernel, Chip::default_chip()).unwrap_or_else(|d| panic!("{}", d[0].message));
    let (ids, x) = (Array1::<i32>::zeros(8), Array1::from_iter(x));
    let tile = crate::tile::Tile::default();
    let run = |launch: Launch<'_>| {
        let mut y = Array1::<f32>::zeros(8);
        launch
            .input("ids", &ids)
            .input("x", &x)
            .inout("y", &mut y)
            .run()
            .map(|_| ())
            .map_err(|e| e.code())
    };
    [
        run(Launch::new(&kernel)),
        run(Launch::new(&kernel).backend(&tile)),
    ]
}

#[test]
fn a_block_keeps_its_own_promise_to_store_the_same() {
    assert_eq!(stored_again([2.5; 8]), [Ok(()); 2]);
    assert_eq!(
        stored_again([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]),
        [Err(Code::J0809); 2]
    );
    // Zeros of both signs are different bits.
    assert_eq!(
        stored_again([0.0, 0.0, 0.0, 0.0, -0.0, 0.0, 0.0, 0.0]),
        [Err(Code::J0809); 2]
    );
}
