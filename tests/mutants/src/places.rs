//! Operators that can be replaced.

use jumar_kit::files::below;
use std::fs;
use std::ops::Range;
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};

/// Parts of the product, each as folders and files.
pub const PARTS: [&[&str]; 4] = [
    &["dsl/src/check", "dsl/src/front"],
    &["dsl/src/lower"],
    &["codegen/src"],
    &["runtime/src/sim", "runtime/src/tile"],
];

/// One replaced operator.
pub struct Mutant {
    /// The file, seen from the workspace.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// The expression, in bytes of the file.
    pub at: Range<usize>,
    /// Text of the expression.
    pub was: String,
    /// Text of its replacement.
    pub becomes: String,
}

/// Returns every operator of a part, in the order of files and places.
pub fn places(root: &Path, part: &[&str]) -> Result<Vec<Mutant>, String> {
    let of_tests = |path: &Path| {
        path.iter()
            .any(|name| name == "tests" || name == "tests.rs")
    };
    let mut files: Vec<_> = part
        .iter()
        .flat_map(|folder| below(&root.join(folder), &["rs"]))
        .collect();
    files.retain(|path| path.strip_prefix(root).is_ok_and(|path| !of_tests(path)));
    files.sort();
    let mut all = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let parsed = syn::parse_file(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = path
            .strip_prefix(root)
            .map_err(|e| e.to_string())?
            .to_string_lossy()
            .replace('\\', "/");
        let mut reader = Reader {
            text: &text,
            file,
            found: Vec::new(),
        };
        reader.visit_file(&parsed);
        all.extend(reader.found);
    }
    Ok(all)
}

struct Reader<'t> {
    text: &'t str,
    file: String,
    found: Vec<Mutant>,
}

fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs
        .iter()
        .any(|a| a.path().is_ident("test") || a.path().is_ident("cfg"))
}

/// Returns the replacement of an operator. A sum has one only where its right side is an integer
/// literal, so its operands are integers.
fn other(e: &syn::ExprBinary) -> Option<&'static str> {
    let is_number = |e: &Expr| matches!(e, Expr::Lit(l) if matches!(l.lit, syn::Lit::Int(_)));
    let of_numbers = is_number(&e.right);
    Some(match e.op {
        BinOp::Lt(_) => "<=",
        BinOp::Le(_) => "<",
        BinOp::Gt(_) => ">=",
        BinOp::Ge(_) => ">",
        BinOp::Eq(_) => "!=",
        BinOp::Ne(_) => "==",
        BinOp::And(_) => "||",
        BinOp::Or(_) => "&&",
        BinOp::Add(_) if of_numbers => "-",
        BinOp::Sub(_) if of_numbers => "+",
        _ => return None,
    })
}

/// True for a condition that binds names, which cannot stand in another place.
fn binds(e: &Expr) -> bool {
    struct Lets(bool);
    impl Visit<'_> for Lets {
        fn visit_expr_let(&mut self, _: &syn::ExprLet) {
            self.0 = true;
        }
    }
    let mut lets = Lets(false);
    lets.visit_expr(e);
    lets.0
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_mod(&mut self, m: &'ast syn::ItemMod) {
        if !is_test(&m.attrs) {
            visit::visit_item_mod(self, m);
        }
    }
    fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
        // The switch reads the environment, which a constant function cannot.
        if f.sig.constness.is_none() && !is_test(&f.attrs) {
            visit::visit_item_fn(self, f);
        }
    }
    fn visit_impl_item_fn(&mut self, f: &'ast syn::ImplItemFn) {
        if f.sig.constness.is_none() && !is_test(&f.attrs) {
            visit::visit_impl_item_fn(self, f);
        }
    }
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_expr_repeat(&mut self, e: &'ast syn::ExprRepeat) {
        self.visit_expr(&e.expr);
    }

    fn visit_expr_binary(&mut self, e: &'ast syn::ExprBinary) {
        if let Some(op) = other(e).filter(|_| !binds(&Expr::Binary(e.clone()))) {
            let at = e.span().byte_range();
            let (left, sign) = (e.left.span().byte_range(), e.op.span().byte_range());
            let becomes = format!(
                "{}{op}{}",
                &self.text[left.start..sign.start],
                &self.text[sign.end..at.end]
            );
            let was = self.text[at.clone()].to_string();
            self.found.push(Mutant {
                file: self.file.clone(),
                line: e.span().start().line,
                at,
                was,
                becomes,
            });
        }
        visit::visit_expr_binary(self, e);
    }
}
