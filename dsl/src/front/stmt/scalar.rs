//! Scalar expressions: literals, arithmetic, comparisons, casts, choices.
//!
//! Types are Rust's: both operands have one type, and integer literals adapt. Literals fold, so
//! that a constant stays one.

use crate::diag::Code;
use crate::front::cx::report::Report;
use crate::front::cx::value::{Arg, Num, Val};
use crate::front::cx::Cx;
use crate::front::head::types::{last_segment, scalar_ty};
use crate::front::text::span;
use crate::front::text::span::{text, Node};
use crate::front::text::words::{cast_text, decimal, no_such, symbol};
use crate::front::tile::masks;
use crate::ir::{BinOp, Level, Scalar, ScalarTy, UnOp};
use crate::items::{AxisMethod, ScalarMethod};
use syn::{Expr, ExprBinary, ExprCast, ExprMethodCall, Lit};

/// Returns an operator of scalars, or of tiles if it is arithmetic, with true for `op=`.
pub(super) fn operator(op: &syn::BinOp) -> Option<(BinOp, bool)> {
    use syn::BinOp as S;
    Some(match op {
        S::Add(_) => (BinOp::Add, false),
        S::Sub(_) => (BinOp::Sub, false),
        S::Mul(_) => (BinOp::Mul, false),
        S::Div(_) => (BinOp::Div, false),
        S::Rem(_) => (BinOp::Rem, false),
        S::And(_) => (BinOp::And, false),
        S::Or(_) => (BinOp::Or, false),
        S::Eq(_) => (BinOp::Eq, false),
        S::Ne(_) => (BinOp::Ne, false),
        S::Lt(_) => (BinOp::Lt, false),
        S::Le(_) => (BinOp::Le, false),
        S::Gt(_) => (BinOp::Gt, false),
        S::Ge(_) => (BinOp::Ge, false),
        S::AddAssign(_) => (BinOp::Add, true),
        S::SubAssign(_) => (BinOp::Sub, true),
        S::MulAssign(_) => (BinOp::Mul, true),
        S::DivAssign(_) => (BinOp::Div, true),
        S::RemAssign(_) => (BinOp::Rem, true),
        _ => return None,
    })
}

impl Cx<'_> {
    /// Evaluates a scalar expression, and reports J0106 for another kind of value.
    pub fn scalar(&mut self, e: &Expr) -> Option<Num> {
        match self.expr(e) {
            Val::Num(n) => Some(n),
            other => {
                self.wrong_kind(&(other, e), "a scalar");
                None
            }
        }
    }

    /// Evaluates a condition.
    pub fn condition(&mut self, e: &Expr) -> Option<Scalar> {
        match self.expr(e) {
            Val::Num(n) => self
                .report
                .want(n, ScalarTy::Bool, e, "a condition")
                .map(|n| n.value),
            Val::Tile(_) => {
                let d = self
                    .error(
                        Code::J0208,
                        e,
                        "a condition is one scalar `bool`, found a tile",
                    )
                    .help("choose element by element: `mask.select(a, b)`");
                self.report.add(d);
                None
            }
            other => {
                self.wrong_kind(&(other, e), "a condition of type `bool`");
                None
            }
        }
    }

    /// Evaluates a negation.
    pub fn negate(&mut self, inner: &Expr, e: &Expr) -> Val {
        match self.expr(inner) {
            Val::Tile(v) => self.negate_tile(v, e),
            Val::Num(n) => match (n.value, n.ty) {
                (Scalar::I32(i32::MIN), _) => {
                    let message = no_such(-i64::from(i32::MIN), ScalarTy::I32).unwrap_or_default();
                    let d = self
                        .error(Code::J0208, e, message)
                        .help("compute in a wider type: `as f32`");
                    self.report.bad(d)
                }
                // A choice between literals has no type yet, like the literals.
                (value, ty @ (None | Some(ScalarTy::F32 | ScalarTy::I32))) => Val::Num(Num {
                    value: Scalar::un(UnOp::Neg, value),
                    ty,
                    axis: None,
                }),
                (_, ty) => {
                    let d = self
                        .error(
                            Code::J0208,
                            e,
                            format!("`-` on `{}`", ty.map_or("integer", ScalarTy::word)),
                        )
                        .help("convert it first: `as i32` or `as f32`");
                    self.report.bad(d)
                }
            },
            other => self.wrong_kind(&(other, inner), "a tile or a scalar"),
        }
    }

    /// Evaluates a logical not.
    pub fn not(&mut self, inner: &Expr, e: &Expr) -> Val {
        match self.expr(inner) {
            Val::Num(n) if n.ty == Some(ScalarTy::Bool) => {
                Val::Num(Num::new(Scalar::un(UnOp::Not, n.value), ScalarTy::Bool))
            }
            Val::Num(n) => {
                let d = self.error(
                    Code::J0208,
                    e,
                    format!("`!` on `{}`, it takes a `bool`", n.ty_name()),
                );
                self.report.bad(d)
            }
            Val::Tile(v) if self.is_float(self.out.dtype(v)) != Some(true) => {
                self.turned_bits(v, e)
            }
            other => self.wrong_kind(
                &(other, inner),
                "a mask, a tile of integers or a scalar of type `bool`",
            ),
        }
    }

    /// Evaluates `a op b` between scalars, or with a tile.
    pub fn binary(&mut self, b: &ExprBinary, e: &Expr) -> Val {
        if let Some(join) = masks::join(&b.op) {
            return self.joined_bits(join, b, e);
        }
        if let Some(op) = masks::shift(&b.op) {
            return self.moved_bits(op, b, e);
        }
        let Some((op, assigns)) = operator(&b.op) else {
            self.expr(&b.left);
            self.expr(&b.right);
            return self.report.unsupported(
                e,
                "an operator on bits",
                "operators are + - * / %, comparisons, && || and !",
            );
        };
        if assigns {
            return self.report.unsupported(
                e,
                "an assignment as a value",
                "let it be a statement of its own",
            );
        }
        let left = self.expr(&b.left);
        let right = self.expr(&b.right);
        self.apply(op, (left, &b.left), (right, &b.right), e)
    }

    /// Applies an operator to evaluated operands.
    pub fn apply(&mut self, op: BinOp, left: (Val, &Expr), right: (Val, &Expr), e: &Expr) -> Val {
        match (left.0, right.0) {
            (Val::Unknown, _) | (_, Val::Unknown) => Val::Unknown,
            (a @ (Val::Handle(_) | Val::Affine(_)), b) => {
                self.affine_operator(op, (a, left.1), (b, right.1), e)
            }
            (a, b @ (Val::Handle(_) | Val::Affine(_))) => {
                self.affine_operator(op, (a, left.1), (b, right.1), e)
            }
            (Val::Num(a), Val::Num(b)) => {
                scalar_op(&mut self.report, op, (a, left.1), (b, right.1), e)
            }
            (Val::Choice(a), Val::Choice(b)) => self.choice_op(op, &a, &b, e),
            (a @ (Val::Tile(_) | Val::Num(_)), b @ (Val::Tile(_) | Val::Num(_))) => {
                self.tile_operator(op, (a, left.1), (b, right.1), e)
            }
            (Val::Tile(_) | Val::Num(_), b) => self.wrong_kind(&(b, right.1), "a tile or a scalar"),
            (a, _) => self.wrong_kind(&(a, left.1), "a tile or a scalar"),
        }
    }

    /// Evaluates a cast such as `a as f32`.
    pub fn cast_scalar(&mut self, c: &ExprCast, e: &Expr) -> Val {
        let val = self.expr(&c.expr);
        let to = last_segment(&c.ty)
            .filter(|s| s.arguments.is_none())
            .and_then(|s| scalar_ty(&s.ident));
        let n = match val {
            Val::Num(n) => n,
            Val::Tile(_) => {
                let ty = span::squeezed(&c.ty);
                let d = self
                    .error(Code::J0106, e, "`as` converts scalars, found a tile")
                    .help(format!("write `.cast::<{ty}>()`"));
                let (at, now) = (d.span(), cast_text(&c.expr, &ty));
                let d = d.fix(at, now);
                return self.report.bad(d);
            }
            other => return self.wrong_kind(&(other, &c.expr), "a scalar"),
        };
        let Some(to) = to.filter(|t| {
            *t != ScalarTy::Bool && !(*t == ScalarTy::F32 && n.ty == Some(ScalarTy::Bool))
        }) else {
            let d = self
                .error(
                    Code::J0208,
                    &c.ty,
                    format!("`{}` as `{}`", n.ty_name(), span::squeezed(&c.ty)),
                )
                .help("numbers convert to `f32`, `i32` and `usize`");
            return self.report.bad(d);
        };
        // Integer literals become numbers of the integer type that is named.
        let whole = Some(to).filter(|to| *to != ScalarTy::F32);
        Val::Num(Num::new(Scalar::cast(to, n.settled(whole)), to))
    }

    pub fn scalar_method(&mut self, n: Num, m: &ExprMethodCall, e: &Expr) -> Val {
        let name = m.method.to_string();
        if let (Some(axis), Some(method)) = (n.axis, AxisMethod::by_name(&name)) {
            self.use_level(Level::Tile, e, &name);
            let ax = self.whole_ax(axis);
            return match method {
                AxisMethod::Iota => self.iota(ax, m, e),
                AxisMethod::Indices => self.all_indices(ax, m, e),
            };
        }
        let args = self.args(&m.args);
        let op = match ScalarMethod::by_name(&name) {
            Some(ScalarMethod::Min) => BinOp::Min,
            Some(ScalarMethod::Max) => BinOp::Max,
            Some(ScalarMethod::DivCeil) => BinOp::CeilDiv,
            Some(ScalarMethod::NextMultipleOf) => BinOp::AlignUp,
            Some(ScalarMethod::DivExact) => return self.div_exact(n, &args, m, e),
            Some(ScalarMethod::Sqrt) => return sqrt(&mut self.report, n, &args, m, e),
            None => {
                return self.report.no_method(
                    &format!("a scalar of type `{}`", n.ty_name()),
                    &m.method,
                    ScalarMethod::NAMES,
                )
            }
        };
        let Some([arg]) = self
            .report
            .exactly::<1>(&name, &args, e, &format!("a.{name}(b)"))
        else {
            return Val::Unknown;
        };
        match &arg.0 {
            Val::Num(b) => {
                if matches!(op, BinOp::CeilDiv | BinOp::AlignUp)
                    && n.ty.or(b.ty).is_some_and(|t| t != ScalarTy::Index)
                {
                    let d = self
                        .error(
                            Code::J0208,
                            e,
                            format!(
                                "`{name}` takes `usize`, found `{}`",
                                n.ty.or(b.ty).map_or("", ScalarTy::word)
                            ),
                        )
                        .help("convert first: `as usize`");
                    return self.report.bad(d);
                }
                scalar_op(
                    &mut self.report,
                    op,
                    (n, &m.receiver),
                    (b.clone(), arg.1),
                    e,
                )
            }
            Val::Tile(_) => {
                let text = span::text(arg.1);
                let d = self
                    .error(Code::J0106, e, format!("`{name}` of a scalar and a tile"))
                    .help(format!(
                        "put the tile first: `{text}.{name}({})`",
                        span::text(&m.receiver)
                    ));
                self.report.bad(d)
            }
            _ => self.wrong_kind(arg, "a scalar"),
        }
    }

    /// Evaluates `i.div_exact(s)`. An inexact quotient becomes an index outside of every axis.
    fn div_exact(&mut self, n: Num, args: &[Arg<'_>], m: &ExprMethodCall, e: &Expr) -> Val {
        let Some([by]) = self
            .report
            .exactly::<1>("div_exact", args, e, "i.div_exact(s)")
        else {
            return Val::Unknown;
        };
        let Val::Num(divisor) = &by.0 else {
            return self.wrong_kind(by, "a scalar");
        };
        let n = self
            .report
            .want(n, ScalarTy::Index, &m.receiver, "what `div_exact` divides");
        let divisor = self.report.want(
            divisor.clone(),
            ScalarTy::Index,
            by.1,
            "the divisor of `div_exact`",
        );
        let (
            Some(Num { value: n, .. }),
            Some(Num {
                value: by_value, ..
            }),
        ) = (n, divisor)
        else {
            return Val::Unknown;
        };
        if !self.host_known(&by_value, by.1, "the divisor of `div_exact`") {
            return Val::Unknown;
        }
        let known = self.out.definitions.write_out(&by_value);
        match known.as_int() {
            Some(v) if v < 1 => {
                let d = self.error(
                    Code::J0208,
                    by.1,
                    format!("`div_exact` by {v}: a divisor is 1 at least"),
                );
                return self.report.bad(d);
            }
            Some(_) => {}
            None => {
                let (span, text) = (self.report.at(by.1), format!("{} >= 1", span::text(by.1)));
                self.draft.host_check(known.bin(BinOp::Ge, 1), text, span);
            }
        }
        let divides = n
            .clone()
            .bin(BinOp::Rem, by_value.clone())
            .bin(BinOp::Eq, 0);
        Val::Num(Num::index(Scalar::select(
            divides,
            n / by_value,
            Scalar::Int(-1),
        )))
    }

    // ---- constants of the module ----

    /// Evaluates a constant of the module, which sees only other constants.
    pub fn module_const_value(&mut self, index: usize) -> Val {
        if let Some(val) = self.names.const_values.get(&index) {
            return val.clone();
        }
        let item = self.module.consts[index];
        if self.names.const_stack.contains(&index) {
            let d = self
                .error(
                    Code::J0101,
                    &item.ident,
                    format!("constant `{}` is defined by itself", item.ident),
                )
                .help("give it a number");
            return self.report.bad(d);
        }
        self.names.const_stack.push(index);
        let mark = self.names.mark();
        self.names.raise_floor();
        let depth = std::mem::take(&mut self.report.depth);
        let val = self.const_item(item);
        self.report.depth = depth;
        self.names.back(mark);
        self.names.const_stack.pop();
        self.names.const_values.insert(index, val.clone());
        val
    }

    /// Evaluates a `const` item to a literal.
    pub fn const_item(&mut self, item: &syn::ItemConst) -> Val {
        let ty = last_segment(&item.ty)
            .filter(|s| s.arguments.is_none())
            .and_then(|s| scalar_ty(&s.ident));
        let Some(ty) = ty else {
            let d = self
                .error(
                    Code::J0101,
                    &item.ty,
                    format!(
                        "constant `{}` of type `{}`",
                        item.ident,
                        span::squeezed(&item.ty)
                    ),
                )
                .help("constants of a kernel are `f32`, `i32`, `usize` or `bool`");
            return self.report.bad(d);
        };
        let Some(n) = self.scalar(&item.expr) else {
            return Val::Unknown;
        };
        let Some(n) = self.report.want(n, ty, &item.expr, "the constant") else {
            return Val::Unknown;
        };
        if self.out.stage(&n.value) > crate::ir::Stage::Const {
            let d = self
                .error(
                    Code::J0601,
                    &item.expr,
                    format!(
                        "constant `{}` depends on what the host knows only at launch",
                        item.ident
                    ),
                )
                .help("use a `let`");
            return self.report.bad(d);
        }
        Val::Num(n)
    }
}

impl Report {
    /// Reads a literal.
    pub fn literal(&mut self, lit: &Lit) -> Val {
        let at = (lit.span(), lit.span());
        match lit {
            Lit::Bool(b) => Val::Num(Num::new(Scalar::Bool(b.value), ScalarTy::Bool)),
            Lit::Int(i) => {
                let ty = match i.suffix() {
                    "" => None,
                    "usize" => Some(ScalarTy::Index),
                    "i32" => Some(ScalarTy::I32),
                    "f32" => Some(ScalarTy::F32),
                    other => return self.bad_suffix(&at, other),
                };
                match i.base10_parse::<i64>() {
                    Ok(v) if ty == Some(ScalarTy::F32) => {
                        Val::Num(Num::new(Scalar::Float(v as f32), ScalarTy::F32))
                    }
                    Ok(value) => match ty.and_then(|ty| no_such(value, ty)) {
                        Some(message) => {
                            let d = self.error(Code::J0208, &at, message);
                            self.bad(d)
                        }
                        None => Val::Num(Num {
                            value: whole(value, ty),
                            ty,
                            axis: None,
                        }),
                    },
                    Err(_) => {
                        let d = self
                            .error(
                                Code::J0208,
                                &at,
                                format!(
                                    "`{}` does not fit in 64 bits, which hold up to {}",
                                    i.base10_digits(),
                                    i64::MAX
                                ),
                            )
                            .help("write a float, such as `1e20`");
                        self.bad(d)
                    }
                }
            }
            Lit::Float(f) if matches!(f.suffix(), "" | "f32") => match decimal(f.base10_digits()) {
                Ok(v) => Val::Num(Num::new(Scalar::Float(v), ScalarTy::F32)),
                Err(message) => {
                    let d = self
                        .error(Code::J0208, &at, message)
                        .help("infinity is `f32::INFINITY`");
                    self.bad(d)
                }
            },
            Lit::Float(f) => {
                let suffix = f.suffix().to_string();
                self.bad_suffix(&at, &suffix)
            }
            Lit::Str(_) | Lit::ByteStr(_) | Lit::CStr(_) | Lit::Byte(_) | Lit::Char(_) => {
                self.unsupported(&at, "text", "a kernel computes with numbers and `bool`s")
            }
            _ => self.unsupported(
                &at,
                "this literal",
                "a kernel computes with numbers and `bool`s",
            ),
        }
    }

    /// Reports the suffix of a literal.
    fn bad_suffix(&mut self, at: &span::Ends, suffix: &str) -> Val {
        let d = self
            .error(Code::J0208, at, format!("a literal of type `{suffix}`"))
            .help("scalars are `f32`, `i32`, `usize` and `bool`; a literal needs no suffix");
        self.bad(d)
    }
}

/// Makes an integer literal of a type, of `usize` where that is open.
fn whole(v: i64, ty: Option<ScalarTy>) -> Scalar {
    Scalar::cast(ty.unwrap_or(ScalarTy::Index), Scalar::Int(v))
}

/// Returns the message for an operation on two integers whose result is outside of the type.
fn leaves(op: BinOp, a: &Scalar, b: &Scalar, ty: ScalarTy) -> Option<String> {
    let (a, b) = (a.as_int()?, b.as_int()?);
    let exact = Scalar::Int(a).bin(op, b);
    exact.as_int().and_then(|v| no_such(v, ty))
}

/// Computes `a op b` of scalars.
fn scalar_op(
    report: &mut Report,
    op: BinOp,
    a: (Num, &Expr),
    b: (Num, &Expr),
    e: &(impl Node + ?Sized),
) -> Val {
    let ty = match (a.0.ty, b.0.ty) {
        (Some(x), Some(y)) if x == y => Some(x),
        (None, None) => None,
        (None, Some(t)) | (Some(t), None) if matches!(t, ScalarTy::Index | ScalarTy::I32) => {
            Some(t)
        }
        _ => {
            let (left, right) = (report.at(a.1), report.at(b.1));
            let mut d = report
                .error(
                    Code::J0208,
                    e,
                    format!(
                        "`{}` of `{}` and `{}`",
                        symbol(op),
                        a.0.ty_name(),
                        b.0.ty_name()
                    ),
                )
                .label(left, format!("this is `{}`", a.0.ty_name()))
                .label(right, format!("this is `{}`", b.0.ty_name()));
            d = match (&a.0, &b.0) {
                (
                    Num {
                        value: Scalar::Int(v),
                        ty: None,
                        ..
                    },
                    _,
                ) => d.help(format!("write `{v}.0`")).fix(left, format!("{v}.0")),
                (
                    _,
                    Num {
                        value: Scalar::Int(v),
                        ty: None,
                        ..
                    },
                ) => d
                    .help(format!("write `{v}.0`"))
                    .fix(right, format!("{v}.0")),
                _ => d.help(converted(&a, &b)),
            };
            return report.bad(d);
        }
    };
    if !op.takes(ty.unwrap_or(ScalarTy::Index)) {
        let d = report.error(
            Code::J0208,
            e,
            format!(
                "`{}` does not take `{}`",
                symbol(op),
                ty.map_or("integer", ScalarTy::word)
            ),
        );
        return report.bad(d);
    }
    // A literal takes the type of the other side, and must be a number of that type.
    for (n, node) in [&a, &b] {
        if let (Scalar::Int(v), None, Some(ty)) = (&n.value, n.ty, ty) {
            if let Some(message) = no_such(*v, ty) {
                let d = report.error(Code::J0208, *node, message);
                return report.bad(d);
            }
        }
    }
    // Comparisons of an expression with itself fold, except for nan: C++ compilers warn about them.
    let itself = ty != Some(ScalarTy::F32) && a.0.value == b.0.value;
    let known = match op {
        BinOp::Eq | BinOp::Le | BinOp::Ge if itself => Some(true),
        BinOp::Ne | BinOp::Lt | BinOp::Gt if itself => Some(false),
        _ => None,
    };
    if let Some(known) = known {
        return Val::Num(Num::new(Scalar::Bool(known), ScalarTy::Bool));
    }
    if let Some(message) = ty.and_then(|ty| leaves(op, &a.0.value, &b.0.value, ty)) {
        let d = report
            .error(Code::J0208, e, message)
            .help("compute in a wider type: `as f32`, or `as i32` for what may be negative");
        return report.bad(d);
    }
    let result = if op.is_predicate() {
        Some(ScalarTy::Bool)
    } else {
        ty
    };
    Val::Num(Num {
        value: a.0.settled(ty).bin(op, b.0.settled(ty)),
        ty: result,
        axis: None,
    })
}

fn sqrt(report: &mut Report, n: Num, args: &[Arg<'_>], m: &ExprMethodCall, e: &Expr) -> Val {
    if report.exactly::<0>("sqrt", args, e, "a.sqrt()").is_none() {
        return Val::Unknown;
    }
    match report.want(n, ScalarTy::F32, &m.receiver, "the operand of `sqrt`") {
        Some(n) => Val::Num(Num::new(Scalar::un(UnOp::Sqrt, n.value), ScalarTy::F32)),
        None => Val::Unknown,
    }
}

/// Says how two scalars get one type.
fn converted(a: &(Num, &Expr), b: &(Num, &Expr)) -> String {
    let each = [(&b.0, a.1), (&a.0, b.1)]
        .into_iter()
        .filter_map(|(to, node)| {
            let is_name = matches!(node, Expr::Path(_));
            let ty = to.ty.filter(|ty| is_name && *ty != ScalarTy::Bool)?;
            Some(format!("`{} as {}`", text(node), ty.word()))
        });
    let each: Vec<String> = each.collect();
    match each.is_empty() {
        true => "convert one of them: `as f32`, `as i32`, `as usize`".to_owned(),
        false => format!("convert one of them: {}", each.join(", or ")),
    }
}
