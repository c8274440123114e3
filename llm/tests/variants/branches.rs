//! Variants under conditions that hold, or whose outcomes are equal.

use super::draft::{Draft, Rule};
use super::effects::{is_unit, is_work, Effects};
use super::kinds::Kind;
use super::parts::held;
use super::text::{flat, names};
use proc_macro2::{Ident, Span};
use syn::{parse_quote, Expr, FnArg, Pat, Stmt};

/// Names of the new attribute.
const FLAGS: &[&str] = &["on", "enabled", "flag", "use_it", "active", "c"];

/// Makes a change that tests a new attribute, and adds the attribute if the change fits.
fn asked(draft: &mut Draft, change: &dyn Fn(&mut Draft, &Ident) -> bool) -> bool {
    let name = Ident::new(&draft.fresh(FLAGS), Span::call_site());
    let fits = change(draft, &name);
    if fits {
        let inputs = &mut draft.kernel().sig.inputs;
        let flag: FnArg = parse_quote!(#[default(true)] #name: bool);
        inputs.push(flag);
    }
    fits
}

/// Puts a store or a loop under `if on`. A store to an output gets the same store in the other arm.
pub fn work(draft: &mut Draft) -> bool {
    asked(draft, &|draft, on| {
        let twice = draft.random.below(2) == 0;
        draft.change(Rule::Stmts(&|stmts, at, env| {
            let work = &stmts[at];
            if !(env.is_kernel && is_work(work)) {
                return None;
            }
            let may_stay = Effects::of(std::slice::from_ref(work))
                .stored
                .iter()
                .all(|name| env.inplace.contains(name));
            let new = if twice || !may_stay {
                parse_quote!(if #on { #work } else { #work })
            } else {
                parse_quote!(if #on { #work })
            };
            Some(placed(stmts, at, new))
        }))
    })
}

/// Puts all of a block into both arms of an `if on`.
pub fn blocks(draft: &mut Draft) -> bool {
    asked(draft, &|draft, on| {
        draft.change(Rule::Stmts(&|stmts, at, env| {
            let holds_work = !Effects::of(stmts).stored.is_empty() && stmts.iter().all(is_unit);
            let fits = env.is_kernel && at == 0 && env.loops > 0 && stmts.len() > 1 && holds_work;
            fits.then(|| vec![parse_quote!(if #on { #(#stmts)* } else { #(#stmts)* })])
        }))
    })
}

/// Makes a `let` of a tile or a scalar a choice of two equal values.
pub fn lets(draft: &mut Draft) -> bool {
    asked(draft, &|draft, on| {
        draft.change(Rule::Stmts(&|stmts, at, env| {
            let Stmt::Local(local) = &stmts[at] else {
                return None;
            };
            let value = &local.init.as_ref()?.expr;
            // The checker loses facts about a number that is read, and about a flag, if it is a
            // choice of two.
            let read = flat(value).contains(".load(");
            let fits = |kind: &Kind| match kind {
                Kind::Tile(of) => of != "bool",
                Kind::Scalar("bool") => false,
                kind => kind.is_value() && !read,
            };
            let fits = match env.kind(value) {
                Kind::Tuple(all) => matches!(**value, Expr::Tuple(_)) && all.iter().all(fits),
                kind => fits(&kind),
            };
            let mut new = local.clone();
            *new.init.as_mut()?.expr = parse_quote!(if #on { #value } else { #value });
            (fits && env.is_kernel).then(|| placed(stmts, at, Stmt::Local(new)))
        }))
    })
}

/// Replaces a value by `if on { x } else { x * 1.0 }`.
pub fn values(draft: &mut Draft) -> bool {
    asked(draft, &|draft, on| {
        draft.change(Rule::Expr(&|e, env| {
            if !env.is_kernel || env.fact.is_some() || matches!(e, Expr::Lit(_) | Expr::Paren(_)) {
                return None;
            }
            let x = held(e);
            match env.kind(e) {
                Kind::Tile(of) if of == "f32" => {
                    Some(parse_quote!((if #on { #e } else { #x * 1.0 })))
                }
                Kind::Tile(of) if of == "i32" => Some(parse_quote!((if #on { #e } else { #e }))),
                Kind::Scalar("f32") => Some(parse_quote!((if #on { #e } else { #x * 1.0 }))),
                _ => None,
            }
        }))
    })
}

/// Puts a store or a loop under a condition on an axis of all stored tensors: without indices there
/// is nothing to store. A load behind `store_disjoint` may read what another iteration stored, so
/// such work stays.
pub fn axes(draft: &mut Draft) -> bool {
    let which = draft.random.below(8) as usize;
    draft.change(Rule::Stmts(&|stmts, at, env| {
        let work = &stmts[at];
        if !(env.is_kernel && is_work(work))
            || env.loops > 0 && flat(work).contains(".store_disjoint(")
        {
            return None;
        }
        let stored = Effects::of(std::slice::from_ref(work)).stored;
        let mut common: Option<Vec<String>> = None;
        for name in &stored {
            let own = env.shapes.get(name)?;
            common = Some(match common {
                None => own.clone(),
                Some(all) => all.into_iter().filter(|axis| own.contains(axis)).collect(),
            });
        }
        let common: Vec<String> = common?
            .into_iter()
            .filter(|axis| env.name(axis) == Some(&Kind::Axis))
            .collect();
        let axis = Ident::new(common.get(which % common.len().max(1))?, Span::call_site());
        Some(placed(stmts, at, parse_quote!(if #axis > 0 { #work })))
    }))
}

/// Puts a store or a loop under `if slot >= 0` where the kernel states that of the scalar already.
pub fn data(draft: &mut Draft) -> bool {
    let twice = draft.random.below(2) == 0;
    let said = flat(&*draft.kernel());
    draft.change(Rule::Stmts(&|stmts, at, env| {
        let work = &stmts[at];
        if !(env.is_kernel && is_work(work)) {
            return None;
        }
        let own = |name: &&str| {
            said.contains(&format!(" {name} >= 0")) || said.contains(&format!("0 <= {name} "))
        };
        let name = env.scalars().into_iter().rfind(own)?;
        let slot = Ident::new(name, Span::call_site());
        let may_stay = Effects::of(std::slice::from_ref(work))
            .stored
            .iter()
            .all(|name| env.inplace.contains(name));
        let new = if twice || !may_stay {
            parse_quote!(if #slot >= 0 { #work } else { #work })
        } else {
            parse_quote!(if #slot >= 0 { #work })
        };
        Some(placed(stmts, at, new))
    }))
}

/// Replaces `let u = if c { a } else { b };` by assignments under the `if`.
pub fn assigned(draft: &mut Draft) -> bool {
    draft.change(Rule::Stmts(&|stmts, at, env| {
        let Stmt::Local(local) = &stmts[at] else {
            return None;
        };
        let (Pat::Ident(pat), Expr::If(i)) = (&local.pat, &*local.init.as_ref()?.expr) else {
            return None;
        };
        let ([Stmt::Expr(a, None)], Some((_, other))) =
            (i.then_branch.stmts.as_slice(), &i.else_branch)
        else {
            return None;
        };
        let Expr::Block(other) = &**other else {
            return None;
        };
        let [Stmt::Expr(b, None)] = other.block.stmts.as_slice() else {
            return None;
        };
        let (name, cond) = (&pat.ident, &i.cond);
        let own = name.to_string();
        let fits = env.loops > 0
            && env.kind(a).is_value()
            && !names(i).contains(&own)
            && !matches!(**cond, Expr::Let(_));
        let two = [
            parse_quote!(let mut #name = #b;),
            parse_quote!(if #cond { #name = #a; }),
        ];
        fits.then(|| [&stmts[..at], &two, &stmts[at + 1..]].concat())
    }))
}

/// Returns the statements with one of them replaced.
fn placed(stmts: &[Stmt], at: usize, new: Stmt) -> Vec<Stmt> {
    let mut all = stmts.to_vec();
    all[at] = new;
    all
}
