//! The signature: dtype parameters, tensors and attributes of a kernel.
//!
//! Two walks go over the parameters. The first declares names, axes and types. The second reads the
//! shape expressions, which may use axes that a later parameter introduces.

use super::shape_attr::ShapeAttr;
use super::types::{last_segment, scalar_ty};
use crate::diag::Code;
use crate::dtype::DType;
use crate::front::cx::draft::{plain_name, Draft};
use crate::front::cx::kinds::Choice;
use crate::front::cx::report::Report;
use crate::front::cx::value::{Num, Val};
use crate::front::cx::Cx;
use crate::front::head::lists::as_list;
use crate::front::text::span;
use crate::front::text::span::{squeezed, Ends, Node};
use crate::front::text::suggest;
use crate::front::text::words::one_type;
use crate::ir::{
    Axis, AxisId, DTypeParam, Dim, Param, ParamId, ParamKind, Per, Role, Scalar, ScalarTy, Ty,
};
use crate::items::ParamAttr;
use proc_macro2::Ident;
use syn::{Attribute, FnArg, GenericParam, ItemFn, Meta, Pat, ReturnType, Type, TypeSlice};

/// Attributes of a parameter.
#[derive(Default)]
struct ParamAttrs<'s> {
    shape: Option<&'s Attribute>,
    default: Option<&'s Attribute>,
    inplace: Option<&'s Attribute>,
    index: Option<&'s Attribute>,
    list: Option<&'s Attribute>,
}

/// A tensor with its `#[shape]`; the inner `None` is a malformed one.
type TensorShape<'s> = (ParamId, Option<(&'s Attribute, Option<ShapeAttr>)>);

/// Most parameters of a kernel; real ones have a dozen.
const MAX_PARAMS: usize = 256;
/// Most dtype parameters of a kernel; each multiplies the instances.
const MAX_DTYPES: usize = 8;

const PARAM_FORMS: &str =
    "a parameter is `&GlobalTensor<T>`, `&mut GlobalTensor<T>`, `#[inplace] &mut GlobalTensor<T>`, `Option<&GlobalTensor<T>>`, `Option<&mut GlobalTensor<T>>`, a list `&[GlobalTensor<T>]`, or an attribute of type `f32`, `i32`, `usize`, `bool`, the kernel's own `T`, `[usize; 2]` or an `enum` of the `#[kernels] mod`";

impl Cx<'_> {
    /// Reads generics, parameters and return type, and puts their names into scope. False where
    /// there are too many of them to continue.
    pub fn signature(&mut self, item: &ItemFn) -> bool {
        let sig = &item.sig;
        let most = |n: usize, most: usize, node: &dyn Fn() -> Ends, what: &str| {
            (n > most).then(|| {
                (
                    node(),
                    format!("{n} {what}, at most {most} are possible"),
                    n as i64,
                    most as i64,
                )
            })
        };
        let too_many = most(
            sig.inputs.len(),
            MAX_PARAMS,
            &|| span::token_ends(&sig.inputs[MAX_PARAMS]),
            "parameters",
        )
        .or_else(|| {
            let generics = &sig.generics.params;
            most(
                generics.len(),
                MAX_DTYPES,
                &|| span::token_ends(&generics[MAX_DTYPES]),
                "dtype parameters",
            )
        });
        if let Some((ends, message, found, allowed)) = too_many {
            let d = self
                .error(Code::J0104, &ends, message)
                .help("make several kernels of this one");
            self.report
                .add(d.number("found", found).number("allowed", allowed));
            return false;
        }
        self.report.ascii_name(&sig.ident, Code::J0104);
        let odd = [
            (sig.constness.map(|t| t.span), "`const`"),
            (sig.asyncness.map(|t| t.span), "`async`"),
            (
                if let syn::Safety::Unsafe(t) = sig.safety {
                    Some(t.span)
                } else {
                    None
                },
                "`unsafe`",
            ),
            (sig.abi.as_ref().map(|a| a.extern_token.span), "`extern`"),
        ];
        for (span, what) in odd {
            if let Some(span) = span {
                let d = self
                    .error(
                        Code::J0104,
                        &(span, span),
                        format!("{what} means nothing on a kernel"),
                    )
                    .help("remove it");
                self.report.add(d);
            }
        }
        self.generics(&sig.generics);
        self.instances(&item.attrs);
        if let ReturnType::Type(_, ty) = &sig.output {
            let d = self
                .error(Code::J0104, ty, format!("a kernel returns nothing, this one returns `{}`", squeezed(ty)))
                .help("results leave through outputs: add a parameter `&mut GlobalTensor<T>` and store to it");
            self.report.add(d);
        }
        self.params(sig);
        true
    }

    fn generics(&mut self, generics: &syn::Generics) {
        for g in &generics.params {
            let GenericParam::Type(t) = g else {
                let ends = span::token_ends(g);
                let d = self
                    .error(
                        Code::J0104,
                        &ends,
                        "a kernel is generic over element types only",
                    )
                    .help("write `T: Float`; sizes come from `#[shape(..)]`");
                self.report.add(d);
                continue;
            };
            let name = t.ident.to_string();
            self.report.ascii_name(&t.ident, Code::J0104);
            if self.draft.sig.dtypes.iter().any(|p| p.name == name) {
                let d = self
                    .error(Code::J0104, &t.ident, format!("a second dtype parameter `{name}`"))
                    .help("give it another name, or leave it out: parameters of one type share one dtype parameter");
                self.report.add(d);
            }
            let ty = Ty::Param(self.draft.sig.dtypes.len() as u8);
            // An unknown bound is read as the widest set, with the numbers of floats, so that uses
            // cause no finding.
            let bound = self.report.bound(t);
            if bound.is_none() {
                self.names.unbound.push(self.draft.sig.dtypes.len() as u8);
            }
            let set = bound.unwrap_or("Number").to_string();
            self.draft.sig.dtypes.push(DTypeParam {
                name: name.clone(),
                set,
            });
            self.names.bind_type(name, ty);
        }
        if let Some(w) = &generics.where_clause {
            let ends = span::token_ends(w);
            let d = self
                .error(Code::J0104, &ends, "a `where` clause on a kernel")
                .help("write the bound in the list: `<T: Float>`");
            self.report.add(d);
        }
    }

    fn params(&mut self, sig: &syn::Signature) {
        let mut shapes = Vec::with_capacity(sig.inputs.len());
        let (mut promises, mut lengths) = (Vec::new(), Vec::new());
        let mut bad = false;
        for input in &sig.inputs {
            let FnArg::Typed(p) = input else {
                bad = true;
                let d = self
                    .error(
                        Code::J0104,
                        &span::token_ends(input),
                        "a kernel has no `self`",
                    )
                    .help(PARAM_FORMS);
                self.report.add(d);
                continue;
            };
            let attrs = param_attrs(&mut self.report, &p.attrs);
            let Pat::Ident(ident) = &*p.pat else {
                bad = true;
                let d = self
                    .error(
                        Code::J0104,
                        &p.pat,
                        "a parameter of a kernel is a plain name",
                    )
                    .help(PARAM_FORMS);
                self.report.add(d);
                self.names.bind_unknown(&p.pat);
                continue;
            };
            if ident.by_ref.is_some() || ident.mutability.is_some() || ident.subpat.is_some() {
                let d = self
                    .error(
                        Code::J0104,
                        &p.pat,
                        "a parameter of a kernel is a plain name",
                    )
                    .help("remove what stands before the name");
                self.report.add(d);
            }
            let name = ident.ident.to_string();
            self.report.ascii_name(&ident.ident, Code::J0104);
            let id = ParamId(self.draft.sig.params.len() as u32);
            if let Type::Array(array) = &*p.ty {
                no_tensor(&mut self.report, &attrs);
                if self.numbers(&ident.ident, array, attrs.default).is_none() {
                    bad = true;
                    self.names.bind_unknown(&p.pat);
                }
                continue;
            }
            self.only_param(&name, &ident.ident);
            let span = self.report.at(&ident.ident);
            let (kind, per) = match as_list(&p.ty) {
                Some((list, mutable)) => (self.list_param(list, mutable, &attrs), Per::Item),
                None => (self.param_kind(&p.ty, &attrs), Per::Launch),
            };
            let val = match &kind {
                Some(_) if per == Per::Item => Val::List(id),
                Some(ParamKind::Tensor { optional: true, .. }) => Val::Optional(id),
                Some(ParamKind::Tensor { .. }) => Val::Tensor(id),
                Some(ParamKind::Attr { ty, .. }) => match self.module.enum_named(&p.ty) {
                    Some(of) => Val::Choice(Choice {
                        of,
                        number: Scalar::Attr(id, *ty),
                    }),
                    None => Val::Num(Num::new(Scalar::Attr(id, *ty), *ty)),
                },
                None => Val::Unknown,
            };
            let known = kind.is_some();
            let per = if known { per } else { Per::Launch };
            // A parameter of a wrong type keeps its place in the list, so that ids stay those of
            // the parameters.
            let kind = kind.unwrap_or(ParamKind::Attr {
                ty: ScalarTy::Index,
                default: None,
                choices: Vec::new(),
                part: None,
                element: None,
            });
            let is_tensor = known && matches!(kind, ParamKind::Tensor { .. });
            self.out.unique(&name);
            self.names
                .bind_to_read(name.clone(), val, false, ident.ident.ends(), Some(id));
            self.draft.declare(
                Param {
                    name: plain_name(&ident.ident),
                    kind,
                    per,
                    span,
                },
                ident.ident.ends(),
            );
            if let Some(a) = attrs.list.filter(|_| known) {
                match per {
                    Per::Item => lengths.push(a),
                    Per::Launch | Per::Place => {
                        self.report.misplaced(a, "`#[list(..)]` belongs to a list")
                    }
                }
            }
            self.draft.own_shape[id.index()] = attrs.shape.is_some();
            self.draft.shape_known[id.index()] = known;
            self.one_of(id, &ident.ident);
            promises.extend(attrs.index.filter(|_| is_tensor).map(|a| (id, a)));
            // The axes of a parameter that was meant for a tensor are names as well.
            if is_tensor
                || !known && (attrs.shape.is_some() || squeezed(&p.ty).contains("GlobalTensor"))
            {
                shapes.push((id, attrs.shape.map(|a| (a, self.report.shape_attr(a)))));
            }
        }
        self.bind_axes(&shapes);
        bad |= self.draft.shape_known.contains(&false);
        self.bind_computed(&shapes);
        self.resolve_shapes(&shapes);
        promises.into_iter().for_each(|(id, a)| self.promise(id, a));
        lengths.into_iter().for_each(|a| self.name_items(a));
        if !bad {
            self.has_output(sig);
            self.axes_are_told();
        }
    }

    /// Reports a name that a parameter before has.
    pub fn only_param(&mut self, name: &str, ident: &Ident) {
        if let Some(first) =
            param_named(&self.draft, name).map(|first| self.draft.sig.params[first].span)
        {
            let d = self
                .error(Code::J0104, ident, format!("a second parameter `{name}`"))
                .label(first, "the first one")
                .help("give it another name");
            self.report.add(d);
        }
    }

    fn has_output(&mut self, sig: &syn::Signature) {
        if !self
            .draft
            .sig
            .tensors()
            .any(|(_, _, role, _)| role != Role::In)
        {
            let d = self
                .error(
                    Code::J0104,
                    &sig.ident,
                    format!("kernel `{}` has no output", sig.ident),
                )
                .help("add a parameter `y: &mut GlobalTensor<T>` and store to it");
            self.report.add(d);
        }
    }

    fn param_kind(&mut self, ty: &Type, attrs: &ParamAttrs<'_>) -> Option<ParamKind> {
        if let Some(inner) = last_segment(ty)
            .filter(|s| s.ident == "Option")
            .and_then(|s| one_type(&s.arguments))
        {
            return self.optional_kind(ty, inner, attrs);
        }
        let (reference, inner) = match ty {
            Type::Reference(r) => (Some(r.mutability.is_some()), &*r.elem),
            Type::Group(g) => match &*g.elem {
                Type::Reference(r) => (Some(r.mutability.is_some()), &*r.elem),
                other => (None, other),
            },
            other => (None, other),
        };
        let segment = last_segment(inner);
        if let Some(s) = segment.filter(|s| s.ident == "GlobalTensor") {
            if let Some(a) = attrs.default {
                self.report.misplaced(a, "`#[default(..)]` belongs to an attribute of type `f32`, `i32`, `usize` or `bool`");
            }
            let Some(dtype) = one_type(&s.arguments) else {
                let d = self
                    .error(Code::J0104, ty, "`GlobalTensor` needs its element type")
                    .help("write `&GlobalTensor<T>`");
                self.report.add(d);
                return None;
            };
            let dtype = self.element(dtype);
            let Some(mutable) = reference else {
                let text = format!("&{}", squeezed(inner));
                let d = self.error(Code::J0104, ty, "a tensor is passed by reference");
                let at = d.span();
                self.report.add(
                    d.help(format!(
                        "write `{text}` for an input, `&mut {}` for an output",
                        squeezed(inner)
                    ))
                    .fix(at, text)
                    .maybe(),
                );
                return None;
            };
            let role = match (mutable, attrs.inplace) {
                (false, None) => Role::In,
                (true, None) => Role::Out,
                (true, Some(_)) => Role::InOut,
                (false, Some(a)) => {
                    self.report
                        .misplaced(a, "`#[inplace]` belongs to a `&mut GlobalTensor<T>`");
                    Role::In
                }
            };
            return Some(ParamKind::Tensor {
                role,
                dtype: dtype?,
                shape: Vec::new(),
                index: None,
                optional: false,
            });
        }
        if let Some(of) = self
            .module
            .enum_named(inner)
            .filter(|_| reference.is_none())
        {
            no_tensor(&mut self.report, attrs);
            return self.enum_kind(of, attrs.default);
        }
        match segment
            .filter(|s| reference.is_none() && s.arguments.is_none())
            .map(|s| &s.ident)
        {
            Some(i) if scalar_ty(i).is_some() => {
                let ty = scalar_ty(i).unwrap_or(ScalarTy::F32);
                no_tensor(&mut self.report, attrs);
                let default = attrs.default.and_then(|a| self.report.default_attr(a, ty));
                Some(ParamKind::Attr {
                    ty,
                    default,
                    choices: Vec::new(),
                    part: None,
                    element: None,
                })
            }
            Some(i) if self.names.get_type(&i.to_string()).is_some() => {
                no_tensor(&mut self.report, attrs);
                let (element, carrier) = self.own_number(i)?;
                let default = attrs
                    .default
                    .and_then(|a| self.report.default_attr(a, carrier));
                self.default_is_element(element, default.as_ref(), attrs.default);
                Some(ParamKind::Attr {
                    ty: carrier,
                    default,
                    choices: Vec::new(),
                    part: None,
                    element: Some(element),
                })
            }
            Some(i) if self.report.fixup(&i.to_string()) => None,
            _ => {
                let mut d = self
                    .error(
                        Code::J0104,
                        ty,
                        format!("a parameter of type `{}`", squeezed(ty)),
                    )
                    .help(PARAM_FORMS);
                let instead = segment.map(|s| s.ident.to_string());
                d = match instead.as_deref() {
                    Some("f64") => {
                        let at = d.span();
                        d.help("the vector core has no 64-bit floats: use `f32`")
                            .fix(at, "f32")
                            .maybe()
                    }
                    Some("i64" | "u32" | "u64" | "isize") => {
                        let at = d.span();
                        d.help("use `i32`, or `usize` for sizes")
                            .fix(at, "i32")
                            .maybe()
                    }
                    Some("LocalTensor" | "Tile") => d.help("a kernel's tensors are in GM"),
                    _ => d,
                };
                self.report.add(d);
                None
            }
        }
    }

    /// Reads a parameter of type `&[GlobalTensor<T>]` or `&[f32]`.
    fn list_param(
        &mut self,
        list: &TypeSlice,
        mutable: bool,
        attrs: &ParamAttrs<'_>,
    ) -> Option<ParamKind> {
        let kind = self.list_kind(list, mutable, attrs.default, attrs.inplace.is_some())?;
        match (&kind, attrs.inplace.filter(|_| !mutable)) {
            (ParamKind::Attr { .. }, _) => no_tensor(&mut self.report, attrs),
            (ParamKind::Tensor { .. }, Some(a)) => self
                .report
                .misplaced(a, "`#[inplace]` belongs to a `&mut [GlobalTensor<T>]`"),
            (ParamKind::Tensor { .. }, None) => {}
        }
        Some(kind)
    }

    /// Reads the types `Option<&GlobalTensor<T>>` and `Option<&mut GlobalTensor<T>>`.
    fn optional_kind(
        &mut self,
        ty: &Type,
        inner: &Type,
        attrs: &ParamAttrs<'_>,
    ) -> Option<ParamKind> {
        let wrong = |cx: &mut Self, message: String, help: &str| {
            let d = cx.error(Code::J0104, ty, message).help(help);
            cx.report.add(d);
            None
        };
        if !matches!(inner, Type::Reference(_)) {
            let found = squeezed(ty);
            return wrong(
                self,
                format!("a parameter of type `{found}`"),
                "what may be left out is an input, `Option<&GlobalTensor<T>>`, or an output, `Option<&mut GlobalTensor<T>>`; an attribute has a `#[default(..)]`",
            );
        }
        match self.param_kind(inner, attrs)? {
            ParamKind::Tensor {
                role,
                dtype,
                shape,
                index,
                ..
            } => Some(ParamKind::Tensor {
                role,
                dtype,
                shape,
                index,
                optional: true,
            }),
            ParamKind::Attr { .. } => wrong(
                self,
                format!("a parameter of type `{}`", squeezed(ty)),
                PARAM_FORMS,
            ),
        }
    }

    fn bind_axes(&mut self, shapes: &[TensorShape<'_>]) {
        let written = shapes
            .iter()
            .filter_map(|(_, shape)| shape.as_ref()?.1.as_ref());
        let computed: Vec<&proc_macro2::Ident> = written
            .flat_map(|shape| shape.computed().map(|(name, _)| name))
            .collect();
        for (_, shape) in shapes {
            let Some((_, Some(shape))) = shape else {
                continue;
            };
            for (ident, many) in shape.names() {
                let name = ident.to_string();
                if self.module.const_index(&name).is_some() || computed.contains(&ident) {
                    continue;
                }
                if let Some(i) = self.draft.sig.axes.iter().position(|a| a.name == name) {
                    if self.draft.sig.axes[i].many != many {
                        let d = self
                            .error(
                                Code::J0105,
                                ident,
                                format!(
                                    "`{name}` is one axis in one place and `{name}..` in another"
                                ),
                            )
                            .help("an axis is written the same everywhere");
                        self.report.add(d);
                    }
                    continue;
                }
                if let Some(p) = param_named(&self.draft, &name) {
                    self.bind_attr_axis(ParamId(p as u32), ident, many);
                    continue;
                }
                let axis = AxisId(self.draft.sig.axes.len() as u32);
                self.report.ascii_name(ident, Code::J0104);
                self.draft.sig.axes.push(Axis {
                    name: name.clone(),
                    many,
                });
                self.bind_axis(ident, Scalar::Axis(axis));
            }
        }
    }

    /// Binds an axis that is as long as an attribute of its name says. No other parameter may name
    /// an axis.
    fn bind_attr_axis(&mut self, param: ParamId, ident: &proc_macro2::Ident, many: bool) {
        let name = ident.to_string();
        let is_size = matches!(
            self.draft.sig.param(param).kind,
            ParamKind::Attr {
                ty: ScalarTy::Index,
                ..
            }
        );
        if is_size
            && self.draft.sig.is_whole(param)
            && self.draft.sig.part(param).is_none()
            && !many
        {
            if self.names.axis_names.iter().all(|n| n.name != name) {
                let extent = Scalar::Attr(param, ScalarTy::Index);
                let axis = Some(self.names.name_axis(&name, extent.clone()));
                let ends = self.draft.param_ends[param.index()];
                self.names.note_read(&name);
                self.names.bind(
                    name,
                    Val::Num(Num {
                        axis,
                        ..Num::index(extent)
                    }),
                    false,
                    ends,
                );
            }
            return;
        }
        let other = self
            .report
            .at(&self.draft.param_ends[param.index()].clone());
        let help = match self.draft.sig.param(param).kind {
            ParamKind::Attr {
                ty: ScalarTy::I32 | ScalarTy::Index,
                ..
            } => "an attribute that is the size of an axis is a `usize`",
            ParamKind::Attr { .. } | ParamKind::Tensor { .. } => {
                "give the axis another name: one name in the body, one meaning"
            }
        };
        let d = self
            .error(
                Code::J0105,
                ident,
                format!("axis `{name}` has the name of a parameter"),
            )
            .label(other, "the parameter")
            .help(help);
        self.report.add(d);
        // A number of a list has a name only at a launch.
        if self.names.get(&name).is_none() {
            self.names.bind(name, Val::Unknown, false, ident.ends());
        }
    }

    /// Binds the names of axes that are computed from others.
    fn bind_computed(&mut self, shapes: &[TensorShape<'_>]) {
        for (_, shape) in shapes {
            let Some((_, Some(shape))) = shape else {
                continue;
            };
            for (ident, size) in shape.computed() {
                let name = ident.to_string();
                if let Some(p) = param_named(&self.draft, &name) {
                    let other = self.report.at(&self.draft.param_ends[p].clone());
                    let d = self
                        .error(
                            Code::J0105,
                            ident,
                            format!("axis `{name}` has the name of a parameter"),
                        )
                        .label(other, "the parameter")
                        .help("give the axis another name: one name in the body, one meaning");
                    self.report.add(d);
                    continue;
                }
                let Some(extent) = self.computed_size(size) else {
                    continue;
                };
                match self.names.axis_names.iter().find(|n| n.name == name) {
                    None => {
                        self.report.ascii_name(ident, Code::J0104);
                        self.bind_axis(ident, extent);
                    }
                    Some(known) if known.extent == extent => {}
                    Some(_) => {
                        let d = self
                            .error(Code::J0105, ident, format!("`{name}` is two sizes"))
                            .help("an axis is computed in one place; elsewhere its bare name stands for it");
                        self.report.add(d);
                    }
                }
            }
        }
    }

    fn bind_axis(&mut self, ident: &proc_macro2::Ident, extent: Scalar) {
        let name = ident.to_string();
        self.out.unique(&name);
        let axis = Some(self.names.name_axis(&name, extent.clone()));
        self.names.bind(
            name,
            Val::Num(Num {
                axis,
                ..Num::index(extent)
            }),
            false,
            ident.ends(),
        );
    }

    fn resolve_shapes(&mut self, shapes: &[TensorShape<'_>]) {
        // The first tensor with one unit: for the whole launch, or for each item.
        let mut firsts: [Option<ParamId>; 2] = [None; 2];
        for (id, shape) in shapes {
            let first = &mut firsts[usize::from(self.draft.sig.param(*id).per == Per::Item)];
            let dims = match shape {
                Some((_, Some(shape))) => self.shape_dims(*id, shape),
                Some((_, None)) => None,
                None => match *first {
                    Some(f) => {
                        self.draft.shape_known[f.index()].then(|| self.draft.sig.shape(f).to_vec())
                    }
                    None => {
                        let name = self
                            .out
                            .unique(&format!("{}_shape", self.draft.sig.param(*id).name));
                        self.draft.sig.axes.push(Axis { name, many: true });
                        Some(vec![Dim::Axis {
                            axis: AxisId(self.draft.sig.axes.len() as u32 - 1),
                        }])
                    }
                },
            };
            *first = first.or(Some(*id));
            match (dims, &mut self.draft.sig.params[id.index()].kind) {
                (Some(dims), ParamKind::Tensor { shape, .. }) => *shape = dims,
                _ => self.draft.shape_known[id.index()] = false,
            }
        }
        // An unknown shape may be the one that determines an axis.
        if self.draft.shape_known.contains(&false) {
            return;
        }
        for (id, shape) in shapes {
            if let Some((attr, _)) = shape {
                self.draft.shape_known[id.index()] = self.several(*id, attr);
            }
        }
    }

    /// Reads `#[index(n)]`: the elements of a tensor are indices below `n`.
    fn promise(&mut self, id: ParamId, a: &Attribute) {
        let ParamKind::Tensor { role, dtype, .. } = self.draft.sig.param(id).kind else {
            return;
        };
        if role != Role::In || !matches!(dtype, Ty::Is(DType::I32 | DType::I64)) {
            return self
                .report
                .misplaced(a, "`#[index(..)]` belongs to a `&GlobalTensor<i32>` or `&GlobalTensor<i64>`, an input of indices");
        }
        let Ok(below) = a.parse_args::<syn::Expr>() else {
            let d = self
                .error(
                    Code::J0105,
                    a,
                    "`#[index(..)]` takes the size of the axis that the elements are indices of",
                )
                .help("write `#[index(n)]`: each element is one of 0 to `n - 1`");
            return self.report.add(d);
        };
        let Some(below) = self.computed_size(&below) else {
            return;
        };
        if let ParamKind::Tensor { index, .. } = &mut self.draft.sig.params[id.index()].kind {
            *index = Some(below);
        }
    }
}

impl Draft {
    /// Adds a parameter to the list, a tensor without `#[shape]` so far or an attribute.
    pub fn declare(&mut self, param: Param, ends: Ends) {
        self.param_ends.push(ends);
        self.written.push(false);
        self.shape_known.push(true);
        self.own_shape.push(false);
        self.sig.params.push(param);
    }
}

impl Report {
    /// Reports an attribute in a place where it has no meaning.
    pub fn misplaced(&mut self, attr: &Attribute, message: &str) {
        let d = self.error(Code::J0105, attr, message).help("remove it");
        self.add(d);
    }
}

/// Finds the parameter of a name, the first one in a list of numbers.
fn param_named(draft: &Draft, name: &str) -> Option<usize> {
    let is_list =
        |p: &Param| matches!(&p.kind, ParamKind::Attr { part: Some(part), .. } if part.of == name);
    draft
        .sig
        .params
        .iter()
        .position(|p| p.name == name || is_list(p))
}

fn param_attrs<'s>(report: &mut Report, attrs: &'s [Attribute]) -> ParamAttrs<'s> {
    let mut out = ParamAttrs::default();
    for a in attrs {
        let Some(ident) = a.path().get_ident() else {
            continue;
        };
        let slot = match ParamAttr::by_name(&ident.to_string()) {
            Some(ParamAttr::Shape) => &mut out.shape,
            Some(ParamAttr::Default) => &mut out.default,
            Some(ParamAttr::Inplace) => &mut out.inplace,
            Some(ParamAttr::Index) => &mut out.index,
            Some(ParamAttr::List) => &mut out.list,
            None => {
                report.unknown_attr(a, ident, ParamAttr::NAMES, "a parameter");
                let meant = suggest::nearest(&ident.to_string(), ParamAttr::NAMES.iter().copied())
                    .and_then(ParamAttr::by_name);
                // The names of a misspelt shape are axes as well, so that one mistake is reported
                // once.
                match meant {
                    Some(ParamAttr::Shape) if matches!(a.meta, Meta::List(_)) => &mut out.shape,
                    Some(_) | None => continue,
                }
            }
        };
        if slot.is_some() {
            let d = report
                .error(Code::J0105, a, "the attribute stands twice")
                .help("remove one");
            report.add(d);
        } else {
            *slot = Some(a);
        }
    }
    out
}

/// Reports attributes that belong to a tensor.
fn no_tensor(report: &mut Report, attrs: &ParamAttrs<'_>) {
    for a in [attrs.shape, attrs.inplace, attrs.index]
        .into_iter()
        .flatten()
    {
        report.misplaced(a, "this attribute belongs to a `GlobalTensor`");
    }
}
