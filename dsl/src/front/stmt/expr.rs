//! Expressions: their kinds, and the meaning of their parts.
//!
//! This file only tells forms apart; scalars, tiles, loops, helpers and the queue level have files
//! of their own.

use crate::diag::Code;
use crate::dtype::RoundMode;
use crate::front::cx::value::{Num, Val};
use crate::front::cx::Cx;
use crate::front::text::span;
use crate::front::text::span::text;
use crate::front::text::suggest;
use crate::ir::{Scalar, ScalarTy, Ty};
use proc_macro2::Ident;
use syn::{Expr, Path, UnOp};

/// Most nesting of expressions; the IR text form bounds its own nesting at twice that.
const MAX_DEPTH: usize = 90;
/// Most nesting over all helpers being inlined, to save stack.
const MAX_TOTAL_DEPTH: usize = 200;

/// Number of findings from which on there are no more guesses.
const MAX_GUESSES: usize = 100;

impl Cx<'_> {
    /// Evaluates an expression.
    pub fn expr(&mut self, e: &Expr) -> Val {
        self.expr_as(e, None)
    }

    /// Evaluates an expression; `hint` is the element type that the surroundings give to a fill.
    pub fn expr_as(&mut self, e: &Expr, hint: Option<Ty>) -> Val {
        if self.report.depth >= MAX_DEPTH || self.report.total_depth >= MAX_TOTAL_DEPTH {
            // The parts of a nest are all too deep; only the first one is reported.
            if std::mem::replace(&mut self.report.too_deep, true) {
                return Val::Unknown;
            }
            return self.report.unsupported(
                e,
                "an expression nested this deeply",
                "name its parts with `let`",
            );
        }
        self.report.depth += 1;
        self.report.total_depth += 1;
        let val = self.expr_form(e, hint);
        self.report.depth -= 1;
        self.report.total_depth -= 1;
        self.report.too_deep &= self.report.depth > 0;
        val
    }

    fn expr_form(&mut self, e: &Expr, hint: Option<Ty>) -> Val {
        match e {
            Expr::Path(p) if p.qself.is_none() => self.path(&p.path),
            Expr::Lit(l) => self.report.literal(&l.lit),
            Expr::MethodCall(m) => self.method_call(m, e),
            Expr::Binary(b) => self.binary(b, e),
            Expr::Paren(p) => self.expr_as(&p.expr, hint),
            Expr::Group(g) => self.expr_as(&g.expr, hint),
            Expr::Call(c) => self.call(c, e, hint),
            Expr::Unary(u) => match u.op {
                UnOp::Neg(_) => self.negate(&u.expr, e),
                UnOp::Not(_) => self.not(&u.expr, e),
                _ => {
                    if self.expr(&u.expr).is_unknown() {
                        return Val::Unknown;
                    }
                    let d = self.error(Code::J0101, e, "a dereference cannot stand in a kernel");
                    let at = d.span();
                    self.report.bad(
                        d.help("values are used by name: remove the `*`")
                            .fix(at, text(&u.expr)),
                    )
                }
            },
            Expr::Cast(c) => self.cast_scalar(c, e),
            Expr::If(i) => self.if_value(i, e),
            Expr::Match(m) => self.match_value(m, e),
            Expr::Index(i) => self.element_of_list(i, e),
            Expr::Tuple(t) => Val::Tuple(t.elems.iter().map(|e| self.expr_as(e, hint)).collect()),
            Expr::Reference(r) => self.reference(r, e),
            Expr::Range(r) if r.start.is_some() && r.end.is_some() => self.range(r, e),
            other => self.refuse(other),
        }
    }

    fn reference(&mut self, r: &syn::ExprReference, e: &Expr) -> Val {
        let val = self.expr(&r.expr);
        match &val {
            Val::Tile(_) | Val::Num(_) => {
                let d = self
                    .error(Code::J0101, e, format!("a reference to {}", val.what()))
                    .help("it is passed by value: remove the `&`");
                let at = d.span();
                let d = d.fix(at, text(&r.expr));
                self.report.bad(d)
            }
            _ => val,
        }
    }

    /// Reports a form that no kernel may contain, each with a form to write instead.
    pub fn refuse(&mut self, e: &Expr) -> Val {
        if self.names.mentions_unknown(e) {
            return Val::Unknown;
        }
        // The expression without the form.
        let inner = match e {
            Expr::Try(t) => Some(text(&t.expr)),
            Expr::Block(b) => only_expr(&b.block.stmts).map(text),
            Expr::Unsafe(u) => only_expr(&u.block.stmts).map(text),
            _ => None,
        };
        let (what, help) = match e {
            Expr::Closure(_) => (
                "a closure",
                "write the steps out, or a helper function in a `#[kernels]` module",
            ),
            Expr::While(_) => ("`while`", "say a counted loop: `for i in 0..n`"),
            Expr::Loop(_) => ("`loop`", "say a counted loop: `for i in 0..n`"),
            Expr::Return(_) => (
                "`return`",
                "end a helper with the value it gives; a kernel gives none",
            ),
            Expr::Break(_) | Expr::Continue(_) => ("a jump", "put the statements under an `if`"),
            Expr::Macro(_) => (
                "a macro",
                "write the statements out, or a helper function in a `#[kernels]` module",
            ),
            Expr::Unsafe(_) => ("`unsafe`", "nothing here needs it: remove the block"),
            Expr::Async(_) | Expr::Await(_) => ("`async`", "pipes run side by side without it"),
            Expr::Try(_) => ("`?`", "nothing in a kernel fails"),
            Expr::Block(_) => (
                "a block of its own",
                "write its statements without the braces",
            ),
            Expr::Array(_) | Expr::Repeat(_) => ("an array", "name the values one by one"),
            Expr::Struct(_) => ("a struct", "a kernel knows tensors, tiles and scalars only"),
            Expr::Range(_) => (
                "an open range",
                "write both ends: `for i in 0..n`, `tiles(0..n)`",
            ),
            Expr::ForLoop(_) => ("a loop as a value", "let it be a statement"),
            Expr::Assign(_) => (
                "an assignment as a value",
                "let it be a statement of its own",
            ),
            Expr::Field(f) => {
                if let syn::Member::Named(name) = &f.member {
                    if self.report.fixup(&name.to_string()) {
                        self.expr(&f.base);
                        return Val::Unknown;
                    }
                }
                self.expr(&f.base);
                (
                    "access to a field",
                    "tiles and tensors have methods only: put `()` behind the name",
                )
            }
            _ => (
                "this expression",
                "a kernel is made of `let`, `for`, `if`, calls and arithmetic",
            ),
        };
        let d = self
            .error(Code::J0101, e, format!("{what} cannot stand in a kernel"))
            .help(help);
        let at = d.span();
        self.report.bad(match inner {
            Some(inner) => d.fix(at, inner),
            None => d,
        })
    }

    fn path(&mut self, path: &Path) -> Val {
        if let Some(ident) = path.get_ident() {
            return self.name(ident);
        }
        let n = path.segments.len();
        if n >= 2 {
            let (owner, item) = (&path.segments[n - 2].ident, &path.segments[n - 1].ident);
            if owner == "RoundMode" {
                let name = item.to_string();
                if let Some(mode) = RoundMode::by_name(&name) {
                    return Val::Mode(mode);
                }
                let names = || RoundMode::ALL.iter().map(|m| m.name());
                let mut d = self
                    .error(Code::J0102, item, format!("`RoundMode` has no `{name}`"))
                    .help(format!(
                        "round modes are {}",
                        names().collect::<Vec<_>>().join(", ")
                    ));
                if let Some(near) = suggest::nearest(&name, names()) {
                    let at = d.span();
                    d = suggest::meant(d, at, &name, near, names());
                }
                return self.report.bad(d.expected(names()));
            }
            if let Some(num) = constant(owner, item) {
                return Val::Num(num);
            }
            if let Some(val) = self.variant_value(path) {
                return val;
            }
            if self.report.fixup(&item.to_string()) {
                return Val::Unknown;
            }
        }
        let d = self.error(Code::J0102, path, format!("`{}` is not defined", span::squeezed(path)))
            .help("known are f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, the round modes and the enums of the `#[kernels] mod`");
        self.report.bad(d)
    }

    fn name(&mut self, ident: &Ident) -> Val {
        let name = ident.to_string();
        if let Some(b) = self.names.get(&name) {
            return match b.val.clone() {
                Val::Tile(v) if self.draft.is_merged_bits(v) => self.merged_bits(v, ident),
                val => val,
            };
        }
        if let Some(i) = self.module.const_index(&name) {
            return self.module_const_value(i);
        }
        if self.report.fixup(&name) {
            return Val::Unknown;
        }
        let module = self.module;
        let consts = module
            .consts
            .iter()
            .map(|c| c.ident.to_string())
            .collect::<Vec<_>>();
        let names = self
            .names
            .visible()
            .chain(consts.iter().map(String::as_str));
        // Each guess looks at all names, so a file of mistakes alone would take the square of its
        // length.
        let guessed = self.report.diagnostics.len() < MAX_GUESSES;
        let near = guessed
            .then(|| suggest::nearest(&name, names))
            .flatten()
            .map(str::to_string);
        let mut d = self.error(Code::J0102, ident, format!("`{name}` is not defined"));
        // A name without a similar one is reported once.
        if near.is_none()
            && guessed
            && self
                .report
                .diagnostics
                .iter()
                .any(|other| (other.code, &other.message) == (d.code, &d.message))
        {
            return Val::Unknown;
        }
        let at = d.span();
        d = match near {
            Some(near) => d.help(format!("did you mean `{near}`?")).fix(at, near.as_str()).expected([near]).maybe(),
            None if self.module.kernels && !self.names.in_shape && is_constant_name(&name) => d.help(format!(
                "a kernel sees the constants of its `#[kernels]` module: define it there, `const {name}: f32 = ..;`"
            )),
            None => {
                let d = self.scoping_help(d);
                let axes: Vec<_> = self.names.axis_names.iter().map(|axis| format!("`{}`", axis.name)).collect();
                match self.draft.sig.tensors().next() {
                    _ if !axes.is_empty() => d.help(format!("its axes are {}", axes.join(", "))),
                    Some((_, tensor, ..)) if !is_constant_name(&name) => d.help(format!(
                        "axes and sizes get their names where the shape of a tensor is declared: `#[shape({name}, ..)] {}`",
                        tensor.name
                    )),
                    Some(_) | None => d,
                }
            }
        };
        self.report.bad(d)
    }

    /// Explains why a name of the file may be invisible.
    pub fn scoping_help(&self, d: crate::diag::Diagnostic) -> crate::diag::Diagnostic {
        if self.names.in_shape {
            d.help(
                "an axis is introduced by its bare name in some `#[shape(..)]`; expressions use axes, attributes and constants",
            )
        } else if self.module.kernels {
            d.help("a kernel sees the prelude, itself, and the constants and functions of its `#[kernels]` module")
        } else {
            d.help("a lone `#[kernel]` sees the prelude and itself only: move it together with its constants and helper functions into one `#[kernels] mod`")
        }
    }
}

/// True for a name in the case of constants.
fn is_constant_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && !name.contains(|c: char| c.is_ascii_lowercase())
}

/// Returns the only expression of a block, if it has nothing else.
fn only_expr(stmts: &[syn::Stmt]) -> Option<&Expr> {
    match stmts {
        [syn::Stmt::Expr(e, None)] => Some(e),
        _ => None,
    }
}

/// Evaluates `f32::INFINITY` and similar constants.
fn constant(owner: &Ident, item: &Ident) -> Option<Num> {
    let float = |v: f32| Some(Num::new(Scalar::Float(v), ScalarTy::F32));
    let int = |v: i32| Some(Num::new(Scalar::I32(v), ScalarTy::I32));
    if owner == "f32" {
        match item.to_string().as_str() {
            "INFINITY" => float(f32::INFINITY),
            "NEG_INFINITY" => float(f32::NEG_INFINITY),
            "MAX" => float(f32::MAX),
            "MIN" => float(f32::MIN),
            "EPSILON" => float(f32::EPSILON),
            "MIN_POSITIVE" => float(f32::MIN_POSITIVE),
            _ => None,
        }
    } else if owner == "i32" {
        match item.to_string().as_str() {
            "MAX" => int(i32::MAX),
            "MIN" => int(i32::MIN),
            _ => None,
        }
    } else {
        None
    }
}
