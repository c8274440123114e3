//! A kernel's body in the form that blocks execute: names resolved, dtypes fixed, host variables folded.
//!
//! Made once a launch, after host tiling; blocks share it. Ids that point nowhere and statements of the tile dialect
//! are refused here, so that execution indexes without looking.

use super::scalar::{self, Bool, Expr, Float, Int, Known};
use super::vector::Action;
use super::{Overflow, Setup, Trip};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::{DType, RoundMode};
use jumar_dsl::ir::{self, walk_stmts, Scalar, ScalarTy, SpanId, Stmt, StmtKind, Strides, TensorId, VarId};
use jumar_dsl::ops::{LayoutOp, Op};
use jumar_dsl::tiling::EvalError;

/// A kernel ready to run.
pub(super) struct Program {
    /// First content of the variables' slots.
    pub vars: Vec<i64>,
    /// Local tensors.
    pub tensors: Vec<Local>,
    /// Queues, in the order in which InitBuffer lays them out.
    pub queues: Vec<Queue>,
    /// Buffers, after the queues.
    pub bufs: Vec<(String, Int)>,
    /// Statements.
    pub body: Vec<Inst>,
    /// True where an op reads or writes mask bits.
    pub has_masks: bool,
}

/// A `LocalTensor` variable.
pub(super) struct Local {
    pub name: String,
    pub dtype: DType,
}

/// A `TQue`.
pub(super) struct Queue {
    pub name: String,
    pub depth: usize,
    pub buffer_num: Int,
    pub bytes: Int,
}

/// A statement with its place.
pub(super) struct Inst {
    pub span: SpanId,
    pub kind: Kind,
}

/// Part of a local tensor.
pub(super) struct Ref {
    pub tensor: usize,
    pub dtype: DType,
    pub offset: Int,
}

/// Extent of a copy, in elements.
pub(super) struct Shape {
    pub rows: Int,
    pub cols: Int,
    pub gm_stride: Int,
    pub ub_pitch: Int,
}

/// A copy between GM and UB.
pub(super) struct Copy {
    pub gm: usize,
    pub gm_offset: Int,
    pub ub: Ref,
    pub shape: Shape,
    pub pad: bool,
}

/// A scalar operand, by the type that the op computes in.
pub(super) enum Number {
    Float(Float),
    Int(Int),
}

/// A vector call.
pub(super) struct Vector {
    /// Name of the op, for messages.
    pub name: &'static str,
    pub action: Action,
    pub dst: Ref,
    pub srcs: Vec<Ref>,
    pub scalar: Option<Number>,
    pub work: Option<Ref>,
    pub form: Form,
}

impl Vector {
    /// True where turns of a loop over `var` differ in operands that move by even steps, and in nothing else.
    fn is_even_in(&self, var: usize) -> bool {
        let fixed = match &self.form {
            Form::Count(n) => !n.mentions(var),
            Form::Repeat { mask, repeat, .. } => !mask.mentions(var) && !repeat.mentions(var),
            Form::Counter(_) => true,
        };
        let same = match &self.scalar {
            Some(Number::Float(f)) => !f.mentions(var),
            Some(Number::Int(i)) => !i.mentions(var),
            None => true,
        };
        let mut operands = self.srcs.iter().chain([&self.dst]).chain(&self.work);
        fixed && same && operands.all(|r| r.offset.is_even_in(var))
    }
}

/// How a vector call is told its extent.
pub(super) enum Form {
    Count(Int),
    Repeat { mask: Int, repeat: Int, strides: Strides },
    Counter(Strides),
}

/// What a statement does.
pub(super) enum Kind {
    Let(usize, Expr),
    /// `even` where the body is one vector call that differs from turn to turn in even steps only, see [`super::batch`].
    For {
        var: usize,
        from: Int,
        to: Int,
        body: Vec<Inst>,
        even: bool,
    },
    If {
        cond: Bool,
        then: Vec<Inst>,
        other: Vec<Inst>,
    },
    Alloc {
        tensor: usize,
        queue: usize,
    },
    Enque {
        tensor: usize,
        queue: usize,
    },
    Deque {
        tensor: usize,
        queue: usize,
    },
    Free {
        tensor: usize,
        queue: usize,
    },
    Get {
        tensor: usize,
        buf: usize,
    },
    View {
        tensor: usize,
        of: Ref,
    },
    CopyIn(Box<Copy>),
    CopyOut(Box<Copy>),
    Vector(Box<Vector>),
    MaskCount(Int),
    MaskNorm,
    GetValue {
        var: usize,
        ty: ScalarTy,
        src: Ref,
    },
    SetValue {
        dst: Ref,
        value: Number,
    },
}

type Made<T> = Result<T, (SpanId, Trip)>;

impl Program {
    /// Makes the program of the chosen variant.
    ///
    /// # Errors
    /// J0804 at the statement that cannot be resolved; a checked kernel has none.
    pub fn new(setup: &Setup<'_>) -> Made<Program> {
        let body = &setup.lowered.variants[setup.tiling.variant].body;
        let mut maker =
            Maker { setup, body, assigned: vec![false; body.vars.len()], vars: vec![0; body.vars.len()], span: SpanId(0) };
        maker.find_assigned();
        maker.take_host_values()?;
        let tensors = body
            .tensors
            .iter()
            .map(|t| Local { name: t.name.clone(), dtype: t.dtype.resolve(setup.lowered.binding()) })
            .collect();
        let mut queues = Vec::with_capacity(body.queues.len());
        for q in &body.queues {
            maker.span = q.span;
            let depth = usize::try_from(q.depth).unwrap_or(0);
            queues.push(Queue {
                name: q.name.clone(),
                depth,
                buffer_num: maker.int(&q.buffer_num)?,
                bytes: maker.int(&q.bytes)?,
            });
        }
        let mut bufs = Vec::with_capacity(body.bufs.len());
        for b in &body.bufs {
            maker.span = b.span;
            bufs.push((b.name.clone(), maker.int(&b.bytes)?));
        }
        let mut has_masks = false;
        body.walk(&mut |s| {
            has_masks |= matches!(&s.kind, StmtKind::Vector { call } if matches!(call.op, Op::Compare(_) | Op::CompareScalar(_) | Op::Layout(LayoutOp::Select | LayoutOp::SelectScalar)));
        });
        let stmts = maker.stmts(&body.stmts)?;
        Ok(Program { vars: maker.vars, tensors, queues, bufs, body: stmts, has_masks })
    }
}

struct Maker<'a> {
    setup: &'a Setup<'a>,
    body: &'a ir::Body,
    /// Variables that the body sets.
    assigned: Vec<bool>,
    vars: Vec<i64>,
    span: SpanId,
}

impl Maker<'_> {
    fn find_assigned(&mut self) {
        let assigned = &mut self.assigned;
        walk_stmts(&self.body.stmts, &mut |s| {
            if let StmtKind::LetScalar { var, .. }
            | StmtKind::SetScalar { var, .. }
            | StmtKind::For { var, .. }
            | StmtKind::GetValue { var, .. } = &s.kind
            {
                if let Some(a) = assigned.get_mut(var.index()) {
                    *a = true;
                }
            }
        });
    }

    fn take_host_values(&mut self) -> Made<()> {
        for (i, decl) in self.body.vars.iter().enumerate() {
            if let Some(value) = self.setup.tiling.var(VarId::new(i, decl.ty)) {
                self.vars[i] = scalar::host_slot(decl.ty, value).map_err(|e| self.scalar_error(&e))?;
            }
        }
        Ok(())
    }

    fn scalar_error(&self, e: &EvalError) -> (SpanId, Trip) {
        (self.span, Trip::new(Code::J0804, format!("a scalar cannot be computed: {e}")))
    }

    fn malformed<T>(&self, message: impl Into<String>) -> Made<T> {
        Err((self.span, Trip::new(Code::J0804, message)))
    }

    fn lookup(&self, id: VarId) -> Result<(ScalarTy, Known), EvalError> {
        let missing = || EvalError::Missing(format!("variable ${}", id.index()));
        let decl = self.body.vars.get(id.index()).ok_or_else(missing)?;
        if self.assigned[id.index()] {
            return Ok((decl.ty, Known::Device));
        }
        match self.setup.tiling.var(id) {
            Some(_) => Ok((decl.ty, Known::Host(self.vars[id.index()]))),
            None => Err(EvalError::Missing(format!("`{}`", decl.name))),
        }
    }

    fn expr(&self, s: &Scalar) -> Made<Expr> {
        scalar::compile(s, &|v| self.lookup(v)).map_err(|e| self.scalar_error(&e))
    }
    fn int(&self, s: &Scalar) -> Made<Int> {
        scalar::compile_int(s, &|v| self.lookup(v)).map_err(|e| self.scalar_error(&e))
    }
    fn bool(&self, s: &Scalar) -> Made<Bool> {
        scalar::compile_bool(s, &|v| self.lookup(v)).map_err(|e| self.scalar_error(&e))
    }
    fn number(&self, s: &Scalar, dtype: DType) -> Made<Number> {
        let ty = if dtype.is_float() { ScalarTy::F32 } else { ScalarTy::I32 };
        match self.expr(s)?.convert(ty).map_err(|e| self.scalar_error(&e))? {
            Expr::Float(f) => Ok(Number::Float(f)),
            Expr::Int(i) => Ok(Number::Int(i)),
            Expr::Bool(_) => Err(self.scalar_error(&EvalError::Type)),
        }
    }

    fn index(&self, index: usize, len: usize, what: &str) -> Made<usize> {
        if index < len {
            Ok(index)
        } else {
            self.malformed(format!("{what} {index} is not declared"))
        }
    }
    fn var(&self, id: VarId) -> Made<usize> {
        self.index(id.index(), self.body.vars.len(), "variable")
    }
    fn tensor(&self, id: TensorId) -> Made<usize> {
        self.index(id.index(), self.body.tensors.len(), "tensor")
    }
    fn queue(&self, id: ir::QueueId) -> Made<usize> {
        self.index(id.index(), self.body.queues.len(), "queue")
    }
    fn local(&self, r: &ir::LocalRef) -> Made<Ref> {
        let tensor = self.tensor(r.tensor)?;
        let dtype = self.body.tensors[tensor].dtype.resolve(self.setup.lowered.binding());
        Ok(Ref { tensor, dtype, offset: self.int(&r.offset)? })
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Made<Vec<Inst>> {
        stmts
            .iter()
            .map(|s| {
                self.span = s.span;
                Ok(Inst { span: s.span, kind: self.stmt(&s.kind)? })
            })
            .collect()
    }

    fn stmt(&mut self, kind: &StmtKind) -> Made<Kind> {
        Ok(match kind {
            StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                let slot = self.var(*var)?;
                let value = self.expr(value)?.convert(self.body.vars[slot].ty).map_err(|e| self.scalar_error(&e))?;
                Kind::Let(slot, value)
            }
            StmtKind::For { var, from, to, body } => {
                let (var, from, to, body) = (self.var(*var)?, self.int(from)?, self.int(to)?, self.stmts(body)?);
                let even = matches!(&body[..], [Inst { kind: Kind::Vector(v), .. }] if v.is_even_in(var));
                Kind::For { var, from, to, body, even }
            }
            StmtKind::If { cond, then, other } => {
                Kind::If { cond: self.bool(cond)?, then: self.stmts(then)?, other: self.stmts(other)? }
            }
            StmtKind::Alloc { tensor, queue } => Kind::Alloc { tensor: self.tensor(*tensor)?, queue: self.queue(*queue)? },
            StmtKind::Enque { tensor, queue } => Kind::Enque { tensor: self.tensor(*tensor)?, queue: self.queue(*queue)? },
            StmtKind::Deque { tensor, queue } => Kind::Deque { tensor: self.tensor(*tensor)?, queue: self.queue(*queue)? },
            StmtKind::Free { tensor, queue } => Kind::Free { tensor: self.tensor(*tensor)?, queue: self.queue(*queue)? },
            StmtKind::Get { tensor, buf } => {
                Kind::Get { tensor: self.tensor(*tensor)?, buf: self.index(buf.index(), self.body.bufs.len(), "buffer")? }
            }
            StmtKind::View { tensor, of } => Kind::View { tensor: self.tensor(*tensor)?, of: self.local(of)? },
            StmtKind::CopyIn { dst, src, shape, pad } => Kind::CopyIn(Box::new(self.copy(src, dst, shape, *pad)?)),
            StmtKind::CopyOut { dst, src, shape, pad } => Kind::CopyOut(Box::new(self.copy(dst, src, shape, *pad)?)),
            StmtKind::Vector { call } => Kind::Vector(Box::new(self.vector(call)?)),
            StmtKind::MaskCount { n, .. } => Kind::MaskCount(self.int(n)?),
            StmtKind::MaskNorm {} => Kind::MaskNorm,
            StmtKind::GetValue { var, src } => {
                let var = self.var(*var)?;
                Kind::GetValue { var, ty: self.body.vars[var].ty, src: self.local(src)? }
            }
            StmtKind::SetValue { dst, value } => {
                let dst = self.local(dst)?;
                Kind::SetValue { value: self.number(value, dst.dtype)?, dst }
            }
            StmtKind::Loop { .. }
            | StmtKind::Def { .. }
            | StmtKind::Set { .. }
            | StmtKind::Store { .. }
            | StmtKind::Split { .. }
            | StmtKind::FitTile { .. } => return self.malformed("a statement that lowering should have replaced"),
        })
    }

    fn copy(&self, gm: &ir::GmRef, ub: &ir::LocalRef, shape: &ir::CopyShape, pad: bool) -> Made<Copy> {
        let sig = &self.setup.lowered.sig;
        let param = self.index(gm.param.index(), sig.params.len(), "parameter")?;
        let ub = self.local(ub)?;
        if sig.dtype(gm.param).map(|ty| ty.resolve(self.setup.lowered.binding())) != Some(ub.dtype) {
            return self.malformed(format!("`{}` and the tensor copied differ in dtype", sig.params[param].name));
        }
        let shape = Shape {
            rows: self.int(&shape.rows)?,
            cols: self.int(&shape.cols)?,
            gm_stride: self.int(&shape.gm_stride)?,
            ub_pitch: self.int(&shape.ub_pitch)?,
        };
        Ok(Copy { gm: param, gm_offset: self.int(&gm.offset)?, ub, shape, pad })
    }

    fn vector(&self, call: &ir::VectorCall) -> Made<Vector> {
        let dst = self.local(&call.dst)?;
        let srcs = call.srcs.iter().map(|s| self.local(s)).collect::<Made<Vec<_>>>()?;
        let dtypes: Vec<DType> = srcs.iter().map(|s| s.dtype).collect();
        if srcs.len() != call.op.sources() || call.scalar.is_some() != call.op.has_scalar() {
            return self.malformed(format!("`{}` has the wrong number of operands", call.op.name()));
        }
        let mode = call.mode.unwrap_or(RoundMode::None);
        let saturate = self.setup.overflow == Overflow::Saturate;
        let Some(action) = Action::new(call.op, dst.dtype, &dtypes, mode, saturate) else {
            let list: Vec<&str> = dtypes.iter().map(|d| d.name()).collect();
            return self.malformed(format!("`{}` has no meaning on {} from {}", call.op.name(), dst.dtype, list.join(", ")));
        };
        // The scalar has the element type of the sources; the last of them is never a mask.
        let scalar = call.scalar.as_ref().map(|s| self.number(s, *dtypes.last().unwrap_or(&dst.dtype))).transpose()?;
        let form = match &call.form {
            ir::Form::Count { n } => Form::Count(self.int(n)?),
            ir::Form::Repeat { mask, repeat, strides } => {
                Form::Repeat { mask: self.int(mask)?, repeat: self.int(repeat)?, strides: *strides }
            }
            ir::Form::Counter { strides } => Form::Counter(*strides),
        };
        let work = call.tmp.as_ref().map(|t| self.local(t)).transpose()?;
        Ok(Vector { name: call.op.name(), action, dst, srcs, scalar, work, form })
    }
}
