//! Accesses to GM that nothing orders, and outputs with gaps: each wrong kernel beside a right one
//! that differs in little.

use super::build::*;
use crate::{Launch, RunError};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::*;
use jumar_dsl::ops::LayoutOp;
use jumar_dsl::soc::Chip;
use ndarray::Array2;

/// The operands of four blocks: a buffer, and two tensors of 8 rows of 16 elements; `y` is written,
/// `z` updated in place.
struct Parts {
    y: ParamId,
    z: ParamId,
    a: TensorId,
    i: VarId,
}

impl Parts {
    /// Stores `rows` rows of `cols` elements of a tensor, from an element on.
    fn store(&self, to: ParamId, at: impl Into<Scalar>, rows: i64, cols: i64) -> Stmt {
        copy_out(to, at, self.a, shape(rows, cols))
    }
    fn load(&self, at: impl Into<Scalar>, rows: i64, cols: i64) -> Stmt {
        copy_in(self.a, self.z, at, shape(rows, cols))
    }
}

fn shape(rows: i64, cols: i64) -> CopyShape {
    let ub_pitch = Scalar::Int(cols).align_up(8);
    CopyShape {
        rows: rows.into(),
        cols: cols.into(),
        gm_stride: Scalar::Int(16),
        ub_pitch,
    }
}

/// The elements of a block's share: two rows.
const SHARE: i64 = 32;

fn own() -> Scalar {
    Scalar::BlockIdx * SHARE
}

/// Fills the first `n` elements of a tensor with ones.
fn fill(a: TensorId, n: i64) -> Stmt {
    let scalar = Some(Scalar::Float(1.0));
    vector(VectorCall {
        scalar,
        ..call(LayoutOp::Duplicate, at(a, 0), vec![], count(n))
    })
}

/// Makes a kernel with a buffer of ones and the statements of a case.
fn bare(stmts: impl Fn(&Parts) -> Vec<Stmt>) -> Lowered {
    let mut k = Builder::new("racy");
    let dims = [k.axis("n", false), k.axis("d", false)];
    let y = k.tensor("y", Role::Out, DType::F32, &dims);
    let z = k.tensor("z", Role::InOut, DType::F32, &dims);
    k.block_dim(4);
    let buf = k.buf("tmp", 512);
    let a = k.local("a", DType::F32);
    let i = k.index("i");
    k.lowered(
        [
            vec![get(a, buf), fill(a, 128)],
            stmts(&Parts { y, z, a, i }),
        ]
        .concat(),
    )
}

/// Makes a kernel that first stores the whole output, by shares.
fn kernel(stmts: impl Fn(&Parts) -> Vec<Stmt>) -> Lowered {
    bare(|p| [vec![p.store(p.y, own(), 2, 16)], stmts(p)].concat())
}

fn run(kernel: &Lowered) -> Result<(), RunError> {
    let (mut y, mut z) = (Array2::<f32>::zeros((8, 16)), Array2::<f32>::zeros((8, 16)));
    let kernel = std::slice::from_ref(kernel);
    Launch::lowered(kernel, Chip::default_chip())
        .output("y", &mut y)
        .inout("z", &mut z)
        .run()
        .map(|_| ())
}

/// Expects the fault of block `block` in line `line`. The statements of a case begin in line 4.
#[track_caller]
fn races(block: i64, line: u32, part: &str, stmts: impl Fn(&Parts) -> Vec<Stmt>) {
    let error = run(&kernel(stmts)).unwrap_err();
    let Some(f) = error.fault() else {
        panic!("refused: {error}")
    };
    assert_eq!(
        (f.code, f.line, f.block),
        (Code::J0809, line, Some(block)),
        "{error}"
    );
    assert!(f.message.contains(part), "{error}");
}

#[track_caller]
fn is_clean(stmts: impl Fn(&Parts) -> Vec<Stmt>) {
    run(&kernel(stmts)).unwrap();
}

#[test]
fn two_blocks_that_store_one_element_are_found() {
    is_clean(|p| vec![p.store(p.z, own(), 2, 16)]);
    let text = "block 1 stores element 31 ([1, 15]) of `z`, which block 0 stores in line 4:9; blocks run at the same time";
    races(1, 4, text, |p| {
        vec![p.store(p.z, Scalar::BlockIdx * (SHARE - 1), 2, 16)]
    });
    races(1, 4, "block 1 stores element 0 ([0, 0]) of `z`", |p| {
        vec![p.store(p.z, 0, 1, 1)]
    });
    // The store of the whole tensor that all cases have stands in line 3.
    races(
        1,
        4,
        "block 1 stores element 31 ([1, 15]) of `y`, which block 0 stores in line 3:9",
        |p| vec![p.store(p.y, (own() - 1).max(0), 1, 1)],
    );
}

#[test]
fn a_block_that_loads_what_another_stores_is_found_from_either_side() {
    is_clean(|p| {
        vec![
            p.load(own(), 2, 16),
            p.store(p.z, own(), 2, 16),
            p.load(own(), 2, 16),
        ]
    });
    is_clean(|p| vec![p.load(0, 8, 16)]);
    // Block 0 loads what block 1 stores, which runs later.
    let next = || ((Scalar::BlockIdx + 1) * SHARE).min(3 * SHARE);
    races(
        1,
        4,
        "block 1 stores element 32 ([2, 0]) of `z`, which block 0 loads in line 5:9",
        move |p| vec![p.store(p.z, own(), 2, 16), p.load(next(), 1, 1)],
    );
    let before = || ((Scalar::BlockIdx - 1) * SHARE).max(0);
    races(
        1,
        5,
        "block 1 loads element 5 ([0, 5]) of `z`, which block 0 stores in line 4:9",
        move |p| vec![p.store(p.z, own(), 2, 16), p.load(before() + 5, 1, 3)],
    );
}

#[test]
fn columns_of_one_row_may_belong_to_different_blocks() {
    let column = || Scalar::BlockIdx * 4;
    is_clean(move |p| vec![p.store(p.z, column(), 8, 4)]);
    is_clean(move |p| {
        vec![for_(
            p.i,
            8,
            vec![p.store(p.z, column() + Scalar::from(p.i) * 16, 1, 4)],
        )]
    });
    races(
        1,
        4,
        "block 1 stores element 4 ([0, 4]) of `z`, which block 0 stores in line 4:9",
        move |p| vec![p.store(p.z, column(), 7, 5)],
    );
    races(
        3,
        5,
        "block 3 stores element 124 ([7, 12]) of `z`, which block 1 stores in line 5:9",
        move |p| {
            let odd = (Scalar::BlockIdx % 2).bin(BinOp::Eq, 1);
            let last = |p: &Parts| vec![p.store(p.z, 7 * 16 + 12, 1, 4)];
            vec![stmt(StmtKind::If {
                cond: odd,
                then: last(p),
                other: vec![],
            })]
        },
    );
}

#[test]
fn a_race_is_told_alike_whatever_the_threads_do() {
    // A store of block 0 decides where the others store: a block that loads it takes either branch.
    let decided = kernel(|p| {
        let (f, first) = (p.i, Scalar::BlockIdx.bin(BinOp::Eq, 0));
        let read = get_value(f, p.a, 0);
        let (then, other) = (
            vec![p.store(p.z, 0, 1, 1)],
            vec![
                p.load(0, 1, 1),
                read,
                p.store(p.z, own() + Scalar::from(f), 1, 1),
            ],
        );
        vec![stmt(StmtKind::If {
            cond: first,
            then,
            other,
        })]
    });
    let everywhere = kernel(|p| {
        vec![
            p.store(p.z, own(), 2, 16),
            p.store(p.z, 0, 8, 16),
            p.load(0, 8, 16),
        ]
    });
    for kernel in [decided, everywhere] {
        let mut texts = std::collections::BTreeSet::new();
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            texts.extend((0..20).map(|_| pool.install(|| run(&kernel)).unwrap_err().to_string()));
        }
        assert_eq!(texts.len(), 1, "{texts:?}");
    }
}

#[test]
fn outputs_with_gaps_are_found_and_gaps_of_inout_are_none() {
    let gap = |missing: usize, first: &str, stmts: &dyn Fn(&Parts) -> Vec<Stmt>| {
        let error = run(&bare(stmts)).unwrap_err();
        let Some(f) = error.fault() else {
            panic!("refused: {error}")
        };
        // The fault's place is the parameter.
        assert_eq!((f.code, f.line, f.block), (Code::J0802, 1, None), "{error}");
        let text = format!(
            "output `y` is not wholly written: no store reaches {missing} of its 128 elements, the first is element {first}"
        );
        assert_eq!(f.message, text);
    };
    gap(128, "0 ([0, 0])", &|_| vec![]);
    gap(128, "0 ([0, 0])", &|p| vec![p.store(p.z, own(), 2, 16)]);
    gap(64, "16 ([1, 0])", &|p| vec![p.store(p.y, own(), 1, 16)]);
    gap(8, "15 ([0, 15])", &|p| vec![p.store(p.y, own(), 2, 15)]);
    gap(1, "127 ([7, 15])", &|p| {
        vec![
            p.store(p.y, own(), 1, 16),
            p.store(p.y, own() + 16, 1, 16 - 1),
            last_columns(p, 3),
        ]
    });
    for right in [
        bare(|p| {
            vec![
                p.store(p.y, own(), 1, 16),
                p.store(p.y, own() + 16, 1, 15),
                last_columns(p, 4),
            ]
        }),
        bare(|p| vec![p.store(p.y, own() + 8, 2, 8), p.store(p.y, own(), 2, 8)]),
        bare(|p| {
            vec![for_(
                p.i,
                8,
                vec![p.store(p.y, Scalar::from(p.i) * 16 + Scalar::BlockIdx * 4, 1, 4)],
            )]
        }),
    ] {
        run(&right).unwrap();
    }
}

/// Stores the last element of the second row of the shares below `blocks`.
fn last_columns(p: &Parts, blocks: i64) -> Stmt {
    let cond = Scalar::BlockIdx.bin(BinOp::Lt, blocks);
    stmt(StmtKind::If {
        cond,
        then: vec![p.store(p.y, own() + 31, 1, 1)],
        other: vec![],
    })
}

#[test]
fn a_race_is_told_before_a_gap_and_no_elements_are_no_gap() {
    let error = run(&bare(|p| vec![p.store(p.z, 0, 1, 1)])).unwrap_err();
    assert_eq!(error.code(), Code::J0809, "{error}");
    let kernel = [bare(|_| vec![])];
    let (mut y, mut z) = (Array2::<f32>::zeros((0, 16)), Array2::<f32>::zeros((0, 16)));
    Launch::lowered(&kernel, Chip::default_chip())
        .output("y", &mut y)
        .inout("z", &mut z)
        .run()
        .unwrap();
}

/// Makes 40 blocks that store 997 elements each of a long tensor, the last one `more` of them, to
/// the left.
fn long(more: i64) -> Lowered {
    let mut k = Builder::new("long");
    let n = k.axis("n", false);
    let y = k.tensor("y", Role::InOut, DType::F32, &[n]);
    k.block_dim(40);
    let (a, buf) = (k.local("a", DType::F32), k.buf("tmp", 4096));
    let more = Scalar::BlockIdx / 39 * more;
    let store = copy_out(
        y,
        Scalar::BlockIdx * 997 - more.clone(),
        a,
        super::build::run(more + 997),
    );
    k.lowered(vec![get(a, buf), fill(a, 1000), store])
}

#[test]
fn many_blocks_are_compared_over_borders_of_words() {
    for (more, races) in [(0, false), (1, true)] {
        let mut y = ndarray::Array1::<f32>::zeros(997 * 40);
        let result = Launch::lowered(&[long(more)], Chip::default_chip())
            .inout("y", &mut y)
            .run();
        assert_eq!(result.is_err(), races, "{result:?}");
        if let Err(e) = result {
            assert!(
                e.message().starts_with(
                    "block 39 stores element 38882 of `y`, which block 38 stores in line 3:9"
                ),
                "{e}"
            );
        }
    }
}
