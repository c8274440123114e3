//! What blocks share: `workspace::<T>(n)`, a tensor in GM of the kernel's own, and `sync_all()`, where all of them meet.
//!
//! The host plans the bytes of a workspace, so that it stands at the top of the body, takes what the host knows, and gets a name by its `let`.

use super::call::Arg;
use super::cx::Cx;
use super::scope::{GmPart, Num, Val};
use super::span::text;
use crate::diag::Code;
use crate::ir::{BinOp, Level, Scalar, ScalarTy, SpanId, StmtKind, TensorRef, Ty, WorkDecl, WorkId};
use syn::{Expr, ExprCall, ExprMethodCall, GenericArgument, PathArguments};

impl Cx<'_> {
    /// `workspace::<T>(n)`.
    pub fn workspace_call(&mut self, generics: &PathArguments, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Queue, e, "workspace");
        let args = self.args(&c.args);
        let Some([arg]) = self.exactly::<1>("workspace", &args, e, "workspace::<f32>(n)") else { return Val::Unknown };
        let dtype = self.workspace_type(generics, e);
        let len = self.index_arg(arg, "the number of elements").filter(|len| self.known_length(len, arg));
        match (dtype, len) {
            (Some(dtype), Some(len)) => Val::NewWork { dtype, len, span: self.at(e) },
            _ => Val::Unknown,
        }
    }

    /// `sync_all()`: here every block waits for all others.
    pub fn sync_all_call(&mut self, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Queue, e, "sync_all");
        let args = self.args(&c.args);
        if self.exactly::<0>("sync_all", &args, e, "sync_all()").is_none() {
            return Val::Unknown;
        }
        let span = self.at(e);
        self.emit(StmtKind::SyncAll {}, span);
        Val::Unit
    }

    fn workspace_type(&mut self, generics: &PathArguments, e: &Expr) -> Option<Ty> {
        let given = match generics {
            PathArguments::AngleBracketed(a) => a.args.first(),
            PathArguments::None | PathArguments::Parenthesized(_) => None,
        };
        let Some(GenericArgument::Type(t)) = given else {
            let d = self.error(Code::J0106, e, "`workspace` of which element type?").help("write `workspace::<f32>(n)`");
            self.report(d);
            return None;
        };
        self.element(t)
    }

    /// J0601 for a length that only a core knows. How many blocks there are, the host decides.
    fn known_length(&mut self, len: &Scalar, arg: &Arg<'_>) -> bool {
        let blocks = |s: &Scalar| (*s == Scalar::BlockDim).then_some(Scalar::Int(1));
        self.host_known(&len.replace(&blocks), arg.1, "the length of a workspace")
    }

    /// A `let` of a workspace.
    pub fn named_workspace(&mut self, name: &str, (dtype, len, span): (Ty, Scalar, SpanId), init: &Expr) -> Val {
        if !self.top_level(init, "`workspace`") {
            return Val::Unknown;
        }
        let name = self.unique(name);
        self.body.works.push(WorkDecl { name, dtype, len, at: Scalar::Int(0), span });
        Val::Work(WorkId(self.body.works.len() as u32 - 1))
    }

    /// `w.len()`, `w.slice(at, n)` on a workspace.
    pub fn workspace_method(&mut self, w: WorkId, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let name = m.method.to_string();
        match name.as_str() {
            "len" | "is_empty" => {
                if self.exactly::<0>(&name, &args, e, "").is_none() {
                    return Val::Unknown;
                }
                let len = self.body.work(w).len.clone();
                match name.as_str() {
                    "len" => Val::Num(Num::index(len)),
                    _ => Val::Num(Num::new(len.bin(BinOp::Eq, 0), ScalarTy::Bool)),
                }
            }
            "slice" => self.slice(w.into(), &args, m, e),
            _ => {
                let what = format!("a workspace (`{}`)", self.body.work(w).name);
                self.no_method(&what, &m.method, &["len", "slice", "is_empty"])
            }
        }
    }

    /// J0106 for a workspace that no `let` has named.
    pub fn unnamed_workspace(&mut self, m: &ExprMethodCall, e: &Expr) -> Val {
        self.args(&m.args);
        let help = format!("name it first: `let w = {};`", text(&m.receiver));
        let d = self.error(Code::J0106, e, "a workspace without a name").help(help);
        self.bad(d)
    }

    /// Whether a part of a tensor in GM may be read here; of a parameter that is its role's to say.
    pub fn part_readable(&mut self, gm: &GmPart, node: &Expr) -> bool {
        match gm.of {
            TensorRef::Param(p) => self.readable(p, node),
            TensorRef::Work(_) => true,
        }
    }

    /// Whether a part of a tensor in GM may be written here.
    pub fn part_writable(&mut self, gm: &GmPart, node: &Expr) -> bool {
        match gm.of {
            TensorRef::Param(p) => self.writable(p, node),
            TensorRef::Work(_) => true,
        }
    }
}
