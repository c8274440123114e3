//! Kernels around a single function of the library, for tests and for the cost model.
//!
//! The only variant copies a tensor in, calls the function and copies the result out. It also
//! copies the source out, since a function that reads it must not change it. Verification, rules
//! and readers are as for any lowered kernel.

use super::{Funcs, Reduce};
use crate::dtype::DType;
use crate::ir::queue::{Body, Stmt};
use crate::ir::{
    Axis, AxisId, BinOp, BufDecl, BufId, Case, Dim, Extent, Func, FuncId, HostStep, Instr, Kernel,
    Lowered, Param, ParamId, ParamKind, Per, QueueDecl, QueueId, QueueOp, QueueStmt, Role, Scalar,
    ScalarTy, Signature, Source, SourceSpan, SpanId, StmtKind, TPosition, TensorDecl, TensorId, Ty,
    VarDecl, VarId, Variant, View,
};
use crate::ops::{AxisReduceOp, CopyOp, LayoutOp};
use crate::soc::{Chip, MAX_COPY_BLOCKS};
use std::sync::Arc;

/// The axes that a function reduces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// All axes: `x[n]` to `y[1]`.
    All,
    /// The middle one of three: `x[outer, rows, cols]` to `y[outer, cols]`.
    Middle,
}

/// Makes a kernel `(x, y, same)` around a reduction of an element type, both as a source without
/// statements and lowered. `same` gets the content of `x` after the call.
///
/// `None` for reductions without a function: those made of other reductions, and products of all
/// elements of floats.
pub fn around(
    over: Over,
    op: AxisReduceOp,
    dtype: DType,
    chip: &Chip,
) -> Option<(Kernel, Lowered)> {
    let (op, ty, lanes) = (
        Reduce::of(op)?,
        Ty::Is(dtype),
        chip.data_block_bytes / dtype.bytes(),
    );
    let mut funcs = Funcs::default();
    let func = match (over, dtype) {
        (Over::Middle, _) => funcs.reduce_middle(op, ty, lanes, false),
        (Over::All, DType::I32) => funcs.reduce_all_whole(op, ty, lanes),
        (Over::All, _) if op == Reduce::Prod => return None,
        (Over::All, _) => funcs.reduce_all(op, ty, lanes, chip.arch),
    };
    let mut frame = Frame::new(over, dtype, lanes);
    frame.calls(&funcs.all[func.index()], func);
    Some(frame.finish(chip, funcs.all))
}

/// The rows of a copy, with their pitch in UB.
struct Rows {
    rows: Scalar,
    cols: Scalar,
    pitch: Scalar,
}

impl Rows {
    fn elements(&self) -> Scalar {
        self.rows.clone() * self.pitch.clone()
    }
}

/// A kernel under construction.
struct Frame {
    sig: Signature,
    dtype: DType,
    vars: Vec<VarDecl>,
    steps: Vec<HostStep>,
    body: Body,
    /// The scalar arguments of the function.
    sizes: Vec<Scalar>,
    src: Rows,
    dst: Rows,
}

/// The names of its tensors. Those of a queue have one name before EnQue and one after DeQue.
const NAMES: [&str; 7] = [
    "x_in",
    "x_local",
    "y_local",
    "y_out",
    "same_local",
    "same_out",
    "work_local",
];
const X_IN: TensorId = TensorId(0);
const X: TensorId = TensorId(1);
const Y: TensorId = TensorId(2);
const Y_OUT: TensorId = TensorId(3);
const SAME: TensorId = TensorId(4);
const SAME_OUT: TensorId = TensorId(5);
const WORK: TensorId = TensorId(6);

impl Frame {
    fn new(over: Over, dtype: DType, lanes: i64) -> Frame {
        let names: &[&str] = match over {
            Over::All => &["n"],
            Over::Middle => &["outer", "rows", "cols"],
        };
        let (mut vars, mut steps) = (Vec::new(), Vec::new());
        let mut host = |name: &str, value: Scalar| {
            vars.push(VarDecl {
                name: name.to_string(),
                ty: ScalarTy::Index,
                mutable: false,
            });
            let var = VarId::new(vars.len() - 1, ScalarTy::Index);
            steps.push(HostStep::Let { var, value });
            Scalar::Var(var)
        };
        let mut axes = (0u32..)
            .zip(names)
            .map(|(i, name)| host(name, Scalar::Axis(AxisId(i))))
            .collect::<Vec<_>>();
        let cols = axes.pop().expect("a last axis");
        let blocks = host("blocks", cols.clone().ceil_div(lanes));
        let rows = |rows, cols| Rows {
            rows,
            cols,
            pitch: blocks.clone() * lanes,
        };
        let one = || Scalar::Int(1);
        let (src, dst, sizes) = match over {
            Over::Middle => {
                let [outer, middle] = [&axes[0], &axes[1]];
                let src = rows(outer.clone() * middle.clone(), cols.clone());
                (
                    src,
                    rows(outer.clone(), cols),
                    vec![outer.clone(), middle.clone(), blocks.clone()],
                )
            }
            Over::All => {
                let sizes = if dtype == DType::I32 {
                    vec![cols.clone()]
                } else {
                    vec![cols.clone(), blocks.clone()]
                };
                (
                    rows(one(), cols),
                    Rows {
                        rows: one(),
                        cols: one(),
                        pitch: lanes.into(),
                    },
                    sizes,
                )
            }
        };
        Frame {
            sig: signature(over, names, dtype),
            dtype,
            vars,
            steps,
            body: Body::default(),
            sizes,
            src,
            dst,
        }
    }

    /// Adds the memory and statements around the call of a function.
    fn calls(&mut self, func: &Func, id: FuncId) {
        for cond in &func.requires {
            let cond = func.given(cond, &self.sizes);
            self.steps.push(HostStep::Require {
                cond,
                message: "sizes that the function takes".to_string(),
                of_field: false,
            });
        }
        for rows in [&self.src.rows, &self.dst.rows] {
            let cond = rows.clone().bin(BinOp::Le, MAX_COPY_BLOCKS);
            self.steps.push(HostStep::Require {
                cond,
                message: "rows that one copy takes".to_string(),
                of_field: false,
            });
        }
        let work = func.given(&func.tensors[WORK_OPERAND].elements, &self.sizes);
        let [in_x, out_y, out_same] = [
            ("in_x", TPosition::VecIn, self.src.elements()),
            ("out_y", TPosition::VecOut, self.dst.elements()),
            ("out_same", TPosition::VecOut, self.src.elements()),
        ]
        .map(|(name, position, elements)| self.queue(name, position, elements));
        let work = self.buf("work", work);
        for name in NAMES {
            self.body.tensors.push(TensorDecl {
                name: name.to_string(),
                dtype: Ty::Is(self.dtype),
            });
        }
        let views = [Y, X, WORK].map(|t| View::local(t, 0)).to_vec();
        let copy = Instr::new(
            LayoutOp::LocalCopy,
            Extent::Count {
                n: self.src.elements(),
            },
            [SAME, X].map(|t| View::local(t, 0).into()),
        );
        let kinds = [
            StmtKind::Do(QueueStmt::Get {
                tensor: WORK,
                buf: work,
            }),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc,
                tensor: X_IN,
                queue: in_x,
            }),
            moved(CopyOp::InPad, &self.src, X_IN, ParamId(0)),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Enque,
                tensor: X_IN,
                queue: in_x,
            }),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Deque,
                tensor: X,
                queue: in_x,
            }),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc,
                tensor: Y,
                queue: out_y,
            }),
            StmtKind::Do(QueueStmt::Call {
                func: id,
                tensors: views,
                scalars: self.sizes.clone(),
            }),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Enque,
                tensor: Y,
                queue: out_y,
            }),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc,
                tensor: SAME,
                queue: out_same,
            }),
            StmtKind::Do(QueueStmt::Instr { instr: copy }),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Enque,
                tensor: SAME,
                queue: out_same,
            }),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Free,
                tensor: X,
                queue: in_x,
            }),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Deque,
                tensor: Y_OUT,
                queue: out_y,
            }),
            moved(CopyOp::OutPad, &self.dst, Y_OUT, ParamId(1)),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Free,
                tensor: Y_OUT,
                queue: out_y,
            }),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Deque,
                tensor: SAME_OUT,
                queue: out_same,
            }),
            moved(CopyOp::OutPad, &self.src, SAME_OUT, ParamId(2)),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Free,
                tensor: SAME_OUT,
                queue: out_same,
            }),
        ];
        self.body.stmts = kinds
            .map(|kind| Stmt {
                kind,
                span: SpanId(0),
            })
            .into();
    }

    fn queue(&mut self, name: &str, position: TPosition, elements: Scalar) -> QueueId {
        let (name, bytes) = (name.to_string(), elements * self.dtype.bytes());
        self.body.queues.push(QueueDecl {
            name,
            position,
            depth: 1,
            buffer_num: 1.into(),
            bytes,
            span: SpanId(0),
        });
        QueueId(self.body.queues.len() as u32 - 1)
    }

    fn buf(&mut self, name: &str, elements: Scalar) -> BufId {
        // InitBuffer refuses 0 bytes.
        let bytes = elements.max(1) * self.dtype.bytes();
        let (name, purpose) = (name.to_string(), "work space of the function".to_string());
        self.body.bufs.push(BufDecl {
            name,
            position: TPosition::VecCalc,
            bytes,
            purpose,
            span: SpanId(0),
        });
        BufId(self.body.bufs.len() as u32 - 1)
    }

    fn finish(self, chip: &Chip, funcs: Vec<Arc<Func>>) -> (Kernel, Lowered) {
        let Frame {
            sig,
            vars,
            mut steps,
            body,
            ..
        } = self;
        let all = body
            .queues
            .iter()
            .map(|q| &q.bytes)
            .chain(body.bufs.iter().map(|b| &b.bytes));
        let bytes = all.fold(Scalar::Int(0), |sum, bytes| {
            sum + bytes.clone().align_up(chip.data_block_bytes)
        });
        steps.push(HostStep::Fits {
            bytes,
            limit: chip.ub_usable(),
            given: None,
        });
        let variant = Variant {
            name: "library".to_string(),
            case: 0,
            when: Scalar::Bool(true),
            steps: Vec::new(),
            block_dim: 1.into(),
            workspace: 0.into(),
            fields: (0..vars.len())
                .map(|i| VarId::new(i, ScalarTy::Index))
                .collect(),
            known: Vec::new(),
            memory: body.memory(),
            once: Vec::new(),
            body: Body {
                vars: vars.clone(),
                ..body
            },
        };
        let spans = vec![SourceSpan {
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 2,
        }];
        let (chips, body) = (Vec::new(), Source::Queue(Body::default()));
        let kernel = Kernel {
            sig: sig.clone(),
            chips,
            deterministic: None,
            body,
            calls: Vec::new(),
            spans: spans.clone(),
        };
        let (chip, cases) = (chip.name.to_string(), vec![Case::only(steps, vars)]);
        (
            kernel,
            Lowered {
                sig,
                instance: 0,
                chip,
                keys: Lowered::KEYS,
                cases,
                funcs,
                variants: vec![variant],
                spans,
            },
        )
    }
}

/// The position of the work space among the tensors of a reduction.
const WORK_OPERAND: usize = 2;

fn signature(over: Over, names: &[&str], dtype: DType) -> Signature {
    let axis = |i: usize| Dim::Axis {
        axis: AxisId(i as u32),
    };
    let all: Vec<Dim> = (0..names.len()).map(axis).collect();
    let result = match over {
        Over::All => vec![Dim::Expr { size: 1.into() }],
        Over::Middle => vec![axis(0), axis(2)],
    };
    let params = [
        ("x", Role::In, all.clone()),
        ("y", Role::Out, result),
        ("same", Role::Out, all),
    ];
    let param = |(name, role, shape): (&str, Role, Vec<Dim>)| Param {
        name: name.to_string(),
        kind: ParamKind::Tensor {
            role,
            dtype: Ty::Is(dtype),
            shape,
            index: None,
            optional: false,
        },
        per: Per::Launch,
        span: SpanId(0),
    };
    Signature {
        name: "around".to_string(),
        doc: String::new(),
        dtypes: Vec::new(),
        instances: vec![Vec::new()],
        axes: names
            .iter()
            .map(|name| Axis {
                name: name.to_string(),
                many: false,
            })
            .collect(),
        items: None,
        params: params.map(param).into(),
        facts: Vec::new(),
    }
}

/// Copies rows that are contiguous in GM.
fn moved(op: CopyOp, rows: &Rows, local: TensorId, param: ParamId) -> StmtKind<QueueStmt> {
    let extent = Extent::Rows {
        rows: rows.rows.clone(),
        cols: rows.cols.clone(),
    };
    let (ub, gm) = (
        View::local(local, 0).rows(rows.pitch.clone()),
        View::gm(param, 0).rows(rows.cols.clone()),
    );
    let args = op.in_order(ub, gm);
    StmtKind::Do(QueueStmt::Instr {
        instr: Instr::new(op, extent, args.map(Into::into)),
    })
}
