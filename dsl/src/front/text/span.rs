//! Places of syntax nodes: the pair of first and last token.
//!
//! `syn::spanned` joins spans, which a stable macro cannot do, and builds a token stream for each
//! query. [`Node::ends`] walks to the outermost tokens of the forms that kernels contain. Other
//! forms, which only errors point at, use their tokens.

use crate::ir::SourceSpan;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::{Expr, Pat, PathArguments, Stmt, Type};

/// First and last token of a node.
pub type Ends = (Span, Span);

/// A node with a place in the source.
pub trait Node {
    /// Returns its first and its last token.
    fn ends(&self) -> Ends;
}

impl Node for Ends {
    fn ends(&self) -> Ends {
        *self
    }
}
impl Node for Ident {
    fn ends(&self) -> Ends {
        (self.span(), self.span())
    }
}
impl<T: Node> Node for Box<T> {
    fn ends(&self) -> Ends {
        (**self).ends()
    }
}
impl<T: Node> Node for &T {
    fn ends(&self) -> Ends {
        (**self).ends()
    }
}
impl Node for syn::Path {
    fn ends(&self) -> Ends {
        let first = self
            .segments
            .first()
            .map_or_else(Span::call_site, |s| s.ident.span());
        let last = self.segments.last().map_or(first, |s| match &s.arguments {
            PathArguments::AngleBracketed(a) => a.gt_token.span,
            PathArguments::Parenthesized(a) => a.paren_token.span.close(),
            PathArguments::None => s.ident.span(),
        });
        (first, last)
    }
}
impl Node for Type {
    fn ends(&self) -> Ends {
        match self {
            Type::Path(t) if t.qself.is_none() => t.path.ends(),
            Type::Reference(t) => (t.and_token.span, t.elem.ends().1),
            Type::Group(t) => t.elem.ends(),
            other => token_ends(other),
        }
    }
}
impl Node for Pat {
    fn ends(&self) -> Ends {
        match self {
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => (
                p.mutability.map_or(p.ident.span(), |m| m.span),
                p.ident.span(),
            ),
            other => token_ends(other),
        }
    }
}
impl Node for syn::Attribute {
    fn ends(&self) -> Ends {
        (self.pound_token.span, self.bracket_token.span.close())
    }
}
impl Node for Stmt {
    fn ends(&self) -> Ends {
        match self {
            Stmt::Local(s) => (s.let_token.span, s.semi_token.span),
            Stmt::Expr(e, _) => e.ends(),
            other => token_ends(other),
        }
    }
}
impl Node for Expr {
    fn ends(&self) -> Ends {
        (first(self), last(self))
    }
}

fn first(mut e: &Expr) -> Span {
    loop {
        e = match e {
            Expr::Binary(e) => &e.left,
            Expr::MethodCall(e) => &e.receiver,
            Expr::Call(e) => &e.func,
            Expr::Cast(e) => &e.expr,
            Expr::Assign(e) => &e.left,
            Expr::Field(e) => &e.base,
            Expr::Index(e) => &e.expr,
            Expr::Group(e) => &e.expr,
            Expr::Path(p) if p.qself.is_none() => return p.path.ends().0,
            Expr::Lit(l) => return l.lit.span(),
            Expr::Paren(p) => return p.paren_token.span.open(),
            Expr::Tuple(p) => return p.paren_token.span.open(),
            Expr::Reference(r) => return r.and_token.span,
            Expr::Unary(u) => return unary_token(&u.op),
            Expr::ForLoop(f) => return f.for_token.span,
            Expr::If(i) => return i.if_token.span,
            other => return token_ends(other).0,
        }
    }
}

fn last(mut e: &Expr) -> Span {
    loop {
        e = match e {
            Expr::Binary(e) => &e.right,
            Expr::Unary(e) => &e.expr,
            Expr::Reference(e) => &e.expr,
            Expr::Assign(e) => &e.right,
            Expr::Group(e) => &e.expr,
            Expr::Cast(e) => return e.ty.ends().1,
            Expr::MethodCall(m) => return m.paren_token.span.close(),
            Expr::Call(c) => return c.paren_token.span.close(),
            Expr::Path(p) if p.qself.is_none() => return p.path.ends().1,
            Expr::Lit(l) => return l.lit.span(),
            Expr::Paren(p) => return p.paren_token.span.close(),
            Expr::Tuple(p) => return p.paren_token.span.close(),
            Expr::ForLoop(f) => return f.body.brace_token.span.close(),
            other => return token_ends(other).1,
        }
    }
}

fn unary_token(op: &syn::UnOp) -> Span {
    match op {
        syn::UnOp::Neg(t) => t.span,
        syn::UnOp::Not(t) => t.span,
        other => token_ends(other).0,
    }
}

/// Returns the ends of any node, slowly.
pub fn token_ends(node: &(impl ToTokens + ?Sized)) -> Ends {
    let mut ends: Option<Ends> = None;
    for token in node.to_token_stream() {
        let (open, close) = match &token {
            proc_macro2::TokenTree::Group(g) => (g.span_open(), g.span_close()),
            other => (other.span(), other.span()),
        };
        ends = Some((ends.map_or(open, |e| e.0), close));
    }
    ends.unwrap_or_else(|| (Span::call_site(), Span::call_site()))
}

/// Returns the line and column range of a pair of tokens.
pub fn source_span(ends: Ends) -> SourceSpan {
    let (start, end) = (ends.0.start(), ends.1.end());
    SourceSpan {
        line: start.line as u32,
        column: start.column as u32 + 1,
        end_line: end.line as u32,
        end_column: end.column as u32 + 1,
    }
}

/// Prints an expression, equally from the compiler's tokens and from our own: for messages, facts
/// and fixes.
pub fn text(e: &Expr) -> String {
    let mut out = String::new();
    write(e, &mut out);
    out
}

fn write(e: &Expr, out: &mut String) {
    match e {
        Expr::Lit(l) => out.push_str(&l.lit.to_token_stream().to_string()),
        Expr::Path(p) => path_text(&p.path, out),
        Expr::Paren(p) => {
            out.push('(');
            write(&p.expr, out);
            out.push(')');
        }
        Expr::Group(g) => write(&g.expr, out),
        Expr::Unary(u) => {
            out.push_str(&u.op.to_token_stream().to_string());
            write(&u.expr, out);
        }
        Expr::Reference(r) => {
            out.push_str(if r.mutability.is_some() { "&mut " } else { "&" });
            write(&r.expr, out);
        }
        Expr::Binary(b) => {
            write(&b.left, out);
            out.push(' ');
            out.push_str(&b.op.to_token_stream().to_string().replace(' ', ""));
            out.push(' ');
            write(&b.right, out);
        }
        Expr::Cast(c) => {
            write(&c.expr, out);
            out.push_str(" as ");
            out.push_str(&squeezed(&c.ty));
        }
        Expr::MethodCall(m) => {
            write(&m.receiver, out);
            out.push('.');
            out.push_str(&m.method.to_string());
            if let Some(t) = &m.turbofish {
                out.push_str(&squeezed(t));
            }
            list(m.args.iter(), out);
        }
        Expr::Call(c) => {
            write(&c.func, out);
            list(c.args.iter(), out);
        }
        other => out.push_str(&other.to_token_stream().to_string()),
    }
}

fn list<'a>(args: impl Iterator<Item = &'a Expr>, out: &mut String) {
    out.push('(');
    for (i, a) in args.enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write(a, out);
    }
    out.push(')');
}

fn path_text(p: &syn::Path, out: &mut String) {
    for (i, s) in p.segments.iter().enumerate() {
        if i > 0 {
            out.push_str("::");
        }
        out.push_str(&s.ident.to_string());
        if !s.arguments.is_none() {
            out.push_str(&squeezed(&s.arguments));
        }
    }
}

/// Prints tokens without the spaces that a token stream prints between them.
pub fn squeezed(node: &impl ToTokens) -> String {
    node.to_token_stream()
        .to_string()
        .replace(' ', "")
        .replace(',', ", ")
}
