//! Memory that blocks share, `workspace::<T>(n)`, a tensor in GM of the kernel's own, and their
//! barrier `sync_all()`.
//!
//! The host plans the bytes of a workspace. It therefore stands at the top of the body, takes sizes
//! that the host knows, and gets a name by its `let`.
//!
//! - With axes, `workspace::<f32>((n, d))`, tiles of it are loaded and stored like those of a
//!   parameter.
//! - With a number of elements it is a tensor of queue level, whose slices are copied.
//! - One axis alone is both. A number does not decide the level of the kernel: at the end of a tile
//!   kernel it is reported as no axis.

use crate::diag::{Code, Diagnostic};
use crate::front::cx::access::elements;
use crate::front::cx::names::Names;
use crate::front::cx::value::{Arg, NewWork, Num, Val, WorkAxes};
use crate::front::cx::Cx;
use crate::front::text::span::text;
use crate::front::text::words::is_all;
use crate::ir::{Level, QueueStmt, Scalar, SpanId, SyncOp, TensorRef, Ty, WorkDecl, WorkId};
use crate::items::GmMethod;
use syn::{Expr, ExprCall, ExprMethodCall, GenericArgument, PathArguments};

impl Cx<'_> {
    /// Reads a call `workspace::<T>(n)`.
    pub fn workspace_call(&mut self, generics: &PathArguments, c: &ExprCall, e: &Expr) -> Val {
        let args = self.args(&c.args);
        let Some([arg]) = self
            .report
            .exactly::<1>("workspace", &args, e, "workspace::<f32>(n)")
        else {
            return Val::Unknown;
        };
        let dtype = self.workspace_type(generics, e);
        let made = match &arg.0 {
            Val::Tuple(vals) => {
                self.use_level(Level::Tile, e, "workspace");
                self.work_axes(vals, arg)
            }
            Val::Num(Num {
                axis: Some(axis),
                value,
                ..
            }) => Some((value.clone(), Ok(vec![*axis]))),
            _ => {
                let len = self
                    .index_arg(arg, "the number of elements")
                    .filter(|len| self.known_length(len, arg));
                len.map(|len| (len, Err(text(arg.1))))
            }
        };
        match (dtype, made) {
            (Some(dtype), Some((len, axes))) => Val::NewWork(Box::new(NewWork {
                dtype,
                len,
                axes,
                span: self.report.at(e),
            })),
            (None, _) | (_, None) => Val::Unknown,
        }
    }

    /// Returns the whole axes of a workspace, and its number of elements.
    fn work_axes(&mut self, vals: &[Val], arg: &Arg<'_>) -> Option<(Scalar, WorkAxes)> {
        let mut axes = Vec::with_capacity(vals.len());
        for val in vals {
            match val {
                Val::Num(Num {
                    axis: Some(axis), ..
                }) => {
                    let ax = self.names.axis_names[axis.0].ax;
                    if !ax.is_none_or(|ax| self.begins_at_0(ax, arg.1, "`workspace` over")) {
                        return None;
                    }
                    axes.push(*axis);
                }
                val if val.is_unknown() => return None,
                other => {
                    let d = self
                        .error(Code::J0106, arg.1, format!("`workspace` over {}, it has whole axes", other.what()))
                        .help("an axis is a name of `#[shape(..)]` or of `let k = new_axis(..)`: `workspace::<f32>((n, k))`");
                    self.report.add(d);
                    return None;
                }
            }
        }
        if let Some(at) = (1..axes.len()).find(|at| axes[..*at].contains(&axes[*at])) {
            let name = self.names.axis_names[axes[at].0].name.clone();
            let d = self
                .error(
                    Code::J0106,
                    arg.1,
                    format!("`workspace` over `{name}` twice"),
                )
                .help(format!(
                "an axis stands there once; another one of that size is `let k = new_axis({name})`"
            ));
            self.report.add(d);
            return None;
        }
        let sizes = axes
            .iter()
            .map(|axis| self.names.axis_names[axis.0].extent.clone());
        let len = sizes.reduce(|a, b| a * b);
        if len.is_none() {
            let d = self
                .error(Code::J0106, arg.1, "`workspace` over no axis")
                .help("name one axis or several, `n`, `(n, k)`");
            self.report.add(d);
        }
        Some((len?, Ok(axes)))
    }

    /// Reads `sync_all()`, where every block waits for all others.
    pub fn sync_all_call(&mut self, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Queue, e, "sync_all");
        let args = self.args(&c.args);
        if self
            .report
            .exactly::<0>("sync_all", &args, e, "sync_all()")
            .is_none()
        {
            return Val::Unknown;
        }
        let span = self.report.at(e);
        self.out.queue(
            QueueStmt::Sync {
                what: SyncOp::All {},
            },
            span,
        );
        Val::Unit
    }

    fn workspace_type(&mut self, generics: &PathArguments, e: &Expr) -> Option<Ty> {
        let given = match generics {
            PathArguments::AngleBracketed(a) => a.args.first(),
            PathArguments::None | PathArguments::Parenthesized(_) => None,
        };
        let Some(GenericArgument::Type(t)) = given else {
            let d = self
                .error(Code::J0106, e, "`workspace` of which element type?")
                .help("write `workspace::<f32>(n)`");
            self.report.add(d);
            return None;
        };
        self.element(t)
    }

    /// Reports J0601 for a length that only a core knows. The host decides the number of blocks.
    fn known_length(&mut self, len: &Scalar, arg: &Arg<'_>) -> bool {
        let blocks = |s: &Scalar| (*s == Scalar::BlockDim).then_some(Scalar::Int(1));
        self.host_known(&len.replace(&blocks), arg.1, "the length of a workspace")
    }

    /// Reads a `let` of a workspace.
    pub fn named_workspace(&mut self, name: &str, new: NewWork, init: &Expr) -> Val {
        if !self.top_level(init, "`workspace`") {
            return Val::Unknown;
        }
        let name = self.out.unique(name);
        let NewWork {
            dtype,
            len,
            axes,
            span,
        } = new;
        self.names.work_axes.push(axes);
        Val::Work(self.out.body.add_work(WorkDecl {
            name,
            dtype,
            len,
            at: Scalar::Int(0),
            span,
        }))
    }

    /// Reports J0106 for the workspaces of a tile kernel that were given a number of elements.
    pub fn work_without_axes(&mut self) {
        if self.draft.mixed || !matches!(self.draft.level, Some((Level::Tile, _))) {
            return;
        }
        for (work, axes) in self.out.body.works.iter().zip(&self.names.work_axes) {
            let Err(number) = axes else { continue };
            let message = format!(
                "`{}` is given the number `{number}`, and a workspace of tiles has axes",
                work.name
            );
            let help = format!(
                "make it an axis: `let k = new_axis({number});`, and `workspace::<{}>(k)`",
                self.draft.sig.ty_name(work.dtype)
            );
            self.report
                .add(Diagnostic::new(Code::J0106, work.span, message).help(help));
        }
    }

    /// Reads `w.at(t, ..)`, `w.view((n, k))`, `w.len()` or `w.slice(at, n)` on a workspace.
    pub fn workspace_method(&mut self, w: WorkId, m: &ExprMethodCall, e: &Expr) -> Val {
        let name = m.method.to_string();
        let method = GmMethod::by_name(&name);
        if let Some(method @ (GmMethod::View | GmMethod::At)) = method {
            self.use_level(Level::Tile, &m.method, &name);
            let Ok(axes) = self.names.work_axes[w.index()].clone() else {
                self.args(m.args.iter().filter(|a| !is_all(a)));
                // `work_without_axes` reports it, once.
                self.report.doubt = true;
                return Val::Unknown;
            };
            let of = axes.into_iter().map(|axis| self.whole_ax(axis)).collect();
            return match method {
                GmMethod::View => self.view_call(w.into(), m, e),
                _ => self.view_method(&self.out.seen(w.into(), of), m, e),
            };
        }
        match method {
            Some(method @ (GmMethod::Len | GmMethod::IsEmpty)) => {
                let args = self.args(&m.args);
                if self.report.exactly::<0>(&name, &args, e, "").is_none() {
                    return Val::Unknown;
                }
                Val::Num(elements(method, self.out.body.work(w).len.clone()))
            }
            Some(GmMethod::GetValue) => self.global_value(w.into(), m, e),
            Some(GmMethod::SetValue) => self.set_global_value(w.into(), m, e),
            Some(GmMethod::DataCacheCleanAndInvalid) => self.clean_line(w.into(), m, e),
            Some(GmMethod::Slice) => self.slice(w.into(), m, e),
            Some(GmMethod::At | GmMethod::View | GmMethod::Append | GmMethod::Appended) | None => {
                self.args(&m.args);
                let what = format!("a workspace (`{}`)", self.out.body.work(w).name);
                let known = GmMethod::NAMES
                    .iter()
                    .copied()
                    .filter(|name| !name.starts_with("append"));
                self.report
                    .no_method(&what, &m.method, &known.collect::<Vec<_>>())
            }
        }
    }

    /// Reports J0106 for a workspace that no `let` has named.
    pub fn unnamed_workspace(&mut self, m: &ExprMethodCall, e: &Expr) -> Val {
        self.args(&m.args);
        let help = format!("name it first: `let w = {};`", text(&m.receiver));
        let d = self
            .error(Code::J0106, e, "a workspace without a name")
            .help(help);
        self.report.bad(d)
    }

    /// Returns a tensor's name, and the place of its declaration.
    pub fn named_gm(&self, of: TensorRef) -> (String, SpanId) {
        match of {
            TensorRef::Param(p) => (
                self.draft.sig.param(p).name.clone(),
                self.draft.sig.param(p).span,
            ),
            TensorRef::Work(w) => (
                self.out.body.work(w).name.clone(),
                self.out.body.work(w).span,
            ),
        }
    }

    /// Returns the element type of a tensor.
    pub fn gm_type(&self, of: TensorRef) -> Option<Ty> {
        match of {
            TensorRef::Param(p) => self.draft.sig.dtype(p),
            TensorRef::Work(w) => Some(self.out.body.work(w).dtype),
        }
    }

    /// True where the tensor may be read here. The role of a parameter decides.
    pub fn may_read(&mut self, of: TensorRef, node: &Expr) -> bool {
        match of {
            TensorRef::Param(p) => self.readable(p, node),
            TensorRef::Work(_) => true,
        }
    }

    /// True where the tensor may be written here.
    pub fn may_write(&mut self, of: TensorRef, node: &Expr) -> bool {
        match of {
            TensorRef::Param(p) => self.writable(p, node),
            TensorRef::Work(_) => true,
        }
    }
}

impl Names {
    /// Lists the axes of a workspace, for messages.
    pub fn work_axes_text(&self, w: WorkId) -> String {
        let axes = self.work_axes[w.index()].iter().flatten();
        axes.map(|axis| self.axis_names[axis.0].name.clone())
            .collect::<Vec<_>>()
            .join(", ")
    }
}
