//! A kernel's body in the form that blocks execute: names resolved, dtypes fixed, host variables
//! folded.
//!
//! A program is made once for each launch, after host tiling; blocks share it. Ids without a target
//! and statements of the tile dialect are refused here, so that execution indexes without checks.

use super::scalar::{self, Bool, Env, Expr, Float, Int, Known, Small};
use super::vector::Action;
use super::{Gm, Overflow, Setup, Trip};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::{
    self, walk_stmts, Instr, Lanes, Layout, Memory, Promised, QueueOp, QueueStmt, Scalar, ScalarTy,
    SpanId, StmtKind, SyncOp, TensorDecl, TensorId, TensorRef, VarId,
};
use jumar_dsl::ops::contract::{Access, Elem, Pipe, Reach};
use jumar_dsl::ops::{CopyOp, Op, ScalarOp};
use jumar_dsl::soc::Space;
use jumar_dsl::tiling::EvalError;
use std::sync::Arc;

/// A kernel ready to run.
pub(super) struct Program {
    /// Initial contents of the variables' slots.
    pub vars: Vec<i64>,
    pub tensors: Vec<Local>,
    /// Queues, in the order in which InitBuffer lays them out.
    pub queues: Vec<Queue>,
    pub bufs: Vec<(String, Int)>,
    /// Memory that TPipe hands out at first, in this order.
    pub memory: Vec<Memory>,
    /// Workspaces, by name, with their numbers of elements. In the list of tensors in GM they
    /// follow the parameters.
    pub works: Vec<(String, Int)>,
    pub body: Vec<Inst>,
    /// Bodies of the device functions.
    pub funcs: Vec<Vec<Inst>>,
    /// True if an op reads or writes mask bits.
    pub has_masks: bool,
    /// True if blocks wait for one another.
    pub meets: bool,
    /// Parameters that need not be written wholly.
    pub packed: Vec<usize>,
    /// For each tensor in GM, true if the kernel writes it and the scalar unit touches it.
    pub cached: Vec<bool>,
    /// For each tensor in GM, the bytes of an element; 0 for attributes.
    pub sizes: Vec<usize>,
}

/// A `LocalTensor` variable.
pub(super) struct Local {
    pub name: String,
    pub dtype: DType,
}

/// The declaration of a `TQue`.
pub(super) struct Queue {
    pub name: String,
    pub position: ir::TPosition,
    pub depth: usize,
    pub buffer_num: Int,
    pub bytes: Int,
}

/// A statement with its source location.
pub(super) struct Inst {
    pub span: SpanId,
    /// The index of the statement, in program order, among those of its body and the ones inside
    /// them.
    pub number: usize,
    pub kind: Kind,
}

/// Part of a local tensor.
pub(super) struct Ref {
    pub tensor: usize,
    pub dtype: DType,
    pub offset: Int,
    /// Block and repeat stride in data blocks, unless repeats follow one another.
    pub strides: Option<(Int, Int)>,
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
    /// The number of elements before each row, and the filler of these and of the row's last data
    /// block.
    pub lead: Option<(Int, Number)>,
    /// The access to the elements in GM.
    pub does: Access,
    pub pipe: Pipe,
}

/// A scalar operand, by the type that the op computes in.
pub(super) enum Number {
    Float(Float),
    Int(Small),
}

/// A vector call.
pub(super) struct Vector {
    /// Name of the op, for messages.
    pub name: &'static str,
    pub action: Action,
    pub dst: Ref,
    pub srcs: Vec<Ref>,
    /// The scalar, and the element type that it has.
    pub scalar: Option<(Number, DType)>,
    /// The number of the pattern.
    pub pattern: Option<Int>,
    /// The base of its offsets in bytes.
    pub base: Option<Int>,
    /// The number of elements asked for.
    pub most: Option<Int>,
    /// The numbers of pairs of its lists.
    pub lengths: Vec<Int>,
    pub work: Option<Ref>,
    pub form: Form,
    /// Largest block and repeat stride.
    pub strides: (i64, i64),
    /// The variable that takes the number of kept elements.
    pub kept: Option<usize>,
    /// The pipe that begins the call, where it is another one.
    pub begins: Option<Pipe>,
}

impl Vector {
    /// True if iterations of a loop over `var` differ only in operands that move by even steps.
    fn is_even_in(&self, var: usize) -> bool {
        let fixed = match &self.form {
            Form::Count(n) => !n.mentions(var),
            Form::Counter(n) => !n.mentions(var),
            Form::Repeat { mask, repeat } => !mask.mentions(var) && !repeat.mentions(var),
            Form::Eights(repeat) => !repeat.mentions(var),
        };
        let same = match &self.scalar {
            Some((Number::Float(f), _)) => !f.mentions(var),
            Some((Number::Int(i), _)) => !i.mentions(var),
            None => true,
        };
        let same = same
            && self
                .pattern
                .iter()
                .chain(&self.base)
                .chain(&self.most)
                .chain(&self.lengths)
                .all(|number| !number.mentions(var));
        let mut operands = self.srcs.iter().chain([&self.dst]).chain(&self.work);
        let moves = |r: &Ref| {
            r.strides
                .as_ref()
                .is_some_and(|(blk, rep)| blk.mentions(var) || rep.mentions(var))
        };
        self.kept.is_none()
            && fixed
            && same
            && operands.all(|r| r.offset.is_even_in(var) && !moves(r))
    }
}

/// A call of a device function.
pub(super) struct FuncCall {
    pub func: usize,
    pub name: String,
    /// Arguments for its tensors, with the number of elements that the function may touch.
    pub tensors: Vec<(usize, Ref, Int)>,
    /// Arguments for its scalars.
    pub scalars: Vec<(usize, Expr)>,
    /// Conditions that it requires.
    pub requires: Vec<Bool>,
}

/// The form of a vector call's extent.
pub(super) enum Form {
    Count(Int),
    Repeat { mask: Mask, repeat: Int },
    Counter(Int),
    Eights(Int),
}

/// The lanes of a repeat that take part.
pub(super) enum Mask {
    First(Int),
    Bits(u128),
    Groups {
        from: Int,
        to: Int,
        of: i64,
        groups: Int,
    },
}

impl Mask {
    fn mentions(&self, var: usize) -> bool {
        match self {
            Mask::First(n) => n.mentions(var),
            Mask::Bits(_) => false,
            Mask::Groups {
                from, to, groups, ..
            } => [from, to, groups].into_iter().any(|n| n.mentions(var)),
        }
    }
}

/// The kinds of statements.
pub(super) enum Kind {
    Let(usize, Expr),
    /// `even` is set where the body is one vector call that differs between iterations in even
    /// steps only, see [`super::batch`].
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
    /// A tensor of `len` elements at a byte of UB.
    Place {
        tensor: usize,
        at: Int,
        len: Int,
    },
    /// A flag that the author sets or waits for by hand.
    Flag(Flag),
    Barrier(ir::Barrier),
    CopyIn(Box<Copy>),
    CopyOut(Box<Copy>),
    Vector(Box<Vector>),
    Call(Box<FuncCall>),
    /// Makes `to` start nothing new until `from` has finished what it was given.
    Order {
        from: Pipe,
        to: Pipe,
    },
    /// Makes the block wait for all others.
    SyncAll,
    CrossSet {
        pipe: Pipe,
        id: Int,
    },
    /// Makes the block wait until all blocks have set a flag.
    CrossWait {
        id: Int,
    },
    /// Makes TPipe hand out its memory anew: later buffers take the memory of earlier ones.
    Reset(Vec<Memory>),
    /// A promise that a number read from a tensor is an index below another.
    Promise {
        value: Int,
        below: Int,
        of: Option<String>,
    },
    /// A condition on scalars that the author assumes.
    Assume {
        cond: Bool,
        text: String,
    },
    GetValue {
        var: usize,
        ty: ScalarTy,
        src: Ref,
    },
    /// An element of a tensor in GM.
    GetGlobal {
        var: usize,
        ty: ScalarTy,
        gm: usize,
        dtype: DType,
        offset: Int,
    },
    SetGlobal {
        gm: usize,
        dtype: DType,
        offset: Int,
        value: Number,
    },
    /// A DataCacheCleanAndInvalid of a line.
    CleanLine {
        gm: usize,
        dtype: DType,
        offset: Int,
    },
    /// A dump: rows, elements of a row, and elements from row to row.
    Dump {
        src: Ref,
        rows: [Int; 3],
        title: String,
    },
    SetValue {
        dst: Ref,
        value: Number,
    },
}

/// A flag that is set or waited for.
pub(super) struct Flag {
    pub event: ir::Event,
    pub id: Int,
    /// True for a set, false for a wait.
    pub sets: bool,
}

type Made<T> = Result<T, (SpanId, Trip)>;

/// Returns for each parameter and workspace whether the kernel writes it and the scalar unit
/// touches it.
fn cached(sig: &ir::Signature, body: &ir::queue::Body) -> Vec<bool> {
    let mut cached = vec![false; sig.params.len() + body.works.len()];
    body.walk(&mut |s| {
        let StmtKind::Do(QueueStmt::Instr { instr }) = &s.kind else {
            return;
        };
        if instr.op.contract().pipe != Pipe::S {
            return;
        }
        for of in instr.views().filter_map(|(_, view)| view.global()) {
            match of {
                TensorRef::Param(id) => {
                    cached[id.index()] |= sig
                        .tensors()
                        .any(|(p, _, role, _)| p == id && role != ir::Role::In);
                }
                TensorRef::Work(id) => cached[sig.params.len() + id.index()] = true,
            }
        }
    });
    cached
}

impl Program {
    /// Makes the program of the chosen variant.
    ///
    /// # Errors
    /// J0804 at the statement that cannot be resolved; a checked kernel has none.
    pub fn new(setup: &Setup<'_>) -> Made<Program> {
        let variant = &setup.lowered.variants[setup.tiling.variant];
        let (body, linked) = link(&variant.body, &setup.lowered.funcs);
        let body = &body;
        let vars = body.vars.len();
        let mut maker = Maker {
            setup,
            body,
            linked: &linked,
            assigned: vec![false; vars],
            vars: vec![0; vars],
            span: SpanId(0),
            number: 0,
            meets: false,
        };
        maker.find_assigned();
        maker.take_host_values()?;
        let types = setup.lowered.binding();
        let local = |t: &TensorDecl| Local {
            name: t.name.clone(),
            dtype: t.dtype.resolve(types),
        };
        let tensors = body.tensors.iter().map(local).collect();
        let mut queues = Vec::with_capacity(body.queues.len());
        for q in &body.queues {
            maker.span = q.span;
            let depth = usize::try_from(q.depth).unwrap_or(0);
            queues.push(Queue {
                name: q.name.clone(),
                position: q.position,
                depth,
                buffer_num: maker.int(&q.buffer_num)?,
                bytes: maker.int(&q.bytes.sized(types))?,
            });
        }
        let mut bufs = Vec::with_capacity(body.bufs.len());
        for b in &body.bufs {
            maker.span = b.span;
            bufs.push((b.name.clone(), maker.int(&b.bytes.sized(types))?));
        }
        let mut works = Vec::with_capacity(body.works.len());
        for w in &body.works {
            maker.span = w.span;
            works.push((w.name.clone(), maker.int(&w.len)?));
        }
        let mut has_masks = false;
        body.walk(&mut |s| {
            let masks = |instr: &Instr| instr.views().any(|(rule, _)| rule.elem == Elem::Bits);
            has_masks |=
                matches!(&s.kind, StmtKind::Do(QueueStmt::Instr { instr }) if masks(instr));
        });
        let stmts = maker.numbered(&body.stmts)?;
        let funcs = linked
            .iter()
            .map(|f| maker.numbered(&f.stmts))
            .collect::<Made<_>>()?;
        let memory = variant.memory.clone();
        let packed = body.packed().into_iter().map(ir::ParamId::index).collect();
        let cached = cached(&setup.lowered.sig, body);
        let params = setup.lowered.sig.params.iter().map(|p| match p.kind {
            ir::ParamKind::Tensor { dtype, .. } => Some(dtype),
            ir::ParamKind::Attr { .. } => None,
        });
        let dtypes = params.chain(body.works.iter().map(|w| Some(w.dtype)));
        let sizes = dtypes
            .map(|ty| ty.map_or(0, |ty| ty.resolve(types).bytes() as usize))
            .collect();
        Ok(Program {
            vars: maker.vars,
            tensors,
            queues,
            bufs,
            memory,
            works,
            body: stmts,
            funcs,
            has_masks,
            meets: maker.meets,
            packed,
            cached,
            sizes,
        })
    }
}

impl Program {
    /// Makes the workspaces of the kernel as tensors in GM without values.
    ///
    /// # Errors
    /// J0804 for a length that is no number of elements; the host of a checked kernel has refused
    /// it.
    pub fn workspaces<'g>(&self, setup: &Setup<'_>) -> Made<Vec<Gm<'g>>> {
        let env = Env {
            vars: self.vars.clone(),
            block: 0,
            block_dim: setup.tiling.block_dim,
        };
        let decls = setup.lowered.variants[setup.tiling.variant]
            .body
            .works
            .iter();
        let each = self.works.iter().zip(decls).map(|((name, len), decl)| {
            let len = len.eval(&env).map_err(|e| (decl.span, Trip::from(e)))?;
            let fault = || {
                (
                    decl.span,
                    Trip::new(
                        Code::J0804,
                        format!("workspace `{name}` has {len} elements"),
                    ),
                )
            };
            usize::try_from(len)
                .map(|len| Gm::workspace(name, len))
                .map_err(|_| fault())
        });
        each.collect()
    }
}

/// A device function whose variables and tensors are numbered after those of the body.
struct Linked<'a> {
    func: &'a ir::Func,
    vars: usize,
    tensors: usize,
    stmts: Vec<Stmt>,
}

/// Numbers the variables and tensors of all functions after those of the body. A function calls
/// only earlier ones, so one slot for each argument is enough.
fn link<'a>(
    body: &ir::queue::Body,
    funcs: &'a [Arc<ir::Func>],
) -> (ir::queue::Body, Vec<Linked<'a>>) {
    let mut body = body.clone();
    let linked = funcs.iter().map(|func| {
        let (vars, tensors) = (body.vars.len(), body.tensors.len());
        body.vars.extend(func.body.vars.iter().cloned());
        body.tensors.extend(func.body.tensors.iter().cloned());
        let mut stmts = func.body.stmts.clone();
        ir::walk_stmts_mut(&mut stmts, &mut |s| s.renumber(vars, tensors));
        Linked {
            func,
            vars,
            tensors,
            stmts,
        }
    });
    let linked = linked.collect();
    (body, linked)
}

struct Maker<'a> {
    setup: &'a Setup<'a>,
    body: &'a ir::queue::Body,
    linked: &'a [Linked<'a>],
    /// Variables that the body sets.
    assigned: Vec<bool>,
    vars: Vec<i64>,
    span: SpanId,
    /// The number of statements of the body, or of the function, so far.
    number: usize,
    /// True if blocks wait for one another.
    meets: bool,
}

impl Maker<'_> {
    fn find_assigned(&mut self) {
        let assigned = &mut self.assigned;
        walk_stmts(&self.body.stmts, &mut |s| {
            if let Some(a) = s.sets().and_then(|var| assigned.get_mut(var.index())) {
                *a = true;
            }
        });
        self.linked
            .iter()
            .for_each(|f| assigned[f.vars..f.vars + f.func.body.vars.len()].fill(true));
    }

    /// Makes a call of a function, with the conditions that the function requires.
    fn call(&self, func: ir::FuncId, tensors: &[ir::View], scalars: &[Scalar]) -> Made<Kind> {
        let f = &self.linked[self.index(func.index(), self.linked.len(), "function")?];
        if tensors.len() != f.func.tensors.len() || scalars.len() != f.func.scalars {
            return self.malformed(format!(
                "`{}` has the wrong number of operands",
                f.func.name
            ));
        }
        let given = f.func.tensors.iter().zip(tensors).enumerate();
        let tensors = given
            .map(|(i, (t, view))| {
                Ok((
                    f.tensors + i,
                    self.local(view)?,
                    self.int(&f.func.given(&t.elements, scalars))?,
                ))
            })
            .collect::<Made<_>>()?;
        let requires = f
            .func
            .requires
            .iter()
            .map(|c| self.bool(&f.func.given(c, scalars)))
            .collect::<Made<_>>()?;
        let scalars = scalars
            .iter()
            .enumerate()
            .map(|(i, s)| Ok((f.vars + i, self.expr(s)?)))
            .collect::<Made<_>>()?;
        Ok(Kind::Call(Box::new(FuncCall {
            func: func.index(),
            name: f.func.name.clone(),
            tensors,
            scalars,
            requires,
        })))
    }

    fn take_host_values(&mut self) -> Made<()> {
        for (i, decl) in self.body.vars.iter().enumerate() {
            if let Some(value) = self.setup.tiling.var(VarId::new(i, decl.ty)) {
                self.vars[i] =
                    scalar::host_slot(decl.ty, value).map_err(|e| self.scalar_error(&e))?;
            }
        }
        Ok(())
    }

    fn scalar_error(&self, e: &EvalError) -> (SpanId, Trip) {
        (
            self.span,
            Trip::new(Code::J0804, format!("a scalar cannot be computed: {e}")),
        )
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
        scalar::compile(s, &|v| self.lookup(v))
            .and_then(Expr::int)
            .map_err(|e| self.scalar_error(&e))
    }
    fn bool(&self, s: &Scalar) -> Made<Bool> {
        scalar::compile(s, &|v| self.lookup(v))
            .and_then(Expr::bool)
            .map_err(|e| self.scalar_error(&e))
    }
    fn count(&self, s: &Scalar) -> Made<Int> {
        self.expr(s)?.count().map_err(|e| self.scalar_error(&e))
    }
    fn number(&self, s: &Scalar, dtype: DType) -> Made<Number> {
        match (ScalarTy::beside(dtype), self.expr(s)?) {
            (ScalarTy::F32, Expr::Float(f)) => Ok(Number::Float(f)),
            (ScalarTy::I32, Expr::Small(i)) => Ok(Number::Int(i)),
            _ => Err(self.scalar_error(&EvalError::Type)),
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
    fn local(&self, view: &ir::View) -> Made<Ref> {
        let Some(id) = view.tensor() else {
            return self.malformed("a GlobalTensor among local ones");
        };
        let tensor = self.tensor(id)?;
        let dtype = self.body.tensors[tensor]
            .dtype
            .resolve(self.setup.lowered.binding());
        let strides = match &view.layout {
            Layout::Blocks { blk, rep } => Some((self.int(blk)?, self.int(rep)?)),
            Layout::Results { rep } => Some((self.int(&Scalar::Int(1))?, self.int(rep)?)),
            Layout::Dense {} | Layout::Rows { .. } => None,
        };
        Ok(Ref {
            tensor,
            dtype,
            offset: self.int(&view.offset)?,
            strides,
        })
    }

    /// Makes the statements of the body or of a function, numbered from 0 on.
    fn numbered(&mut self, stmts: &[Stmt]) -> Made<Vec<Inst>> {
        self.number = 0;
        self.stmts(stmts)
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Made<Vec<Inst>> {
        stmts
            .iter()
            .map(|s| {
                self.span = s.span;
                let number = self.number;
                self.number += 1;
                Ok(Inst {
                    span: s.span,
                    number,
                    kind: self.stmt(&s.kind)?,
                })
            })
            .collect()
    }

    fn stmt(&mut self, kind: &StmtKind<QueueStmt>) -> Made<Kind> {
        Ok(match kind {
            StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                let slot = self.var(*var)?;
                let value = self.expr(value)?;
                if value.ty() != self.body.vars[slot].ty {
                    return Err(self.scalar_error(&EvalError::Type));
                }
                Kind::Let(slot, value)
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                let (var, from, to, body) = (
                    self.var(*var)?,
                    self.count(from)?,
                    self.count(to)?,
                    self.stmts(body)?,
                );
                let even =
                    matches!(&body[..], [Inst { kind: Kind::Vector(v), .. }] if v.is_even_in(var));
                Kind::For {
                    var,
                    from,
                    to,
                    body,
                    even,
                }
            }
            StmtKind::If { cond, then, other } => Kind::If {
                cond: self.bool(cond)?,
                then: self.stmts(then)?,
                other: self.stmts(other)?,
            },
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc,
                tensor,
                queue,
            }) => Kind::Alloc {
                tensor: self.tensor(*tensor)?,
                queue: self.queue(*queue)?,
            },
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Enque,
                tensor,
                queue,
            }) => Kind::Enque {
                tensor: self.tensor(*tensor)?,
                queue: self.queue(*queue)?,
            },
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Deque,
                tensor,
                queue,
            }) => Kind::Deque {
                tensor: self.tensor(*tensor)?,
                queue: self.queue(*queue)?,
            },
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Free,
                tensor,
                queue,
            }) => Kind::Free {
                tensor: self.tensor(*tensor)?,
                queue: self.queue(*queue)?,
            },
            StmtKind::Do(QueueStmt::Get { tensor, buf }) => Kind::Get {
                tensor: self.tensor(*tensor)?,
                buf: self.index(buf.index(), self.body.bufs.len(), "buffer")?,
            },
            StmtKind::Do(QueueStmt::View { tensor, of }) => Kind::View {
                tensor: self.tensor(*tensor)?,
                of: self.local(of)?,
            },
            StmtKind::Do(QueueStmt::Place {
                tensor, at, len, ..
            }) => Kind::Place {
                tensor: self.tensor(*tensor)?,
                at: self.int(at)?,
                len: self.int(len)?,
            },
            StmtKind::Do(QueueStmt::Sync { what }) => match what {
                SyncOp::Set { event, id } => Kind::Flag(Flag {
                    event: *event,
                    id: self.int(id)?,
                    sets: true,
                }),
                SyncOp::Wait { event, id } => Kind::Flag(Flag {
                    event: *event,
                    id: self.int(id)?,
                    sets: false,
                }),
                SyncOp::Barrier { of } => Kind::Barrier(*of),
                SyncOp::All {} => {
                    self.meets = true;
                    Kind::SyncAll
                }
                SyncOp::Order { from, to } => Kind::Order {
                    from: *from,
                    to: *to,
                },
                SyncOp::CrossSet { pipe, id } => {
                    self.meets = true;
                    Kind::CrossSet {
                        pipe: *pipe,
                        id: self.int(id)?,
                    }
                }
                SyncOp::CrossWait { id } => {
                    self.meets = true;
                    Kind::CrossWait { id: self.int(id)? }
                }
            },
            StmtKind::Do(QueueStmt::Instr { instr }) => self.instr(instr)?,
            StmtKind::Promise {
                what: Promised::Fact { cond, text },
            } => Kind::Assume {
                cond: self.bool(cond)?,
                text: text.clone(),
            },
            StmtKind::Promise {
                what: Promised::Index { value, below, of },
            } => {
                let of = of.map(|of| self.setup.lowered.sig.param(of).name.clone());
                Kind::Promise {
                    value: self.int(value)?,
                    below: self.int(below)?,
                    of,
                }
            }
            StmtKind::Do(QueueStmt::Reset { memory }) => Kind::Reset(memory.clone()),
            StmtKind::Do(QueueStmt::Call {
                func,
                tensors,
                scalars,
            }) => self.call(*func, tensors, scalars)?,
            StmtKind::Do(QueueStmt::Host { .. }) => {
                return self.malformed("a statement that lowering should have replaced")
            }
        })
    }

    fn instr(&self, instr: &Instr) -> Made<Kind> {
        let operands = instr.op.contract().operands;
        if operands.len() != instr.args.len() {
            return self.malformed(format!(
                "`{}` has the wrong number of operands",
                instr.op.name()
            ));
        }
        Ok(match instr.op {
            Op::Copy(op) => self.copy(op, instr)?,
            Op::Scalar(ScalarOp::GetValue | ScalarOp::GetIndex) => {
                let var = self.var(self.found(instr, instr.result())?)?;
                Kind::GetValue {
                    var,
                    ty: self.body.vars[var].ty,
                    src: self.view(instr, Access::Read)?,
                }
            }
            Op::Scalar(ScalarOp::GetGlobal) => {
                let var = self.var(self.found(instr, instr.result())?)?;
                let (gm, dtype, offset) = self.element_of_gm(instr)?;
                Kind::GetGlobal {
                    var,
                    ty: self.body.vars[var].ty,
                    gm,
                    dtype,
                    offset,
                }
            }
            Op::Scalar(ScalarOp::SetGlobal) => {
                let (gm, dtype, offset) = self.element_of_gm(instr)?;
                let value = self.number(self.found(instr, instr.number())?, dtype)?;
                Kind::SetGlobal {
                    gm,
                    dtype,
                    offset,
                    value,
                }
            }
            Op::Scalar(ScalarOp::CleanLine) => {
                let (gm, dtype, offset) = self.element_of_gm(instr)?;
                Kind::CleanLine { gm, dtype, offset }
            }
            Op::Scalar(ScalarOp::SetValue) => {
                let dst = self.view(instr, Access::Write)?;
                Kind::SetValue {
                    value: self.number(self.found(instr, instr.number())?, dst.dtype)?,
                    dst,
                }
            }
            Op::Scalar(ScalarOp::Dump) => {
                let ir::Extent::Rows { rows, cols } = &instr.extent else {
                    return self.malformed("a dump without rows");
                };
                let view = self.found(instr, instr.accessed(Access::Read).next())?;
                let pitch = match &view.layout {
                    Layout::Rows { pitch } => pitch,
                    Layout::Dense {} => cols,
                    Layout::Blocks { .. } | Layout::Results { .. } => {
                        return self.malformed("a dump of strided blocks")
                    }
                };
                let rows = [self.int(rows)?, self.int(cols)?, self.int(pitch)?];
                Kind::Dump {
                    src: self.local(view)?,
                    rows,
                    title: self.found(instr, instr.title())?.to_string(),
                }
            }
            Op::Binary(_)
            | Op::BinaryScalar(_)
            | Op::Unary(_)
            | Op::Compare(_)
            | Op::CompareScalar(_)
            | Op::Reduce(_)
            | Op::Partial(_)
            | Op::Mask(_)
            | Op::Bit(_)
            | Op::Shift(_)
            | Op::Scan(_)
            | Op::Compound(_)
            | Op::Layout(_) => Kind::Vector(Box::new(self.vector(instr)?)),
            Op::AxisReduce(_) => {
                return self.malformed(format!("`{}` is no instruction", instr.op.name()))
            }
        })
    }

    fn found<T>(&self, instr: &Instr, part: Option<T>) -> Made<T> {
        let lacks = || {
            (
                self.span,
                Trip::new(
                    Code::J0804,
                    format!("`{}` lacks an operand", instr.op.name()),
                ),
            )
        };
        part.ok_or_else(lacks)
    }

    /// Returns the local tensor that an instruction accesses in this way.
    fn view(&self, instr: &Instr, access: Access) -> Made<Ref> {
        self.local(self.found(instr, instr.accessed(access).find(|v| v.tensor().is_some()))?)
    }

    /// Returns the one element of GM that an instruction touches: its tensor, element type and
    /// place.
    fn element_of_gm(&self, instr: &Instr) -> Made<(usize, DType, Int)> {
        let view = self.found(
            instr,
            instr
                .views()
                .map(|(_, view)| view)
                .find(|v| v.global().is_some()),
        )?;
        let (gm, dtype) = self.global(self.found(instr, view.global())?)?;
        Ok((gm, self.found(instr, dtype)?, self.int(&view.offset)?))
    }

    /// Returns a tensor in GM by its number, and its element type.
    fn global(&self, of: TensorRef) -> Made<(usize, Option<DType>)> {
        let sig = &self.setup.lowered.sig;
        let (at, ty) = match of {
            TensorRef::Param(id) => (
                self.index(id.index(), sig.params.len(), "parameter")?,
                sig.dtype(id),
            ),
            TensorRef::Work(id) => {
                let at = self.index(id.index(), self.body.works.len(), "workspace")?;
                (sig.params.len() + at, Some(self.body.works[at].dtype))
            }
        };
        Ok((at, ty.map(|ty| ty.resolve(self.setup.lowered.binding()))))
    }

    fn copy(&self, op: CopyOp, instr: &Instr) -> Made<Kind> {
        let pad = op.pads();
        let (does, pipe) = (op.does(), instr.op.contract().pipe);
        let sig = &self.setup.lowered.sig;
        let side = |space| {
            self.found(
                instr,
                instr
                    .views()
                    .map(|(_, view)| view)
                    .find(|v| v.base.space() == space),
            )
        };
        let (gm, local) = (side(Space::Gm)?, side(Space::Ub)?);
        let of = self.found(instr, gm.global())?;
        let (at, dtype) = self.global(of)?;
        let ub = self.local(local)?;
        if dtype != Some(ub.dtype) {
            return self.malformed(format!(
                "`{}` and the tensor copied differ in dtype",
                self.body.gm_name(sig, of)
            ));
        }
        let ir::Extent::Rows { rows, cols } = &instr.extent else {
            return self.malformed("a copy without rows");
        };
        let pitch = |view: &ir::View| match &view.layout {
            Layout::Rows { pitch } => self.int(pitch),
            Layout::Dense {} => self.int(cols),
            Layout::Blocks { .. } | Layout::Results { .. } => {
                self.malformed("a copy of strided blocks")
            }
        };
        let shape = Shape {
            rows: self.int(rows)?,
            cols: self.int(cols)?,
            gm_stride: pitch(gm)?,
            ub_pitch: pitch(local)?,
        };
        let lead = instr.lead().map(|lead| {
            let number = self.found(instr, instr.number())?;
            Ok((self.int(lead)?, self.number(number, ub.dtype)?))
        });
        let copy = Box::new(Copy {
            gm: at,
            gm_offset: self.int(&gm.offset)?,
            ub,
            shape,
            pad,
            lead: lead.transpose()?,
            does,
            pipe,
        });
        Ok(if does.stores() {
            Kind::CopyOut(copy)
        } else {
            Kind::CopyIn(copy)
        })
    }

    fn mask(&self, lanes: &Lanes) -> Made<Mask> {
        Ok(match lanes {
            Lanes::First { n } => Mask::First(self.int(n)?),
            Lanes::Bits { low, high } => {
                Mask::Bits(u128::from(*high) << u64::BITS | u128::from(*low))
            }
            Lanes::Groups {
                from,
                to,
                of,
                groups,
            } => Mask::Groups {
                from: self.int(from)?,
                to: self.int(to)?,
                of: *of,
                groups: self.int(groups)?,
            },
        })
    }

    fn vector(&self, instr: &Instr) -> Made<Vector> {
        let mut dst = self.view(instr, Access::Write)?;
        let results = instr
            .views()
            .any(|(rule, _)| matches!(rule.reach, Reach::Results(_)));
        if results && dst.strides.is_none() {
            // Results of a reduction are contiguous.
            dst.strides = Some((self.int(&Scalar::Int(1))?, self.int(&Scalar::Int(1))?));
        }
        let contract = instr.op.contract();
        let sources = instr.accessed(Access::Read).take(contract.sources());
        let srcs = sources.map(|s| self.local(s)).collect::<Made<Vec<_>>>()?;
        let dtypes: Vec<DType> = srcs.iter().map(|s| s.dtype).collect();
        let number = if contract.has_number() {
            Some(self.found(instr, instr.number())?)
        } else {
            None
        };
        if srcs.len() != contract.sources() {
            return self.malformed(format!(
                "`{}` has the wrong number of operands",
                instr.op.name()
            ));
        }
        let saturate = self.setup.overflow == Overflow::Saturate;
        let Some(action) = Action::new(instr.op, dst.dtype, &dtypes, instr.mode(), saturate) else {
            let list: Vec<&str> = dtypes.iter().map(|d| d.name()).collect();
            return self.malformed(format!(
                "`{}` has no meaning on {} from {}",
                instr.op.name(),
                dst.dtype,
                list.join(", ")
            ));
        };
        // The scalar has the element type of the op's row: the destination's, or else that of the
        // sources. The last source is never a mask.
        let is_own = contract
            .views()
            .next()
            .is_some_and(|rule| rule.elem == Elem::Own);
        let own = if is_own {
            dst.dtype
        } else {
            *dtypes.last().unwrap_or(&dst.dtype)
        };
        let scalar = number
            .map(|s| Ok((self.number(s, own)?, own)))
            .transpose()?;
        let form = match &instr.extent {
            ir::Extent::Count { n } => Form::Count(self.int(n)?),
            ir::Extent::Repeat { mask, repeat } => Form::Repeat {
                mask: self.mask(mask)?,
                repeat: self.int(repeat)?,
            },
            ir::Extent::Counter { n } => Form::Counter(self.int(n)?),
            ir::Extent::Eights { repeat } => Form::Eights(self.int(repeat)?),
            ir::Extent::Fixed {} | ir::Extent::Rows { .. } => {
                return self.malformed(format!("`{}` without an extent", instr.op.name()));
            }
        };
        let work = instr
            .accessed(Access::Scratch)
            .next()
            .map(|t| self.local(t))
            .transpose()?;
        let pattern = instr.pattern().map(|number| self.int(number)).transpose()?;
        let base = instr.base().map(|bytes| self.int(bytes)).transpose()?;
        let most = instr.most().map(|number| self.int(number)).transpose()?;
        let lengths = instr
            .lengths()
            .map(|number| self.int(number))
            .collect::<Made<Vec<_>>>()?;
        let kept = instr.result().map(|var| self.var(var)).transpose()?;
        let (strides, begins) = (contract.largest_strides(), contract.begins);
        Ok(Vector {
            name: instr.op.name(),
            action,
            dst,
            srcs,
            scalar,
            pattern,
            base,
            most,
            lengths,
            work,
            form,
            strides,
            kept,
            begins,
        })
    }
}
