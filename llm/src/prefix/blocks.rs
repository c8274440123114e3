//! Kernels of a text and the blocks of their bodies, with their places.

use syn::spanned::Spanned;

/// A block of a body.
#[derive(Debug)]
pub(super) struct Block {
    /// The bytes of its braces.
    pub open: usize,
    pub close: usize,
    /// The lists that it loops over, each with the name of its item.
    pub items: Vec<(String, String)>,
    /// The name of the optional tensor that is present in it.
    pub given: Option<String>,
}

/// Returns the byte of the brace that ends a block.
pub(super) fn close(block: &syn::Block) -> usize {
    block.brace_token.span.close().byte_range().start
}

/// Returns the kernels of a text.
pub(super) fn kernels_of(file: &syn::File) -> Vec<&syn::ItemFn> {
    let mut out = Vec::new();
    add_kernels(&file.items, &mut out);
    out
}

fn add_kernels<'a>(items: &'a [syn::Item], out: &mut Vec<&'a syn::ItemFn>) {
    for item in items {
        match item {
            syn::Item::Fn(f) if f.attrs.iter().any(|a| a.path().is_ident("kernel")) => out.push(f),
            syn::Item::Mod(m) => m
                .content
                .iter()
                .for_each(|(_, items)| add_kernels(items, out)),
            _ => {}
        }
    }
}

/// Returns the blocks of a body that are statements or parts of one, outer ones first.
pub(super) fn blocks_of(block: &syn::Block) -> Vec<Block> {
    let mut out = Vec::new();
    for stmt in &block.stmts {
        if let syn::Stmt::Expr(expr, _) = stmt {
            add(expr, &mut out);
        }
    }
    out
}

fn add(expr: &syn::Expr, out: &mut Vec<Block>) {
    match expr {
        syn::Expr::ForLoop(f) => put(&f.body, items(&f.pat, &f.expr), None, out),
        syn::Expr::If(f) => {
            put(&f.then_branch, Vec::new(), given(&f.cond), out);
            f.else_branch.iter().for_each(|(_, other)| add(other, out));
        }
        syn::Expr::Match(m) => m.arms.iter().for_each(|arm| add(&arm.body, out)),
        syn::Expr::Block(b) => put(&b.block, Vec::new(), None, out),
        _ => {}
    }
}

fn put(
    block: &syn::Block,
    items: Vec<(String, String)>,
    given: Option<String>,
    out: &mut Vec<Block>,
) {
    out.push(Block {
        open: block.brace_token.span.open().byte_range().start,
        close: close(block),
        items,
        given,
    });
    out.extend(blocks_of(block));
}

/// Returns the lists of `(x, y) in zip((xs, ys))` with their items, also behind `enumerate`.
fn items(names: &syn::Pat, of: &syn::Expr) -> Vec<(String, String)> {
    let (names, of) = match (names, of) {
        (syn::Pat::Tuple(pair), syn::Expr::MethodCall(call))
            if call.method == "enumerate" && pair.elems.len() == 2 =>
        {
            (&pair.elems[1], &*call.receiver)
        }
        plain => plain,
    };
    let syn::Expr::Call(zip) = of else {
        return Vec::new();
    };
    match (names, zip.args.first()) {
        _ if text_of(&zip.func) != "zip" => Vec::new(),
        (syn::Pat::Tuple(names), Some(syn::Expr::Tuple(lists))) => names
            .elems
            .iter()
            .zip(&lists.elems)
            .map(|(name, list)| (text_of(list), text_of(name)))
            .collect(),
        (name, Some(list)) => vec![(text_of(list), text_of(name))],
        (_, None) => Vec::new(),
    }
}

/// Returns the source of a node, or an empty text if the source is unknown.
pub(super) fn text_of(node: &impl Spanned) -> String {
    node.span().source_text().unwrap_or_default()
}

/// Returns the name in `let Some(name) = ..`.
fn given(condition: &syn::Expr) -> Option<String> {
    let syn::Expr::Let(is) = condition else {
        return None;
    };
    let syn::Pat::TupleStruct(some) = &*is.pat else {
        return None;
    };
    some.elems.first().map(text_of)
}
