//! Variants in another order.

use super::draft::{Draft, Rule};
use super::effects::{called, independent};
use super::kinds::{has, typed, Env, Kind};
use super::parts::{bare, held};
use super::text::flat;
use syn::{parse_quote, BinOp, Expr, FnArg, Stmt};

/// Exchanges two independent neighbours.
pub fn statements(draft: &mut Draft) -> bool {
    draft.change(Rule::Stmts(&|stmts, at, _| {
        let (a, b) = (&stmts[at], stmts.get(at + 1)?);
        independent(a, b).then(|| {
            let mut new = stmts.to_vec();
            new.swap(at, at + 1);
            new
        })
    }))
}

/// Exchanges the arms of an `if`, and negates its condition.
pub fn arms(draft: &mut Draft) -> bool {
    let how = draft.random.below(2);
    draft.change(Rule::Expr(&|e, env| {
        let Expr::If(i) = e else { return None };
        if matches!(*i.cond, Expr::Let(_)) {
            return None;
        }
        let (cond, then) = (negated(&i.cond, env, how), &i.then_branch);
        Some(match &i.else_branch {
            Some((_, other)) => {
                let Expr::Block(other) = &**other else {
                    return None;
                };
                parse_quote!(if #cond #other else #then)
            }
            None => parse_quote!(if #cond {} else #then),
        })
    }))
}

/// Negates a condition, as `!c` or by the opposite comparison.
fn negated(cond: &Expr, env: &Env, how: u64) -> Expr {
    let whole = |e: &Expr| {
        matches!(
            env.kind(e),
            Kind::Axis | Kind::Scalar("i32" | "usize" | "number")
        )
    };
    match bare(cond) {
        Expr::Binary(b) if how == 0 => {
            let (left, right) = (&b.left, &b.right);
            match b.op {
                BinOp::And(_) => {
                    let (left, right) = (negated(left, env, how), negated(right, env, how));
                    return parse_quote!(#left || #right);
                }
                BinOp::Lt(_) if whole(left) => return parse_quote!(#left >= #right),
                BinOp::Le(_) if whole(left) => return parse_quote!(#left > #right),
                BinOp::Gt(_) if whole(left) => return parse_quote!(#left <= #right),
                BinOp::Ge(_) if whole(left) => return parse_quote!(#left < #right),
                BinOp::Eq(_) => return parse_quote!(#left != #right),
                BinOp::Ne(_) => return parse_quote!(#left == #right),
                _ => {}
            }
        }
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Not(_)) => return bare(&u.expr).clone(),
        _ => {}
    }
    let cond = held(cond);
    parse_quote!(!#cond)
}

/// Mirrors a comparison.
pub fn comparisons(draft: &mut Draft) -> bool {
    draft.change(Rule::Expr(&|e, env| match e {
        Expr::Binary(b) => {
            let (left, right) = (held(&b.left), held(&b.right));
            Some(match b.op {
                BinOp::Lt(_) => parse_quote!(#right > #left),
                BinOp::Le(_) => parse_quote!(#right >= #left),
                BinOp::Gt(_) => parse_quote!(#right < #left),
                BinOp::Ge(_) => parse_quote!(#right <= #left),
                _ => return None,
            })
        }
        Expr::MethodCall(m) => {
            let (left, right) = (&m.receiver, held(m.args.first()?));
            if !(env.kind(left).is_tile() && env.kind(&right).is_tile()) {
                return None;
            }
            Some(match m.method.to_string().as_str() {
                "lt" => parse_quote!(#right.gt(#left)),
                "le" => parse_quote!(#right.ge(#left)),
                "gt" => parse_quote!(#right.lt(#left)),
                "ge" => parse_quote!(#right.le(#left)),
                "eq" => parse_quote!(#right.eq(#left)),
                _ => return None,
            })
        }
        _ => None,
    }))
}

/// Exchanges the operands of an op that gives the same bits.
pub fn operands(draft: &mut Draft) -> bool {
    let known = |env: &Env, e: &Expr| {
        env.kind(e).is_tile() || env.kind(e).is_scalar() || env.kind(e) == Kind::Turn
    };
    draft.change(Rule::Expr(&|e, env| match e {
        Expr::Binary(b) if known(env, &b.left) && known(env, &b.right) => {
            let (left, right) = (held(&b.left), held(&b.right));
            Some(match b.op {
                BinOp::Add(_) => parse_quote!(#right + #left),
                BinOp::Mul(_) => parse_quote!(#right * #left),
                BinOp::BitAnd(_) => parse_quote!(#right & #left),
                BinOp::BitOr(_) => parse_quote!(#right | #left),
                BinOp::BitXor(_) => parse_quote!(#right ^ #left),
                BinOp::And(_) => parse_quote!(#right && #left),
                BinOp::Eq(_) => parse_quote!(#right == #left),
                _ => return None,
            })
        }
        Expr::MethodCall(m) if m.method == "max" || m.method == "min" => {
            let (left, right, method) = (&m.receiver, held(m.args.first()?), &m.method);
            let both = |is: &dyn Fn(&Kind) -> bool| is(&env.kind(left)) && is(&env.kind(&right));
            let swaps = both(&Kind::is_tile)
                || both(&|kind| kind.is_scalar() && *kind != Kind::Scalar("f32"));
            swaps.then(|| parse_quote!(#right.#method(#left)))
        }
        _ => None,
    }))
}

/// Reorders the parameters; the first tensor stays first if others have its shape.
pub fn parameters(draft: &mut Draft) -> bool {
    let mut all: Vec<FnArg> = draft.kernel().sig.inputs.iter().cloned().collect();
    if all.len() < 2 {
        return false;
    }
    let is_tensor = |arg: &FnArg| typed(arg).is_some_and(|p| flat(&p.ty).contains("GlobalTensor"));
    let follows = all
        .iter()
        .any(|arg| is_tensor(arg) && typed(arg).is_some_and(|p| !has(&p.attrs, "shape")));
    let first = all.iter().find(|arg| is_tensor(arg)).cloned();
    for at in (1..all.len()).rev() {
        all.swap(at, draft.random.below(at as u64 + 1) as usize);
    }
    if let (true, Some(first)) = (follows, first) {
        all.retain(|arg| *arg != first);
        let at = all.iter().position(is_tensor).unwrap_or(all.len());
        all.insert(at, first);
    }
    draft.kernel().sig.inputs = all.into_iter().collect();
    true
}

/// Splits a `require` with `&&`, or exchanges two of them.
pub fn requirements(draft: &mut Draft) -> bool {
    draft.change(Rule::Stmts(&|stmts, at, _| {
        let is = |at: usize| {
            stmts
                .get(at)
                .is_some_and(|stmt| called(stmt).is_some_and(|name| name == "require"))
        };
        if !is(at) {
            return None;
        }
        let mut new = stmts.to_vec();
        if is(at + 1) {
            new.swap(at, at + 1);
            return Some(new);
        }
        let Stmt::Expr(Expr::Call(call), _) = &stmts[at] else {
            return None;
        };
        let Expr::Binary(b) = call.args.first()? else {
            return None;
        };
        let BinOp::And(_) = b.op else { return None };
        let (left, right) = (&b.left, &b.right);
        new.splice(
            at..=at,
            [
                parse_quote!(require(#right);),
                parse_quote!(require(#left);),
            ],
        );
        Some(new)
    }))
}
