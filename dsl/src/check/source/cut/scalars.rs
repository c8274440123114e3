//! Classes of scalars and indices along one cut.

use super::cause::Cause;
use super::class::{
    converted, cut, inverted, negated, only_free, step, Carried, Class, Kind, Monoid, Step,
};
use super::reasons::{of_core, OF_CORE_HELP};
use super::sums::sum;
use super::{CutRule, Key};
use crate::check::prove::forms::{Forms, Linear, Node};
use crate::dtype::DType;
use crate::ir::{Axes, BinOp, Index, Scalar, ScalarTy, SpanId, UnOp, VarId};
use crate::ops::BinaryOp;

impl CutRule<'_, '_> {
    /// Inlines definitions, and replaces indices within the run by indices along the whole axis.
    pub(super) fn written(&self, s: &Scalar) -> Scalar {
        self.rule
            .definitions
            .write_out(s)
            .replace(&|leaf| match leaf {
                Scalar::Var(var) => self.relative.get(var).cloned(),
                _ => None,
            })
    }

    pub(super) fn scalar(&self, s: &Scalar, at: SpanId) -> Class {
        self.written_scalar(&self.written(s), at)
    }

    fn written_scalar(&self, s: &Scalar, at: SpanId) -> Class {
        let because = |args: &[Class]| self.by_op(at, "this number", None, args);
        match s {
            Scalar::Int(v) => Class::Free(Some(*v as f64)),
            Scalar::I32(v) => Class::Free(Some(f64::from(*v))),
            Scalar::Float(v) => Class::Free(Some(f64::from(*v))),
            Scalar::Bool(_)
            | Scalar::Axis(_)
            | Scalar::Attr(..)
            | Scalar::Chip(_)
            | Scalar::SizeOf(_) => Class::FREE,
            Scalar::BlockIdx | Scalar::BlockDim => self.of_core(s, at),
            Scalar::Var(var) => self.var(*var, at),
            Scalar::Un(UnOp::Neg, a) => negated(&self.written_scalar(a, at), &because),
            Scalar::Un(UnOp::Not, a) => inverted(&self.written_scalar(a, at), &because),
            Scalar::Un(UnOp::Sqrt, a) => only_free(&[self.written_scalar(a, at)], &because),
            Scalar::Bin(op, a, b) => {
                let is_whole = matches!(a.ty(), ScalarTy::Index | ScalarTy::I32);
                let summed = match op {
                    BinOp::Add | BinOp::Sub | BinOp::Mul => self.summed(s, at),
                    // A comparison of integers is free if their difference is.
                    BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne
                        if is_whole =>
                    {
                        let between = Scalar::Bin(BinOp::Sub, a.clone(), b.clone());
                        self.summed(&between, at)
                            .filter(Class::is_free)
                            .map(|_| Class::FREE)
                    }
                    BinOp::Div if s.ty() == ScalarTy::F32 && **a != Scalar::Float(1.0) => {
                        self.summed(s, at)
                    }
                    _ => None,
                };
                if let Some(class) = summed {
                    return class;
                }
                let args = [self.written_scalar(a, at), self.written_scalar(b, at)];
                let known = match op {
                    BinOp::Add => Some(Step::Binary(BinaryOp::Add)),
                    BinOp::Sub => Some(Step::Binary(BinaryOp::Sub)),
                    BinOp::Mul => Some(Step::Binary(BinaryOp::Mul)),
                    BinOp::Div if s.ty() == ScalarTy::F32 => Some(Step::Binary(BinaryOp::Div)),
                    BinOp::Max => Some(Step::Binary(BinaryOp::Max)),
                    BinOp::Min => Some(Step::Binary(BinaryOp::Min)),
                    BinOp::And => Some(Step::And),
                    BinOp::Or => Some(Step::Or),
                    BinOp::Div
                    | BinOp::Rem
                    | BinOp::CeilDiv
                    | BinOp::AlignUp
                    | BinOp::Lt
                    | BinOp::Le
                    | BinOp::Gt
                    | BinOp::Ge
                    | BinOp::Eq
                    | BinOp::Ne => None,
                };
                let because = |args: &[Class]| self.by_op(at, "this number", known, args);
                match known {
                    Some(op) => step(
                        op,
                        [&args[0], &args[1]],
                        [sign(a), sign(b)],
                        self.is_element,
                        &because,
                    ),
                    None => only_free(&args, &because),
                }
            }
            Scalar::Select(c, a, b) => {
                let chosen = self.written_scalar(c, at);
                let (a, b) = (self.written_scalar(a, at), self.written_scalar(b, at));
                match chosen.is_free() {
                    true => a.join(&b, &because),
                    false => cut(&[chosen, a, b], &because),
                }
            }
            Scalar::Cast(to, a) => {
                let from = a.ty();
                let [from, to] = [from, *to].map(|ty| match ty {
                    ScalarTy::Index | ScalarTy::I32 => Kind::Whole(DType::I32),
                    ScalarTy::F32 => Kind::Float(4),
                    ScalarTy::Bool => Kind::Mask,
                });
                converted(&self.written_scalar(a, at), from, to, false, &because)
            }
        }
    }

    fn of_core(&self, s: &Scalar, at: SpanId) -> Class {
        match (self.key, of_core(s)) {
            (Key::Cores, Some((name, what))) => Class::Cut(Cause::new(
                at,
                format!("`{name}` says {what}"),
                OF_CORE_HELP,
            )),
            (Key::Run(_) | Key::Cores, _) => Class::FREE,
        }
    }

    fn var(&self, var: VarId, at: SpanId) -> Class {
        if let Key::Run(spec) = self.key {
            if var == spec.start {
                let run = self.rule.name(spec.ax);
                let help = format!("the indices of its elements are `{run}.iota()`");
                return Class::Cut(Cause::new(
                    at,
                    format!("`{run}.start()` is where a tile begins"),
                    help,
                ));
            }
            if var == spec.len {
                return Class::Part(Monoid::Sum, at);
            }
        }
        self.get(Carried::Scalar(var))
    }

    /// Returns the class of a scalar by its sum of products, if that tells.
    fn summed(&self, s: &Scalar, at: SpanId) -> Option<Class> {
        let mut forms = Forms::default();
        let sum = sum(&mut forms, s)?;
        self.of_sum(&forms, &sum, at)
    }

    fn of_sum(&self, forms: &Forms, sum: &Linear, at: SpanId) -> Option<Class> {
        let (mut parts, mut free, mut running) = (0, usize::from(sum.constant != 0), None);
        for (product, factor) in &sum.terms {
            let (factors, mut own) = (forms.factors(*product), None);
            for atom in factors {
                let Node::Leaf(leaf) = &**forms.node(*atom) else {
                    return None;
                };
                match self.written_scalar(leaf, at) {
                    Class::Free(_) => {}
                    class if own.is_none() => own = Some(class),
                    _ => return None,
                }
            }
            match own {
                None => free += 1,
                Some(Class::Part(Monoid::Sum, _)) => parts += 1,
                Some(Class::Running(of, merged @ (None | Some(Monoid::Sum))))
                    if factors.len() == 1 && *factor == 1 && running.is_none() =>
                {
                    running = Some((of, merged));
                }
                Some(_) => return None,
            }
        }
        match (parts, free, running) {
            (0, _, None) => Some(Class::Free(sum.as_int().map(|n| n as f64))),
            (_, 0, None) => Some(Class::Part(Monoid::Sum, at)),
            (0, 0, Some((of, merged))) => Some(Class::Running(of, merged)),
            (0, _, Some((of, _))) if self.is_element => Some(Class::Running(of, Some(Monoid::Sum))),
            (_, 0, Some((of, _))) if !self.is_element => {
                Some(Class::Running(of, Some(Monoid::Sum)))
            }
            _ => None,
        }
    }

    /// Returns the class of an index. It is free if it names elements independently of their run.
    pub(super) fn index(&self, index: &Index, at: SpanId) -> Class {
        if let Some(ids) = &index.ids {
            return match self.get(Carried::Tile(ids.value)) {
                Class::Free(_) => Class::FREE,
                other => Class::Cut(self.unmerged(&other, at)),
            };
        }
        let mut forms = Forms::default();
        let placed = || -> Option<Class> {
            let mut at_first = sum(&mut forms, &self.written(&index.offset))?;
            for term in &index.terms {
                let factor = sum(&mut forms, &self.written(&term.factor))?;
                if !self.of_sum(&forms, &factor, at)?.is_free() {
                    return None;
                }
                if let Key::Run(spec) = self.key {
                    if self.has(&Axes::from([term.ax]), spec.ax) {
                        let start = forms.of_var(spec.start)?;
                        at_first = at_first.plus(&forms.times(&factor, &start)?, -1)?;
                    }
                }
            }
            self.of_sum(&forms, &at_first, at)
        }();
        match placed {
            Some(class) if class.is_free() => Class::FREE,
            Some(class) => Class::Cut(self.unmerged(&class, at)),
            None => Class::Cut(self.unmerged(&self.scalar(&index.offset, at), at)),
        }
    }
}

/// Returns the sign of a number, if it is known. Sizes count as positive: at size 0 nothing is
/// merged.
pub(super) fn sign(s: &Scalar) -> Option<i8> {
    let of = |v: f64| {
        if v > 0.0 {
            Some(1)
        } else if v < 0.0 {
            Some(-1)
        } else {
            None
        }
    };
    match s {
        Scalar::Int(v) => of(*v as f64),
        Scalar::I32(v) => of(f64::from(*v)),
        Scalar::Float(v) => of(f64::from(*v)),
        Scalar::Un(UnOp::Neg, a) => sign(a).map(|sign| -sign),
        Scalar::Bin(BinOp::Mul | BinOp::Div, a, b) if s.ty() == ScalarTy::F32 => {
            Some(sign(a)? * sign(b)?)
        }
        _ => None,
    }
}
