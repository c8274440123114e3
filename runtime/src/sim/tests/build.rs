//! A small builder of lowered kernels, and the kernels that several tests share.

use jumar_dsl::dtype::{DType, RoundMode};
use jumar_dsl::ir::queue::{Body, Stmt};
use jumar_dsl::ir::*;
use jumar_dsl::ops::contract::{Access, Elem, Pipe, What};
use jumar_dsl::ops::{BinaryOp, CopyOp, Op, ScalarOp};
use std::sync::Arc;

/// Collects declarations; [`Builder::lowered`] adds the statements and numbers their lines from 1
/// on.
pub struct Builder {
    pub funcs: Vec<Arc<Func>>,
    sig: Signature,
    steps: Vec<HostStep>,
    fields: Vec<VarId>,
    block_dim: Scalar,
    body: Body,
}

impl Builder {
    pub fn new(name: &str) -> Self {
        Builder {
            funcs: Vec::new(),
            sig: Signature {
                name: name.into(),
                doc: String::new(),
                dtypes: Vec::new(),
                instances: vec![vec![]],
                axes: Vec::new(),
                items: None,
                params: Vec::new(),
                facts: Vec::new(),
            },
            steps: Vec::new(),
            fields: Vec::new(),
            block_dim: Scalar::Int(1),
            body: Body::default(),
        }
    }
    pub fn axis(&mut self, name: &str, many: bool) -> Dim {
        self.sig.axes.push(Axis {
            name: name.into(),
            many,
        });
        Dim::Axis {
            axis: AxisId(self.sig.axes.len() as u32 - 1),
        }
    }
    pub fn tensor(&mut self, name: &str, role: Role, dtype: DType, shape: &[Dim]) -> ParamId {
        let kind = ParamKind::Tensor {
            role,
            dtype: Ty::Is(dtype),
            shape: shape.to_vec(),
            index: None,
            optional: false,
        };
        self.sig.params.push(Param {
            name: name.into(),
            kind,
            per: Per::Launch,
            span: SpanId(0),
        });
        ParamId(self.sig.params.len() as u32 - 1)
    }
    pub fn attr(&mut self, name: &str, ty: ScalarTy, default: Option<Scalar>) -> ParamId {
        self.sig.params.push(Param {
            name: name.into(),
            kind: ParamKind::Attr {
                ty,
                default,
                choices: Vec::new(),
                part: None,
                element: None,
            },
            per: Per::Launch,
            span: SpanId(0),
        });
        ParamId(self.sig.params.len() as u32 - 1)
    }
    pub fn require(&mut self, cond: Scalar, text: &str) {
        self.sig.facts.push(Fact {
            cond,
            text: text.into(),
            span: SpanId(0),
        });
    }
    /// Declares a scalar variable of the device.
    pub fn var(&mut self, name: &str, ty: ScalarTy) -> VarId {
        self.body.vars.push(VarDecl {
            name: name.into(),
            ty,
            mutable: true,
        });
        VarId::new(self.body.vars.len() - 1, ty)
    }
    pub fn index(&mut self, name: &str) -> VarId {
        self.var(name, ScalarTy::Index)
    }
    /// Declares a host variable that is a field of the tiling data.
    pub fn host(&mut self, name: &str, value: impl Into<Scalar>) -> VarId {
        let value = value.into();
        let var = self.var(name, value.ty());
        self.steps.push(HostStep::Let { var, value });
        self.fields.push(var);
        var
    }
    pub fn block_dim(&mut self, value: impl Into<Scalar>) {
        self.block_dim = value.into();
    }
    pub fn queue(
        &mut self,
        name: &str,
        position: TPosition,
        num: i64,
        bytes: impl Into<Scalar>,
    ) -> QueueId {
        let (buffer_num, bytes) = (Scalar::Int(num), bytes.into());
        self.body.queues.push(QueueDecl {
            name: name.into(),
            position,
            depth: 1,
            buffer_num,
            bytes,
            span: SpanId(0),
        });
        QueueId(self.body.queues.len() as u32 - 1)
    }
    pub fn buf(&mut self, name: &str, bytes: impl Into<Scalar>) -> BufId {
        let decl = BufDecl {
            name: name.into(),
            position: TPosition::VecCalc,
            bytes: bytes.into(),
            purpose: String::new(),
            span: SpanId(0),
        };
        self.body.bufs.push(decl);
        BufId(self.body.bufs.len() as u32 - 1)
    }
    pub fn local(&mut self, name: &str, dtype: DType) -> TensorId {
        let dtype = if dtype == DType::Bits {
            Ty::Mask
        } else {
            Ty::Is(dtype)
        };
        self.body.tensors.push(TensorDecl {
            name: name.into(),
            dtype,
        });
        TensorId(self.body.tensors.len() as u32 - 1)
    }
    pub fn lowered(mut self, mut stmts: Vec<Stmt>) -> Lowered {
        let mut spans = Vec::new();
        number(&mut stmts, &mut spans);
        self.body.stmts = stmts;
        let vars = self.body.vars.clone();
        let variant = Variant {
            name: "tiles".into(),
            case: 0,
            when: Scalar::Bool(true),
            steps: Vec::new(),
            block_dim: self.block_dim,
            workspace: Scalar::Int(0),
            once: Vec::new(),
            fields: self.fields,
            known: Vec::new(),
            memory: self.body.memory(),
            body: self.body,
        };
        let chip = jumar_dsl::soc::Chip::default_chip().name.to_string();
        let cases = vec![Case::only(self.steps, vars)];
        Lowered {
            sig: self.sig,
            instance: 0,
            chip,
            keys: Lowered::KEYS,
            cases,
            funcs: self.funcs,
            variants: vec![variant],
            spans,
        }
    }
}

fn number(stmts: &mut [Stmt], spans: &mut Vec<SourceSpan>) {
    for s in stmts {
        s.span = SpanId(spans.len() as u32);
        let line = spans.len() as u32 + 1;
        spans.push(SourceSpan {
            line,
            column: 9,
            end_line: line,
            end_column: 20,
        });
        s.children_mut()
            .into_iter()
            .flatten()
            .for_each(|list| number(list, spans));
    }
}

pub fn stmt(kind: StmtKind<QueueStmt>) -> Stmt {
    Stmt {
        kind,
        span: SpanId(0),
    }
}
/// Part of a local tensor.
#[derive(Clone, Debug)]
pub struct Local {
    pub tensor: TensorId,
    pub offset: Scalar,
}

/// Strides of a call by operand, in data blocks.
#[derive(Clone, Copy, Debug)]
pub struct Strides {
    pub dst_blk: i64,
    pub src0_blk: i64,
    pub src1_blk: i64,
    pub dst_rep: i64,
    pub src0_rep: i64,
    pub src1_rep: i64,
}

impl Strides {
    pub const DENSE: Strides = Strides {
        dst_blk: 1,
        src0_blk: 1,
        src1_blk: 1,
        dst_rep: 8,
        src0_rep: 8,
        src1_rep: 8,
    };
}

/// Extent and strides of a call.
#[derive(Clone, Debug)]
pub enum Form {
    Count {
        n: Scalar,
    },
    Repeat {
        mask: Scalar,
        repeat: Scalar,
        strides: Strides,
    },
    Counter {
        n: Scalar,
        strides: Strides,
    },
    Eights {
        repeat: Scalar,
        strides: Strides,
    },
}

impl Form {
    fn split(self) -> (Extent, Option<Strides>) {
        match self {
            Form::Count { n } => (Extent::Count { n }, None),
            Form::Repeat {
                mask,
                repeat,
                strides,
            } => (
                Extent::Repeat {
                    mask: Lanes::First { n: mask },
                    repeat,
                },
                Some(strides),
            ),
            Form::Counter { n, strides } => (Extent::Counter { n }, Some(strides)),
            Form::Eights { repeat, strides } => (Extent::Eights { repeat }, Some(strides)),
        }
    }
}

/// A vector call by named operands; [`vector`] puts them in the order of the op's row.
#[derive(Clone, Debug)]
pub struct VectorCall {
    pub op: Op,
    pub dst: Local,
    pub srcs: Vec<Local>,
    pub scalar: Option<Scalar>,
    pub mode: Option<RoundMode>,
    pub tmp: Option<Local>,
    pub form: Form,
}

pub fn at(tensor: TensorId, offset: impl Into<Scalar>) -> Local {
    Local {
        tensor,
        offset: offset.into(),
    }
}
pub fn let_(var: VarId, value: impl Into<Scalar>) -> Stmt {
    stmt(StmtKind::LetScalar {
        var,
        value: value.into(),
    })
}
pub fn for_(var: VarId, to: impl Into<Scalar>, body: Vec<Stmt>) -> Stmt {
    stmt(StmtKind::For {
        var,
        from: Scalar::Int(0),
        to: to.into(),
        body,
    })
}
pub fn alloc(tensor: TensorId, queue: QueueId) -> Stmt {
    stmt(StmtKind::Do(QueueStmt::Queue {
        op: QueueOp::Alloc,
        tensor,
        queue,
    }))
}
pub fn enque(tensor: TensorId, queue: QueueId) -> Stmt {
    stmt(StmtKind::Do(QueueStmt::Queue {
        op: QueueOp::Enque,
        tensor,
        queue,
    }))
}
pub fn deque(tensor: TensorId, queue: QueueId) -> Stmt {
    stmt(StmtKind::Do(QueueStmt::Queue {
        op: QueueOp::Deque,
        tensor,
        queue,
    }))
}
pub fn free(tensor: TensorId, queue: QueueId) -> Stmt {
    stmt(StmtKind::Do(QueueStmt::Queue {
        op: QueueOp::Free,
        tensor,
        queue,
    }))
}
pub fn get(tensor: TensorId, buf: BufId) -> Stmt {
    stmt(StmtKind::Do(QueueStmt::Get { tensor, buf }))
}
/// Extent of a copy.
#[derive(Clone, Debug)]
pub struct CopyShape {
    pub rows: Scalar,
    pub cols: Scalar,
    pub gm_stride: Scalar,
    pub ub_pitch: Scalar,
}

impl CopyShape {
    fn extent(&self) -> Extent {
        Extent::Rows {
            rows: self.rows.clone(),
            cols: self.cols.clone(),
        }
    }
}

pub fn rows(
    rows: impl Into<Scalar>,
    cols: impl Into<Scalar>,
    pitch: impl Into<Scalar>,
) -> CopyShape {
    let cols = cols.into();
    CopyShape {
        rows: rows.into(),
        gm_stride: cols.clone(),
        cols,
        ub_pitch: pitch.into(),
    }
}
pub fn run(n: impl Into<Scalar>) -> CopyShape {
    let n = n.into();
    rows(1, n.clone(), n)
}
pub fn instr(op: impl Into<Op>, extent: Extent, args: impl IntoIterator<Item = Arg>) -> Stmt {
    stmt(StmtKind::Do(QueueStmt::Instr {
        instr: Instr::new(op, extent, args),
    }))
}
pub fn copy_in(dst: TensorId, param: ParamId, offset: impl Into<Scalar>, shape: CopyShape) -> Stmt {
    copy(CopyOp::InPad, dst, param, offset, shape)
}
pub fn copy_out(
    param: ParamId,
    offset: impl Into<Scalar>,
    src: TensorId,
    shape: CopyShape,
) -> Stmt {
    copy(CopyOp::OutPad, src, param, offset, shape)
}
/// Makes a copy of either form in either direction.
pub fn copy(
    op: CopyOp,
    local: TensorId,
    param: ParamId,
    offset: impl Into<Scalar>,
    shape: CopyShape,
) -> Stmt {
    copy_at(op, at(local, 0), param, offset, shape)
}
/// Makes a copy from a place inside of the local tensor on.
pub fn copy_at(
    op: CopyOp,
    local: Local,
    param: ParamId,
    offset: impl Into<Scalar>,
    shape: CopyShape,
) -> Stmt {
    let extent = shape.extent();
    let (ub, gm) = (
        View::local(local.tensor, local.offset).rows(shape.ub_pitch),
        View::gm(param, offset).rows(shape.gm_stride),
    );
    instr(op, extent, op.in_order(ub, gm).map(Arg::from))
}
pub fn get_value(var: VarId, tensor: TensorId, index: impl Into<Scalar>) -> Stmt {
    instr(
        ScalarOp::GetValue,
        Extent::Fixed {},
        [Arg::Var { var }, View::local(tensor, index).into()],
    )
}
pub fn set_value(tensor: TensorId, index: impl Into<Scalar>, value: Scalar) -> Stmt {
    instr(
        ScalarOp::SetValue,
        Extent::Fixed {},
        [View::local(tensor, index).into(), value.into()],
    )
}
pub fn order(from: Pipe, to: Pipe) -> Stmt {
    stmt(StmtKind::Do(QueueStmt::Sync {
        what: SyncOp::Order { from, to },
    }))
}
pub fn count(n: impl Into<Scalar>) -> Form {
    Form::Count { n: n.into() }
}
pub fn call(op: impl Into<Op>, dst: Local, srcs: Vec<Local>, form: Form) -> VectorCall {
    VectorCall {
        op: op.into(),
        dst,
        srcs,
        scalar: None,
        mode: None,
        tmp: None,
        form,
    }
}
pub fn vector(call: VectorCall) -> Stmt {
    let VectorCall {
        op,
        dst,
        srcs,
        scalar,
        mode,
        tmp,
        form,
    } = call;
    let (extent, strides) = form.split();
    let view = |l: Local, blk: fn(&Strides) -> (i64, i64)| {
        let view = View::local(l.tensor, l.offset);
        match &strides {
            Some(s) => view.blocks(blk(s).0, blk(s).1),
            None => view,
        }
    };
    let mut dst = Some(view(dst, |s| (s.dst_blk, s.dst_rep)));
    let mut elements = 0;
    let mut srcs = srcs.into_iter();
    let (mut scalar, mut mode, mut tmp) = (scalar, mode, tmp);
    // An operand that the caller left out is missing in the instruction as well.
    let args = op
        .contract()
        .operands
        .iter()
        .filter_map(|operand| match operand.what {
            What::View(rule) => match rule.access {
                Access::Write
                | Access::Any
                | Access::Disjoint
                | Access::Add
                | Access::Max
                | Access::Min
                | Access::Line => dst.take(),
                Access::Scratch => tmp.take().map(|t| view(t, |_| (1, 8))),
                Access::Read if rule.elem == Elem::Bits => srcs.next().map(|t| view(t, |_| (1, 8))),
                Access::Read => {
                    elements += 1;
                    let first = elements == 1;
                    srcs.next().map(|t| {
                        view(
                            t,
                            if first {
                                |s| (s.src0_blk, s.src0_rep)
                            } else {
                                |s| (s.src1_blk, s.src1_rep)
                            },
                        )
                    })
                }
            }
            .map(Arg::from),
            What::Number => scalar.take().map(Arg::from),
            What::Pattern | What::Base | What::Lead | What::Most | What::Length => None,
            What::Mode => mode.take().map(|mode| Arg::Mode { mode }),
            What::Result | What::Index | What::Title => None,
        });
    instr(op, extent, args)
}
pub fn cast(dst: Local, src: Local, mode: RoundMode, n: impl Into<Scalar>) -> Stmt {
    let op = jumar_dsl::ops::LayoutOp::Cast;
    vector(VectorCall {
        mode: Some(mode),
        ..call(op, dst, vec![src], count(n))
    })
}

/// Makes `z = x op y` over flat tiles, all cores, double buffered: the lowered form of the tile
/// level.
pub fn binary_kernel(op: BinaryOp, dtype: DType) -> Lowered {
    let mut k = Builder::new("binary");
    let n = k.axis("n", true);
    let x = k.tensor("x", Role::In, dtype, std::slice::from_ref(&n));
    let y = k.tensor("y", Role::In, dtype, std::slice::from_ref(&n));
    let z = k.tensor("z", Role::Out, dtype, &[n]);
    let size = dtype.bytes();
    let unit = 32 / size;
    let total = k.host("total_length", Scalar::Axis(AxisId(0)));
    let units = k.host("units", Scalar::from(total).ceil_div(unit));
    let blocks = k.host(
        "block_dim",
        Scalar::from(units)
            .min(Scalar::Chip(ChipFact::VectorCores))
            .max(1),
    );
    let base = k.host("base_units", Scalar::from(units) / blocks);
    let extra = k.host("extra_units", Scalar::from(units) % blocks);
    let tile_length = k.index("tile_length");
    k.fields.push(tile_length);
    let max = ((Scalar::from(base) + 1) * unit).ceil_div(2);
    let bytes = (Scalar::from(tile_length) * size).align_up(32) * 6;
    k.steps.push(HostStep::Solve {
        var: tile_length,
        step: 256 / size,
        max,
        bytes,
        limit: 188_160,
    });
    k.block_dim(blocks);
    let bytes = Scalar::from(tile_length) * size;
    let in_x = k.queue("in_x", TPosition::VecIn, 2, bytes.clone());
    let in_y = k.queue("in_y", TPosition::VecIn, 2, bytes.clone());
    let out_z = k.queue("out_z", TPosition::VecOut, 2, bytes);
    let [start, length, tile, from, len] =
        ["block_start", "block_length", "tile", "start", "len"].map(|v| k.index(v));
    let [xl, yl, zl] = ["x_local", "y_local", "z_local"].map(|t| k.local(t, dtype));
    let in_extra = Scalar::BlockIdx.bin(BinOp::Lt, extra);
    let one_more = Scalar::select(in_extra, Scalar::Int(1), Scalar::Int(0));
    let body = vec![
        let_(from, Scalar::from(start) + Scalar::from(tile) * tile_length),
        let_(
            len,
            Scalar::from(tile_length).min(Scalar::from(length) - Scalar::from(tile) * tile_length),
        ),
        alloc(xl, in_x),
        alloc(yl, in_y),
        copy_in(xl, x, from, run(len)),
        copy_in(yl, y, from, run(len)),
        enque(xl, in_x),
        enque(yl, in_y),
        deque(xl, in_x),
        deque(yl, in_y),
        alloc(zl, out_z),
        vector(call(op, at(zl, 0), vec![at(xl, 0), at(yl, 0)], count(len))),
        free(xl, in_x),
        free(yl, in_y),
        enque(zl, out_z),
        deque(zl, out_z),
        copy_out(z, from, zl, run(len)),
        free(zl, out_z),
    ];
    k.lowered(vec![
        let_(
            start,
            (Scalar::BlockIdx * base + Scalar::BlockIdx.min(extra)) * unit,
        ),
        let_(
            length,
            ((Scalar::from(base) + one_more) * unit).min(Scalar::from(total) - Scalar::from(start)),
        ),
        for_(tile, Scalar::from(length).ceil_div(tile_length), body),
    ])
}
