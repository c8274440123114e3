//! The head of a kernel as text: element types, tensors with their shapes, attributes, enums,
//! facts.

use super::names::Pool;
use super::scalars::{pascal, word};
use super::{Canon, Names, Unprintable};
use jumar::dsl::dtype::{dtype_set, DType};
use jumar::dsl::ir::{
    AxFrom, AxisId, Dim, Fact, Param, ParamId, ParamKind, Per, Role, Scalar, ScalarTy, Signature,
};

impl Canon<'_> {
    /// Names parameters and axes.
    pub(super) fn name_signature(&mut self) -> Result<(), Unprintable> {
        let sig = &self.kernel.sig;
        if self.how.are_the_authors() {
            let own = sig
                .params
                .iter()
                .filter(|p| p.per != Per::Place)
                .map(|p| &p.name)
                .chain(sig.axes.iter().map(|a| &a.name));
            self.taken.extend(own.cloned());
            self.taken.extend(
                sig.params
                    .iter()
                    .filter_map(|p| list_of(p).map(str::to_string)),
            );
        }
        for (id, param) in sig.params.iter().enumerate() {
            let name = match (self.how, list_of(param)) {
                (_, Some(of)) => match self.lists.get(of) {
                    Some(name) => name.clone(),
                    None => {
                        let name = self.parameter(of, pool(param));
                        self.lists.insert(of.to_string(), name.clone());
                        name
                    }
                },
                (_, None) if param.per == Per::Place => self.name(Pool::Index),
                (_, None) => self.parameter(&param.name, pool(param)),
            };
            self.params.push(name);
            if !sig.choices(ParamId(id as u32)).is_empty() {
                let of = sig.choices(ParamId(id as u32));
                let before = (0..id).find(|before| sig.choices(ParamId(*before as u32)) == of);
                let of = match before.and_then(|before| self.enums.get(&before)) {
                    Some(of) => of.clone(),
                    None => format!(
                        "E{}",
                        self.enums
                            .values()
                            .collect::<std::collections::BTreeSet<_>>()
                            .len()
                    ),
                };
                self.enums.insert(id, of);
            }
        }
        self.sig_axes = vec![String::new(); sig.axes.len()];
        for at in self.axes_in_order() {
            let axis = &sig.axes[at];
            // An attribute that gives the size of an axis shares its name.
            let is_attr = |p: &Param| {
                matches!(
                    &p.kind,
                    ParamKind::Attr {
                        ty: ScalarTy::Index,
                        ..
                    }
                ) && p.name == axis.name
            };
            self.sig_axes[at] = match sig.params.iter().position(is_attr) {
                Some(at) => self.params[at].clone(),
                None => self.parameter(&axis.name, Pool::Axis),
            };
        }
        Ok(())
    }

    /// Returns the axes of the signature in the order of its text.
    fn axes_in_order(&self) -> Vec<usize> {
        let (sig, mut order) = (&self.kernel.sig, Vec::new());
        for (at, param) in sig.params.iter().enumerate() {
            let ParamKind::Tensor { shape, .. } = &param.kind else {
                continue;
            };
            order.extend(
                sig.items
                    .filter(|_| self.first_list == Some(at))
                    .map(AxisId::index),
            );
            for dim in shape {
                match dim {
                    Dim::Axis { axis } | Dim::At { axis, .. } => order.push(axis.index()),
                    Dim::Expr { size } => size.walk(&mut |s| {
                        order.extend(if let Scalar::Axis(axis) = s {
                            Some(axis.index())
                        } else {
                            None
                        })
                    }),
                }
            }
        }
        let all = 0..sig.axes.len();
        in_order(order.into_iter().chain(all))
    }

    fn parameter(&mut self, own: &str, pool: Pool) -> String {
        match self.how {
            Names::Author | Names::Axes => own.to_string(),
            Names::Pools => self.name(pool),
        }
    }

    /// Names the axes of tiles: those of the signature, those of its sizes, and others to be
    /// declared.
    pub(super) fn name_axes(&mut self) -> Result<(), Unprintable> {
        let body = self.body;
        self.axes = vec![String::new(); body.axes.len()];
        let dims: Vec<&Scalar> = self
            .kernel
            .sig
            .params
            .iter()
            .flat_map(|p| match &p.kind {
                ParamKind::Tensor { shape, .. } => shape
                    .iter()
                    .filter_map(|dim| {
                        if let Dim::Expr { size } = dim {
                            Some(size)
                        } else {
                            None
                        }
                    })
                    .collect(),
                ParamKind::Attr { .. } => Vec::new(),
            })
            .collect();
        let extent = |at: usize| match &body.axes[at].from {
            AxFrom::Whole { extent } => Some(extent),
            AxFrom::Run { .. } | AxFrom::Hull { .. } => None,
        };
        let used = in_order(self.used_axes.iter().copied());
        // Sizes of shapes come first, in their order, even if no statement uses them.
        let mut first = Vec::new();
        for dim in dims {
            let is_attr = matches!(dim, Scalar::Attr(id, ScalarTy::Index) if self.kernel.sig.part(*id).is_none());
            if is_attr || !self.is_dim(dim) || self.sizes.iter().any(|(size, _)| size == dim) {
                continue;
            }
            let name = self.name(Pool::Axis);
            if let Some(at) = used
                .iter()
                .copied()
                .find(|at| extent(*at) == Some(dim) && !self.core_ranges.contains_key(at))
            {
                self.axes[at] = name.clone();
                first.push(at);
            }
            self.sizes.push((dim.clone(), name));
        }
        for at in used {
            let Some(extent) = extent(at) else { continue };
            if self.core_ranges.contains_key(&at) || first.contains(&at) {
                continue;
            }
            let is_free = |name: &String, axes: &[String]| !axes.contains(name);
            let named = match extent {
                Scalar::Axis(axis) => Some(self.sig_axes[axis.index()].clone()),
                Scalar::Attr(id, ScalarTy::Index)
                    if self.kernel.sig.part(*id).is_none() && self.is_dim(extent) =>
                {
                    Some(self.params[id.index()].clone())
                }
                _ => None,
            };
            match named.filter(|name| is_free(name, &self.axes)) {
                Some(name) => self.axes[at] = name,
                None => {
                    let name = self.name(Pool::Axis);
                    self.axes[at] = name.clone();
                    self.new_axes.push((name, extent.clone()));
                }
            }
        }
        Ok(())
    }

    /// True for a size that a shape computes.
    fn is_dim(&self, size: &Scalar) -> bool {
        let sig = &self.kernel.sig;
        sig.params
            .iter()
            .filter(|p| p.per == Per::Launch)
            .any(|p| match &p.kind {
                ParamKind::Tensor { shape, .. } => shape
                    .iter()
                    .any(|dim| matches!(dim, Dim::Expr { size: own } if own == size)),
                ParamKind::Attr { .. } => false,
            })
            && sig.lists().next().is_none()
    }

    /// Writes everything up to the body.
    pub(super) fn head(&mut self) -> Result<(), Unprintable> {
        let sig = &self.kernel.sig;
        if !self.enums.is_empty() {
            self.line("#[kernels]");
            self.line("mod kernels {");
            self.indent += 1;
            self.line("use jumar::prelude::*;");
            let mut shown = Vec::new();
            for (id, of) in self.enums.clone() {
                if !shown.contains(&of) {
                    let variants: Vec<String> = sig
                        .choices(ParamId(id as u32))
                        .iter()
                        .map(|v| pascal(v))
                        .collect();
                    self.line(&format!("pub enum {of} {{ {} }}", variants.join(", ")));
                    shown.push(of);
                }
            }
        } else {
            self.line("use jumar::prelude::*;");
        }
        self.line("#[kernel]");
        self.instances();
        if !self.kernel.chips.is_empty() {
            self.line(&format!("#[chips({})]", self.kernel.chips.join(", ")));
        }
        let bounds = sig
            .dtypes
            .iter()
            .enumerate()
            .map(|(at, d)| Ok(format!("{}: {}", self.param_ty(at as u8)?, d.set)));
        let bounds = bounds.collect::<Result<Vec<String>, Unprintable>>()?;
        let generics = if bounds.is_empty() {
            String::new()
        } else {
            format!("<{}>", bounds.join(", "))
        };
        let name = match self.how {
            Names::Author | Names::Axes => sig.name.clone(),
            Names::Pools => format!("op_{}", sig.name.trim_start_matches("op_")),
        };
        self.line(&format!("pub fn {name}{generics}("));
        self.indent += 1;
        let mut said = Vec::new();
        for (at, param) in sig.params.iter().enumerate() {
            let name = self.params[at].clone();
            if param.per == Per::Place || said.contains(&name) {
                continue;
            }
            let text = self.param(sig, at, param)?;
            self.line(&format!("{text},"));
            said.push(name);
        }
        self.indent -= 1;
        self.line(") {");
        self.indent += 1;
        for fact in &sig.facts {
            if !self.is_of_the_front_end(fact) {
                let cond = self.signed(&fact.cond)?;
                self.line(&format!("require({cond});"));
            }
        }
        Ok(())
    }

    /// True for a fact that the text of the signature implies.
    fn is_of_the_front_end(&self, fact: &Fact) -> bool {
        let sig = &self.kernel.sig;
        let choice = |id: &usize| {
            Signature::is_choice(ParamId(*id as u32), sig.choices(ParamId(*id as u32)).len())
                == fact.cond
        };
        let mut names_place = false;
        let place = sig.place();
        fact.cond.walk(&mut |s| {
            names_place |= matches!((s, place), (Scalar::Attr(id, _), Some(place)) if *id == place)
        });
        self.enums.keys().any(choice) || names_place
    }

    /// Writes `#[instances(..)]`, unless the bounds give exactly these instances.
    fn instances(&mut self) {
        let sig = &self.kernel.sig;
        let sets: Vec<&[DType]> = sig
            .dtypes
            .iter()
            .filter_map(|d| dtype_set(&d.set))
            .map(|set| set.members)
            .collect();
        let mut all: Vec<Vec<DType>> = vec![Vec::new()];
        for set in &sets {
            all = all
                .iter()
                .flat_map(|row| set.iter().map(move |d| [row.as_slice(), &[*d]].concat()))
                .collect();
        }
        if sig.dtypes.is_empty() || sig.instances == all {
            return;
        }
        let row = |row: &Vec<DType>| {
            let names: Vec<&str> = row.iter().map(|d| d.name()).collect();
            if names.len() == 1 {
                names[0].to_string()
            } else {
                format!("({})", names.join(", "))
            }
        };
        let rows: Vec<String> = sig.instances.iter().map(row).collect();
        self.line(&format!("#[instances({})]", rows.join(", ")));
    }

    fn param(&mut self, sig: &Signature, at: usize, param: &Param) -> Result<String, Unprintable> {
        let name = self.params[at].clone();
        Ok(match &param.kind {
            ParamKind::Tensor {
                role,
                dtype,
                shape,
                index,
                optional,
            } => {
                let dims = shape
                    .iter()
                    .map(|dim| self.dim(dim))
                    .collect::<Result<Vec<_>, _>>()?;
                let mut attrs = String::new();
                match (param.per, sig.items) {
                    (Per::Item, Some(items)) if self.first_list == Some(at) => {
                        attrs += &format!("#[list({})] ", self.sig_axes[items.index()]);
                    }
                    (Per::Launch | Per::Item | Per::Place, _) => {}
                }
                attrs += &format!("#[shape({})] ", dims.join(", "));
                if *role == Role::InOut {
                    attrs += "#[inplace] ";
                }
                if let Some(below) = index {
                    attrs += &format!("#[index({})] ", self.signed(below)?);
                }
                let (ty, mutable) = (
                    self.ty(*dtype)?,
                    if *role == Role::In { "" } else { "mut " },
                );
                let of = match (param.per == Per::Item, optional) {
                    (true, _) => format!("&{mutable}[GlobalTensor<{ty}>]"),
                    (false, true) => format!("Option<&{mutable}GlobalTensor<{ty}>>"),
                    (false, false) => format!("&{mutable}GlobalTensor<{ty}>"),
                };
                format!("{attrs}{name}: {of}")
            }
            ParamKind::Attr {
                ty,
                default,
                choices,
                part,
                element,
            } => {
                let one = match (element, choices.is_empty()) {
                    (Some(of), _) => self.ty(*of)?,
                    (None, false) => self.enums[&at].clone(),
                    (None, true) => word(*ty).to_string(),
                };
                let count = part.as_ref().map_or(1, |part| part.count);
                let of = match (param.per == Per::Item, part) {
                    (true, _) => format!("&[{one}]"),
                    (false, Some(_)) => format!("[{one}; {count}]"),
                    (false, None) => one,
                };
                let mut attrs = String::new();
                if default.is_some() {
                    let said = |cx: &mut Self, id: usize| match &sig.params[id].kind {
                        ParamKind::Attr {
                            default: Some(value),
                            choices,
                            ..
                        } => cx.default(id, value, choices),
                        ParamKind::Attr { .. } | ParamKind::Tensor { .. } => Err(Unprintable::new(
                            "a list with a default for some of its numbers",
                        )),
                    };
                    let all = (at..at + count)
                        .map(|id| said(self, id))
                        .collect::<Result<Vec<_>, _>>()?
                        .join(", ");
                    attrs = if part.is_some() {
                        format!("#[default([{all}])] ")
                    } else {
                        format!("#[default({all})] ")
                    };
                }
                format!("{attrs}{name}: {of}")
            }
        })
    }

    fn default(
        &mut self,
        id: usize,
        value: &Scalar,
        choices: &[String],
    ) -> Result<String, Unprintable> {
        let variant = value
            .as_int()
            .and_then(|nth| usize::try_from(nth).ok())
            .and_then(|nth| choices.get(nth));
        match variant {
            Some(variant) => Ok(format!("{}::{}", self.enums[&id], pascal(variant))),
            None => self.signed(value),
        }
    }

    fn dim(&mut self, dim: &Dim) -> Result<String, Unprintable> {
        let many = |cx: &Self, axis: usize| {
            if cx.kernel.sig.axes[axis].many {
                ".."
            } else {
                ""
            }
        };
        Ok(match dim {
            Dim::Axis { axis } => {
                format!(
                    "{}{}",
                    self.sig_axes[axis.index()],
                    many(self, axis.index())
                )
            }
            Dim::At { axis, dim } => {
                format!(
                    "{} @ {}",
                    self.sig_axes[axis.index()],
                    self.params[dim.index()]
                )
            }
            Dim::Expr { size } => match self.sizes.iter().position(|(own, _)| own == size) {
                Some(at) if !self.said_sizes.contains(&at) => {
                    self.said_sizes.push(at);
                    let said = self.signed(size)?;
                    format!("{} = {said}", self.sizes[at].1)
                }
                Some(at) => self.sizes[at].1.clone(),
                None => self.signed(size)?,
            },
        })
    }

    /// Writes an attribute as an expression, or the test if a tensor was given.
    pub(super) fn attribute(&self, id: ParamId) -> Result<String, Unprintable> {
        let (sig, name) = (&self.kernel.sig, &self.params[id.index()]);
        Ok(match &sig.param(id).kind {
            ParamKind::Tensor { .. } => format!("{name}.is_some()"),
            ParamKind::Attr {
                part: Some(part), ..
            } => format!("{name}[{}]", part.at),
            ParamKind::Attr { .. } => match self.items.get(&id.index()) {
                Some(item) => item.clone(),
                None => name.clone(),
            },
        })
    }
}

/// Returns the list of which a parameter is one number.
fn list_of(param: &Param) -> Option<&str> {
    match &param.kind {
        ParamKind::Attr {
            part: Some(part), ..
        } => Some(&part.of),
        ParamKind::Attr { .. } | ParamKind::Tensor { .. } => None,
    }
}

/// Returns the pool of a parameter's name.
fn pool(param: &Param) -> Pool {
    match &param.kind {
        ParamKind::Tensor { role, .. } => match (role, param.per) {
            (Role::In, Per::Item) => Pool::Ins,
            (Role::Out | Role::InOut, Per::Item) => Pool::Outs,
            (Role::In, Per::Launch | Per::Place) => Pool::In,
            (Role::Out | Role::InOut, Per::Launch | Per::Place) => Pool::Out,
        },
        ParamKind::Attr { choices, .. } if !choices.is_empty() => Pool::Choice,
        ParamKind::Attr { ty, part, .. } => {
            scalar_pool(*ty, part.is_some() || param.per == Per::Item)
        }
    }
}

/// Returns the pool of one item of a list of numbers.
pub(super) fn one_of_list(param: &Param) -> Pool {
    match &param.kind {
        ParamKind::Attr { ty, .. } => scalar_pool(*ty, false),
        ParamKind::Tensor { .. } => pool(param),
    }
}

/// Returns the pool of a number, or of a list of them.
pub(super) fn scalar_pool(ty: ScalarTy, list: bool) -> Pool {
    match (ty, list) {
        (ScalarTy::Index, false) => Pool::Size,
        (ScalarTy::I32, false) => Pool::Int,
        (ScalarTy::F32, false) => Pool::Float,
        (ScalarTy::Bool, _) => Pool::Bool,
        (ScalarTy::Index, true) => Pool::Sizes,
        (ScalarTy::I32, true) => Pool::Ints,
        (ScalarTy::F32, true) => Pool::Floats,
    }
}

/// Drops duplicates, and keeps the first of each.
fn in_order(all: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut found = Vec::new();
    for at in all {
        if !found.contains(&at) {
            found.push(at);
        }
    }
    found
}
