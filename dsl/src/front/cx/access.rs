//! Accesses to a tensor in GM, and the spelling of its shape in messages.

use super::value::{Num, Val};
use super::Cx;
use crate::diag::{Code, Spot};
use crate::front::cx::draft::Draft;
use crate::front::text::span::Node;
use crate::front::text::suggest;
use crate::front::text::words::symbol;
use crate::ir::{BinOp, Dim, ParamId, Role, Scalar, ScalarTy};
use crate::items::GmMethod;
use syn::{Expr, ExprMethodCall};

/// Evaluates `x.len()` or `x.is_empty()`, for so many elements.
pub fn elements(method: GmMethod, len: Scalar) -> Num {
    match method == GmMethod::Len {
        true => Num::index(len),
        false => Num::new(len.bin(BinOp::Eq, 0), ScalarTy::Bool),
    }
}

impl Cx<'_> {
    /// True where the shape of a tensor is an axis that the author did not name.
    pub fn hidden_axis(&self, p: ParamId) -> bool {
        let mut axes = self.draft.sig.shape(p).iter().filter_map(Dim::axis);
        axes.any(|axis| {
            self.names
                .get(&self.draft.sig.axes[axis.index()].name)
                .is_none()
        })
    }

    /// Reports J0211 for reading an output.
    pub fn readable(&mut self, param: ParamId, node: &Expr) -> bool {
        if role(&self.draft, param) != Some(Role::Out) {
            return true;
        }
        let (name, at) = (
            self.draft.sig.param(param).name.clone(),
            self.draft.sig.param(param).span,
        );
        let d = self
            .error(
                Code::J0211,
                node,
                format!("`{name}` is an output and cannot be read"),
            )
            .label(at, "declared here with `&mut`");
        let d = match self.draft.sig.is_optional(param) {
            true => d.help("keep the value that was stored"),
            false => d
                .help(format!(
                    "keep the value that was stored, or declare it `#[inplace] {name}` if it is input and output at once"
                ))
                .fix(at, format!("#[inplace] {name}"))
                .maybe(),
        };
        self.report.add(d);
        false
    }

    /// Reports J0211 for writing an input, and notes the output as written.
    pub fn writable(&mut self, param: ParamId, node: &Expr) -> bool {
        self.draft.written[param.index()] = true;
        if role(&self.draft, param) != Some(Role::In) {
            return true;
        }
        let (name, at) = (
            self.draft.sig.param(param).name.clone(),
            self.draft.sig.param(param).span,
        );
        let ty = self
            .draft
            .sig
            .dtype(param)
            .map_or(String::new(), |t| self.draft.sig.ty_name(t));
        let d = self
            .error(
                Code::J0211,
                node,
                format!("`{name}` is an input and cannot be written"),
            )
            .label(at, "declared here without `mut`")
            .help(format!("declare it `{name}: &mut GlobalTensor<{ty}>`"))
            .edit(at, Spot::Borrow, "mut ")
            .maybe();
        self.report.add(d);
        false
    }

    /// Evaluates `x.len()` or `x.slice(at, n)` on a tensor in GM.
    pub fn tensor_method(&mut self, p: ParamId, m: &ExprMethodCall, e: &Expr) -> Val {
        let name = m.method.to_string();
        match GmMethod::by_name(&name) {
            Some(GmMethod::At) => self.at_call(p, m, e),
            Some(GmMethod::View) => self.view_call(p.into(), m, e),
            Some(GmMethod::Append) => self.append_call(p, m, e),
            Some(GmMethod::Appended) => self.appended_call(p, m, e),
            Some(method @ (GmMethod::Len | GmMethod::IsEmpty)) => {
                let args = self.args(&m.args);
                if self.report.exactly::<0>(&name, &args, e, "").is_none()
                    || !self.draft.shape_known[p.index()]
                {
                    return Val::Unknown;
                }
                Val::Num(elements(method, self.draft.sig.elements(p)))
            }
            Some(GmMethod::Slice) => self.slice(p.into(), m, e),
            Some(GmMethod::GetValue) => self.global_value(p.into(), m, e),
            Some(GmMethod::SetValue) => self.set_global_value(p.into(), m, e),
            Some(GmMethod::DataCacheCleanAndInvalid) => self.clean_line(p.into(), m, e),
            None => {
                self.args(&m.args);
                let what = format!("a GlobalTensor (`{}`)", self.draft.sig.param(p).name);
                if suggest::tile_ops().any(|op| op == name) || name == "load" || name == "store" {
                    let d = self
                        .error(Code::J0103, &m.method.ends(), format!("{what} has no method `{name}`"))
                        .help("load a tile of it first: `for t in tiles(x) { let v = x.at(t).load(); .. }`");
                    self.report.doubt = true;
                    return self.report.bad(d);
                }
                self.report.no_method(&what, &m.method, GmMethod::NAMES)
            }
        }
    }
}

impl Draft {
    /// Writes a shape as in `#[shape]`.
    pub fn dims_text(&self, dims: &[Dim]) -> String {
        let one = |d: &Dim| match d {
            Dim::Axis { axis } => {
                let a = &self.sig.axes[axis.index()];
                format!("{}{}", a.name, if a.many { ".." } else { "" })
            }
            Dim::Expr { size } => self.size_text(size),
            Dim::At { axis, dim } => {
                format!(
                    "{} @ {}",
                    self.sig.axes[axis.index()].name,
                    self.sig.param(*dim).name
                )
            }
        };
        dims.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// Writes a size as an author does.
    pub fn size_text(&self, s: &Scalar) -> String {
        match s {
            Scalar::Int(v) => v.to_string(),
            Scalar::I32(v) => v.to_string(),
            Scalar::Axis(a) => self.sig.axes[a.index()].name.clone(),
            Scalar::Attr(p, _) => self.sig.param(*p).name.clone(),
            Scalar::Bin(op, a, b) => {
                format!(
                    "{} {} {}",
                    self.size_text(a),
                    symbol(*op),
                    self.size_text(b)
                )
            }
            Scalar::Cast(_, a) => self.size_text(a),
            _ => "_".to_string(),
        }
    }
}

fn role(draft: &Draft, param: ParamId) -> Option<Role> {
    match draft.sig.param(param).kind {
        crate::ir::ParamKind::Tensor { role, .. } => Some(role),
        crate::ir::ParamKind::Attr { .. } => None,
    }
}
