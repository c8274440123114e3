//! Checks an instruction against its op's row.

use super::body::{Mode, Own};
use super::queues::Walk;
use super::{Checked, Cx};
use crate::dtype::DType;
use crate::ir::{
    is_title, Arg, Base, Extent, Instr, Lanes, ScalarTy, TensorRef, Ty, View, MOST_LANES,
};
use crate::ops::contract::{Access, Elem, Extents, Operand, ViewRule, What};

impl Cx<'_> {
    pub(super) fn instr(&mut self, walk: &mut Walk<'_>, instr: &Instr) -> Checked {
        let (op, contract) = (instr.op, instr.op.contract());
        self.holds(contract.is_instruction(), || {
            format!("`{}` is an op on tiles, no instruction", op.name())
        })?;
        self.holds(op.is_written() || walk.mode == Mode::Device, || {
            format!(
                "`{}` in a kernel that is not lowered; only the lowering puts it in",
                op.name()
            )
        })?;
        let (found, allowed) = (instr.args.len(), contract.operands.len());
        self.holds(found == allowed, || {
            format!("`{}` of {found} operands, it takes {allowed}", op.name())
        })?;
        self.extent(walk, instr)?;
        let own = self.own_type(walk, instr)?;
        for (operand, arg) in instr.operands() {
            self.arg(walk, instr, operand, arg, own)?;
        }
        let held = !contract.held || instr.args.last() == instr.args.first();
        self.holds(held, || {
            format!("`{}` holds another tensor than its destination", op.name())
        })?;
        Ok(())
    }

    fn extent(&self, walk: &Walk<'_>, instr: &Instr) -> Checked {
        let name = instr.op.name();
        let allowed = instr.extent.is_taken(instr.op.contract().extents);
        self.holds(allowed, || {
            let due = match instr.op.contract().extents {
                Extents::None => "`fixed`",
                Extents::Lanes => "`count`, `repeat` or `counter`",
                Extents::Strided => "`repeat` or `counter`",
                Extents::Masked => "`repeat`",
                Extents::Leading => "`repeat` of the first lanes or `counter`",
                Extents::Count => "`count`",
                Extents::Eights => "`eights`",
                Extents::Rows => "`rows`",
            };
            format!("`{name}` with an extent of another kind, it takes {due}")
        })?;
        let numbers = match &instr.extent {
            Extent::Fixed {} => [None, None],
            Extent::Count { n } | Extent::Counter { n } => [Some(n), None],
            Extent::Eights { repeat } => [Some(repeat), None],
            Extent::Repeat { mask, repeat } => {
                self.lanes(walk, mask)?;
                [Some(repeat), None]
            }
            Extent::Rows { rows, cols } => [Some(rows), Some(cols)],
        };
        numbers
            .into_iter()
            .flatten()
            .try_for_each(|n| self.operand(walk, n, ScalarTy::Index))
    }

    fn lanes(&self, walk: &Walk<'_>, lanes: &Lanes) -> Checked {
        match lanes {
            Lanes::First { n } => self.operand(walk, n, ScalarTy::Index),
            Lanes::Bits { .. } => Ok(()),
            Lanes::Groups {
                from,
                to,
                of,
                groups,
            } => {
                let possible = (1..=MOST_LANES).contains(of) && of.count_ones() == 1;
                self.holds(possible, || {
                    format!("groups of {of} lanes, possible are powers of two up to {MOST_LANES}")
                })?;
                [from, to, groups]
                    .into_iter()
                    .try_for_each(|n| self.operand(walk, n, ScalarTy::Index))
            }
        }
    }

    /// Returns the element type that the op is listed for, `None` for an op without elements.
    fn own_type(&self, walk: &Walk<'_>, instr: &Instr) -> Checked<Option<Ty>> {
        for (rule, view) in instr.views() {
            if rule.elem == Elem::Own {
                return self.view(walk, view).map(Some);
            }
        }
        Ok(None)
    }

    fn arg(
        &self,
        walk: &mut Walk<'_>,
        instr: &Instr,
        operand: &Operand,
        arg: &Arg,
        own: Option<Ty>,
    ) -> Checked {
        match (operand.what, arg) {
            (What::View(rule), Arg::View { view }) => {
                self.view_operand(walk, instr, (operand.name, &rule), view, own)
            }
            (What::Number, Arg::Scalar { value }) => {
                let own = self.has_own(instr, own)?;
                self.number(walk, value, own)
            }
            (What::Mode, Arg::Mode { .. }) => Ok(()),
            (What::Title, Arg::Title { text }) => self.holds(is_title(text), || {
                "a title that cannot be printed".to_string()
            }),
            (
                What::Pattern | What::Base | What::Lead | What::Most | What::Length,
                Arg::Scalar { value },
            ) => self.operand(walk, value, ScalarTy::Index),
            (What::Result, Arg::Var { var }) => {
                let due = match self.is_float(self.has_own(instr, own)?) {
                    Some(true) => ScalarTy::F32,
                    Some(false) => ScalarTy::I32,
                    None => {
                        return self.fault(
                            "one element as a scalar, where it may be a float or an integer",
                        )
                    }
                };
                self.result(walk, *var, Some(due))
            }
            (What::Index, Arg::Var { var }) => self.result(walk, *var, Some(ScalarTy::Index)),
            (what, _) => {
                let due = match what {
                    What::View(_) => "part of a tensor (`at`)",
                    What::Number => "a scalar (`s`)",
                    What::Mode => "a round mode (`mode`)",
                    What::Pattern => "the number of a pattern (`s`)",
                    What::Base => "a number of bytes (`s`)",
                    What::Length => "a number of pairs (`s`)",
                    What::Lead | What::Most => "a number of elements (`s`)",
                    What::Result | What::Index => "a variable (`to`)",
                    What::Title => "a text (`title`)",
                };
                self.fault(format!(
                    "operand `{}` of `{}` is of another kind, it takes {due}",
                    operand.name,
                    instr.op.name()
                ))
            }
        }
    }

    fn has_own(&self, instr: &Instr, own: Option<Ty>) -> Checked<Ty> {
        own.map_or_else(
            || self.fault(format!("`{}` without elements", instr.op.name())),
            Ok,
        )
    }

    /// Checks a number that becomes an element.
    pub(super) fn number<L: Own>(
        &self,
        walk: &super::body::Walk<'_, L>,
        value: &crate::ir::Scalar,
        of: Ty,
    ) -> Checked {
        let found = self.any(value, walk.mode.leaves(), Some(&walk.body.vars))?;
        let float = self.is_float(of);
        // Where the kernel may have floats or integers, a number is an integer until the instance
        // is known.
        let good = match found {
            ScalarTy::F32 => {
                float == Some(true) || (walk.mode != Mode::Device && self.sig.is_element(value, of))
            }
            ScalarTy::I32 => float != Some(true) || walk.mode != Mode::Device,
            ScalarTy::Index | ScalarTy::Bool => false,
        };
        self.holds(good, || {
            format!(
                "a scalar of type {} for elements of `{}`",
                found.word(),
                self.sig.ty_name(of)
            )
        })?;
        self.reads(&walk.scope, walk.body, value)
    }

    fn view_operand(
        &self,
        walk: &Walk<'_>,
        instr: &Instr,
        (name, rule): (&str, &ViewRule),
        view: &View,
        own: Option<Ty>,
    ) -> Checked {
        let op = instr.op.name();
        let lies = view.base.space();
        self.holds(lies == rule.space, || {
            format!(
                "`{name}` of `{op}` lies in {}, it takes {}",
                lies.name(),
                rule.space.name()
            )
        })?;
        let ty = self.view(walk, view)?;
        let good = match rule.elem {
            Elem::Own => own.is_some_and(|own| self.same(own, ty)) && ty != Ty::Mask,
            Elem::Other => ty != Ty::Mask,
            Elem::Bits => ty == Ty::Mask,
            Elem::Offsets => ty == Ty::Is(DType::I32),
        };
        self.holds(good, || {
            let due = match rule.elem {
                Elem::Own => format!(
                    "`{}`, as those before it",
                    own.map_or("?".to_string(), |own| self.sig.ty_name(own))
                ),
                Elem::Other => "elements".to_string(),
                Elem::Bits => "the bits of a compare".to_string(),
                Elem::Offsets => "places or offsets of `i32`".to_string(),
            };
            format!(
                "`{name}` of `{op}` is of `{}`, it takes {due}",
                self.sig.ty_name(ty)
            )
        })?;
        if let Some(p) = view.param() {
            self.touched(p, rule.access != Access::Read)?;
        }
        let fits = view.layout.goes_with(rule, &instr.extent);
        self.holds(fits, || {
            format!("the layout of `{name}` does not go with the extent of `{op}`")
        })
    }

    /// Checks tensor and offset of a view, and returns its element type.
    pub(super) fn view(&self, walk: &Walk<'_>, view: &View) -> Checked<Ty> {
        let ty = match view.base {
            Base::Gm(TensorRef::Param(p)) => self.tensor_param(p)?.1,
            Base::Gm(TensorRef::Work(w)) => {
                let works = &walk.body.works;
                works[self.declared(w.index(), works.len(), "workspace", || format!("w{}", w.0))?]
                    .dtype
            }
            Base::Local(t) => {
                self.touches(&walk.scope, walk.body, t)?;
                walk.body.tensors[t.index()].dtype
            }
        };
        let mut strides = Vec::new();
        view.scalars(&mut |s| strides.push(s));
        strides
            .into_iter()
            .try_for_each(|s| self.operand(walk, s, ScalarTy::Index))?;
        Ok(ty)
    }
}
