//! A kernel that is being changed, and the visitor that finds the places of a change.

use super::effects::assigns;
use super::kinds::{has, typed, Env};
use super::text::{flat, names, renamed, words};
use jumar_llm::tasks::data::Random;
use std::collections::BTreeMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Item, ItemFn, ItemMod, Stmt};

/// A module with a kernel, and the original names of its parameters.
pub struct Draft {
    pub module: ItemMod,
    /// The current names of parameters, by the names in the task.
    pub called: BTreeMap<String, String>,
    /// The generator that chooses the changes and their places.
    pub random: Random,
}

/// The replacement of an expression, or `None` if the change does not fit.
pub type OnExpr<'a> = &'a dyn Fn(&Expr, &Env) -> Option<Expr>;

/// The replacement of a block's statements by a change at one of them, or `None` if it does not
/// fit.
pub type OnStmts<'a> = &'a dyn Fn(&[Stmt], usize, &Env) -> Option<Vec<Stmt>>;

/// A change at a place.
#[derive(Clone, Copy)]
pub enum Rule<'a> {
    /// A change at an expression.
    Expr(OnExpr<'a>),
    /// A change at a statement.
    Stmts(OnStmts<'a>),
}

impl Draft {
    /// Reads the kernel of a text that is a `#[kernels] mod`.
    pub fn new(text: &str, seed: u64) -> Draft {
        let module: ItemMod = syn::parse_str(text).expect("a module with a kernel");
        let mut draft = Draft {
            module,
            called: BTreeMap::new(),
            random: Random(seed),
        };
        let params: Vec<_> = draft
            .kernel()
            .sig
            .inputs
            .iter()
            .filter_map(typed)
            .map(|p| names(&p.pat).remove(0))
            .collect();
        draft.called = params
            .into_iter()
            .map(|name| (name.clone(), name))
            .collect();
        draft
    }

    fn items(&mut self) -> &mut Vec<Item> {
        &mut self
            .module
            .content
            .as_mut()
            .expect("a module with a body")
            .1
    }

    /// Returns the functions of the module.
    pub fn functions(&self) -> Vec<&ItemFn> {
        let items = &self
            .module
            .content
            .as_ref()
            .expect("a module with a body")
            .1;
        items
            .iter()
            .filter_map(|item| {
                if let Item::Fn(f) = item {
                    Some(f)
                } else {
                    None
                }
            })
            .collect()
    }

    /// Returns the function under `#[kernel]`.
    pub fn kernel(&mut self) -> &mut ItemFn {
        let found = self.items().iter_mut().find_map(|item| match item {
            Item::Fn(f) if has(&f.attrs, "kernel") => Some(f),
            _ => None,
        });
        found.expect("a kernel")
    }

    /// Adds a helper function.
    pub fn add(&mut self, helper: ItemFn) {
        let at = self
            .items()
            .iter()
            .position(|item| matches!(item, Item::Fn(_)))
            .expect("a kernel");
        self.items().insert(at, Item::Fn(helper));
    }

    /// Returns a name that the module does not use: one of these, perhaps with a number.
    pub fn fresh(&mut self, from: &[&str]) -> String {
        let known = words(&self.module);
        let first = from[self.random.below(from.len() as u64) as usize].to_string();
        let numbered = (2..).map(|n| format!("{first}{n}"));
        std::iter::once(first.clone())
            .chain(numbered)
            .find(|name| !known.contains(name))
            .expect("numbers do not end")
    }

    /// Renames variables, axes and parameters, and functions.
    pub fn rename(
        &mut self,
        variables: &BTreeMap<String, String>,
        functions: &BTreeMap<String, String>,
    ) {
        let tokens = renamed(&self.module, variables, functions);
        self.module = syn::parse2(tokens).expect("the same with other names");
        for name in self.called.values_mut() {
            if let Some(new) = variables.get(name) {
                name.clone_from(new);
            }
        }
    }

    /// Makes a change at one of its places; returns false if there is none.
    pub fn change(&mut self, rule: Rule<'_>) -> bool {
        let mut walk = Walk {
            rule,
            chosen: usize::MAX,
            seen: 0,
            env: None,
        };
        walk.module(&mut self.module);
        if walk.seen == 0 {
            return false;
        }
        let chosen = self.random.below(walk.seen as u64) as usize;
        let mut walk = Walk {
            rule,
            chosen,
            seen: 0,
            env: None,
        };
        walk.module(&mut self.module);
        true
    }
}

struct Walk<'a> {
    rule: Rule<'a>,
    /// The index of the chosen place.
    chosen: usize,
    seen: usize,
    env: Option<Env>,
}

impl Walk<'_> {
    fn module(&mut self, module: &mut ItemMod) {
        let all: Vec<ItemFn> = module
            .content
            .iter()
            .flat_map(|(_, items)| items)
            .filter_map(|item| {
                if let Item::Fn(f) = item {
                    Some(f.clone())
                } else {
                    None
                }
            })
            .collect();
        let all: Vec<&ItemFn> = all.iter().collect();
        for item in module.content.iter_mut().flat_map(|(_, items)| items) {
            if let Item::Fn(f) = item {
                self.env = Some(Env::of(f, &all));
                self.visit_block_mut(&mut f.block);
            }
        }
    }

    fn env(&mut self) -> &mut Env {
        self.env.as_mut().expect("the walk is inside of a function")
    }

    fn is_done(&self) -> bool {
        self.chosen != usize::MAX && self.seen > self.chosen
    }
}

impl VisitMut for Walk<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if self.is_done() {
            return;
        }
        if let Rule::Expr(change) = self.rule {
            if let Some(new) = change(e, self.env()) {
                self.seen += 1;
                if self.is_done() {
                    *e = new;
                    return;
                }
            }
        }
        match e {
            Expr::Call(call) => {
                let name = flat(&call.func);
                let before = self.env().fact.clone();
                if matches!(name.as_str(), "require" | "assume") {
                    self.env().fact = Some(name);
                }
                call.args
                    .iter_mut()
                    .for_each(|arg| self.visit_expr_mut(arg));
                self.env().fact = before;
            }
            Expr::ForLoop(l) => {
                self.visit_expr_mut(&mut l.expr);
                let mark = self.env().mark();
                let (pat, over) = (l.pat.clone(), l.expr.clone());
                self.env().bind_turn(&pat, &over);
                self.env().loops += 1;
                self.visit_block_mut(&mut l.body);
                self.env().loops -= 1;
                self.env().back_to(mark);
            }
            Expr::If(i) => {
                let mark = self.env().mark();
                if let Expr::Let(given) = &*i.cond {
                    let (pat, of) = (given.pat.clone(), self.env().kind(&given.expr));
                    self.env().bind(&pat, of);
                } else {
                    self.visit_expr_mut(&mut i.cond);
                }
                self.visit_block_mut(&mut i.then_branch);
                self.env().back_to(mark);
                if let Some((_, other)) = &mut i.else_branch {
                    self.visit_expr_mut(other);
                }
            }
            // The target of an assignment stays.
            Expr::Assign(a) => self.visit_expr_mut(&mut a.right),
            Expr::Binary(b) if assigns(&b.op) => self.visit_expr_mut(&mut b.right),
            other => visit_mut::visit_expr_mut(self, other),
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        let mark = self.env().mark();
        for at in 0..block.stmts.len() {
            if self.is_done() {
                return;
            }
            if let Rule::Stmts(change) = self.rule {
                if let Some(new) = change(&block.stmts, at, self.env()) {
                    self.seen += 1;
                    if self.is_done() {
                        block.stmts = new;
                        return;
                    }
                }
            }
            self.visit_stmt_mut(&mut block.stmts[at]);
            if self.is_done() {
                return;
            }
            let stmt = block.stmts[at].clone();
            self.env().bind_statement(&stmt);
        }
        self.env().back_to(mark);
    }
}
