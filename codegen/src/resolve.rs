//! The source of a kernel class: the body of a variant without anything that depends on the
//! instance alone.
//!
//! The bodies of two instances may differ in types that C++ spells equally. This module substitutes
//! types of the instance where no template parameter stands for them. It drops everything that is
//! not printed, and records what C++ spells by the type. Two classes have one text where their
//! resolved sources are equal.

use crate::parts::{let_var, tensors, works, Contents};
use crate::range::Ranges;
use crate::uses::Live;
use jumar_dsl::dtype::{DType, Float};
use jumar_dsl::ir::queue::{Body, Stmt};
use jumar_dsl::ir::{
    Base, BufId, Func, Lowered, Memory, QueueStmt, ReadOnce, Scalar, ScalarTy, StmtKind, TensorRef,
    Ty, UnOp, VarId,
};
use jumar_dsl::ops::contract::{Elem, What};
use jumar_dsl::ops::{Op, ScalarOp, UnaryOp};
use std::sync::Arc;

/// The form of scalar code beside elements of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beside {
    /// `half` and `float`: computed in `float`.
    Float,
    /// `bfloat16_t`, which has no conversion in scalar code.
    Bf16,
    /// Integers, computed in `int32_t`.
    Whole,
}

impl Beside {
    /// Returns the form for a concrete type.
    pub(crate) const fn of(dtype: DType) -> Beside {
        match dtype.float() {
            Some(Float::F16 | Float::F32) => Beside::Float,
            Some(Float::Bf16) => Beside::Bf16,
            None => Beside::Whole,
        }
    }
}

/// Everything that the text of a class depends on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Source {
    /// Name of the variant.
    pub(crate) variant: String,
    /// Members of the tiling data that it reads.
    pub(crate) fields: Vec<VarId>,
    /// Inputs that it reads once.
    pub(crate) once: Vec<ReadOnce>,
    /// Element type of each parameter that it copies from or to.
    pub(crate) gm: Vec<Option<Ty>>,
    /// The order in which it asks TPipe for memory.
    pub(crate) memory: Vec<Memory>,
    /// The statements; element types are concrete, template parameters or masks.
    pub(crate) body: Body,
    /// The functions that it may call.
    pub(crate) funcs: Vec<Arc<Func>>,
    /// Line of each span.
    pub(crate) lines: Vec<u32>,
    /// For each dtype parameter, the form of numbers beside its elements, where there are some.
    beside: Vec<Option<Beside>>,
    /// For each dtype parameter, the type whose elements become scalars, where some do.
    read: Vec<Option<DType>>,
    /// For each operation on 32 bits, whether it may overflow.
    wraps: Vec<bool>,
}

impl Source {
    /// Makes the source of a variant, with template parameters for the dtype parameters.
    pub(crate) fn new(lowered: &Lowered, variant: usize) -> Source {
        let binding = lowered.binding();
        let variant = &lowered.variants[variant];
        let mut source = Source {
            variant: variant.name.clone(),
            fields: variant.fields.clone(),
            once: variant.once.clone(),
            gm: vec![None; lowered.sig.params.len()],
            memory: variant.memory.clone(),
            body: variant.body.clone(),
            funcs: lowered.funcs.clone(),
            lines: lowered.spans.iter().map(|s| s.line).collect(),
            beside: vec![None; binding.len()],
            read: vec![None; binding.len()],
            wraps: Vec::new(),
        };
        for param in tensors(&source.body) {
            source.gm[param.index()] = lowered.sig.dtype(param);
        }
        source.settle(&|ty| match ty {
            Ty::Is(_) | Ty::Param(_) | Ty::Mask => ty,
            Ty::Wide(_) => Ty::Is(ty.resolve(binding)),
        });
        source.drop_unused();
        source.note_spelling(binding);
        source.note_wraps(|| Ranges::of_variant(lowered, variant));
        source
    }

    /// Makes the source for one instance, without template parameters.
    pub(crate) fn concrete(mut self, binding: &[DType]) -> Source {
        self.settle(&|ty| match ty {
            Ty::Is(_) | Ty::Mask => ty,
            Ty::Param(_) | Ty::Wide(_) => Ty::Is(ty.resolve(binding)),
        });
        self
    }

    /// Iterates over buffers that only move others to other banks.
    pub(crate) fn skews(&self) -> impl Iterator<Item = BufId> + '_ {
        self.memory
            .iter()
            .chain(self.body.resets().into_iter().flatten())
            .filter_map(|memory| match memory {
                Memory::Skew { buf } => Some(*buf),
                Memory::Queue { .. } | Memory::Buf { .. } => None,
            })
    }

    /// Returns the element type of a tensor in GM that it copies from or to.
    pub(crate) fn global(&self, of: TensorRef) -> Ty {
        match of {
            TensorRef::Param(id) => self.gm[id.index()].expect("a view looks at a tensor"),
            TensorRef::Work(id) => self.body.work(id).dtype,
        }
    }

    /// Returns the form of numbers beside elements of a type.
    pub(crate) fn beside(&self, ty: Ty) -> Beside {
        match ty {
            Ty::Param(i) => self.beside[usize::from(i)].expect("what is beside numbers was noted"),
            Ty::Is(_) | Ty::Wide(_) | Ty::Mask => Beside::of(ty.resolve(&[])),
        }
    }

    /// Returns the type of elements that become scalars.
    pub(crate) fn read(&self, ty: Ty) -> DType {
        match ty {
            Ty::Param(i) => self.read[usize::from(i)].expect("what is read was noted"),
            Ty::Is(_) | Ty::Wide(_) | Ty::Mask => ty.resolve(&[]),
        }
    }

    /// Returns the dtype parameters that the text names.
    pub(crate) fn params(&self) -> Vec<u8> {
        let mut found = Vec::new();
        let mut note = |ty: Ty| match ty {
            Ty::Param(i) => found.push(i),
            Ty::Is(_) | Ty::Wide(_) | Ty::Mask => {}
        };
        self.gm.iter().flatten().for_each(|ty| note(*ty));
        works(&self.body)
            .into_iter()
            .for_each(|w| note(self.body.work(w).dtype));
        let sizes = self
            .body
            .queues
            .iter()
            .map(|q| &q.bytes)
            .chain(self.body.bufs.iter().map(|b| &b.bytes));
        sizes.for_each(|bytes| {
            bytes.walk(&mut |node| {
                if let Scalar::SizeOf(ty) = node {
                    note(*ty);
                }
            });
        });
        self.body.walk(&mut |s| {
            s.defines()
                .into_iter()
                .for_each(|t| note(self.body.tensors[t.index()].dtype));
            if let StmtKind::Do(QueueStmt::Call { func, .. }) = &s.kind {
                self.funcs[func.index()]
                    .body
                    .tensors
                    .iter()
                    .for_each(|t| note(t.dtype));
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Replaces each element type by its result of `f`.
    fn settle(&mut self, f: &impl Fn(Ty) -> Ty) {
        let changes = |func: &Func| func.body.tensors.iter().any(|t| f(t.dtype) != t.dtype);
        let funcs = self.funcs.iter_mut().filter(|func| changes(func));
        let of_funcs = funcs.flat_map(|func| &mut Arc::make_mut(func).body.tensors);
        self.body
            .tensors
            .iter_mut()
            .chain(of_funcs)
            .for_each(|t| t.dtype = f(t.dtype));
        self.gm.iter_mut().flatten().for_each(|ty| *ty = f(*ty));
        self.body
            .works
            .iter_mut()
            .for_each(|w| w.dtype = f(w.dtype));
        let sizes = |bytes: &mut Scalar| {
            *bytes = bytes.replace(&|node| match node {
                Scalar::SizeOf(ty) => Some(Scalar::SizeOf(f(*ty))),
                _ => None,
            });
        };
        self.body
            .queues
            .iter_mut()
            .for_each(|q| sizes(&mut q.bytes));
        self.body.bufs.iter_mut().for_each(|b| sizes(&mut b.bytes));
    }

    /// Drops computations of unused values, and the names of what is dropped.
    fn drop_unused(&mut self) {
        let contents = Contents::of(&self.body, &self.fields);
        let (live, init) = (contents.live, contents.init);
        let hints = |var: VarId| self.once.iter().any(|o| o.exceeds_l2 == var);
        let uses = |var: VarId| live.var(var) || init.contains(&var) || hints(var);
        self.fields.retain(|v| uses(*v));
        let kept = |s: &Stmt| live.keeps(s) || let_var(s).is_some_and(uses);
        self.body.stmts.retain(kept);
        self.body.stmts.iter_mut().for_each(|s| retain(s, &live));
        let mut named: Vec<bool> = self.body.vars.iter().map(|_| false).collect();
        let mut name = |v: VarId| named[v.index()] = true;
        self.fields.iter().for_each(|v| name(*v));
        init.iter().for_each(|v| name(*v));
        live.vars().for_each(&mut name);
        self.body
            .walk(&mut |s| s.sets().into_iter().for_each(&mut name));
        for (decl, named) in self.body.vars.iter_mut().zip(named) {
            if !named {
                decl.name.clear();
            }
        }
        self.body.values.clear();
    }

    fn note_spelling(&mut self, binding: &[DType]) {
        let (mut beside, mut read) = (
            std::mem::take(&mut self.beside),
            std::mem::take(&mut self.read),
        );
        let mut note = |body: &Body, s: &Stmt| {
            let StmtKind::Do(QueueStmt::Instr { instr }) = &s.kind else {
                return;
            };
            let own = instr
                .views()
                .find(|(rule, _)| rule.elem == Elem::Own)
                .and_then(|(_, view)| match view.base {
                    Base::Local(t) => Some(body.tensors[t.index()].dtype),
                    Base::Gm(TensorRef::Param(p)) => self.gm[p.index()],
                    Base::Gm(TensorRef::Work(w)) => Some(body.work(w).dtype),
                });
            let Some(Ty::Param(i)) = own else { return };
            let (i, dtype) = (usize::from(i), binding[usize::from(i)]);
            let numbers = instr
                .operands()
                .any(|(operand, _)| matches!(operand.what, What::Number));
            if numbers || instr.op == Op::Unary(UnaryOp::Neg) {
                beside[i] = Some(Beside::of(dtype));
            }
            if matches!(
                instr.op,
                Op::Scalar(ScalarOp::GetValue | ScalarOp::GetGlobal)
            ) {
                read[i] = Some(dtype);
            }
        };
        for body in self.funcs.iter().map(|f| &f.body).chain([&self.body]) {
            body.walk(&mut |s| note(body, s));
        }
        (self.beside, self.read) = (beside, read);
    }

    fn note_wraps(&mut self, ranges: impl FnOnce() -> Ranges) {
        let ranges = std::cell::LazyCell::new(ranges);
        let mut wraps = Vec::new();
        let mut note = |s: &Scalar| {
            s.walk(&mut |node| match node {
                Scalar::Bin(op, a, b) if a.ty() == ScalarTy::I32 => {
                    wraps.push(ranges.wraps(*op, a, b))
                }
                Scalar::Un(UnOp::Neg, a) if a.ty() == ScalarTy::I32 => {
                    wraps.push(ranges.wraps_negated(a))
                }
                _ => {}
            });
        };
        self.body
            .queues
            .iter()
            .for_each(|q| [&q.bytes, &q.buffer_num].into_iter().for_each(&mut note));
        self.body.bufs.iter().for_each(|b| note(&b.bytes));
        self.body.walk(&mut |s| s.scalars(&mut note));
        self.wraps = wraps;
    }
}

/// Drops the statements inside of `s` that only compute unused values.
fn retain(s: &mut Stmt, live: &Live) {
    for list in s.children_mut().into_iter().flatten() {
        list.retain(|s| live.keeps(s));
        list.iter_mut().for_each(|s| retain(s, live));
    }
}
