//! Blocks that wait for one another: what a barrier orders, and blocks that never come.

use super::build::*;
use super::workspace::{fault, run as run_text};
use crate::{Launch, RunError};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::*;
use jumar_dsl::ops::LayoutOp;
use jumar_dsl::soc::Chip;
use ndarray::Array2;

#[test]
fn behind_a_meeting_a_block_finds_what_all_have_written() {
    let put = "if n >= at + 8 { data_copy_pad(w.slice(at, 8), &o); }\n";
    let next = "if n >= 32 { let from = (at + 8) % 32; if from + 8 <= n { data_copy_pad(&t, w.slice(from, 8)); } }";
    assert_eq!(
        run_text(&format!("{put}sync_all(); {next}")).unwrap(),
        [1.0; 32]
    );
    let (code, line, message) = fault(&format!("{put}{next}"));
    assert_eq!((code, line), (Code::J0802, 10), "{message}");
    // A barrier before the store does not order the load after it.
    assert_eq!(fault(&format!("sync_all(); {put}{next}")).0, Code::J0802);
    // Elements that nobody writes stay without a value. A barrier makes earlier stores visible,
    // also after the next one.
    assert_eq!(
        fault("sync_all(); if n >= 40 {\ndata_copy_pad(&t, w.slice(32, 8)); }").0,
        Code::J0802
    );
    assert_eq!(
        run_text(&format!(
            "{put}sync_all(); for i in 0..3 {{ sync_all(); }} {next}"
        ))
        .unwrap(),
        [1.0; 32]
    );
}

#[test]
fn what_a_meeting_stands_between_is_ordered_and_what_it_does_not_is_a_race() {
    let own = "if n >= at + 8 { data_copy_pad(w.slice(at, 8), &o); }\n";
    let next = "if n >= 32 { let to = (at + 8) % 32; if to + 8 <= n {\ndata_copy_pad(w.slice(to, 8), &o); } }";
    let load = "if n >= at + 8 { data_copy_pad(&t, w.slice(at, 8)); }\n";
    // Conflicts of two stores, and of a load and a store.
    run_text(&format!("{own}sync_all(); {next} {load}"))
        .expect_err("the load meets the store of another block");
    assert_eq!(
        run_text(&format!("{own}{load}sync_all(); {next}")).unwrap(),
        [1.0; 32]
    );
    let (code, line, message) = fault(&format!("{own}{load}{next}"));
    assert_eq!((code, line), (Code::J0809, 9), "{message}");
    assert!(
        message.contains("`sync_all` or a flag across the cores must stand between the two"),
        "{message}"
    );
    // Two blocks store one element after the barrier.
    let (code, line, _) = fault(&format!(
        "{own}{load}sync_all(); {next}\nif n >= at + 8 {{ data_copy_pad(w.slice(at, 8), &o); }}"
    ));
    assert_eq!((code, line), (Code::J0809, 13));
}

#[test]
fn the_same_fault_is_told_whatever_the_threads_do() {
    let own = "if n >= at + 8 { data_copy_pad(w.slice(at, 8), &o); }\n";
    let wrong =
        format!("{own}sync_all(); if n >= 40 {{ data_copy_pad(&t, w.slice(at / 8 + 31, 8)); }}");
    let first = fault(&wrong);
    assert_eq!(first.0, Code::J0802);
    (0..20).for_each(|_| assert_eq!(fault(&wrong), first));
}

/// Makes four blocks with one row of `y` each. Every block stores its row after the statements of a
/// case, from line 3 on.
fn lowered(stmts: impl Fn(VarId) -> Vec<Stmt>) -> Lowered {
    let mut k = Builder::new("met");
    let dims = [k.axis("n", false), k.axis("d", false)];
    let y = k.tensor("y", Role::Out, DType::F32, &dims);
    k.block_dim(4);
    let (buf, a, i) = (k.buf("tmp", 64), k.local("a", DType::F32), k.index("i"));
    let ones = VectorCall {
        scalar: Some(Scalar::Float(1.0)),
        ..call(LayoutOp::Duplicate, at(a, 0), vec![], count(16))
    };
    let shape = CopyShape {
        rows: 1.into(),
        cols: 16.into(),
        gm_stride: 16.into(),
        ub_pitch: 16.into(),
    };
    let store = copy_out(y, Scalar::BlockIdx * 16, a, shape);
    k.lowered([vec![get(a, buf), vector(ones)], stmts(i), vec![store]].concat())
}

fn run(kernel: &Lowered, chip: &'static Chip) -> Result<(), RunError> {
    let mut y = Array2::<f32>::zeros((4, 16));
    Launch::lowered(std::slice::from_ref(kernel), chip)
        .output("y", &mut y)
        .run()
        .map(|_| ())
}

#[track_caller]
fn hangs(block: i64, line: u32, part: &str, stmts: impl Fn(VarId) -> Vec<Stmt>) {
    let error = run(&lowered(stmts), Chip::default_chip()).unwrap_err();
    let Some(f) = error.fault() else {
        panic!("refused: {error}")
    };
    assert_eq!(
        (f.code, f.line, f.block),
        (Code::J0811, line, Some(block)),
        "{error}"
    );
    assert!(f.message.starts_with(part), "{error}");
}

#[test]
fn a_block_that_does_not_come_is_named_with_both_places() {
    let sync = || {
        stmt(StmtKind::Do(QueueStmt::Sync {
            what: SyncOp::All {},
        }))
    };
    let is = |n: i64| Scalar::BlockIdx.bin(BinOp::Eq, n);
    let only = |cond: Scalar, then: Vec<Stmt>| {
        stmt(StmtKind::If {
            cond,
            then,
            other: Vec::new(),
        })
    };
    run(&lowered(|_| vec![sync(), sync()]), Chip::default_chip()).unwrap();
    let text = "block 2 has ended and never comes to the `sync_all` of line 4:9, where block 0 waits for all others";
    hangs(2, 4, text, |_| {
        vec![only(Scalar::un(UnOp::Not, is(2)), vec![sync()])]
    });
    let text = "block 0 has ended and never comes to the `sync_all` of line 4:9, where block 3 waits for all others";
    hangs(0, 4, text, |_| vec![only(is(3), vec![sync()])]);
    // One block comes one time less.
    let turns = |i| StmtKind::For {
        var: i,
        from: Scalar::BlockIdx.min(1),
        to: 3.into(),
        body: vec![sync()],
    };
    hangs(
        1,
        4,
        "block 1 has ended and never comes to the `sync_all` of line 4:9",
        |i| vec![stmt(turns(i))],
    );
    // The blocks wait in different places.
    let either = || StmtKind::If {
        cond: is(1),
        then: vec![sync()],
        other: vec![sync()],
    };
    let text = "block 1 waits in the `sync_all` of line 4:9, and block 0 in that of line 5:9: each waits for all others";
    hangs(1, 5, text, |_| vec![stmt(either())]);
}

#[test]
fn more_blocks_than_cores_never_meet() {
    let mut kernel = lowered(|_| {
        vec![stmt(StmtKind::Do(QueueStmt::Sync {
            what: SyncOp::All {},
        }))]
    });
    kernel.variants[0].block_dim = 49.into();
    let error = run(&kernel, Chip::default_chip()).unwrap_err();
    assert_eq!(error.code(), Code::J0811);
    assert_eq!(error.message(), "49 blocks wait for one another, and the chip has 48 cores: those without a core never come");
}

#[test]
fn blocks_whose_way_depends_on_what_others_wrote_run_in_their_order() {
    // The number that a block reads in the workspace decides what it stores.
    let put = "if n >= at + 8 { data_copy_pad(w.slice(at, 8), &o); }\nsync_all();\n";
    let read = "let c = e.get::<f32>(); vec::duplicate(&c, 3.0, 8); let v = c.get_value(0); if n >= 8 { if v > 2.0 { data_copy_pad(&t, w.slice(0, 8)); } }";
    assert_eq!(run_text(&format!("{put}{read}")).unwrap(), [1.0; 32]);
}
