//! The kinds of names and expressions: as much of the types as changes need to keep the meaning.
//!
//! An unknown kind is [`Kind::Unknown`], and no change touches it.

use super::effects::assigns;
use super::text::flat;
use std::collections::BTreeMap;
use syn::{
    BinOp, Expr, FnArg, GenericArgument, ItemFn, Lit, Pat, PathArguments, ReturnType, Stmt, Type,
    UnOp,
};

/// The kind of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A tile with elements of this type, in the words of the text.
    Tile(String),
    /// A scalar of this type; a literal without a type is [`NUMBER`].
    Scalar(&'static str),
    /// The name of an axis.
    Axis,
    /// The tile of a loop, and values computed from it.
    Turn,
    /// A tensor or a part of one, with its element type.
    Tensor(String),
    /// A list of tensors.
    List(String),
    /// Several values at once.
    Tuple(Vec<Kind>),
    /// Any other kind.
    Unknown,
}

/// The type of a literal before it is used with another value.
pub const NUMBER: &str = "number";

const SCALARS: [&str; 4] = ["f32", "i32", "usize", "bool"];

/// Methods that return a tile of the receiver's element type.
const SAME: &[&str] = &[
    "abs", "amax", "amin", "cumprod", "cumsum", "exp", "expand", "ln", "max", "mean", "min",
    "pick", "pow", "prod", "sigmoid", "sign", "silu", "sqrt", "sum",
];

const COMPARES: &[&str] = &["eq", "ge", "gt", "le", "lt", "ne"];

impl Kind {
    /// True for an operand of scalar arithmetic.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Kind::Scalar(_) | Kind::Axis)
    }

    /// True for a tile.
    pub fn is_tile(&self) -> bool {
        matches!(self, Kind::Tile(_))
    }

    /// True for a tile or a scalar with a type of its own, which a `let` may name.
    pub fn is_value(&self) -> bool {
        self.is_tile() || matches!(self, Kind::Scalar(of) if *of != NUMBER)
    }
}

/// The names in scope at a place, the last ones first.
#[derive(Clone)]
pub struct Env {
    names: Vec<(String, Kind)>,
    /// The result kinds of helpers, by name.
    helpers: BTreeMap<String, Kind>,
    /// The axes of tensors that name them.
    pub shapes: BTreeMap<String, Vec<String>>,
    /// Tensors that are input and output in one.
    pub inplace: Vec<String>,
    /// The bound of each element type parameter.
    bounds: BTreeMap<String, String>,
    /// The number of enclosing loops.
    pub loops: usize,
    /// `require` or `assume` around an expression.
    pub fact: Option<String>,
    /// True in the kernel, false in helpers.
    pub is_kernel: bool,
}

impl Env {
    /// Returns the scope of a function's parameters, among the functions of its module.
    pub fn of(function: &ItemFn, all: &[&ItemFn]) -> Env {
        let result = |f: &ItemFn| match &f.sig.output {
            ReturnType::Type(_, of) => (f.sig.ident.to_string(), written(of)),
            ReturnType::Default => (f.sig.ident.to_string(), Kind::Unknown),
        };
        let bound = |param: &syn::TypeParam| (param.ident.to_string(), flat(&param.bounds));
        let mut env = Env {
            names: Vec::new(),
            helpers: all.iter().map(|f| result(f)).collect(),
            shapes: BTreeMap::new(),
            inplace: Vec::new(),
            bounds: function.sig.generics.type_params().map(bound).collect(),
            loops: 0,
            fact: None,
            is_kernel: has(&function.attrs, "kernel"),
        };
        let params: Vec<_> = function.sig.inputs.iter().filter_map(typed).collect();
        for param in &params {
            env.bind(&param.pat, written(&param.ty));
        }
        // An attribute that is an axis, too, counts as an axis where one is needed.
        for param in &params {
            for attr in param
                .attrs
                .iter()
                .filter(|attr| attr.path().is_ident("shape"))
            {
                let axes = axes(attr);
                env.names
                    .extend(axes.iter().map(|axis| (axis.clone(), Kind::Axis)));
                env.shapes.insert(flat(&param.pat), axes);
            }
            if has(&param.attrs, "inplace") {
                env.inplace.push(flat(&param.pat));
            }
        }
        env
    }

    /// Returns the number of names in scope.
    pub fn mark(&self) -> usize {
        self.names.len()
    }

    /// Removes the names since a mark.
    pub fn back_to(&mut self, mark: usize) {
        self.names.truncate(mark);
    }

    /// Returns the kind of a name.
    pub fn name(&self, name: &str) -> Option<&Kind> {
        self.names
            .iter()
            .rev()
            .find(|(known, _)| known == name)
            .map(|(_, kind)| kind)
    }

    /// Returns the distinct names of scalars in scope.
    pub fn scalars(&self) -> Vec<&str> {
        let is = |name: &&str| matches!(self.name(name), Some(Kind::Scalar("i32" | "usize")));
        self.names
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(is)
            .collect()
    }

    /// Adds the names that a pattern binds.
    pub fn bind(&mut self, pat: &Pat, kind: Kind) {
        match (pat, kind) {
            (Pat::Ident(p), kind) => self.names.push((p.ident.to_string(), kind)),
            (Pat::Tuple(p), Kind::Tuple(kinds)) if kinds.len() == p.elems.len() => {
                p.elems
                    .iter()
                    .zip(kinds)
                    .for_each(|(pat, kind)| self.bind(pat, kind));
            }
            (Pat::Tuple(p), _) => p.elems.iter().for_each(|pat| self.bind(pat, Kind::Unknown)),
            (Pat::TupleStruct(p), kind) => {
                p.elems.iter().for_each(|pat| self.bind(pat, kind.clone()))
            }
            _ => {}
        }
    }

    /// Adds the names that a statement binds.
    pub fn bind_statement(&mut self, stmt: &Stmt) {
        if let Stmt::Local(local) = stmt {
            let kind = local
                .init
                .as_ref()
                .map_or(Kind::Unknown, |init| self.kind(&init.expr));
            self.bind(&local.pat, kind);
        }
    }

    /// Adds the variables of a loop.
    pub fn bind_turn(&mut self, pat: &Pat, over: &Expr) {
        let kind = self.turn(over);
        self.bind(pat, kind);
    }

    /// Returns the kind of a loop's variables.
    fn turn(&self, over: &Expr) -> Kind {
        match over {
            Expr::Range(_) => Kind::Scalar("usize"),
            Expr::MethodCall(m) => self.turn(&m.receiver),
            Expr::Call(c) => match (flat(&c.func).as_str(), c.args.first()) {
                ("tiles", Some(Expr::Tuple(all))) => {
                    Kind::Tuple(all.elems.iter().map(|e| self.part(e)).collect())
                }
                ("tiles", Some(_)) => Kind::Turn,
                ("each", _) => Kind::Scalar("usize"),
                ("zip", Some(Expr::Tuple(all))) => {
                    Kind::Tuple(all.elems.iter().map(|e| self.item(e)).collect())
                }
                ("zip", Some(e)) => self.item(e),
                _ => Kind::Unknown,
            },
            _ => Kind::Unknown,
        }
    }

    /// Returns the kind of one of several ranges of a loop.
    fn part(&self, range: &Expr) -> Kind {
        if matches!(range, Expr::Call(_)) {
            self.turn(range)
        } else {
            Kind::Turn
        }
    }

    /// Returns the kind of a list's item.
    fn item(&self, list: &Expr) -> Kind {
        match self.kind(list) {
            Kind::List(of) => Kind::Tensor(of),
            _ => Kind::Unknown,
        }
    }

    /// Returns the kind of an expression.
    pub fn kind(&self, e: &Expr) -> Kind {
        match e {
            Expr::Paren(p) => self.kind(&p.expr),
            Expr::Lit(lit) => match &lit.lit {
                Lit::Int(_) => Kind::Scalar(NUMBER),
                Lit::Float(_) => Kind::Scalar("f32"),
                Lit::Bool(_) => Kind::Scalar("bool"),
                _ => Kind::Unknown,
            },
            Expr::Path(p) => match p.path.get_ident() {
                Some(ident) => self
                    .name(&ident.to_string())
                    .cloned()
                    .unwrap_or(Kind::Unknown),
                None => match flat(p).split_once("::") {
                    Some(("f32", _)) => Kind::Scalar("f32"),
                    Some(("i32", _)) => Kind::Scalar("i32"),
                    _ => Kind::Unknown,
                },
            },
            Expr::Tuple(t) => Kind::Tuple(t.elems.iter().map(|e| self.kind(e)).collect()),
            Expr::Unary(u) if matches!(u.op, UnOp::Neg(_) | UnOp::Not(_)) => self.kind(&u.expr),
            Expr::Cast(c) => SCALARS
                .iter()
                .find(|of| flat(&c.ty) == **of)
                .map_or(Kind::Unknown, |of| Kind::Scalar(of)),
            Expr::Binary(b) if assigns(&b.op) => Kind::Unknown,
            Expr::Binary(b) => self.binary(&b.op, self.kind(&b.left), self.kind(&b.right)),
            Expr::If(i) => match i.then_branch.stmts.as_slice() {
                [Stmt::Expr(value, None)] if i.else_branch.is_some() => self.kind(value),
                _ => Kind::Unknown,
            },
            Expr::Call(c) => self.call(c),
            Expr::MethodCall(m) => self.method(m),
            _ => Kind::Unknown,
        }
    }

    fn binary(&self, op: &BinOp, left: Kind, right: Kind) -> Kind {
        let compares = matches!(
            op,
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_)
        );
        match (left, right) {
            (a, b) if compares && a.is_scalar() && b.is_scalar() => Kind::Scalar("bool"),
            (Kind::Tile(a), Kind::Tile(b)) if a == b => Kind::Tile(a),
            (Kind::Tile(of), other) | (other, Kind::Tile(of)) if other.is_scalar() => {
                Kind::Tile(of)
            }
            (Kind::Turn, other) | (other, Kind::Turn) if other.is_scalar() => Kind::Turn,
            (Kind::Axis, Kind::Axis | Kind::Scalar(NUMBER | "usize"))
            | (Kind::Scalar(NUMBER | "usize"), Kind::Axis) => Kind::Scalar("usize"),
            (Kind::Scalar(of), Kind::Scalar(NUMBER)) | (Kind::Scalar(NUMBER), Kind::Scalar(of)) => {
                Kind::Scalar(of)
            }
            (Kind::Scalar(a), Kind::Scalar(b)) if a == b => Kind::Scalar(a),
            _ => Kind::Unknown,
        }
    }

    fn call(&self, c: &syn::ExprCall) -> Kind {
        let Expr::Path(path) = &*c.func else {
            return Kind::Unknown;
        };
        let Some(last) = path.path.segments.last() else {
            return Kind::Unknown;
        };
        let element = generic(&last.arguments).unwrap_or_else(|| "f32".into());
        match last.ident.to_string().as_str() {
            "full" => Kind::Tile(element),
            "workspace" => Kind::Tensor(element),
            "new_axis" => Kind::Axis,
            "across_cores" => Kind::Unknown,
            name => self.helpers.get(name).cloned().unwrap_or(Kind::Unknown),
        }
    }

    fn method(&self, m: &syn::ExprMethodCall) -> Kind {
        let name = m.method.to_string();
        let of = self.kind(&m.receiver);
        match (of, name.as_str()) {
            (Kind::Tensor(of), "at" | "view" | "or_full") => Kind::Tensor(of),
            (Kind::Tensor(of), "load" | "load_or") => Kind::Tile(of),
            (Kind::Axis, "iota") => Kind::Tile("i32".into()),
            (Kind::Turn, "iota") => Kind::Tile("i32".into()),
            (Kind::Axis, "indices") => Kind::Turn,
            (Kind::Tile(of), "wide") => self.wide(&of),
            (Kind::Tile(_), "cast" | "cast_with" | "cast_trunc") => m
                .turbofish
                .as_ref()
                .and_then(one)
                .map_or(Kind::Unknown, Kind::Tile),
            (Kind::Tile(_), name) if COMPARES.contains(&name) => Kind::Tile("bool".into()),
            (Kind::Tile(of), "any" | "all") if of == "bool" => Kind::Tile(of),
            (Kind::Tile(of), "select") if of == "bool" => self.chosen(m),
            (Kind::Tile(_), "argmax" | "argmin") => Kind::Tile("i32".into()),
            (Kind::Tile(of), "topk") => Kind::Tuple(vec![Kind::Tile(of), Kind::Tile("i32".into())]),
            (Kind::Tile(of), "scalar") => match of.as_str() {
                "f32" => Kind::Scalar("f32"),
                "i32" | "i16" => Kind::Scalar("i32"),
                "i64" => Kind::Scalar("usize"),
                "bool" => Kind::Scalar("bool"),
                _ => Kind::Unknown,
            },
            (Kind::Tile(of), name) if SAME.contains(&name) => Kind::Tile(of),
            (Kind::Axis, "max" | "min") => Kind::Scalar("usize"),
            (Kind::Scalar(of), "max" | "min") => match m.args.first().map(|e| self.kind(e)) {
                Some(Kind::Axis) => Kind::Scalar("usize"),
                Some(Kind::Scalar(other)) if of == NUMBER => Kind::Scalar(other),
                _ => Kind::Scalar(of),
            },
            (Kind::Scalar("f32"), "sqrt") => Kind::Scalar("f32"),
            _ => Kind::Unknown,
        }
    }

    /// Returns the kind of a `select`: its operands are a tile or numbers.
    fn chosen(&self, m: &syn::ExprMethodCall) -> Kind {
        let kinds: Vec<Kind> = m.args.iter().map(|e| self.kind(e)).collect();
        match kinds.as_slice() {
            [Kind::Tile(of), _] | [_, Kind::Tile(of)] => Kind::Tile(of.clone()),
            [Kind::Scalar("f32"), _] | [_, Kind::Scalar("f32")] => Kind::Tile("f32".into()),
            [Kind::Scalar(_), Kind::Scalar(_)] => Kind::Tile("i32".into()),
            _ => Kind::Unknown,
        }
    }

    /// Returns the element type that arithmetic on this one widens to.
    fn wide(&self, of: &str) -> Kind {
        match (of, self.bounds.get(of).map(String::as_str)) {
            ("f16" | "bf16" | "f32", _) | (_, Some("Float")) => Kind::Tile("f32".into()),
            _ => Kind::Unknown,
        }
    }
}

/// True if one of the attributes has this name.
pub fn has(attrs: &[syn::Attribute], name: &str) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident(name))
}

/// Returns the typed parameter of a function.
pub fn typed(arg: &FnArg) -> Option<&syn::PatType> {
    match arg {
        FnArg::Typed(param) => Some(param),
        FnArg::Receiver(_) => None,
    }
}

/// Returns the axes that a `#[shape(..)]` names: `n`, `n..`, `d = 2 * k`.
fn axes(attr: &syn::Attribute) -> Vec<String> {
    let syn::Meta::List(list) = &attr.meta else {
        return Vec::new();
    };
    let text = flat(&list.tokens);
    let name = |piece: &str| {
        let piece = piece.trim();
        let end = piece
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(piece.len());
        let (name, rest) = (&piece[..end], piece[end..].trim());
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        (is_name && (rest.is_empty() || rest == ".." || rest.starts_with("= ")))
            .then(|| name.to_string())
    };
    text.split(',').filter_map(name).collect()
}

/// Returns the kind of a type.
fn written(of: &Type) -> Kind {
    match of {
        Type::Reference(r) => written(&r.elem),
        Type::Slice(s) => match written(&s.elem) {
            Kind::Tensor(of) => Kind::List(of),
            _ => Kind::Unknown,
        },
        Type::Path(p) => {
            let Some(last) = p.path.segments.last() else {
                return Kind::Unknown;
            };
            let name = last.ident.to_string();
            match (name.as_str(), generic(&last.arguments)) {
                ("GlobalTensor", Some(of)) => Kind::Tensor(of),
                ("Tile", Some(of)) => Kind::Tile(of),
                ("Axis", _) => Kind::Axis,
                ("Option", _) => inner(&last.arguments),
                (name, _) => SCALARS
                    .iter()
                    .find(|of| **of == name)
                    .map_or(Kind::Unknown, |of| Kind::Scalar(of)),
            }
        }
        _ => Kind::Unknown,
    }
}

fn inner(arguments: &PathArguments) -> Kind {
    let PathArguments::AngleBracketed(all) = arguments else {
        return Kind::Unknown;
    };
    match all.args.first() {
        Some(GenericArgument::Type(of)) => written(of),
        _ => Kind::Unknown,
    }
}

fn generic(arguments: &PathArguments) -> Option<String> {
    let PathArguments::AngleBracketed(all) = arguments else {
        return None;
    };
    one(all)
}

fn one(all: &syn::AngleBracketedGenericArguments) -> Option<String> {
    all.args.first().map(flat)
}
