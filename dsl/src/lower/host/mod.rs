//! The host side of a lowering: variables, host steps, and the scalars that the host can compute.

pub mod core_split;
pub mod empty_axes;
pub mod footprint;
pub mod index_bounds;
pub mod row_pitch;
pub mod size_limits;
pub mod solver;
pub mod tile_sizes;
pub mod workspace;

use super::func::Funcs;
use super::type_queries::Binding;
use crate::ir::linear::{gcd, Definitions};
use crate::ir::names::unique;
use crate::ir::tile::Stmt;
use crate::ir::{
    BinOp, HostStep, Kernel, Known, Scalar, ScalarTy, Signature, Stage, StmtKind, UnOp, VarDecl,
    VarId,
};
use crate::soc::Chip;
use std::collections::{BTreeMap, BTreeSet};

/// Variables and host steps under construction.
#[derive(Clone)]
pub(super) struct Host<'a> {
    pub kernel: &'a Kernel,
    pub binding: &'a Binding<'a>,
    pub chip: &'static Chip,
    pub vars: Vec<VarDecl>,
    pub steps: Vec<HostStep>,
    /// Variables that a host step computes.
    defined: BTreeSet<VarId>,
    /// Their definitions, except for solved variables.
    definitions: Definitions,
    /// Host expressions with the variables that already hold them.
    known: Vec<(Scalar, VarId)>,
    /// Free sizes, whose solver step comes later.
    free: BTreeSet<VarId>,
    /// Facts for the checker about variables of the body.
    pub known_vars: Vec<Known>,
    /// Known divisors of variables.
    pub multiples: BTreeMap<VarId, i64>,
    /// Functions that the variants call.
    pub funcs: Funcs,
    /// Names of the workspaces.
    pub works: Vec<String>,
}

impl<'a> Host<'a> {
    pub fn new(
        kernel: &'a Kernel,
        binding: &'a Binding<'a>,
        chip: &'static Chip,
        vars: Vec<VarDecl>,
    ) -> Self {
        let (steps, defined, definitions, known, free, known_vars, multiples, funcs) =
            Default::default();
        let works = Vec::new();
        Host {
            kernel,
            binding,
            chip,
            vars,
            steps,
            defined,
            definitions,
            known,
            free,
            known_vars,
            multiples,
            funcs,
            works,
        }
    }

    pub fn sig(&self) -> &'a Signature {
        &self.kernel.sig
    }

    /// Declares a variable; its name gets a number if it is taken.
    pub fn fresh(&mut self, name: &str, ty: ScalarTy) -> VarId {
        let taken = |n: &str| {
            self.vars.iter().any(|v| v.name == n)
                || self.sig().tensors().any(|(_, p, _, _)| p.name == n)
        };
        self.vars.push(VarDecl {
            name: unique(name, taken),
            ty,
            mutable: false,
        });
        VarId::new(self.vars.len() - 1, ty)
    }

    /// Declares a variable that changes on the core.
    pub fn changing(&mut self, name: &str, ty: ScalarTy) -> VarId {
        let var = self.fresh(name, ty);
        self.vars[var.index()].mutable = true;
        var
    }

    /// Returns a host variable with this value.
    pub fn define(&mut self, name: &str, ty: ScalarTy, value: Scalar) -> VarId {
        let value = self.binding.sized(&value);
        if let Scalar::Var(v) = value {
            if self.defined.contains(&v) {
                return v;
            }
        }
        if let Some((_, v)) = self.known.iter().find(|(s, _)| *s == value) {
            return *v;
        }
        let var = self.fresh(name, ty);
        self.define_as(var, value);
        var
    }

    /// Returns a number as it is, and anything else as a host variable.
    pub fn known(&mut self, name: &str, value: &Scalar) -> Scalar {
        match value.as_int() {
            Some(_) => value.clone(),
            None => self.define(name, ScalarTy::Index, value.clone()).into(),
        }
    }

    /// Gives an existing variable its host value.
    pub fn define_as(&mut self, var: VarId, value: Scalar) {
        self.steps.push(HostStep::Let {
            var,
            value: value.clone(),
        });
        self.definitions.define(var, &value);
        self.known.push((value, var));
        self.defined.insert(var);
    }

    /// Marks a variable as computed by a solver step.
    pub fn solved(&mut self, var: VarId, step: HostStep) {
        self.steps.push(step);
        self.defined.insert(var);
    }

    /// Marks a variable whose value the solver will find.
    pub fn mark_field(&mut self, var: VarId) {
        self.free.insert(var);
    }

    /// Declares a variable whose value a later step computes.
    pub fn later(&mut self, name: &str) -> VarId {
        let var = self.fresh(name, ScalarTy::Index);
        self.mark_field(var);
        var
    }

    /// True for a variable whose value a step of a variant computes.
    pub fn is_later(&self, var: VarId) -> bool {
        self.free.contains(&var)
    }

    /// True for a variable that the host computes.
    pub fn is_field(&self, var: VarId) -> bool {
        self.is_host_var(var) || self.free.contains(&var)
    }

    /// Frees the names of the device variables from `first` on, for another variant.
    pub fn forget_names(&mut self, first: usize) {
        for i in first..self.vars.len() {
            if !self.is_field(VarId::new(i, self.vars[i].ty)) {
                let mut name = format!("_{i}");
                while self.vars.iter().any(|v| v.name == name) {
                    name.insert(0, '_');
                }
                self.vars[i].name = name;
            }
        }
    }

    pub fn is_host_var(&self, var: VarId) -> bool {
        self.defined.contains(&var)
    }

    /// Moves the scalar lets of a list of statements to the host where their stage allows it.
    pub fn take_lets(&mut self, stmts: &[Stmt]) {
        for s in stmts {
            if let StmtKind::LetScalar { var, value } = &s.kind {
                // The host of a second form already has the lets of the first one.
                if !self.vars[var.index()].mutable
                    && !self.is_host_var(*var)
                    && self.stage(value) <= Stage::Host
                {
                    self.define_as(*var, value.clone());
                }
            }
        }
    }

    /// Returns the stage at which `s` is known.
    pub fn stage(&self, s: &Scalar) -> Stage {
        let mut stage = Stage::Const;
        s.walk(&mut |leaf| {
            stage = stage.max(match leaf {
                Scalar::Axis(_) | Scalar::Attr(..) | Scalar::Chip(_) => Stage::Host,
                Scalar::Var(v) if self.is_field(*v) => Stage::Host,
                Scalar::Var(_) | Scalar::BlockIdx | Scalar::BlockDim => Stage::Block,
                Scalar::Int(_)
                | Scalar::I32(_)
                | Scalar::Float(_)
                | Scalar::Bool(_)
                | Scalar::SizeOf(_) => Stage::Const,
                // An operator adds nothing to the stage of its operands.
                Scalar::Un(..) | Scalar::Bin(..) | Scalar::Select(..) | Scalar::Cast(..) => {
                    Stage::Const
                }
            });
        });
        stage
    }

    /// Replaces host variables in `s` by their definitions. Solved variables stay, and those with a
    /// definition that is too long.
    pub fn inline(&self, s: &Scalar) -> Scalar {
        self.definitions.write_out(s)
    }

    /// Returns `s` for device code. Host leaves become variables of the tiling data. So do host
    /// subexpressions with a division, root or conversion, which are too expensive for every core.
    pub fn on_device(&mut self, s: &Scalar, name: &str) -> Scalar {
        let dear = |s: &Scalar| {
            let mut dear = false;
            s.walk(&mut |n| {
                dear |= matches!(
                    n,
                    Scalar::Un(UnOp::Sqrt, _)
                        | Scalar::Cast(..)
                        | Scalar::Bin(
                            BinOp::Div | BinOp::Rem | BinOp::CeilDiv | BinOp::AlignUp,
                            ..
                        )
                );
            });
            dear
        };
        match s {
            Scalar::Axis(a) => {
                let name = self.sig().axes[a.index()].name.clone();
                self.define(&name, ScalarTy::Index, s.clone()).into()
            }
            Scalar::Attr(p, ty) => {
                let name = &self.sig().param(*p).name;
                let name = if self.sig().is_optional(*p) {
                    format!("has_{name}")
                } else {
                    name.clone()
                };
                self.define(&name, *ty, s.clone()).into()
            }
            Scalar::Chip(c) => self.define(c.word(), ScalarTy::Index, s.clone()).into(),
            // Solved sizes are known only behind the steps that stand here.
            _ if self.stage(s) == Stage::Host && dear(s) && !self.is_free(s) => {
                let ty = s.ty();
                self.define(name, ty, s.clone()).into()
            }
            _ => s.map(|part| self.on_device(part, name)),
        }
    }

    /// True if `s` has a size that is solved later.
    fn is_free(&self, s: &Scalar) -> bool {
        let mut free = false;
        s.walk(&mut |n| {
            free |=
                matches!(n, Scalar::Var(v) if self.free.contains(v) && !self.defined.contains(v))
        });
        free
    }

    /// Rounds `s` up to a multiple of `unit`, unless it is known to be one.
    pub fn rounded(&self, s: Scalar, unit: i64) -> Scalar {
        match s {
            s if self.multiple_of(&s) % unit == 0 => s,
            // A value that was rounded up to a divisor of the unit is rounded only once.
            Scalar::Bin(BinOp::AlignUp, inner, part)
                if part
                    .as_int()
                    .is_some_and(|part| part > 0 && unit % part == 0) =>
            {
                (*inner).clone().align_up(unit)
            }
            s => s.align_up(unit),
        }
    }

    /// Returns the largest known divisor of `s`; 0 for 0.
    pub fn multiple_of(&self, s: &Scalar) -> i64 {
        match s {
            // The magnitude of the least number is 2^63, of which 2^62 is a divisor.
            Scalar::Int(v) => v.checked_abs().unwrap_or(1 << 62),
            Scalar::Var(v) => self.multiples.get(v).copied().unwrap_or(1),
            Scalar::SizeOf(ty) => self.binding.bytes(*ty),
            // If the product exceeds 64 bits, 0 is its only multiple, and every number divides 0.
            Scalar::Bin(BinOp::Mul, a, b) => self
                .multiple_of(a)
                .checked_mul(self.multiple_of(b))
                .unwrap_or(0),
            Scalar::Bin(BinOp::Add | BinOp::Sub, a, b) => {
                gcd(self.multiple_of(a), self.multiple_of(b))
            }
            Scalar::Bin(BinOp::Min | BinOp::Max, a, b) => {
                gcd(self.multiple_of(a), self.multiple_of(b))
            }
            Scalar::Bin(BinOp::AlignUp, _, b) => b.as_int().unwrap_or(1),
            Scalar::Select(_, a, b) => gcd(self.multiple_of(a), self.multiple_of(b)),
            // Any integer has the divisor 1.
            _ => 1,
        }
    }
}

/// Makes a host step of a requirement.
pub fn require(cond: Scalar, message: impl Into<String>) -> HostStep {
    HostStep::Require {
        cond,
        message: message.into(),
        of_field: false,
    }
}
