//! `let` statements: the meaning of their names.
//!
//! A `let` of a tile names the value that its expression made. Where the value has a name already,
//! the new name is an alias. If one of the two is `let mut`, it is a copy instead, since assignment
//! changes only one. A literal under a name stays a literal.

use crate::diag::Code;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::names::Names;
use crate::front::cx::value::{Num, Val};
use crate::front::cx::Cx;
use crate::front::head::types::{last_segment, Kind};
use crate::front::text::span;
use crate::front::text::span::Node;
use crate::front::text::words::cast_text;
use crate::ir::{Scalar, ScalarTy, SpanId, StmtKind, TileExpr, TileStmt, ValueId};
use proc_macro2::{Ident, TokenTree};
use quote::ToTokens;
use syn::{Expr, Local, Pat, Type};

impl Cx<'_> {
    /// Reads a `let`.
    pub fn local(&mut self, l: &Local) {
        let (pat, ty) = match &l.pat {
            Pat::Type(t) => (&*t.pat, Some(&*t.ty)),
            other => (other, None),
        };
        let Some(init) = &l.init else {
            self.report.unsupported(
                &(l.let_token.span, l.semi_token.span),
                "a `let` without a value",
                "give it one: `let mut v = ..;`",
            );
            return self.names.bind_unknown(pat);
        };
        if let Some((_, other)) = &init.diverge {
            if !self.names.mentions_unknown(&init.expr) {
                self.report
                    .unsupported(other, "`let .. else`", "write a plain `let`");
            }
            return self.names.bind_unknown(pat);
        }
        let kind = ty.map(|t| self.kind(t));
        let hint = match kind {
            Some(Kind::Tile(t)) => Some(t),
            _ => None,
        };
        self.names.let_type = ty
            .and_then(last_segment)
            .filter(|s| s.ident == "TQue" || s.ident == "TBuf")
            .cloned();
        let before = self.report.diagnostics.len();
        let val = self.expr_as(&init.expr, hint);
        self.names.let_type = None;
        self.report.doubt |= val.is_unknown() && self.report.diagnostics.len() > before;
        let val = match (kind, ty) {
            (Some(kind), Some(ty)) => self.ascribed(val, kind, ty, &init.expr),
            _ => val,
        };
        self.bind_pat(pat, val, &init.expr);
    }

    /// Checks a value against the type that its `let` names.
    pub fn ascribed(&mut self, val: Val, kind: Kind, ty: &Type, e: &Expr) -> Val {
        match (kind, val) {
            (Kind::Tile(want), Val::Tile(v)) if self.out.dtype(v) != want => {
                let (f, w) = (
                    self.draft.sig.ty_name(self.out.dtype(v)),
                    self.draft.sig.ty_name(want),
                );
                let at = self.report.at(ty);
                let d = self
                    .error(
                        Code::J0201,
                        e,
                        format!("a tile of `{f}` where `Tile<{w}>` is named"),
                    )
                    .label(at, format!("`{w}` is named here"))
                    .help(format!("convert it: `.cast::<{w}>()`"));
                let (at, now) = (d.span(), cast_text(e, &w));
                self.report.bad(d.fix(at, now))
            }
            (Kind::Local(want), Val::Local(l) | Val::Strided(l, _))
                if self.out.body.tensors[l.tensor.index()].dtype != want =>
            {
                let (f, w) = (
                    self.draft
                        .sig
                        .ty_name(self.out.body.tensors[l.tensor.index()].dtype),
                    self.draft.sig.ty_name(want),
                );
                let d = self.error(
                    Code::J0201,
                    e,
                    format!("a LocalTensor of `{f}` where `LocalTensor<{w}>` is named"),
                );
                self.report.bad(d)
            }
            (Kind::Axis, Val::Num(n)) if n.axis.is_some() => Val::Num(n),
            (Kind::Axis, other) if !other.is_unknown() => {
                let what = other.what();
                let d = self
                    .error(Code::J0106, e, format!("expected an `Axis`, found {what}"))
                    .help("give it a name of `#[shape(..)]`, or of `let k = new_axis(64);`");
                self.report.bad(d)
            }
            (Kind::Choice(want), Val::Choice(choice)) if choice.of == want => Val::Choice(choice),
            (Kind::Scalar(want), Val::Num(n)) => self
                .report
                .want(n, want, e, "the type named")
                .map_or(Val::Unknown, Val::Num),
            (Kind::Tile(_), Val::Tile(v)) => Val::Tile(v),
            (Kind::Local(_), local @ (Val::Local(_) | Val::Strided(..))) => local,
            (_, Val::Unknown) | (Kind::Bad, _) => Val::Unknown,
            (
                Kind::Tile(_) | Kind::Scalar(_) | Kind::Local(_) | Kind::Axis | Kind::Choice(_),
                other,
            ) => {
                let d = self.error(
                    Code::J0106,
                    e,
                    format!("expected `{}`, found {}", span::squeezed(ty), other.what()),
                );
                self.report.bad(d)
            }
            (Kind::Other, other) => other,
        }
    }

    pub fn bind_pat(&mut self, pat: &Pat, val: Val, init: &Expr) {
        match pat {
            Pat::Wild(_) => {}
            Pat::Paren(p) => self.bind_pat(&p.pat, val, init),
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                self.report.ascii_name(&p.ident, Code::J0101);
                let val = self.named(&p.ident, p.mutability.is_some(), val, init);
                let (name, mutable, at) =
                    (p.ident.to_string(), p.mutability.is_some(), p.ident.ends());
                match self.report.inlining.is_empty() && self.report.within.is_none() {
                    true => self.names.bind_to_read(name, val, mutable, at, None),
                    false => self.names.bind(name, val, mutable, at),
                }
            }
            Pat::Tuple(t) => match val {
                Val::Tuple(vals) if vals.len() == t.elems.len() => {
                    let inits: Vec<&Expr> = match init {
                        Expr::Tuple(i) if i.elems.len() == vals.len() => i.elems.iter().collect(),
                        _ => vec![init; vals.len()],
                    };
                    for ((p, v), i) in t.elems.iter().zip(vals).zip(inits) {
                        self.bind_pat(p, v, i);
                    }
                }
                Val::Unknown => self.names.bind_unknown(pat),
                Val::Tuple(vals) => {
                    let d = self.error(
                        Code::J0106,
                        pat,
                        format!("{} names for {} values", t.elems.len(), vals.len()),
                    );
                    self.report.add(d);
                    self.names.bind_unknown(pat);
                }
                other => {
                    let d = self.error(
                        Code::J0106,
                        pat,
                        format!("{} names for {}", t.elems.len(), other.what()),
                    );
                    self.report.add(d);
                    self.names.bind_unknown(pat);
                }
            },
            Pat::Slice(s) if matches!(val, Val::Numbers(_)) => {
                let Val::Numbers(all) = val else { return };
                self.bind_list(s, all, pat, init);
            }
            other if val.is_unknown() => self.names.bind_unknown(other),
            other => {
                self.report.unsupported(
                    other,
                    "this pattern",
                    "write a name, or names in parentheses for as many values",
                );
                self.names.bind_unknown(other);
            }
        }
    }

    /// Gives a value the name of its `let`.
    fn named(&mut self, ident: &Ident, mutable: bool, val: Val, init: &Expr) -> Val {
        let name = ident.to_string();
        if matches!(init, Expr::Reference(_)) && !val.is_unknown() {
            return self.report.unsupported(
                init,
                "a reference under a name",
                "write `&` where the call wants it",
            );
        }
        match val {
            Val::Num(n) => Val::Num(self.named_scalar(&name, mutable, n, init)),
            Val::Tile(v) => Val::Tile(self.named_tile(&name, mutable, v, init)),
            Val::NewAxis(_) if mutable => self.report.unsupported(
                ident,
                "an axis that changes",
                "an axis is its `let`: remove the `mut`",
            ),
            Val::NewAxis(new) => self.named_axis(&name, new),
            Val::Tuple(vals) if vals.iter().any(Val::is_unknown) => Val::Unknown,
            Val::Range(_) => self.report.unsupported(
                init,
                "a range under a name",
                "write it where it is gone through: `for i in a..b`, `tiles(a..b)`",
            ),
            Val::Tuple(_) => self.report.unsupported(
                ident,
                "a tuple under one name",
                "name its parts: `let (a, b) = (x, y);`",
            ),
            Val::Loop(_) => {
                let d = self
                    .error(Code::J0109, init, "a tile loop without `for`")
                    .help("write `for t in tiles(x) { .. }`");
                self.draft.tile_loop = self.draft.tile_loop.or(Some(crate::ir::SpanId(0)));
                self.report.bad(d)
            }
            Val::Unit => {
                let d = self.error(
                    Code::J0106,
                    init,
                    "a `let` of something that gives no value",
                );
                let adds = matches!(init, Expr::MethodCall(m) if m.method == "atomic_add");
                self.report.bad(d.help(match adds {
                    // No copy to GM returns the old contents (asc-devkit, page of SetAtomicAdd).
                    true => "a sum in GM gives no old value, and cores add in no order: let one loop count and the next one take places from the counts, or `append` what is kept",
                    false => "write it as a statement",
                }))
            }
            other => self.named_object(&name, ident, mutable, other, init),
        }
    }

    fn named_scalar(&mut self, name: &str, mutable: bool, n: Num, init: &Expr) -> Num {
        if mutable {
            let span = self.report.at(init);
            let ty = n.ty.unwrap_or(ScalarTy::Index);
            let var = self.out.let_scalar(name, &n, true, span);
            return Num::new(Scalar::Var(var), ty);
        }
        // A literal under a name stays a literal: sizes and counts written this way are constants
        // to every later phase.
        if n.is_literal() {
            return n;
        }
        if let Scalar::Var(v) = n.value {
            if self.out.body.var(v).name.is_empty() {
                self.out.body.vars[v.index()].name = self.out.unique(name);
                return n;
            }
        }
        let span = self.report.at(init);
        let var = self.out.let_scalar(name, &n, false, span);
        Num::new(Scalar::Var(var), n.ty.unwrap_or(ScalarTy::Index))
    }

    fn named_tile(&mut self, name: &str, mutable: bool, v: ValueId, init: &Expr) -> ValueId {
        let decl = &self.out.body.values[v.index()];
        if decl.name.is_empty() && defined_here(&self.out, v) {
            let name = self.out.unique(name);
            let decl = &mut self.out.body.values[v.index()];
            decl.name = name;
            // The value of an `if` is set in its branches.
            decl.mutable |= mutable;
            return v;
        }
        if !mutable && !decl.mutable {
            return v;
        }
        let (dtype, shape, span) = (decl.dtype, decl.axes.clone(), self.report.at(init));
        let copy = self
            .out
            .define(TileExpr::Copy { value: v }, dtype, shape, span);
        self.named_tile(name, mutable, copy, init)
    }
}

impl Names {
    /// Binds all names of a pattern, so that their uses cause no finding.
    pub fn bind_unknown(&mut self, pat: &Pat) {
        match pat {
            Pat::Ident(p) => self.bind(
                p.ident.to_string(),
                Val::Unknown,
                p.mutability.is_some(),
                p.ident.ends(),
            ),
            Pat::Type(p) => self.bind_unknown(&p.pat),
            Pat::Wild(_) => {}
            other => {
                let mut rest = vec![other.to_token_stream()];
                while let Some(tokens) = rest.pop() {
                    for token in tokens {
                        match token {
                            TokenTree::Ident(name) => {
                                self.bind(name.to_string(), Val::Unknown, true, name.ends())
                            }
                            TokenTree::Group(g) => rest.push(g.stream()),
                            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
                        }
                    }
                }
            }
        }
    }
}

impl Emitted {
    /// Makes a tile a helper's parameter. It gets a name, so that a `let mut` in the helper copies
    /// it.
    pub fn param_tile(&mut self, name: &str, mutable: bool, v: ValueId, span: SpanId) -> ValueId {
        if self.body.values[v.index()].name.is_empty() {
            self.body.values[v.index()].name = self.unique(name);
        }
        if !mutable {
            return v;
        }
        let (dtype, shape) = (self.dtype(v), self.axes(v).clone());
        let copy = self.define(TileExpr::Copy { value: v }, dtype, shape, span);
        let name = self.unique(name);
        let decl = &mut self.body.values[copy.index()];
        decl.name = name;
        decl.mutable = true;
        copy
    }
}

/// True for a value that is defined in the statement list being filled, so it may live as long as a
/// `let` there.
fn defined_here(out: &Emitted, v: ValueId) -> bool {
    out.stmts
        .tile
        .iter()
        .rev()
        .any(|s| matches!(s.kind, StmtKind::Do(TileStmt::Def { value, .. }) if value == v))
}
