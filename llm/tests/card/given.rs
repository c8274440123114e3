//! The arguments of a launch of an example, made from the parameters of its kernel.
//!
//! Sizes and numbers are those of a table. Elements of floats are random; an integer tensor counts
//! from 0 on, so its elements are different indices and rising ends.

use quote::ToTokens;
use serde_json::{json, Map, Value};
use syn::visit::{self, Visit};
use syn::{Expr, Item, ItemFn, Pat, PatType, Type};

/// The sizes of axes, and the values of attributes that have their names.
const SIZES: [(&str, i64); 14] = [
    ("a", 2),
    ("b", 3),
    ("c", 2),
    ("d", 12),
    ("cap", 2),
    ("dim", 1),
    ("e", 4),
    ("k", 3),
    ("l", 2),
    ("m", 9),
    ("n", 8),
    ("o", 2),
    ("rows", 3),
    ("t", 3),
];

/// The shapes of the items of a list that says none.
const ITEMS: [&[i64]; 2] = [&[7], &[3, 4]];

/// Arguments of the tool `run`, without the text of the kernel.
pub struct Given {
    pub inputs: Value,
    pub attrs: Value,
    pub outputs: Value,
}

/// Returns the arguments of the kernel of a text.
pub fn given(text: &str) -> Given {
    let file: syn::File = syn::parse_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut found = Found::default();
    found.visit_file(&file);
    let function = found.kernel.expect("a kernel");
    let (mut inputs, mut attrs, mut outputs) = (Map::new(), Map::new(), Vec::new());
    let (mut first, mut first_list) = (None, None);
    for param in &function.sig.inputs {
        let syn::FnArg::Typed(param) = param else {
            panic!("a kernel has no self")
        };
        let Pat::Ident(name) = &*param.pat else {
            panic!("a parameter has a name")
        };
        let name = name.ident.to_string();
        let ty = param.ty.to_token_stream().to_string().replace(' ', "");
        if !ty.contains("GlobalTensor<") {
            attrs.insert(name.clone(), attribute(&name, &param.ty, &found.variants));
            continue;
        }
        let is_list = ty.contains('[');
        let own = shape(param);
        let first = if is_list { &mut first_list } else { &mut first };
        let shape = own.or_else(|| first.clone());
        if first.is_none() {
            first.clone_from(&shape);
        }
        let is_inplace = has(param, "inplace");
        if ty.contains("&mut") && !is_inplace {
            if ty.contains("Option<") {
                outputs.push(json!({ "name": name }));
            }
            continue;
        }
        let element = ty
            .split("GlobalTensor<")
            .nth(1)
            .and_then(|rest| rest.split('>').next());
        let element = element.expect("an element type");
        let tensor = |shape: &[i64]| tensor(element, shape);
        let given = match (is_list, shape) {
            (true, None) => ITEMS.iter().map(|shape| tensor(shape)).collect(),
            (true, Some(shape)) => vec![tensor(&shape), tensor(&shape)].into(),
            (false, shape) => tensor(&shape.unwrap_or_else(|| vec![size("d")])),
        };
        inputs.insert(name, given);
    }
    Given {
        inputs: inputs.into(),
        attrs: attrs.into(),
        outputs: outputs.into(),
    }
}

/// The kernel of a text, and the first variant of each of its enums.
#[derive(Default)]
struct Found {
    kernel: Option<ItemFn>,
    variants: Vec<(String, String)>,
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Fn(f) if f.attrs.iter().any(|a| a.path().is_ident("kernel")) => {
                self.kernel = Some(f.clone());
            }
            Item::Enum(e) => self.variants.extend(
                e.variants
                    .first()
                    .map(|v| (e.ident.to_string(), v.ident.to_string().to_lowercase())),
            ),
            _ => visit::visit_item(self, item),
        }
    }
}

fn has(param: &PatType, name: &str) -> bool {
    param.attrs.iter().any(|a| a.path().is_ident(name))
}

fn size(name: &str) -> i64 {
    let found = SIZES.iter().find(|(own, _)| *own == name);
    found.unwrap_or_else(|| panic!("`{name}` has no size")).1
}

fn attribute(name: &str, ty: &Type, variants: &[(String, String)]) -> Value {
    let text = ty.to_token_stream().to_string().replace(' ', "");
    let number = |ty: &str| match ty {
        "usize" | "i32" => json!(SIZES
            .iter()
            .find(|(own, _)| *own == name)
            .map_or(2, |s| s.1)),
        "bool" => json!(true),
        _ => json!(0.5),
    };
    if let Some(variant) = variants.iter().find(|(own, _)| *own == text) {
        return json!(variant.1);
    }
    match ty {
        Type::Array(list) => {
            let Expr::Lit(len) = &list.len else {
                panic!("a list has a length")
            };
            let len = len.lit.to_token_stream().to_string();
            vec![number(&list.elem.to_token_stream().to_string()); len.parse().expect("a length")]
                .into()
        }
        Type::Reference(_) => json!([0.5, 2.0]),
        _ => number(&text),
    }
}

/// Returns the sizes of a tensor, if it has a shape.
fn shape(param: &PatType) -> Option<Vec<i64>> {
    let attr = param.attrs.iter().find(|a| a.path().is_ident("shape"))?;
    let list = attr.meta.require_list().expect("a list of axes");
    let text = list.tokens.to_string();
    let entries = text.split(',').map(str::trim).filter(|e| !e.is_empty());
    let entry = |entry: &str| {
        let size = entry.rsplit('=').next().unwrap_or(entry);
        let size = size.split('@').next().unwrap_or(size);
        let size = size.trim().trim_end_matches("..").trim();
        value(&syn::parse_str(size).unwrap_or_else(|e| panic!("`{size}`: {e}")))
    };
    Some(if text.contains("match") {
        Vec::new()
    } else {
        entries.map(entry).collect()
    })
}

fn value(size: &Expr) -> i64 {
    match size {
        Expr::Paren(inner) => value(&inner.expr),
        Expr::Path(path) => size_of(path),
        Expr::Lit(lit) => {
            let text = lit.lit.to_token_stream().to_string();
            text.parse().expect("a number")
        }
        Expr::Binary(both) => {
            let (a, b) = (value(&both.left), value(&both.right));
            match both.op {
                syn::BinOp::Add(_) => a + b,
                syn::BinOp::Sub(_) => a - b,
                syn::BinOp::Mul(_) => a * b,
                syn::BinOp::Div(_) => a / b,
                _ => panic!("an operator of sizes"),
            }
        }
        _ => panic!("a size: {}", size.to_token_stream()),
    }
}

fn size_of(path: &syn::ExprPath) -> i64 {
    size(&path.to_token_stream().to_string())
}

fn tensor(element: &str, shape: &[i64]) -> Value {
    let len: i64 = shape.iter().product();
    match element {
        // The type parameters of the examples.
        "T" | "U" => json!({"shape": shape, "dtype": if element == "T" { "f16" } else { "f32" }}),
        "i32" | "i64" => {
            let data: Vec<i64> = (0..len).map(|i| i % size("m")).collect();
            json!({"shape": shape, "data": data})
        }
        _ => json!({ "shape": shape }),
    }
}
