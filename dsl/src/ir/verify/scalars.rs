//! Checks scalar expressions: types, leaves, depth.

use super::{Checked, Cx};
use crate::ir::{ParamKind, Scalar, ScalarTy, VarDecl};
use smallvec::{smallvec, SmallVec};

/// Most operators inside one another: a walk over expressions recurs once a level.
pub(super) const MAX_DEPTH: usize = 400;

/// The leaves that are allowed in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaves {
    /// Axes and attributes.
    Signature,
    /// Axes, attributes, and the number of blocks.
    Blocks,
    /// Leaves of host steps after lowering: axes, attributes, chip facts and host variables.
    Steps,
    /// Leaves of the host before lowering, with sizes of element types.
    Host,
    /// All leaves, before lowering.
    Any,
    /// Leaves on a core after lowering: variables and the block.
    Device,
    /// Leaves on a core and sizes of element types, in the bytes of a buffer.
    Bytes,
}

impl Leaves {
    fn on_device(self) -> bool {
        matches!(self, Leaves::Device | Leaves::Bytes)
    }

    const fn allowed(self) -> &'static str {
        match self {
            Leaves::Signature => "axes and attributes",
            Leaves::Blocks => "axes, attributes and `block_dim`",
            Leaves::Steps | Leaves::Host => "axes, attributes, facts of the chip and variables",
            Leaves::Any => "everything",
            Leaves::Device => "variables, `block_idx` and `block_dim`",
            Leaves::Bytes => "variables, `block_idx`, `block_dim` and sizes of element types",
        }
    }
}

impl Cx<'_> {
    /// Checks type and leaves of an expression of sizes, counts or offsets.
    pub(super) fn index(&self, s: &Scalar, leaves: Leaves, vars: Option<&[VarDecl]>) -> Checked {
        self.scalar(s, leaves, vars, ScalarTy::Index)
    }

    /// Checks an expression against a type and the allowed leaves.
    pub(super) fn scalar(
        &self,
        s: &Scalar,
        leaves: Leaves,
        vars: Option<&[VarDecl]>,
        due: ScalarTy,
    ) -> Checked {
        self.leaves(s, leaves, vars)?;
        let found = self.ty(s)?;
        self.holds(found == due, || {
            format!(
                "a scalar of type {} where {} is due",
                found.word(),
                due.word()
            )
        })
    }

    /// Checks the leaves of an expression of any type, and returns its type.
    pub(super) fn any(
        &self,
        s: &Scalar,
        leaves: Leaves,
        vars: Option<&[VarDecl]>,
    ) -> Checked<ScalarTy> {
        self.leaves(s, leaves, vars)?;
        self.ty(s)
    }

    /// Checks depth and leaves without recursion, so that all later walks may recur.
    fn leaves(&self, s: &Scalar, leaves: Leaves, vars: Option<&[VarDecl]>) -> Checked {
        let mut left: SmallVec<[(&Scalar, usize); 8]> = smallvec![(s, 0)];
        while let Some((s, depth)) = left.pop() {
            self.holds(depth <= MAX_DEPTH, || {
                format!("more than {MAX_DEPTH} operators inside one another")
            })?;
            let inside: [Option<&Scalar>; 3] = match s {
                Scalar::Un(_, a) | Scalar::Cast(_, a) => [Some(a), None, None],
                Scalar::Bin(_, a, b) => [Some(b), Some(a), None],
                Scalar::Select(c, a, b) => [Some(b), Some(a), Some(c)],
                leaf => {
                    self.leaf(leaf, leaves, vars)?;
                    continue;
                }
            };
            left.extend(inside.into_iter().flatten().map(|s| (s, depth + 1)));
        }
        Ok(())
    }

    fn leaf(&self, s: &Scalar, leaves: Leaves, vars: Option<&[VarDecl]>) -> Checked {
        let (what, good) = match s {
            Scalar::Int(_) | Scalar::I32(_) | Scalar::Float(_) | Scalar::Bool(_) => return Ok(()),
            Scalar::Axis(a) => {
                self.axis(*a)?;
                ("an axis", !leaves.on_device())
            }
            Scalar::Attr(p, ty) => {
                self.attribute(*p, *ty)?;
                ("an attribute", !leaves.on_device())
            }
            Scalar::Chip(_) => (
                "a fact of the chip",
                matches!(leaves, Leaves::Steps | Leaves::Host | Leaves::Any),
            ),
            Scalar::SizeOf(ty) => {
                self.element(*ty)?;
                (
                    "the size of an element type",
                    matches!(leaves, Leaves::Host | Leaves::Any | Leaves::Bytes),
                )
            }
            Scalar::Var(v) => {
                let Some(vars) = vars else {
                    return self.fault(format!("a variable among {}", leaves.allowed()));
                };
                return self.var(*v, vars).map(|_| ());
            }
            Scalar::BlockDim if leaves == Leaves::Blocks => return Ok(()),
            Scalar::BlockIdx | Scalar::BlockDim => {
                ("the block", leaves == Leaves::Any || leaves.on_device())
            }
            Scalar::Un(..) | Scalar::Bin(..) | Scalar::Select(..) | Scalar::Cast(..) => {
                return self.fault("this is no leaf")
            }
        };
        self.holds(good, || {
            format!("{what} where only {} may stand", leaves.allowed())
        })
    }

    fn attribute(&self, id: crate::ir::ParamId, taken: ScalarTy) -> Checked {
        let at = self.declared(id.index(), self.sig.params.len(), "parameter", || {
            format!("&{}", id.0)
        })?;
        let param = &self.sig.params[at];
        match &param.kind {
            ParamKind::Attr { ty, .. } if *ty == taken => Ok(()),
            ParamKind::Tensor { optional: true, .. } if taken == ScalarTy::Bool => Ok(()),
            ParamKind::Attr { ty, .. } => self.fault(format!(
                "attribute `{}` taken for {}, it is declared {}",
                param.name,
                taken.word(),
                ty.word()
            )),
            ParamKind::Tensor { .. } => self.fault(format!(
                "parameter `{}` is a tensor, an attribute is due",
                param.name
            )),
        }
    }

    /// Returns the type of an expression, if every operator takes its operands.
    fn ty(&self, s: &Scalar) -> Checked<ScalarTy> {
        s.check().or_else(|wrong| self.fault(wrong.to_string()))
    }
}
