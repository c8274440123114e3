//! The uses, bindings, assignments and stores of statements, to decide if two of them may be
//! exchanged.

use super::text::{flat, names};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprMethodCall, Pat, Stmt};

/// Methods that store to the tensor at the beginning of their chain.
const STORES: [&str; 6] = [
    "append",
    "atomic_add",
    "store",
    "store_any",
    "store_disjoint",
    "store_in",
];

/// True for `+=` and similar operators.
pub fn assigns(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
    )
}

/// The effects of statements.
#[derive(Default)]
pub struct Effects {
    /// Tensors that are stored to.
    pub stored: BTreeSet<String>,
    /// Variables that are assigned to.
    pub assigned: BTreeSet<String>,
    /// Names that are bound, also in nested loops and blocks.
    pub bound: BTreeSet<String>,
    /// True if there is a loop.
    pub loops: bool,
}

impl Effects {
    /// Collects the effects of these statements together.
    pub fn of(stmts: &[Stmt]) -> Effects {
        let mut found = Effects::default();
        stmts.iter().for_each(|stmt| found.visit_stmt(stmt));
        found
    }
}

impl<'a> Visit<'a> for Effects {
    fn visit_expr(&mut self, e: &'a Expr) {
        match e {
            Expr::Assign(a) => self.assigned.extend(names(&a.left)),
            Expr::Binary(b) if assigns(&b.op) => self.assigned.extend(names(&b.left)),
            Expr::MethodCall(m) if STORES.iter().any(|store| m.method == store) => {
                self.stored.extend(root(m))
            }
            Expr::ForLoop(_) => self.loops = true,
            _ => {}
        }
        visit::visit_expr(self, e);
    }

    fn visit_pat(&mut self, pat: &'a Pat) {
        if let Pat::Ident(p) = pat {
            self.bound.insert(p.ident.to_string());
        }
        visit::visit_pat(self, pat);
    }
}

/// Returns the tensor at the beginning of a chain of methods.
fn root(m: &ExprMethodCall) -> Option<String> {
    match &*m.receiver {
        Expr::MethodCall(inner) => root(inner),
        Expr::Path(_) => Some(flat(&m.receiver)),
        _ => None,
    }
}

/// Returns the name of the function that a statement calls.
pub fn called(stmt: &Stmt) -> Option<String> {
    match stmt {
        Stmt::Expr(Expr::Call(c), Some(_)) => Some(flat(&c.func)),
        _ => None,
    }
}

/// True for a statement that gives no value to its block.
pub fn is_unit(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Local(_) | Stmt::Expr(_, Some(_)) | Stmt::Expr(Expr::ForLoop(_), None) => true,
        Stmt::Expr(Expr::If(i), None) => i.then_branch.stmts.iter().all(is_unit),
        _ => false,
    }
}

/// True if the statement stores, and binds nothing for later statements. The loop over the items of
/// lists must not be under a condition.
pub fn is_work(stmt: &Stmt) -> bool {
    let found = Effects::of(std::slice::from_ref(stmt));
    let lists =
        matches!(stmt, Stmt::Expr(Expr::ForLoop(l), _) if flat(&l.expr).starts_with("zip("));
    is_unit(stmt) && !matches!(stmt, Stmt::Local(_)) && !found.stored.is_empty() && !lists
}

/// True if two neighbours may be exchanged.
pub fn independent(a: &Stmt, b: &Stmt) -> bool {
    let changed = |stmt: &Stmt| {
        let found = Effects::of(std::slice::from_ref(stmt));
        let mut all: BTreeSet<String> = &found.stored | &found.assigned;
        match stmt {
            Stmt::Local(local) => all.extend(names(&local.pat)),
            // A promise holds for the statements behind it.
            _ if called(stmt).is_some() => all.extend(names(stmt)),
            _ => {}
        }
        all
    };
    let used = |stmt: &Stmt| names(stmt).into_iter().collect::<BTreeSet<_>>();
    let facts = |stmt: &Stmt| called(stmt).is_some_and(|name| name == "require");
    let (da, db) = (changed(a), changed(b));
    is_unit(a)
        && is_unit(b)
        && !facts(a)
        && !facts(b)
        && da.is_disjoint(&(&used(b) | &db))
        && db.is_disjoint(&used(a))
}
