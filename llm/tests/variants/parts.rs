//! Variants split differently: values with names and without, inline and in helpers.

use super::draft::{Draft, Rule};
use super::effects::{assigns, called, is_unit, Effects};
use super::kinds::{Env, Kind, NUMBER};
use super::text::{flat, names, words};
use proc_macro2::{Ident, Span};
use std::cell::RefCell;
use std::collections::BTreeSet;
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, BinOp, Block, Expr, FnArg, ItemFn, Pat, Stmt, Type};

/// Names of values that had none.
const NAMES: &[&str] = &["part", "inner", "tmp", "value", "it", "w0"];

/// Returns an expression without the parentheses around it.
pub fn bare(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => bare(&p.expr),
        other => other,
    }
}

/// Returns an expression as an operand, with parentheses if it needs them.
pub fn held(e: &Expr) -> Expr {
    match e {
        Expr::Path(_)
        | Expr::Lit(_)
        | Expr::Paren(_)
        | Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Tuple(_) => e.clone(),
        other => parse_quote!((#other)),
    }
}

/// True for a name or a number.
fn is_atom(e: &Expr) -> bool {
    match bare(e) {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Unary(u) => is_atom(&u.expr),
        _ => false,
    }
}

/// Gives a name to a part of a statement.
pub fn pulled_out(draft: &mut Draft) -> bool {
    let name = Ident::new(&draft.fresh(NAMES), Span::call_site());
    let which = draft.random.below(1 << 20) as usize;
    draft.change(Rule::Stmts(&|stmts, at, env| {
        // Outside of loops a named value keeps its memory until it is used.
        if env.loops == 0 && !matches!(stmts[at], Stmt::Expr(..)) {
            return None;
        }
        let mut new = stmts[at].clone();
        let mut found = Parts {
            env,
            chosen: usize::MAX,
            seen: 0,
            with: None,
            found: None,
        };
        found.statement(&mut new);
        let chosen = which % found.seen.max(1);
        let mut put = Parts {
            env,
            chosen,
            seen: 0,
            with: Some(name.clone()),
            found: None,
        };
        put.statement(&mut new);
        let value = put.found?;
        Some(
            [
                &stmts[..at],
                &[parse_quote!(let #name = #value;), new],
                &stmts[at + 1..],
            ]
            .concat(),
        )
    }))
}

/// The parts of a statement that may move before it.
struct Parts<'a> {
    env: &'a Env,
    chosen: usize,
    seen: usize,
    with: Option<Ident>,
    found: Option<Expr>,
}

impl Parts<'_> {
    fn statement(&mut self, stmt: &mut Stmt) {
        if called(stmt).is_some_and(|name| name == "require") {
            return;
        }
        match stmt {
            // The whole value has a name already.
            Stmt::Local(local) => {
                if let Some(init) = &mut local.init {
                    self.below(&mut init.expr);
                }
            }
            Stmt::Expr(e, _) => self.visit_expr_mut(e),
            Stmt::Item(_) | Stmt::Macro(_) => {}
        }
    }

    /// Visits the inside of an expression, without the expression.
    fn below(&mut self, e: &mut Expr) {
        match e {
            Expr::If(i) if !matches!(*i.cond, Expr::Let(_)) => self.visit_expr_mut(&mut i.cond),
            Expr::If(_) => {}
            Expr::ForLoop(l) => self.visit_expr_mut(&mut l.expr),
            Expr::Assign(a) => self.visit_expr_mut(&mut a.right),
            Expr::Binary(b) if assigns(&b.op) => self.visit_expr_mut(&mut b.right),
            Expr::Call(c) => c.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg)),
            other => visit_mut::visit_expr_mut(self, other),
        }
    }
}

impl VisitMut for Parts<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let kind = self.env.kind(e);
        if (kind.is_value() || kind == Kind::Turn) && !is_atom(e) && !matches!(e, Expr::Paren(_)) {
            let is_own = self.seen == self.chosen;
            self.seen += 1;
            if let (true, Some(name)) = (is_own, &self.with) {
                self.found = Some(std::mem::replace(e, parse_quote!(#name)));
                return;
            }
        }
        self.below(e);
    }

    fn visit_block_mut(&mut self, _: &mut Block) {}
}

/// Inlines a `let` whose name is used once.
pub fn put_in(draft: &mut Draft) -> bool {
    draft.change(Rule::Stmts(&|stmts, at, env| {
        let Stmt::Local(local) = &stmts[at] else {
            return None;
        };
        let (Pat::Ident(pat), value) = (&local.pat, &local.init.as_ref()?.expr) else {
            return None;
        };
        let kind = env.kind(value);
        if pat.mutability.is_some() || !(kind.is_value() || kind == Kind::Turn) {
            return None;
        }
        let own = pat.ident.to_string();
        let rest = &stmts[at + 1..];
        let uses = |stmt: &Stmt| names(stmt).iter().filter(|name| **name == own).count();
        let user = rest.iter().position(|stmt| uses(stmt) > 0)?;
        let total: usize = rest.iter().map(uses).sum();
        let rebound = Effects::of(rest).bound.contains(&own);
        let between = Effects::of(&rest[..user]);
        let inside = Effects::of(&rest[user..=user]);
        let needs: BTreeSet<String> = names(value).into_iter().collect();
        let is_plain = matches!(&rest[user], Stmt::Local(_) | Stmt::Expr(_, Some(_)));
        let changed = |found: &Effects| &(&found.stored | &found.assigned) | &found.bound;
        let keeps = needs.is_disjoint(&changed(&between))
            && (is_plain && is_unit(&rest[user]) || needs.is_disjoint(&changed(&inside)));
        if total != 1 || rebound || !keeps || called(&rest[user]).is_some() {
            return None;
        }
        let mut new = stmts.to_vec();
        Put {
            name: &own,
            value: held(value),
        }
        .visit_stmt_mut(&mut new[at + 1 + user]);
        new.remove(at);
        Some(new)
    }))
}

/// Replaces a name by a value.
struct Put<'a> {
    name: &'a str,
    value: Expr,
}

impl VisitMut for Put<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if matches!(e, Expr::Path(p) if p.path.is_ident(self.name)) {
            *e = self.value.clone();
        } else {
            visit_mut::visit_expr_mut(self, e);
        }
    }
}

/// Functions of one tile that keep its axes.
const EACH: [&str; 7] = ["abs", "exp", "ln", "sigmoid", "sign", "silu", "sqrt"];

/// Makes a value in two steps: a `let mut` and an assignment to it.
pub fn in_steps(draft: &mut Draft) -> bool {
    let compound = draft.random.below(2) == 0;
    draft.change(Rule::Stmts(&|stmts, at, env| {
        let Stmt::Local(local) = &stmts[at] else {
            return None;
        };
        let (Pat::Ident(pat), value) = (&local.pat, bare(&local.init.as_ref()?.expr)) else {
            return None;
        };
        let (name, kind) = (&pat.ident, env.kind(value));
        let first: (Expr, Stmt) = match value {
            Expr::MethodCall(m)
                if m.args.is_empty()
                    && EACH.iter().any(|f| m.method == f)
                    && env.kind(&m.receiver) == kind =>
            {
                let (from, method) = (&m.receiver, &m.method);
                ((**from).clone(), parse_quote!(#name = #name.#method();))
            }
            Expr::Binary(b) if env.kind(&b.left) == kind && env.kind(&b.right).is_scalar() => {
                let (op, right) = (&b.op, held(&b.right));
                let step = match op {
                    BinOp::Add(_) if compound => parse_quote!(#name += #right;),
                    BinOp::Mul(_) if compound => parse_quote!(#name *= #right;),
                    BinOp::Sub(_) if compound => parse_quote!(#name -= #right;),
                    BinOp::Div(_) if compound => parse_quote!(#name /= #right;),
                    _ => parse_quote!(#name = #name #op #right;),
                };
                ((*b.left).clone(), step)
            }
            _ => return None,
        };
        let (from, step) = first;
        let fits = pat.mutability.is_none()
            && kind.is_value()
            && env.loops > 0
            && !names(value).contains(&name.to_string());
        let two = [parse_quote!(let mut #name = #from;), step];
        fits.then(|| [&stmts[..at], &two, &stmts[at + 1..]].concat())
    }))
}

/// Replaces a shadowing `let` by an assignment.
pub fn shadowed(draft: &mut Draft) -> bool {
    draft.change(Rule::Stmts(&|stmts, at, env| {
        let (Stmt::Local(first), Stmt::Local(second)) = (&stmts[at], stmts.get(at + 1)?) else {
            return None;
        };
        let (Pat::Ident(a), Pat::Ident(b)) = (&first.pat, &second.pat) else {
            return None;
        };
        let (value, next) = (&first.init.as_ref()?.expr, &second.init.as_ref()?.expr);
        let keeps_axes = !["sum", "mean", "amax", "expand", "pick"]
            .iter()
            .any(|m| flat(next).contains(&format!(".{m}(")));
        let name = &a.ident;
        let kind = env.kind(value);
        let same = kind.is_value()
            && a.ident == b.ident
            && a.mutability.is_none()
            && env.loops > 0
            && keeps_axes;
        let mut inner = Env::clone(env);
        inner.bind(&first.pat, kind.clone());
        let two = [
            parse_quote!(let mut #name = #value;),
            parse_quote!(#name = #next;),
        ];
        (same && inner.kind(next) == kind).then(|| [&stmts[..at], &two, &stmts[at + 2..]].concat())
    }))
}

/// Moves a part into a helper.
pub fn helper(draft: &mut Draft) -> bool {
    let name = Ident::new(
        &draft.fresh(&["helper", "step_of", "f", "made"]),
        Span::call_site(),
    );
    let generics = draft.kernel().sig.generics.clone();
    let made: RefCell<Option<ItemFn>> = RefCell::new(None);
    let fits = draft.change(Rule::Expr(&|e, env| {
        if !env.is_kernel
            || env.fact.is_some()
            || is_atom(e)
            || matches!(e, Expr::Paren(_))
            || flat(e).contains(".at(")
        {
            return None;
        }
        let kind = env.kind(e);
        let result = said(&kind).filter(|_| kind.is_value())?;
        let mut params: Vec<(Ident, Type)> = Vec::new();
        for word in names(e) {
            let known = params.iter().any(|(param, _)| *param == word);
            if let (false, Some(kind)) = (known, env.name(&word)) {
                params.push((Ident::new(&word, Span::call_site()), said(kind)?));
            }
        }
        let (args, types) = (
            params.iter().map(|(arg, _)| arg),
            params.iter().map(|(_, of)| of),
        );
        let inputs: Vec<FnArg> = args
            .clone()
            .zip(types)
            .map(|(arg, of)| parse_quote!(#arg: #of))
            .collect();
        let mut function: ItemFn = parse_quote!(fn #name(#(#inputs),*) -> #result { #e });
        let has = |words: &BTreeSet<String>| {
            generics
                .type_params()
                .any(|param| words.contains(&param.ident.to_string()))
        };
        if has(&words(&function)) {
            // A helper's element types are those of its arguments.
            if !params.iter().any(|(_, of)| has(&words(of))) {
                return None;
            }
            function.sig.generics = generics.clone();
        }
        *made.borrow_mut() = Some(function);
        Some(parse_quote!(#name(#(#args),*)))
    }));
    if let (true, Some(function)) = (fits, made.into_inner()) {
        draft.add(function);
    }
    fits
}

/// Returns the type of a parameter or a result of a helper, or `None` if a helper cannot have it.
fn said(kind: &Kind) -> Option<Type> {
    let text = match kind {
        Kind::Tile(of) => format!("Tile<{of}>"),
        Kind::Scalar(NUMBER) => return None,
        Kind::Scalar(of) => (*of).to_string(),
        Kind::Axis => "Axis".into(),
        Kind::Turn | Kind::Tensor(_) | Kind::List(_) | Kind::Tuple(_) | Kind::Unknown => {
            return None
        }
    };
    syn::parse_str(&text).ok()
}
