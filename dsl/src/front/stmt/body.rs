//! Blocks and statements: facts, `if`, and the kind of each statement.
//!
//! `let` and assignment are in `bind` and `assign`, loops in `loops`; a statement that is an
//! expression is read as one.

use super::scalar::operator;
use crate::diag::Code;
use crate::front::cx::emitted::Frame;
use crate::front::cx::report::Report;
use crate::front::cx::value::Val;
use crate::front::cx::Cx;
use crate::front::head::optional::Condition;
use crate::front::text::span;
use crate::front::text::span::{text, Node};
use crate::ir::Fact;
use crate::ops::BinaryOp;
use quote::ToTokens;
use syn::{Block, Expr, Item, ItemStatic, StaticMutability, Stmt};

/// Most nesting of blocks. With that of expressions it stays inside of the nesting of the IR text
/// form.
const MAX_BLOCKS: usize = 24;

impl Cx<'_> {
    /// Reads the body of a kernel: facts first, then everything else.
    pub fn kernel_body(&mut self, block: &Block) {
        let mut facts = true;
        self.block_consts(block);
        for s in &block.stmts {
            let is_fact = facts && self.fact(s);
            // Items may stand between facts.
            facts = is_fact || facts && matches!(s, Stmt::Item(_));
            if !is_fact {
                self.stmt(s);
            }
        }
        self.possible_facts();
        self.judge_items();
    }

    /// Reads the statements of a block, whose constants are visible throughout.
    pub fn block(&mut self, block: &Block) {
        if self.out.frames.len() > MAX_BLOCKS {
            self.report.unsupported(
                &(
                    block.brace_token.span.open(),
                    block.brace_token.span.close(),
                ),
                "a block nested this deeply",
                "join conditions with `&&`, or put a part into a helper function",
            );
            return;
        }
        self.block_consts(block);
        for s in &block.stmts {
            self.stmt(s);
        }
    }

    /// Binds the `const` items of a block.
    pub fn block_consts(&mut self, block: &Block) {
        for s in &block.stmts {
            if let Stmt::Item(Item::Const(c)) = s {
                let val = self.const_item(c);
                self.names
                    .bind(c.ident.to_string(), val, false, c.ident.ends());
            }
        }
    }

    /// Reads `require(cond);` at the start of the body.
    fn fact(&mut self, s: &Stmt) -> bool {
        let Stmt::Expr(Expr::Call(c), _) = s else {
            return false;
        };
        let Expr::Path(p) = &*c.func else {
            return false;
        };
        if !p.path.is_ident("require") {
            return false;
        }
        let Some(cond) = c.args.first().filter(|_| c.args.len() == 1) else {
            let n = c.args.len();
            let d = self
                .error(
                    Code::J0106,
                    s,
                    format!("`require` takes 1 argument, found {n}"),
                )
                .help("write `require(d % 16 == 0);`");
            self.report.add(d);
            return true;
        };
        let span = self.report.at(cond);
        if let Some(value) = self.condition(cond) {
            if self.host_known(&value, cond, "a fact") {
                self.draft.sig.facts.push(Fact {
                    cond: value,
                    text: text(cond),
                    span,
                });
            }
        }
        true
    }

    /// Reads one statement.
    pub fn stmt(&mut self, s: &Stmt) {
        no_cfg(&mut self.report, s);
        match s {
            Stmt::Local(l) => self.local(l),
            Stmt::Item(Item::Const(_) | Item::Use(_)) => {}
            Stmt::Item(Item::Static(s)) => self.static_item(s),
            Stmt::Item(item) => {
                let ends = span::token_ends(item);
                self.report.unsupported(
                    &ends,
                    "an item",
                    "put helper functions beside the kernel into one `#[kernels] mod`; `const` items may stand here",
                );
            }
            Stmt::Macro(m) => {
                self.report.doubt = true;
                let ends = span::token_ends(m);
                self.report.unsupported(
                    &ends,
                    "a macro",
                    "write the statements out, or a helper function in a `#[kernels]` module",
                );
            }
            Stmt::Expr(e, semi) => self.expr_stmt(e, semi.is_some()),
        }
    }

    /// Reports a `static`. One of a scalar type is a constant once the keyword is changed.
    fn static_item(&mut self, s: &ItemStatic) {
        let (name, ty) = (&s.ident, s.ty.to_token_stream().to_string());
        let begins = s.static_token.span;
        let word = match &s.mutability {
            StaticMutability::Mut(word) => (begins, word.span),
            _ => (begins, begins),
        };
        let d = self.error(
            Code::J0101,
            &span::token_ends(s),
            "a `static` cannot stand in a kernel",
        );
        let is_scalar = ["f32", "i32", "usize", "bool"].contains(&ty.as_str());
        let d = match is_scalar {
            true => {
                let at = self.report.at(&word);
                let help =
                    format!("a kernel keeps nothing from launch to launch: write `const {name}: {ty} = {};`", text(&s.expr));
                d.help(help).fix(at, "const").maybe()
            }
            false => d.help("a kernel keeps nothing from launch to launch: let it be a parameter"),
        };
        self.report.add(d);
    }

    pub fn expr_stmt(&mut self, e: &Expr, semi: bool) {
        match e {
            Expr::ForLoop(f) => self.for_loop(f, e),
            Expr::If(i) => self.if_stmt(i, e),
            Expr::Match(m) => self.match_stmt(m, e),
            Expr::Assign(a) => self.assign(&a.left, &a.right, None, e),
            Expr::Binary(b) => match operator(&b.op) {
                Some((op, true)) => self.assign(&b.left, &b.right, Some(op), e),
                None if bits_merged(&b.op)
                    .is_some_and(|op| self.merge_bits(&b.left, &b.right, op, e)) => {}
                _ => {
                    let val = self.expr(e);
                    dropped(&mut self.report, val, e, semi);
                }
            },
            Expr::Group(g) => self.expr_stmt(&g.expr, semi),
            _ => {
                let before = self.report.diagnostics.len();
                let val = self.expr(e);
                // A statement with an error may have been the store that is missed later.
                self.report.doubt |= self.report.diagnostics.len() > before;
                dropped(&mut self.report, val, e, semi);
            }
        }
    }

    fn if_stmt(&mut self, i: &syn::ExprIf, e: &Expr) {
        let span = self.report.at(e);
        let Condition { cond, named } = self.if_condition(&i.cond);
        let (then, ()) = self.nested(Frame::Inner, |cx| {
            cx.names.bind_condition(&i.cond, named);
            cx.block(&i.then_branch);
        });
        let (other, ()) = self.nested(Frame::Inner, |cx| {
            match i.else_branch.as_ref().map(|(_, b)| &**b) {
                Some(Expr::Block(b)) => cx.block(&b.block),
                Some(Expr::If(inner)) => {
                    if cx.out.frames.len() >= MAX_BLOCKS {
                        cx.report.unsupported(
                            &inner.cond,
                            "a chain of `else if` this long",
                            "use arithmetic on the condition",
                        );
                    } else if let Some((_, b)) = &i.else_branch {
                        cx.if_stmt(inner, b);
                    }
                }
                _ => {}
            }
        });
        if let Some(cond) = cond {
            self.out.stmts.branch(&cond, then, other, span);
        }
    }
}

/// Returns the op on numbers 0 and 1 that equals `|=` or `&=` of bits.
fn bits_merged(op: &syn::BinOp) -> Option<BinaryOp> {
    match op {
        syn::BinOp::BitOrAssign(_) => Some(BinaryOp::Max),
        syn::BinOp::BitAndAssign(_) => Some(BinaryOp::Min),
        _ => None,
    }
}

/// Reports J0105 for a statement that may be compiled away: this front end does not know the
/// configuration.
fn no_cfg(report: &mut Report, s: &Stmt) {
    let attrs = match s {
        Stmt::Local(l) => &l.attrs,
        Stmt::Expr(Expr::MethodCall(e), _) => &e.attrs,
        Stmt::Expr(Expr::Call(e), _) => &e.attrs,
        Stmt::Expr(Expr::ForLoop(e), _) => &e.attrs,
        Stmt::Expr(Expr::If(e), _) => &e.attrs,
        Stmt::Expr(Expr::Assign(e), _) => &e.attrs,
        Stmt::Expr(Expr::Binary(e), _) => &e.attrs,
        _ => return,
    };
    for a in attrs
        .iter()
        .filter(|a| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr"))
    {
        let d = report
            .error(Code::J0105, a, "conditional compilation inside a kernel")
            .help("write two kernels and choose between them");
        report.add(d);
    }
}

/// Reports a value in the place of a statement.
fn dropped(report: &mut Report, val: Val, e: &Expr, semi: bool) {
    match val {
        Val::Unit | Val::Unknown => {}
        Val::Loop(_) => {
            let d = report
                .error(Code::J0109, e, "a tile loop without `for`")
                .help("write `for t in tiles(x) { .. }`");
            report.add(d);
        }
        _ if semi => {}
        other => {
            let d = report
                .error(
                    Code::J0101,
                    e,
                    format!("{} at the end of a block that gives no value", other.what()),
                )
                .help("store it, or remove the line");
            report.add(d);
        }
    }
}
