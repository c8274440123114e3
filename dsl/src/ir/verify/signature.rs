//! Checks the signature, and the chips that a kernel is for.

use super::scalars::Leaves;
use super::{Checked, Cx};
use crate::dtype::{dtype_set, DType};
use crate::ir::{
    AxisId, Dim, Kernel, Lowered, Param, ParamId, ParamKind, Per, Role, Scalar, ScalarTy,
    Signature, Ty,
};
use crate::soc::Chip;
use std::collections::BTreeSet;

impl<'a> Cx<'a> {
    pub(super) fn signature(&mut self) -> Checked {
        let sig = self.sig;
        self.enter("Signature");
        self.name(&sig.name)?;
        let mut names = BTreeSet::new();
        for d in &sig.dtypes {
            self.enter("DTypeParam");
            self.own_name(&d.name, &mut names)?;
            self.holds(dtype_set(&d.set).is_some(), || {
                format!("there is no set of element types `{}`", d.set)
            })?;
        }
        self.at = super::Spot {
            of: "Signature",
            nth: 1,
        };
        self.instances()?;
        let mut names = BTreeSet::new();
        for a in &sig.axes {
            self.enter("Axis");
            self.own_name(&a.name, &mut names)?;
        }
        let mut names = BTreeSet::new();
        for p in &sig.params {
            self.enter_at("Param", p.span)?;
            self.own_name(&p.name, &mut names)?;
            self.param(&p.kind)?;
            self.per(p)?;
        }
        for (id, p, ..) in sig.tensors() {
            (self.at, self.span) = (
                super::Spot {
                    of: "Param",
                    nth: id.index() + 1,
                },
                Some(p.span),
            );
            self.told(id)?;
        }
        for (id, p, ..) in sig.attrs() {
            let Some(part) = sig.part(id) else { continue };
            (self.at, self.span) = (
                super::Spot {
                    of: "Param",
                    nth: id.index() + 1,
                },
                Some(p.span),
            );
            let all = sig.list(&part.of);
            let beside = all
                .iter()
                .enumerate()
                .all(|(at, other)| other.index() + part.at == id.index() + at);
            let alike = all.iter().enumerate().all(|(at, other)| {
                let ParamKind::Attr {
                    part: Some(own),
                    default: has,
                    ..
                } = &sig.param(*other).kind
                else {
                    return false;
                };
                let ParamKind::Attr { default, .. } = &p.kind else {
                    return false;
                };
                own.at == at && own.count == all.len() && has.is_some() == default.is_some()
            });
            self.holds(beside && alike, || {
                format!("`{}` is no part of a list of {}", p.name, part.count)
            })?;
        }
        for (id, p, ..) in sig.attrs().filter(|(id, ..)| !sig.choices(*id).is_empty()) {
            (self.at, self.span) = (
                super::Spot {
                    of: "Param",
                    nth: id.index() + 1,
                },
                Some(p.span),
            );
            let below = Signature::is_choice(id, sig.choices(id).len());
            let said = sig.facts.iter().any(|fact| fact.cond == below);
            self.holds(said, || {
                format!("no fact says that `{}` is one of its choices", p.name)
            })?;
        }
        self.at = super::Spot {
            of: "Signature",
            nth: 1,
        };
        if let Some(axis) = sig.items {
            let many = self.axis(axis)?;
            self.holds(!many && sig.lists().next().is_some(), || {
                "an axis that is as long as no list".to_string()
            })?;
        }
        for fact in &sig.facts {
            self.enter_at("Fact", fact.span)?;
            self.scalar(&fact.cond, Leaves::Signature, None, ScalarTy::Bool)?;
        }
        Ok(())
    }

    fn instances(&self) -> Checked {
        let sig = self.sig;
        self.holds(!sig.instances.is_empty(), || {
            "no instance; there is at least one".to_string()
        })?;
        for (i, row) in sig.instances.iter().enumerate() {
            let (found, allowed) = (row.len(), sig.dtypes.len());
            self.holds(found == allowed, || {
                format!("an instance of {found} element types, the parameters are {allowed}")
            })?;
            for (ty, param) in row.iter().zip(&sig.dtypes) {
                let members = dtype_set(&param.set).map_or(&[][..], |s| s.members);
                self.holds(members.contains(ty), || {
                    format!(
                        "{ty} is not in `{}`, the bound of `{}`",
                        param.set, param.name
                    )
                })?;
            }
            self.holds(!sig.instances[..i].contains(row), || {
                "two equal instances".to_string()
            })?;
        }
        Ok(())
    }

    fn param(&self, kind: &ParamKind) -> Checked {
        match kind {
            ParamKind::Tensor {
                role,
                dtype,
                shape,
                index,
                optional: _,
            } => {
                self.element(*dtype)?;
                let plain = !matches!(dtype, Ty::Mask | Ty::Is(DType::Bits));
                self.holds(plain, || {
                    "a parameter of mask bits; parameters have elements".to_string()
                })?;
                shape.iter().try_for_each(|dim| self.dim(dim))?;
                self.placed(shape)?;
                let Some(below) = index else { return Ok(()) };
                let whole = matches!(dtype, Ty::Is(DType::I32 | DType::I64)) && *role == Role::In;
                self.holds(whole, || {
                    "a promise of indices by what is no input of i32 or i64".to_string()
                })?;
                self.scalar(below, Leaves::Signature, None, ScalarTy::Index)
            }
            ParamKind::Attr {
                ty,
                default,
                choices,
                part: _,
                element,
            } => {
                self.of_element(*ty, element.as_ref(), default.as_ref(), choices)?;
                let good = match default {
                    None => true,
                    Some(Scalar::Int(v)) if choices.is_empty() => *ty == ScalarTy::Index && *v >= 0,
                    Some(Scalar::Int(v)) => usize::try_from(*v).is_ok_and(|v| v < choices.len()),
                    Some(literal) => literal.value().is_some() && literal.ty() == *ty,
                };
                self.holds(good, || {
                    format!("a default that is no literal of type {}", ty.word())
                })?;
                self.holds(choices.is_empty() || *ty == ScalarTy::Index, || {
                    format!("choices of an attribute of type {}", ty.word())
                })?;
                let twice = choices
                    .iter()
                    .enumerate()
                    .find(|(i, name)| choices[..*i].contains(name));
                self.holds(twice.is_none(), || "two choices of one name".to_string())
            }
        }
    }

    /// Checks an attribute of an element type: every instance can carry it, and its default is an
    /// element in each.
    fn of_element(
        &self,
        ty: ScalarTy,
        element: Option<&Ty>,
        default: Option<&Scalar>,
        choices: &[String],
    ) -> Checked {
        let Some(element) = element else {
            return Ok(());
        };
        self.element(*element)?;
        let good = matches!(element, Ty::Param(_))
            && choices.is_empty()
            && ty == self.sig.carrier(*element);
        self.holds(good, || {
            format!(
                "an attribute of type {} that is no element of `{}`",
                ty.word(),
                self.sig.ty_name(*element)
            )
        })?;
        let holds = |dtype: DType| {
            default
                .and_then(Scalar::value)
                .is_none_or(|v| dtype.number(v).is_ok())
        };
        let mut types = self
            .sig
            .instances
            .iter()
            .map(|types| element.resolve(types));
        let wrong = types.find(|dtype| !dtype.has_attributes() || !holds(*dtype));
        self.holds(wrong.is_none(), || {
            format!(
                "an attribute of {}, which has no such numbers",
                wrong.map_or("", DType::name)
            )
        })
    }

    /// Checks the unit of a parameter. A parameter for each item is always given, and the number of
    /// an item belongs to lists.
    fn per(&self, p: &Param) -> Checked {
        let plain = match &p.kind {
            ParamKind::Tensor { optional, .. } => !optional,
            ParamKind::Attr {
                ty,
                default,
                choices,
                part,
                element: _,
            } => *ty != ScalarTy::Bool && default.is_none() && choices.is_empty() && part.is_none(),
        };
        let number = matches!(
            p.kind,
            ParamKind::Attr {
                ty: ScalarTy::Index,
                ..
            }
        );
        let places = self
            .sig
            .params
            .iter()
            .filter(|p| p.per == Per::Place)
            .count();
        let good = match p.per {
            Per::Launch => true,
            Per::Item => plain,
            Per::Place => plain && number && places == 1 && self.sig.lists().next().is_some(),
        };
        self.holds(good, || {
            format!("`{}` cannot be given for each item of a list", p.name)
        })
    }

    fn dim(&self, dim: &Dim) -> Checked {
        match dim {
            Dim::Axis { axis } => self.axis(*axis).map(|_| ()),
            Dim::Expr { size } => self.scalar(size, Leaves::Signature, None, ScalarTy::Index),
            Dim::At { axis, dim } => {
                let many = self.axis(*axis)?;
                self.holds(!many, || {
                    "an attribute says where one axis stands, not several".to_string()
                })?;
                let at = self.declared(dim.index(), self.sig.params.len(), "parameter", || {
                    format!("&{}", dim.0)
                })?;
                let param = &self.sig.params[at];
                self.holds(self.sig.is_whole(*dim), || {
                    format!(
                        "`{}` says where an axis stands and is no attribute of integers",
                        param.name
                    )
                })
            }
        }
    }

    /// Checks entries at a place that an attribute gives: at most one, and at most one `name..` on
    /// each side.
    fn placed(&self, shape: &[Dim]) -> Checked {
        let mut sides = shape.split(|dim| matches!(dim, Dim::At { .. }));
        let places = sides.clone().count() - 1;
        self.holds(places <= 1, || {
            format!("{places} axes that stand where an attribute says, at most 1 can be told apart")
        })?;
        let many = |side: &[Dim]| side.iter().filter(|dim| self.sig.is_many(dim)).count();
        self.holds(places == 0 || sides.all(|side| many(side) <= 1), || {
            "2 axes that stand for several on one side of another, at most 1 can be told apart"
                .to_string()
        })
    }

    /// Checks that inputs determine the number of axes of each of several `name..` of a shape.
    fn told(&self, id: ParamId) -> Checked {
        let many: Vec<AxisId> = self.sig.many_of(id).collect();
        let twice = many
            .iter()
            .enumerate()
            .any(|(i, axis)| many[..i].contains(axis));
        self.holds(!twice, || {
            "an axis that stands for several twice in one shape".to_string()
        })?;
        let told = |axis: &AxisId| self.sig.input_that_tells(*axis).is_some();
        self.holds(self.sig.tells(id) || many.iter().all(told), || {
            format!(
                "{} axes that stand for several, and no input tells them apart",
                many.len()
            )
        })
    }

    /// Returns true for an axis that stands for several.
    pub(super) fn axis(&self, id: AxisId) -> Checked<bool> {
        let at = self.declared(id.index(), self.sig.axes.len(), "axis", || {
            format!("#{}", id.0)
        })?;
        Ok(self.sig.axes[at].many)
    }

    /// Checks that an element type is declared.
    pub(super) fn element(&self, ty: Ty) -> Checked {
        match ty {
            Ty::Is(DType::Bits) => {
                self.fault("elements of mask bits; the bits of a compare are `mask`")
            }
            Ty::Is(_) | Ty::Mask => Ok(()),
            Ty::Param(i) | Ty::Wide(i) => {
                let prefix = if matches!(ty, Ty::Param(_)) { 'T' } else { 'W' };
                let count = self.sig.dtypes.len();
                self.declared(i.into(), count, "element type parameter", || {
                    format!("{prefix}{i}")
                })
                .map(|_| ())
            }
        }
    }

    /// Returns role and element type of a tensor.
    pub(super) fn tensor_param(&self, id: ParamId) -> Checked<(Role, Ty)> {
        let at = self.declared(id.index(), self.sig.params.len(), "parameter", || {
            format!("&{}", id.0)
        })?;
        match self.sig.params[at].kind {
            ParamKind::Tensor { role, dtype, .. } => Ok((role, dtype)),
            ParamKind::Attr { .. } => self.fault(format!(
                "parameter `{}` is an attribute, a tensor is due",
                self.sig.params[at].name
            )),
        }
    }

    /// Checks that the elements of a tensor are indices.
    pub(super) fn promised(&self, id: ParamId) -> Checked {
        self.tensor_param(id)?;
        let name = &self.sig.params[id.index()].name;
        self.holds(self.sig.promise(id).is_some(), || {
            format!("indices of `{name}`, which promises none")
        })
    }

    /// Checks a read or a write of a parameter against its role, and returns the element type.
    pub(super) fn touched(&self, id: ParamId, writes: bool) -> Checked<Ty> {
        let (role, ty) = self.tensor_param(id)?;
        let name = &self.sig.params[id.index()].name;
        match (role, writes) {
            (Role::In, true) => {
                self.fault(format!("a write to `{name}`, which is read only (`in`)"))
            }
            (Role::Out, false) => {
                self.fault(format!("a read of `{name}`, which is written only (`out`)"))
            }
            (Role::In, false) | (Role::Out, true) | (Role::InOut, _) => Ok(ty),
        }
    }

    pub(super) fn chips(&mut self, kernel: &Kernel) -> Checked {
        self.enter("Kernel");
        for name in &kernel.chips {
            self.holds(Chip::by_name(name).is_some(), || {
                format!("there is no chip `{name}`")
            })?;
        }
        Ok(())
    }

    /// Returns the element types of a lowered kernel, whose chip and instance must exist.
    pub(super) fn instance(&mut self, lowered: &'a Lowered) -> Checked<&'a [DType]> {
        self.enter("Lowered");
        let known = Chip::by_name(&lowered.chip).is_some_and(|chip| chip.name == lowered.chip);
        self.holds(known, || format!("there is no chip `{}`", lowered.chip))?;
        let count = lowered.sig.instances.len();
        let at = self.declared(lowered.instance, count, "instance", || {
            lowered.instance.to_string()
        })?;
        Ok(&lowered.sig.instances[at])
    }

    /// Checks that every reader can write a name.
    pub(super) fn name(&self, name: &str) -> Checked {
        const MOST: usize = 1000;
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        // Keywords of Rust keep their mark.
        let plain = name.strip_prefix("r#").unwrap_or(name);
        let digit = plain.starts_with(|c: char| c.is_ascii_digit());
        let good = !plain.is_empty() && plain.len() <= MOST && plain.chars().all(letter) && !digit;
        self.holds(good, || {
            format!(
                "{} is no name; names are letters, digits and `_`, at most {MOST}",
                crate::ir::text::shown(&format!("{name:?}"))
            )
        })
    }

    /// Checks a name, and that it is the only one of its kind.
    pub(super) fn own_name<'n>(&self, name: &'n str, taken: &mut BTreeSet<&'n str>) -> Checked {
        self.name(name)?;
        self.holds(taken.insert(name), || {
            format!("a second `{name}`; names are unique")
        })
    }
}
