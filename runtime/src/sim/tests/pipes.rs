//! Accesses of one block that nothing orders: each wrong kernel beside a right one that differs in
//! little.

use super::build::*;
use crate::{Array, Launch, RunError};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::*;
use jumar_dsl::ops::contract::Pipe;
use jumar_dsl::ops::{BinaryOp, LayoutOp, ReduceOp, UnaryOp};
use jumar_dsl::soc::Chip;

/// The operands of one block: `x` is read, `z` updated in place, both of 256 elements. Tiles have
/// 64.
struct Parts {
    x: ParamId,
    z: ParamId,
    qin: QueueId,
    qout: QueueId,
    buf: BufId,
    a: TensorId,
    b: TensorId,
    t: TensorId,
    i: VarId,
    f: VarId,
}

impl Parts {
    /// Loads a tile: alloc, copy, enque, deque.
    fn load(&self, from: ParamId, at: impl Into<Scalar>) -> Vec<Stmt> {
        vec![
            alloc(self.a, self.qin),
            copy_in(self.a, from, at, run(64)),
            enque(self.a, self.qin),
            deque(self.a, self.qin),
        ]
    }
    /// Computes a result from the tile, which is freed.
    fn compute(&self) -> Vec<Stmt> {
        let abs = vector(call(
            UnaryOp::Abs,
            at(self.b, 0),
            vec![at(self.a, 0)],
            count(64),
        ));
        vec![alloc(self.b, self.qout), abs, free(self.a, self.qin)]
    }
    /// Stores the result: enque, deque, copy, free.
    fn store(&self, at: impl Into<Scalar>) -> Vec<Stmt> {
        vec![
            enque(self.b, self.qout),
            deque(self.b, self.qout),
            copy_out(self.z, at, self.b, run(64)),
            free(self.b, self.qout),
        ]
    }
    /// Makes a result that does not depend on a load.
    fn fill(&self) -> Vec<Stmt> {
        vec![alloc(self.b, self.qout), fill(self.b, 64)]
    }
}

fn fill(tensor: TensorId, n: i64) -> Stmt {
    let scalar = Some(Scalar::Float(1.0));
    vector(VectorCall {
        scalar,
        ..call(LayoutOp::Duplicate, at(tensor, 0), vec![], count(n))
    })
}

/// Makes a kernel with queues of `buffers` buffers.
fn kernel(buffers: i64, stmts: impl Fn(&Parts) -> Vec<Stmt>) -> Lowered {
    let mut k = Builder::new("piped");
    let n = k.axis("n", false);
    let x = k.tensor("x", Role::In, DType::F32, std::slice::from_ref(&n));
    let z = k.tensor("z", Role::InOut, DType::F32, &[n]);
    let qin = k.queue("in_x", TPosition::VecIn, buffers, 256);
    let qout = k.queue("out_z", TPosition::VecOut, buffers, 256);
    let buf = k.buf("tmp", 256);
    let [a, b, t] = ["a", "b", "t"].map(|t| k.local(t, DType::F32));
    let (i, f) = (k.index("i"), k.var("f", ScalarTy::F32));
    k.lowered(stmts(&Parts {
        x,
        z,
        qin,
        qout,
        buf,
        a,
        b,
        t,
        i,
        f,
    }))
}

fn launch(kernel: &Lowered, pipes: bool) -> Result<(), RunError> {
    let [x, mut z] = [(); 2].map(|()| Array::zeros(DType::F32, &[256]).unwrap());
    let kernel = std::slice::from_ref(kernel);
    Launch::lowered(kernel, Chip::default_chip())
        .pipes(pipes)
        .input("x", &x)
        .inout("z", &mut z)
        .run()
        .map(|_| ())
}

/// Expects the fault in line `line`, and none where the pipes are not watched.
#[track_caller]
fn races(line: u32, text: &str, kernel: Lowered) {
    launch(&kernel, false).unwrap();
    let error = launch(&kernel, true).unwrap_err();
    let Some(f) = error.fault() else {
        panic!("refused: {error}")
    };
    assert_eq!(
        (f.code, f.line, f.block),
        (Code::J0809, line, Some(0)),
        "{error}"
    );
    assert!(f.message.contains(text), "{error}");
}

#[track_caller]
fn is_clean(kernel: Lowered) {
    launch(&kernel, true).unwrap();
}

#[test]
fn two_stores_to_one_place_need_a_barrier_or_a_queue_of_one_buffer() {
    let twice = |buffers, second: i64| {
        kernel(buffers, move |p| {
            [p.fill(), p.store(0), p.fill(), p.store(second)].concat()
        })
    };
    races(
        11,
        "a copy of pipe MTE3 writes element 0 of `z`, which pipe MTE3 may still be writing (line 5:9); a barrier of MTE3",
        twice(2, 0),
    );
    races(11, "element 63 of `z`", twice(2, 63));
    is_clean(twice(2, 64));
    // The second result waits for the buffer of the first, which waits for the store.
    is_clean(twice(1, 0));
    // With two buffers, the third result waits for the first one's.
    is_clean(kernel(2, |p| {
        [
            p.fill(),
            p.store(0),
            p.fill(),
            p.store(64),
            p.fill(),
            p.store(0),
        ]
        .concat()
    }));
}

#[test]
fn a_load_of_what_was_stored_needs_an_event() {
    let text = "a copy of pipe MTE2 reads element 0 of `z`, which pipe MTE3 may still be writing (line 5:9); \
        a queue, or an event from MTE3 to MTE2, must stand between them";
    races(
        8,
        text,
        kernel(2, |p| [p.fill(), p.store(0), p.load(p.z, 0)].concat()),
    );
    is_clean(kernel(2, |p| {
        [p.fill(), p.store(0), p.load(p.z, 64)].concat()
    }));
    is_clean(kernel(2, |p| {
        [p.fill(), p.store(0), p.load(p.x, 0)].concat()
    }));
    // The order comes over the vector unit. It has waited for the store, and the load waits for a
    // buffer that it freed.
    let round = |p: &Parts| {
        [
            p.load(p.x, 0),
            p.compute(),
            p.store(0),
            p.load(p.x, 0),
            p.compute(),
            p.store(64),
            p.load(p.z, 0),
        ]
        .concat()
    };
    is_clean(kernel(1, round));
    races(
        24,
        "element 0 of `z`, which pipe MTE3 may still be writing (line 10:9)",
        kernel(2, round),
    );
}

#[test]
fn a_store_over_what_was_loaded_needs_the_data_or_an_event() {
    let through = |at: i64| {
        kernel(2, move |p| {
            [p.load(p.z, 0), p.compute(), p.store(at)].concat()
        })
    };
    is_clean(through(0));
    is_clean(through(32));
    // The loaded tile is not needed for what is stored, so the store does not wait for it.
    let beside = |at: i64| {
        kernel(2, move |p| {
            let load = vec![
                alloc(p.a, p.qin),
                copy_in(p.a, p.z, 0, run(64)),
                enque(p.a, p.qin),
            ];
            [load, p.fill(), p.store(at)].concat()
        })
    };
    let text = "a copy of pipe MTE3 writes element 32 of `z`, which pipe MTE2 may still be reading (line 2:9); a queue, or an event from MTE2 to MTE3";
    races(8, text, beside(32));
    is_clean(beside(64));
    // A tile that the vector unit has taken from its queue is loaded.
    is_clean(kernel(2, |p| {
        [p.load(p.z, 0), p.fill(), p.store(0)].concat()
    }));
}

#[test]
fn tiles_that_go_round_a_loop_are_clean_and_rows_that_meet_are_not() {
    let all = |step: i64| {
        kernel(2, move |p| {
            let at = || Scalar::from(p.i) * step;
            vec![for_(
                p.i,
                4,
                [p.load(p.z, at()), p.compute(), p.store(at())].concat(),
            )]
        })
    };
    is_clean(all(64));
    // The load of an iteration reads the end of what the one before stores.
    races(
        3,
        "element 60 of `z`, which pipe MTE3 may still be writing (line 11:9)",
        all(60),
    );
    let rows = |gap: i64| {
        kernel(2, move |p| {
            let shape = CopyShape {
                rows: 4.into(),
                cols: 8.into(),
                gm_stride: 32.into(),
                ub_pitch: 8.into(),
            };
            let store = |at: i64| {
                vec![
                    enque(p.b, p.qout),
                    deque(p.b, p.qout),
                    copy_out(p.z, at, p.b, shape.clone()),
                    free(p.b, p.qout),
                ]
            };
            [p.fill(), store(0), p.fill(), store(gap)].concat()
        })
    };
    is_clean(rows(8));
    races(
        11,
        "element 39 of `z`, which pipe MTE3 may still be writing",
        rows(39),
    );
}

#[test]
fn ub_goes_from_pipe_to_pipe_by_queues() {
    let load = |p: &Parts| {
        vec![
            get(p.t, p.buf),
            alloc(p.a, p.qin),
            copy_in(p.a, p.x, 0, run(64)),
        ]
    };
    let abs = |p: &Parts| {
        vec![vector(call(
            UnaryOp::Abs,
            at(p.t, 0),
            vec![at(p.a, 0)],
            count(64),
        ))]
    };
    let passed = |p: &Parts| vec![enque(p.a, p.qin), deque(p.a, p.qin)];
    is_clean(kernel(1, |p| [load(p), passed(p), abs(p)].concat()));
    let text = "`abs` of pipe V reads `a`, which pipe MTE2 may still be writing (line 3:9); a queue, or an event from MTE2 to V";
    races(4, text, kernel(1, |p| [load(p), abs(p)].concat()));
    let text = "`duplicate` of pipe V writes `a`, which pipe MTE2 may still be writing";
    races(
        4,
        text,
        kernel(1, |p| [load(p), vec![fill(p.a, 1)]].concat()),
    );
    // A store from a buffer that the vector unit has written, and a result written over what is
    // still being stored.
    races(
        3,
        "a copy of pipe MTE3 reads `t`, which pipe V may still be writing (line 2:9)",
        kernel(1, |p| {
            vec![
                get(p.t, p.buf),
                fill(p.t, 64),
                copy_out(p.z, 0, p.t, run(64)),
            ]
        }),
    );
    races(
        6,
        "`duplicate` of pipe V writes `b`, which pipe MTE3 may still be reading (line 5:9)",
        kernel(1, |p| {
            let sent = vec![
                enque(p.b, p.qout),
                deque(p.b, p.qout),
                copy_out(p.z, 0, p.b, run(64)),
            ];
            [p.fill(), sent, vec![fill(p.b, 8)]].concat()
        }),
    );
    // Two loads into one tensor.
    races(
        4,
        "a copy of pipe MTE2 writes `a`, which pipe MTE2 may still be writing (line 3:9); a barrier of MTE2",
        kernel(1, |p| [load(p), vec![copy_in(p.a, p.x, 64, run(8))]].concat()),
    );
}

#[test]
fn scalar_access_is_ordered_by_the_waits_around_it() {
    let read = |p: &Parts| vec![get_value(p.f, p.a, 0)];
    let write = |p: &Parts| vec![set_value(p.b, 3, Scalar::Float(2.0))];
    let (to_s, to_v) = (
        || vec![order(Pipe::V, Pipe::S)],
        || vec![order(Pipe::S, Pipe::V)],
    );
    is_clean(kernel(1, |p| {
        [
            p.load(p.x, 0),
            to_s(),
            read(p),
            p.compute(),
            to_s(),
            write(p),
            to_v(),
            p.store(0),
        ]
        .concat()
    }));
    races(
        12,
        "a copy of pipe MTE3 reads `b`, which pipe S may still be writing",
        kernel(1, |p| {
            [p.load(p.x, 0), p.compute(), to_s(), write(p), p.store(0)].concat()
        }),
    );
    races(
        3,
        "get_value of pipe S reads `a`, which pipe MTE2 may still be writing (line 2:9)",
        kernel(1, |p| {
            [
                vec![alloc(p.a, p.qin), copy_in(p.a, p.x, 0, run(64))],
                read(p),
            ]
            .concat()
        }),
    );
}

#[test]
fn what_the_scalar_unit_begins_waits_for_the_vector_unit_and_is_waited_for() {
    let index = |p: &Parts| {
        vec![vector(VectorCall {
            scalar: Some(Scalar::Float(0.0)),
            ..call(LayoutOp::CreateVecIndex, at(p.b, 0), vec![], count(64))
        })]
    };
    let to_s = || vec![order(Pipe::V, Pipe::S)];
    // Nothing stands between its own two parts, nor between it and later vector calls.
    is_clean(kernel(1, |p| {
        [p.fill(), to_s(), index(p), vec![fill(p.b, 64)], p.store(0)].concat()
    }));
    races(
        3,
        "`create_vec_index` of pipe S writes `b`, which pipe V may still be writing (line 2:9); a queue, or an event from V to S",
        kernel(1, |p| [p.fill(), index(p)].concat()),
    );
    // A wait of the vector unit for a store does not order the scalar unit.
    let sent = |p: &Parts| [p.fill(), p.store(0), vec![alloc(p.b, p.qout)]].concat();
    is_clean(kernel(1, |p| [sent(p), to_s(), index(p)].concat()));
    races(
        8,
        "`create_vec_index` of pipe S writes `b`",
        kernel(1, |p| [sent(p), index(p)].concat()),
    );
    // Its last part belongs to the vector unit.
    races(
        5,
        "get_value of pipe S reads `b`, which pipe V may still be writing (line 4:9)",
        kernel(1, |p| {
            [p.fill(), to_s(), index(p), vec![get_value(p.f, p.b, 0)]].concat()
        }),
    );
}

#[test]
fn loops_that_run_as_batches_are_watched_like_turns() {
    for (op, step) in [(ReduceOp::Sum, 8), (ReduceOp::Max, 16)] {
        let rows = |p: &Parts| {
            let src = at(p.a, Scalar::from(p.i) * step);
            vec![for_(
                p.i,
                3,
                vec![vector(VectorCall {
                    tmp: Some(at(p.t, 32)),
                    ..call(op, at(p.t, Scalar::from(p.i)), vec![src], count(8))
                })],
            )]
        };
        is_clean(kernel(1, |p| {
            [vec![get(p.t, p.buf)], p.load(p.x, 0), rows(p)].concat()
        }));
        let load = |p: &Parts| {
            vec![
                get(p.t, p.buf),
                alloc(p.a, p.qin),
                copy_in(p.a, p.x, 0, run(64)),
            ]
        };
        races(
            5,
            "of pipe V reads `a`, which pipe MTE2 may still be writing (line 3:9)",
            kernel(1, |p| [load(p), rows(p)].concat()),
        );
    }
}

#[test]
fn the_lowered_form_of_tiles_is_clean() {
    let kernel = [binary_kernel(BinaryOp::Add, DType::F32)];
    let x = Array::zeros(DType::F32, &[100_003]).unwrap();
    let mut z = Array::zeros(DType::F32, &[100_003]).unwrap();
    let launch = Launch::lowered(&kernel, Chip::default_chip()).pipes(true);
    launch
        .input("x", &x)
        .input("y", &x)
        .output("z", &mut z)
        .run()
        .unwrap();
}
