//! Words of the text: attributes, numbers, operators, receivers of methods, and their spelling.

use super::span::{self, text, Node};
use crate::ir::{BinOp, ScalarTy};
use syn::{Attribute, Expr, ExprMethodCall, GenericArgument, PathArguments, RangeLimits, Type};

/// Part of the names that rust-analyzer inserts where the author has not written one yet.
pub const FIXUP: &str = "__ra_fixup";

/// Finds the attribute `name` or `jumar::name`.
pub fn find_attr<'a>(attrs: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attrs.iter().find(|a| {
        let s = &a.path().segments;
        match s.len() {
            1 => s[0].ident == name,
            2 => s[0].ident == "jumar" && s[1].ident == name,
            _ => false,
        }
    })
}

/// True if one of the attributes has this name.
pub fn has_attr(attrs: &[Attribute], name: &str) -> bool {
    find_attr(attrs, name).is_some()
}

/// Returns the message for an integer outside of its type.
pub fn no_such(v: i64, ty: ScalarTy) -> Option<String> {
    match ty {
        ScalarTy::Index if v < 0 => Some(format!("`{v}` is no `usize`, which begins at 0")),
        ScalarTy::I32 if i32::try_from(v).is_err() => Some(format!(
            "`{v}` is no `i32`, which holds {} to {}",
            i32::MIN,
            i32::MAX
        )),
        ScalarTy::Index | ScalarTy::I32 | ScalarTy::F32 | ScalarTy::Bool => None,
    }
}

/// Parses a decimal number as an `f32`. The error is the message for one that would become infinite
/// or 0 without being written so.
pub fn decimal(digits: &str) -> Result<f32, String> {
    let v: f32 = digits
        .parse()
        .map_err(|_| format!("`{digits}` is no `f32`"))?;
    let mantissa = digits.split(['e', 'E']).next().unwrap_or(digits);
    if v.is_infinite() {
        Err(format!(
            "`{digits}` is no `f32`, whose largest is {:e}",
            f32::MAX
        ))
    } else if v == 0.0 && mantissa.contains(|c: char| matches!(c, '1'..='9')) {
        Err(format!(
            "`{digits}` becomes 0 as an `f32`, whose smallest positive number is 1e-45"
        ))
    } else {
        Ok(v)
    }
}

/// Returns an operator as the author writes it.
pub fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::And => "&&",
        BinOp::Or => "||",
        BinOp::CeilDiv => "div_ceil",
        BinOp::AlignUp => "next_multiple_of",
        other => other.word(),
    }
}

/// Returns the one type between `<` and `>`.
pub fn one_type(args: &PathArguments) -> Option<&Type> {
    match args {
        PathArguments::AngleBracketed(a) if a.args.len() == 1 => match a.args.first() {
            Some(GenericArgument::Type(t)) => Some(t),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the type between `::<` and `>` of a method call.
pub fn turbofish(m: &ExprMethodCall) -> Option<&Type> {
    let given = &m.turbofish.as_ref()?.args;
    match (given.len(), given.first()) {
        (1, Some(GenericArgument::Type(ty))) => Some(ty),
        _ => None,
    }
}

/// True for the expression `..`.
pub fn is_all(e: &Expr) -> bool {
    matches!(e, Expr::Range(r) if r.start.is_none() && r.end.is_none() && matches!(r.limits, RangeLimits::HalfOpen(_)))
}

/// Returns the place of a method's name and arguments.
pub fn method_ends(m: &ExprMethodCall) -> span::Ends {
    (m.method.ends().0, m.paren_token.span.close())
}

/// Prints an expression with a cast behind it.
pub fn cast_text(e: &Expr, ty: &str) -> String {
    format!("{}.cast::<{ty}>()", as_receiver(e))
}

/// Prints an expression as the receiver of a method.
pub fn as_receiver(e: &Expr) -> String {
    let inner = text(e);
    match e {
        Expr::Binary(_) | Expr::Unary(_) | Expr::Cast(_) => format!("({inner})"),
        _ => inner,
    }
}
