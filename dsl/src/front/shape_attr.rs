//! `#[shape(n.., d, 2 * k, 4)]`: the axes of a tensor.
//!
//! A bare name introduces an axis or uses it again, `name..` stands for any number of axes and is their product, `name = size` names an
//! axis of a size that is computed, any other expression only uses names bound elsewhere on the signature. A bare name of a constant is
//! that constant.

use super::cx::Cx;
use super::scope::AxisName;
use super::span::Node;
use crate::diag::Code;
use crate::ir::{AxisId, Dim, ParamId, Scalar, ScalarTy, Stage};
use proc_macro2::Ident;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Token};

/// Most entries of a shape: axes of a tensor in the host's own shapes.
const MAX_ENTRIES: usize = 25;

/// A parsed but unresolved shape.
pub(super) struct ShapeAttr {
    entries: Vec<Expr>,
}

impl ShapeAttr {
    /// The names that introduce axes, and whether each stands for many.
    pub fn names(&self) -> impl Iterator<Item = (&Ident, bool)> {
        self.entries.iter().filter_map(|e| axis_name(e))
    }

    /// The names of axes that are computed, and their sizes.
    pub fn computed(&self) -> impl Iterator<Item = (&Ident, &Expr)> {
        self.entries.iter().filter_map(|e| named_size(e))
    }
}

/// `name = size`
fn named_size(e: &Expr) -> Option<(&Ident, &Expr)> {
    match e {
        Expr::Assign(a) => match &*a.left {
            Expr::Path(p) => p.path.get_ident().map(|name| (name, &*a.right)),
            _ => None,
        },
        _ => None,
    }
}

fn axis_name(e: &Expr) -> Option<(&Ident, bool)> {
    match e {
        Expr::Path(p) => p.path.get_ident().map(|i| (i, false)),
        Expr::Range(r) if r.end.is_none() && matches!(r.limits, syn::RangeLimits::HalfOpen(_)) => match r.start.as_deref() {
            Some(Expr::Path(p)) => p.path.get_ident().map(|i| (i, true)),
            _ => None,
        },
        _ => None,
    }
}

impl Cx<'_> {
    /// Parses the list.
    pub fn shape_attr(&mut self, a: &Attribute) -> Option<ShapeAttr> {
        match a.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated) {
            Ok(list) if list.len() > MAX_ENTRIES => {
                let n = list.len();
                let d = self
                    .error(Code::J0105, &list[MAX_ENTRIES], format!("a shape of {n} entries, at most {MAX_ENTRIES} are possible"))
                    .help("`name..` stands for any number of axes")
                    .number("found", n as i64)
                    .number("allowed", MAX_ENTRIES as i64);
                self.report(d);
                None
            }
            Ok(list) if !list.is_empty() => Some(ShapeAttr { entries: list.into_iter().collect() }),
            _ => {
                let d = self
                    .error(Code::J0105, a, "`#[shape(..)]` lists axes")
                    .help("write `#[shape(n.., d)]`, `#[shape(n, 2 * k)]`");
                self.report(d);
                None
            }
        }
    }

    /// The entries as dims; `None` after an error.
    pub fn shape_dims(&mut self, of: ParamId, a: &Attribute, shape: &ShapeAttr) -> Option<Vec<Dim>> {
        let mut dims = Vec::with_capacity(shape.entries.len());
        let mut many = 0;
        let mut good = true;
        for (nth, e) in shape.entries.iter().enumerate() {
            let word = named_size(e).map(|(name, _)| name).or(axis_name(e).map(|(name, _)| name));
            let named = word.and_then(|word| self.axis_names.iter().position(|n| *word == n.name));
            self.dim_names.extend(named.map(|at| ((of, nth), AxisName(at))));
            // What is no axis of the signature's is computed.
            let computed = named.filter(|at| self.sig.axes.iter().all(|axis| axis.name != self.axis_names[*at].name));
            if let Some(at) = computed {
                dims.push(Dim::Expr { size: self.axis_names[at].extent.clone() });
                continue;
            }
            if named_size(e).is_some() {
                // A mistake that was reported where the name was bound.
                good = false;
                continue;
            }
            let axis = axis_name(e).and_then(|(i, is_many)| {
                let id = self.sig.axes.iter().position(|x| *i == x.name)?;
                Some((AxisId(id as u32), is_many))
            });
            match axis {
                Some((axis, is_many)) => {
                    many += usize::from(is_many);
                    dims.push(Dim::Axis { axis });
                }
                None => match self.size(e) {
                    Some(size) => dims.push(Dim::Expr { size }),
                    None => good = false,
                },
            }
        }
        if many > 1 {
            let d = self
                .error(Code::J0105, a, format!("{many} entries of the form `name..` in one shape, at most 1 is possible"))
                .help("which axes would belong to which is open: name the axes one by one");
            self.report(d);
            return None;
        }
        good.then_some(dims)
    }

    fn size(&mut self, e: &Expr) -> Option<Scalar> {
        if let Some((ident, many)) = axis_name(e) {
            let name = ident.to_string();
            if many || self.scope.get(&name).is_some() {
                // A collision of names, which was reported when axes were bound.
                if many && self.module_const(&name) {
                    let d = self.error(Code::J0105, ident, format!("`{name}` is a constant, not axes")).help("remove the `..`");
                    self.report(d);
                }
                return None;
            }
        }
        self.computed_size(e)
    }

    /// A size that the host computes from axes, attributes and numbers.
    pub fn computed_size(&mut self, e: &Expr) -> Option<Scalar> {
        let before = self.diagnostics.len();
        self.in_shape = true;
        let num = self.scalar(e);
        self.in_shape = false;
        let num = num?;
        if self.diagnostics.len() > before {
            return None;
        }
        let num = self.want(num, ScalarTy::Index, e, "the size of an axis")?;
        if self.stage(&num.value) > Stage::Host || num.value.as_int().is_some_and(|v| v < 0) {
            let d =
                self.error(Code::J0105, &e.ends(), "this is no size of an axis").help("use axes, attributes and whole numbers");
            self.report(d);
            return None;
        }
        Some(num.value)
    }
}
